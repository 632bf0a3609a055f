import ByteReading

/// The beginning of a JSON object without the ends of its long texts: its keys may follow a description of any length
/// (RFC 8259).
///
/// Only texts of the outermost object are shortened, because these are where sidecars have descriptions. So a large file
/// of another kind costs no more than its beginning.
struct JSONHead {
  /// Bytes of a text that are kept: more than a key has.
  private static let keptText = 256

  /// The bytes that are kept.
  private(set) var bytes: [UInt8] = []
  /// The number of objects and arrays that are open.
  private var depth = 0
  private var isInText = false
  private var isEscaped = false
  /// The bytes of the current text so far.
  private var textLength = 0

  /// Reads a file until enough bytes are kept.
  ///
  /// - Parameters:
  ///   - size: the number of bytes to keep.
  ///   - limit: bytes of the file. Of larger files the first `size` bytes are returned as they are.
  /// - Throws: what the source throws.
  static func read(_ source: any ByteSource, size: Int, limit: UInt64) throws -> [UInt8] {
    let first = try source.bytes(at: 0, count: size)
    guard source.count > UInt64(first.count), source.count <= limit else { return first }
    var head = JSONHead()
    head.append(first, size: size)
    var position = UInt64(first.count)
    while head.bytes.count < size, position < source.count {
      let block = try source.bytes(at: position, count: size)
      guard !block.isEmpty else { break }
      head.append(block, size: size)
      position += UInt64(block.count)
    }
    return head.bytes
  }

  /// Adds the next bytes of the file, until `size` bytes are kept.
  private mutating func append(_ block: [UInt8], size: Int) {
    for byte in block {
      guard bytes.count < size else { return }
      if isInText {
        textLength += 1
        let isEnd = byte == UInt8(ascii: "\"") && !isEscaped
        if isEnd || depth != 1 || textLength <= Self.keptText { bytes.append(byte) }
        // JSON has no control characters in texts: this is another format.
        isInText = !isEnd && byte >= 0x20
        isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
        continue
      }
      bytes.append(byte)
      switch byte {
      case UInt8(ascii: "\""): (isInText, textLength) = (true, 0)
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
  }
}
