/// Why bytes are not a valid message: the other program has another version or is compromised.
package enum WireError: Error, Sendable, Hashable {
  case truncated
  case unknownCase(UInt8)
  case tooLarge(Int)
  /// A number without a meaning in its field.
  case outOfRange
  /// Bytes are left after the message.
  case surplus
  /// A request has fewer files than items.
  case missingFiles
  /// A request that another worker program answers.
  case otherProgram
}

/// Encodes values as bytes: integers as LEB128 (signed ones zigzag), doubles as 8 bytes, strings and byte
/// strings with their length in front.
package struct WireWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package mutating func write(_ value: UInt8) {
    bytes.append(value)
  }

  package mutating func write(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  package mutating func write(_ value: Int64) {
    write(UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  package mutating func write(_ value: Int) {
    write(Int64(value))
  }

  package mutating func write(_ value: Double) {
    var pattern = value.bitPattern
    for _ in 0..<8 {
      bytes.append(UInt8(truncatingIfNeeded: pattern))
      pattern >>= 8
    }
  }

  package mutating func write(_ value: Bool) {
    bytes.append(value ? 1 : 0)
  }

  package mutating func write(_ value: String) {
    write(UInt64(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  package mutating func write(_ value: [UInt8]) {
    write(UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// A flag byte, then the value if there is one.
  package mutating func write<Value>(
    optional value: Value?, _ body: (inout WireWriter, Value) -> Void
  ) {
    write(value != nil)
    if let value { body(&self, value) }
  }

  /// A count, then each element.
  package mutating func write<Element>(
    list: [Element], _ body: (inout WireWriter, Element) -> Void
  ) {
    write(UInt64(list.count))
    for element in list { body(&self, element) }
  }
}

/// Decodes the output of ``WireWriter``. Input is not trusted: every length is checked.
package struct WireReader: Sendable {
  private let bytes: [UInt8]
  private var position = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Whether everything was read.
  package var isAtEnd: Bool { position == bytes.count }

  /// Skips everything that was not read.
  mutating func skipAll() { position = bytes.count }

  package mutating func byte() throws(WireError) -> UInt8 {
    guard position < bytes.count else { throw .truncated }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func unsigned() throws(WireError) -> UInt64 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      let next = try byte()
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 { return value }
    }
    throw .truncated
  }

  package mutating func signed() throws(WireError) -> Int64 {
    let value = try unsigned()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  package mutating func integer() throws(WireError) -> Int {
    Int(try signed())
  }

  package mutating func double() throws(WireError) -> Double {
    var pattern: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      pattern |= UInt64(try byte()) << shift
    }
    return Double(bitPattern: pattern)
  }

  package mutating func bool() throws(WireError) -> Bool {
    try byte() != 0
  }

  package mutating func byteString() throws(WireError) -> [UInt8] {
    let count = try unsigned()
    guard count <= UInt64(bytes.count - position) else { throw .truncated }
    defer { position += Int(count) }
    return Array(bytes[position..<(position + Int(count))])
  }

  package mutating func string() throws(WireError) -> String {
    String(decoding: try byteString(), as: UTF8.self)
  }

  package mutating func optional<Value>(
    _ body: (inout WireReader) throws(WireError) -> Value
  ) throws(WireError) -> Value? {
    try bool() ? try body(&self) : nil
  }

  package mutating func list<Element>(
    _ body: (inout WireReader) throws(WireError) -> Element
  ) throws(WireError) -> [Element] {
    let count = try unsigned()
    // Each element takes at least one byte, so a larger count is invalid.
    guard count <= UInt64(bytes.count - position) else { throw .truncated }
    var elements: [Element] = []
    // An element can be a thousand times larger in memory than in the message.
    elements.reserveCapacity(min(Int(count), 1024))
    for _ in 0..<count { elements.append(try body(&self)) }
    return elements
  }
}

/// A message that is sent in its own frame.
package protocol WireMessage: Sendable {
  func write(to writer: inout WireWriter)
  init(from reader: inout WireReader) throws(WireError)
}

extension WireMessage {
  /// The message as a frame's payload.
  package var payload: [UInt8] {
    var writer = WireWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Decodes a frame's payload, which must contain nothing else.
  package init(payload: [UInt8]) throws(WireError) {
    var reader = WireReader(payload)
    try self.init(from: &reader)
    guard reader.isAtEnd else { throw .surplus }
  }
}
