import ByteReading

/// One entry's bytes as stored, and their format.
struct ExifEntryValue: Sendable {
  /// TIFF 6.0 §2, "Types".
  enum Format: UInt32 {
    case byte = 1
    case ascii, short, long, rational, signedByte, undefined, signedShort, signedLong
    case signedRational, float, double

    /// Bytes of one component.
    var size: Int {
      switch self {
      case .byte, .ascii, .signedByte, .undefined: 1
      case .short, .signedShort: 2
      case .long, .signedLong, .float: 4
      case .rational, .signedRational, .double: 8
      }
    }
  }

  var format: Format
  var bytes: [UInt8]

  /// How many numbers the entry holds.
  var count: Int { bytes.count / format.size }

  /// The number at `index`; nil if there is none: too few bytes, text without a
  /// number, or a fraction with denominator 0.
  func number(at index: Int = 0, _ order: ByteOrder) -> Double? {
    guard index >= 0, index < count else { return nil }
    let at = index * format.size
    switch format {
    case .byte, .undefined: return Double(bytes[at])
    case .signedByte: return Double(Int8(bitPattern: bytes[at]))
    case .short: return Double(unsigned(at, 2, order))
    case .signedShort:
      return Double(Int16(truncatingIfNeeded: unsigned(at, 2, order)))
    case .long: return Double(unsigned(at, 4, order))
    case .signedLong: return Double(Int32(truncatingIfNeeded: unsigned(at, 4, order)))
    case .rational:
      return Self.fraction(Int64(unsigned(at, 4, order)), Int64(unsigned(at + 4, 4, order)))
    case .signedRational:
      return Self.fraction(
        Int64(Int32(truncatingIfNeeded: unsigned(at, 4, order))),
        Int64(Int32(truncatingIfNeeded: unsigned(at + 4, 4, order))))
    case .float:
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: unsigned(at, 4, order)))
      return value.isFinite ? Double(value) : nil
    case .double:
      let value = Double(bitPattern: unsigned(at, 8, order))
      return value.isFinite ? value : nil
    case .ascii: return index == 0 ? Self.number(text: bytes) : nil
    }
  }

  /// A number that a writer stored as text, `0.004` or `1/250`; nil for other text.
  private static func number(text bytes: [UInt8]) -> Double? {
    guard bytes.count <= 32, let text = ExifText.trimmed(bytes) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
    guard let first = parts.first ?? nil, first.isFinite else { return nil }
    guard parts.count > 1 else { return first }
    guard parts.count == 2, let second = parts[1], second.isFinite, second != 0 else { return nil }
    return first / second
  }

  /// `length` bytes at `start` as a number; the caller has checked that they exist.
  private func unsigned(_ start: Int, _ length: Int, _ order: ByteOrder) -> UInt64 {
    bytes.unsigned(at: start, width: length, order) ?? 0
  }

  private static func fraction(_ numerator: Int64, _ denominator: Int64) -> Double? {
    denominator == 0 ? nil : Double(numerator) / Double(denominator)
  }

  /// The dictionary key of an entry: directory and tag.
  static func key(_ directory: ExifBlock.Directory, _ tag: UInt16) -> UInt32 {
    directory.rawValue << 16 | UInt32(tag)
  }
}
