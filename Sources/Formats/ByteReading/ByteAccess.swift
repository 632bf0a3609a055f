import MediaModel

/// The byte order of a number.
package enum ByteOrder: Sendable, Hashable {
  case big
  case little
}

extension Span<UInt8> {
  /// An unsigned number of 1–8 bytes; nil if it is not completely inside.
  package func unsigned(at offset: Int, width: Int, _ order: ByteOrder) -> UInt64? {
    guard offset >= 0, width <= count, offset <= count - width else { return nil }
    var value: UInt64 = 0
    for index in 0..<width {
      let position = order == .big ? offset + index : offset + width - 1 - index
      value = value << 8 | UInt64(self[position])
    }
    return value
  }
}

// Searches call the inlinable functions for each byte of a text. Generic code that is not specialized in the caller's module
// would take a hundred times as long.
extension [UInt8] {
  @inlinable package func u8(at offset: Int) -> UInt8? {
    offset >= 0 && offset < count ? self[offset] : nil
  }

  /// An unsigned number of 1–8 bytes; nil if it is not completely inside.
  package func unsigned(at offset: Int, width: Int, _ order: ByteOrder = .big) -> UInt64? {
    span.unsigned(at: offset, width: width, order)
  }

  package func u16(at offset: Int, _ order: ByteOrder = .big) -> UInt16? {
    span.unsigned(at: offset, width: 2, order).map { UInt16(truncatingIfNeeded: $0) }
  }

  package func u24(at offset: Int, _ order: ByteOrder = .big) -> UInt32? {
    span.unsigned(at: offset, width: 3, order).map { UInt32(truncatingIfNeeded: $0) }
  }

  package func u32(at offset: Int, _ order: ByteOrder = .big) -> UInt32? {
    span.unsigned(at: offset, width: 4, order).map { UInt32(truncatingIfNeeded: $0) }
  }

  package func u64(at offset: Int, _ order: ByteOrder = .big) -> UInt64? {
    span.unsigned(at: offset, width: 8, order)
  }

  package func i32(at offset: Int, _ order: ByteOrder = .big) -> Int32? {
    u32(at: offset, order).map { Int32(bitPattern: $0) }
  }

  /// `count` bytes from `offset` on; nil if there are fewer.
  package func bytes(at offset: Int, count: Int) -> [UInt8]? {
    guard offset >= 0, count >= 0, count <= self.count, offset <= self.count - count
    else { return nil }
    return Array(self[offset..<(offset + count)])
  }

  /// All bytes from `offset` on; none beyond the end.
  package func bytes(from offset: Int) -> [UInt8] {
    offset >= 0 && offset < count ? Array(self[offset...]) : []
  }

  /// Whether the bytes at `offset` are this text.
  package func hasText(_ text: String, at offset: Int = 0) -> Bool {
    let wanted = text.utf8
    guard offset >= 0, wanted.count <= count, offset <= count - wanted.count else { return false }
    var position = offset
    for byte in wanted {
      if self[position] != byte { return false }
      position += 1
    }
    return true
  }

  /// Whether the bytes at `offset` are `wanted`.
  @inlinable package func hasBytes(_ wanted: [UInt8], at offset: Int = 0) -> Bool {
    guard offset >= 0, wanted.count <= count, offset <= count - wanted.count else { return false }
    for index in 0..<wanted.count where self[offset + index] != wanted[index] { return false }
    return true
  }

  /// The first offset of some bytes at or after `offset`; nil if they do not occur.
  @inlinable package func firstIndex(of wanted: [UInt8], from offset: Int = 0) -> Int? {
    guard let first = wanted.first, wanted.count <= count else { return nil }
    var position = Swift.max(0, offset)
    while position <= count - wanted.count {
      if self[position] == first, hasBytes(wanted, at: position) { return position }
      position += 1
    }
    return nil
  }

  package func firstIndex(of wanted: String, from offset: Int = 0) -> Int? {
    firstIndex(of: Array(wanted.utf8), from: offset)
  }

  /// The text up to the first NUL: UTF-8 if it is valid, otherwise Windows-1252.
  package var text: String {
    let content = prefix { $0 != 0 }
    if let decoded = String(validating: content, as: UTF8.self) { return decoded }
    return windows1252Text(content)
  }

  /// ``text`` without surrounding white space; nil if nothing is left.
  package var trimmedText: String? {
    text.trimmed.isEmpty ? nil : text.trimmed
  }
}

extension FixedWidthInteger {
  /// The sum; nil if it overflows.
  package func adding(_ other: Self) -> Self? {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? nil : sum
  }

  /// The product; nil if it overflows.
  package func times(_ other: Self) -> Self? {
    let (product, overflow) = multipliedReportingOverflow(by: other)
    return overflow ? nil : product
  }
}

/// UTF-16 text up to the first NUL. A byte order mark overrides `order`.
package func utf16Text(_ bytes: [UInt8], _ order: ByteOrder) -> String {
  var order = order
  var position = 0
  if bytes.hasBytes([0xFE, 0xFF]) { (order, position) = (.big, 2) }
  if bytes.hasBytes([0xFF, 0xFE]) { (order, position) = (.little, 2) }
  var units: [UInt16] = []
  while let unit = bytes.u16(at: position, order), unit != 0 {
    units.append(unit)
    position += 2
  }
  return String(decoding: units, as: UTF16.self)
}

extension Range<UInt64> {
  /// The range without its first `count` bytes.
  package func dropping(_ count: Int) -> Range<UInt64> {
    Swift.min(lowerBound + UInt64(count), upperBound)..<upperBound
  }
}
