import Linux
import MediaModel

/// Checks that a file which is copied because any program opens it contains pixels.
///
/// Nothing is decoded: the check follows the lengths of the file's parts to the first one with pixel data. A file with
/// damaged structure passes, because many programs read such files too.
enum PictureData {
  /// Bytes at the beginning that are searched for the first pixels.
  private static let reach: UInt64 = 64 << 20
  /// The largest number of parts that are followed.
  private static let partLimit = 10_000

  /// - Throws: ``HandOverError`` if the picture ends before its first pixels; `SystemError`.
  static func require(
    in file: borrowing ReadOnlyFile, _ type: UniformType
  ) throws {
    let isThere: Bool
    switch type {
    case .jpeg: isThere = try hasJPEGScan(file)
    case .png: isThere = try hasPNGData(file)
    case .gif: isThere = try hasGIFImage(file)
    default: return
    }
    guard isThere else {
      throw HandOverError(
        sentence:
          "The file has a picture's headers but no picture data: --preset current copies it.")
    }
  }

  /// ITU T.81, B.1.1: markers with lengths up to the start of a scan, which has data.
  private static func hasJPEGScan(_ file: borrowing ReadOnlyFile) throws(SystemError) -> Bool {
    var window = Window()
    var offset: UInt64 = 2
    for _ in 0..<partLimit {
      guard let marker = try window.bytes(at: offset, count: 4, of: file) else { return false }
      guard marker[0] == 0xFF else { return true }
      if marker[1] == 0xFF {
        offset += 1  // A fill byte.
        continue
      }
      if marker[1] == 0xD9 { return false }
      // Markers without a length.
      if marker[1] == 0x01 || (0xD0...0xD8).contains(marker[1]) {
        offset += 2
        continue
      }
      let length = UInt64(marker[2]) << 8 | UInt64(marker[3])
      guard length >= 2 else { return true }
      offset += 2 + length
      if marker[1] == 0xDA {
        guard let data = try window.bytes(at: offset, count: 2, of: file) else { return false }
        return data != [0xFF, 0xD9]
      }
    }
    return true
  }

  /// PNG, 5.3: chunks with lengths up to the first IDAT, which has data.
  private static func hasPNGData(_ file: borrowing ReadOnlyFile) throws(SystemError) -> Bool {
    var window = Window()
    var offset: UInt64 = 8
    for _ in 0..<partLimit {
      guard let head = try window.bytes(at: offset, count: 8, of: file) else { return false }
      let length = head[..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if head[4...] == Array("IEND".utf8)[...] { return false }
      if head[4...] == Array("IDAT".utf8)[...], length > 0 { return offset + 8 < file.size }
      offset += 12 + length
      if offset > reach { return offset < file.size }
    }
    return true
  }

  /// GIF89a, 17 to 27: extensions, whose blocks have lengths, up to the first image descriptor.
  private static func hasGIFImage(_ file: borrowing ReadOnlyFile) throws(SystemError) -> Bool {
    var window = Window()
    guard let screen = try window.bytes(at: 10, count: 1, of: file) else { return false }
    var offset: UInt64 = 13
    if screen[0] & 0x80 != 0 { offset += 3 << (UInt64(screen[0] & 7) + 1) }
    for _ in 0..<partLimit {
      guard let introducer = try window.bytes(at: offset, count: 1, of: file) else { return false }
      switch introducer[0] {
      case 0x2C: return offset + 10 < file.size
      case 0x3B: return false
      case 0x21:
        offset += 2
        while true {
          guard let length = try window.bytes(at: offset, count: 1, of: file) else { return false }
          offset += 1 + UInt64(length[0])
          if length[0] == 0 { break }
          if offset > 1 << 20 { return true }
        }
      default: return true
      }
    }
    return true
  }

  /// The block of a file that was read last, since headers are close together.
  private struct Window {
    private var start: UInt64 = 0
    private var held: [UInt8] = []

    /// Bytes of the file; nil if it ends before them.
    mutating func bytes(
      at offset: UInt64, count: Int, of file: borrowing ReadOnlyFile
    ) throws(SystemError) -> [UInt8]? {
      if offset < start || offset + UInt64(count) > start + UInt64(held.count) {
        start = offset
        held = try file.read(at: offset, count: 1024)
      }
      let first = Int(offset - start)
      guard first + count <= held.count else { return nil }
      return Array(held[first..<first + count])
    }
  }
}
