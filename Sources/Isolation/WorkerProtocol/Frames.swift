/// Cuts a stream of bytes into frames: four bytes of length, big-endian, then that many bytes.
package struct FrameBuffer: Sendable {
  /// The longest valid message, in bytes.
  package static let maximumLength = 64 << 20

  /// Bytes of the length in front of each payload.
  package static let headerLength = 4

  private var bytes: [UInt8] = []
  private var start = 0

  package init() {}

  /// Adds bytes from the stream.
  package mutating func append(_ more: some Sequence<UInt8>) {
    if start > 0, start == bytes.count {
      bytes.removeAll(keepingCapacity: true)
      start = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The payload of the next complete frame; nil if more bytes are needed.
  package mutating func next() throws(WireError) -> [UInt8]? {
    guard bytes.count - start >= 4 else { return nil }
    let length = bytes[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
    guard length <= Self.maximumLength else { throw .tooLarge(length) }
    guard bytes.count - start - 4 >= length else { return nil }
    let payload = Array(bytes[(start + 4)..<(start + 4 + length)])
    start += 4 + length
    if start > 1 << 16 {
      bytes.removeFirst(start)
      start = 0
    }
    return payload
  }

  /// A payload with its length in front, ready to send.
  package static func frame(_ payload: [UInt8]) -> [UInt8] {
    let count = UInt32(payload.count)
    let length = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> UInt32($0)) }
    return length + payload
  }
}
