import ByteReading

extension TIFFFile {
  /// An entry's value as stored; nil if it is longer than `limit` bytes.
  package func bytes(of entry: TIFFEntry, limit: Int = 1 << 20) throws -> [UInt8]? {
    try source.bytes(in: entry.content, limit: limit)
  }

  /// An entry's first value as a whole number; nil if its type is not an integer. Signed values are read as unsigned.
  package func unsigned(_ entry: TIFFEntry) throws -> UInt64? {
    try unsignedList(entry, limit: 1).first
  }

  /// The first whole number of a tag in a directory.
  package func unsigned(_ tag: UInt16, in directory: TIFFDirectory) throws -> UInt64? {
    guard let entry = directory[tag] else { return nil }
    return try unsigned(entry)
  }

  /// Up to `limit` of an entry's values as whole numbers; empty for other types.
  package func unsignedList(_ entry: TIFFEntry, limit: Int) throws -> [UInt64] {
    guard [1, 3, 4, 6, 7, 8, 9, 13, 16, 17, 18].contains(entry.type),
      let width = TIFFEntry.unitWidth(of: entry.type)
    else { return [] }
    let wanted = min(entry.count, limit)
    let content = try source.bytes(at: entry.content.lowerBound, count: wanted * width)
    return (0..<wanted).compactMap { index in
      content.unsigned(at: index * width, width: width, order)
    }
  }

  /// Up to `limit` of an entry's values as numbers, for any numeric type. Fractions with denominator 0 are omitted.
  package func numbers(_ entry: TIFFEntry, limit: Int = 16) throws -> [Double] {
    guard let width = TIFFEntry.unitWidth(of: entry.type) else { return [] }
    let wanted = min(entry.count, limit)
    let content = try source.bytes(at: entry.content.lowerBound, count: wanted * width)
    return (0..<wanted).compactMap { index in
      tiffNumber(in: content, at: index * width, type: entry.type, order)
    }
  }

  /// A tag's text up to the first NUL, without surrounding spaces; nil if nothing is left.
  package func text(_ tag: UInt16, in directory: TIFFDirectory) throws -> String? {
    guard let entry = directory[tag], [1, 2, 7, 129].contains(entry.type) else { return nil }
    return try bytes(of: entry, limit: 1 << 16)?.trimmedText
  }
}

/// One value of a TIFF field type as a number; nil for text and undefined types, and at the end of the bytes.
func tiffNumber(in bytes: [UInt8], at offset: Int, type: UInt16, _ order: ByteOrder) -> Double? {
  switch type {
  case 1, 7: bytes.u8(at: offset).map(Double.init)
  case 6: bytes.u8(at: offset).map { Double(Int8(bitPattern: $0)) }
  case 3: bytes.u16(at: offset, order).map(Double.init)
  case 8: bytes.u16(at: offset, order).map { Double(Int16(bitPattern: $0)) }
  case 4, 13: bytes.u32(at: offset, order).map(Double.init)
  case 9: bytes.i32(at: offset, order).map(Double.init)
  // `map(Double.init)` would select `init(bitPattern:)` for 64 bits.
  case 16, 18: bytes.u64(at: offset, order).map { Double($0) }
  case 17: bytes.u64(at: offset, order).map { Double(Int64(bitPattern: $0)) }
  case 11: bytes.u32(at: offset, order).map { Double(Float(bitPattern: $0)) }
  case 12: bytes.u64(at: offset, order).map { Double(bitPattern: $0) }
  case 5:
    fraction(
      bytes.u32(at: offset, order).map(Double.init),
      bytes.u32(at: offset + 4, order).map(Double.init))
  case 10:
    fraction(
      bytes.i32(at: offset, order).map(Double.init),
      bytes.i32(at: offset + 4, order).map(Double.init))
  default: nil
  }
}

/// The quotient; nil if a part is missing or the denominator is 0.
private func fraction(_ numerator: Double?, _ denominator: Double?) -> Double? {
  guard let numerator, let denominator, denominator != 0 else { return nil }
  return numerator / denominator
}

/// A number without fraction as an integer; nil for others. (`Int(exactly:)` would need the C mathematics library.)
func wholeNumber(_ value: Double) -> Int? {
  guard value > -9e15, value < 9e15, Double(Int(value)) == value else { return nil }
  return Int(value)
}
