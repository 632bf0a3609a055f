import Catalog
import Crypto
import Exporter
import Linux
import MediaModel
import Verifier

/// Why a file was not copied.
enum CopyError: Error {
  /// The run was cancelled.
  case stopped
  /// The file's own fault: the source cannot be read, or changes.
  case source(String)
  /// What was written is not what was read.
  case differs
  /// The target cannot be written.
  case target(SystemError)
}

/// A complete copy without a name: it is on the disk, was read again, and has the content of its source.
struct VerifiedCopy: Sendable {
  let staged: StagedFile
  /// SHA-256 of all of its content.
  let digest: [UInt8]

  /// Bytes that are read at a time.
  private static let blockSize = 1 << 20
  /// Bytes after which the kernel begins to write.
  private static let writtenSize: UInt64 = 32 << 20

  /// Copies a file into a folder.
  ///
  /// - Parameter progress: called with the number of copied bytes; false ends the copy.
  init(
    of source: ImportableFile, in folder: OpenFolder, progress: (Int) -> Bool
  ) throws(CopyError) {
    let file: ReadOnlyFile
    do {
      file = try ReadOnlyFile(path: source.path)
    } catch {
      throw .source("cannot be read: \(error.reason)")
    }
    do throws(SystemError) {
      staged = try StagedFile(in: folder, isLocked: true)
    } catch {
      throw .target(error)
    }
    digest = try Self.copy(file, to: staged.file, progress)
    let status: FileStatus
    do {
      status = try file.statusNow()
    } catch {
      throw .source("cannot be read: \(error.reason)")
    }
    guard status.stamp == file.status.stamp, status.changed == file.status.changed else {
      throw .source("has changed while it was copied: import it again")
    }
    do {
      // Modification time and, as the umask allows it, the usual mode.
      try staged.file.seal(modified: status.stamp.modified)
    } catch {
      throw .target(error)
    }
    guard try Self.digest(of: staged.file, progress) == digest else { throw .differs }
  }

  private static func copy(
    _ source: borrowing ReadOnlyFile, to target: borrowing OutputFile, _ progress: (Int) -> Bool
  ) throws(CopyError) -> [UInt8] {
    source.expectReading()
    var hash = SHA256()
    var (position, written): (UInt64, UInt64) = (0, 0)
    while position < source.size {
      let bytes: [UInt8]
      do {
        bytes = try source.read(
          at: position, count: Int(min(UInt64(blockSize), source.size - position)))
      } catch {
        throw .source("cannot be read: \(error.reason)")
      }
      guard !bytes.isEmpty else {
        throw .source("has become shorter while it was copied: import it again")
      }
      hash.update(data: bytes)
      do {
        try target.write(bytes, at: position)
      } catch {
        throw .target(error)
      }
      position += UInt64(bytes.count)
      written += UInt64(bytes.count)
      if written >= writtenSize {
        target.beginSync()
        source.dropCache()
        written = 0
      }
      guard progress(bytes.count) else { throw .stopped }
    }
    source.dropCache()
    return Array(hash.finalize())
  }

  /// The digest of what the disk has; nil if that is shorter than it was.
  private static func digest(
    of target: borrowing OutputFile, _ progress: (Int) -> Bool
  ) throws(CopyError) -> [UInt8]? {
    var isStopped = false
    let digest: [UInt8]?
    do {
      digest = try ContentReading.digest(of: target, size: target.size()) { _ in
        isStopped = !progress(0)
        return !isStopped
      }
    } catch {
      throw .target(error)
    }
    if isStopped { throw .stopped }
    return digest
  }
}
