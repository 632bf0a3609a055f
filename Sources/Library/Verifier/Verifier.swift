// Verifier: reads the whole content of files again and compares it with digests.
//
// A disk, a cable or memory may change bytes of a file that no program has written. The catalog has a SHA-256 of the
// content of each file that was verified, with the file's size and times at that moment. Other content with the same size
// and modification time is bit rot; with another time it is an edit. Files are read in this process, because their bytes
// are only hashed and not interpreted, and past the page cache, because the disk is what is verified.

import ByteReading
import Crypto
package import Linux
import MediaModel

/// Reads whole files and computes the SHA-256 of their content.
package enum ContentReading {
  /// Bytes that are read at a time.
  private static let blockSize = 1 << 20
  /// Bytes after which the cache is emptied while a large file is read.
  private static let cachedSize: UInt64 = 32 << 20

  /// The SHA-256 of a file as long as it was when it was opened, read from the disk.
  ///
  /// - Parameter progress: called with the number of bytes of each block; false ends the reading.
  /// - Returns: nil if the reading was ended, or if the file has become shorter.
  package static func digest(
    of file: borrowing ReadOnlyFile, progress: (Int) -> Bool
  ) throws(SystemError) -> [UInt8]? {
    file.expectReading()
    return try digest(of: file, size: file.size, progress: progress)
  }

  /// The SHA-256 of a file with `size` bytes, as ``digest(of:progress:)``.
  package static func digest<File: ReadableFile & ~Copyable>(
    of file: borrowing File, size: UInt64, progress: (Int) -> Bool
  ) throws(SystemError) -> [UInt8]? {
    file.dropCache()
    var hash = SHA256()
    var position: UInt64 = 0
    var cached: UInt64 = 0
    while position < size {
      let wanted = min(UInt64(blockSize), size - position)
      let bytes = try file.read(at: position, count: Int(wanted))
      guard !bytes.isEmpty, progress(bytes.count) else { return nil }
      hash.update(data: bytes)
      position += UInt64(bytes.count)
      cached += UInt64(bytes.count)
      if cached >= cachedSize {
        file.dropCache()
        cached = 0
      }
    }
    file.dropCache()
    return Array(hash.finalize())
  }

  /// The fingerprint that a scan computes of a file, as long as it was when it was opened.
  static func fingerprint(of file: borrowing ReadOnlyFile) throws(SystemError) -> Fingerprint {
    try .of(size: file.size) { (offset, count) throws(SystemError) in
      try file.read(at: offset, count: count)
    }
  }
}
