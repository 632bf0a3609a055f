/// How the samples of a TIFF are stored (TIFF 6.0 §2, §19).
@safe enum SampleCoding: Hashable {
  case unsigned(bits: Int)
  /// Two's complement; the smallest number is black.
  case signed(bits: Int)
  /// IEEE 754; 0 is black, 1 is white.
  case float(bits: Int)

  /// Nil for complex numbers, and for numbers of other sizes.
  ///
  /// - Parameter format: `SampleFormat`.
  init?(bits: Int, format: Int) {
    switch format {
    case 1, 4:
      guard (1...32).contains(bits) || bits == 64 else { return nil }
      self = .unsigned(bits: bits)
    case 2:
      guard (2...32).contains(bits) || bits == 64 else { return nil }
      self = .signed(bits: bits)
    case 3:
      guard [16, 24, 32, 64].contains(bits) else { return nil }
      self = .float(bits: bits)
    default: return nil
    }
  }

  var bits: Int {
    switch self {
    case .unsigned(let bits), .signed(let bits), .float(let bits): bits
    }
  }

  var isFloat: Bool {
    if case .float = self { true } else { false }
  }

  /// Whether 8 bits are too few for it.
  var isDeep: Bool { bits > 8 }

  /// The stored number at an index of a row, as libtiff returns it: whole bytes in the order of this computer, other
  /// sizes packed from the highest bit of each byte.
  func number(_ row: UnsafePointer<UInt8>, _ index: Int) -> UInt64 {
    let raw = unsafe UnsafeRawPointer(row)
    switch bits {
    case 8: return unsafe UInt64(row[index])
    case 16: return unsafe UInt64(raw.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
    case 32: return unsafe UInt64(raw.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
    case 64: return unsafe raw.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)
    case 24:
      let (first, second, third) = unsafe (
        UInt64(row[index * 3]), UInt64(row[index * 3 + 1]), UInt64(row[index * 3 + 2])
      )
      let isLittle = UInt16(1).littleEndian == 1
      return isLittle ? third << 16 | second << 8 | first : first << 16 | second << 8 | third
    default:
      var value: UInt64 = 0
      var (position, wanted) = (index * bits, bits)
      while wanted > 0 {
        let free = 8 - position % 8
        let taken = min(free, wanted)
        let part = unsafe UInt64(row[position / 8]) >> (free - taken) & (1 << taken - 1)
        value = value << taken | part
        (position, wanted) = (position + taken, wanted - taken)
      }
      return value
    }
  }

  /// The brightness of a stored number, 0–65535.
  func level16(_ number: UInt64) -> UInt16 {
    switch self {
    case .unsigned(let bits): Self.level(number, bits: bits)
    case .signed(let bits): Self.level(number ^ 1 << (bits - 1), bits: bits)
    case .float(let bits): Self.level(Self.float(number, bits: bits))
    }
  }

  /// The level of a stored floating-point number in another range, 0–65535.
  func level16(_ number: UInt64, offset: Double = 0, scale: Double) -> UInt16 {
    guard case .float(let bits) = self else { return level16(number) }
    return Self.level((Self.float(number, bits: bits) + offset) * scale)
  }

  /// The brightness of a stored number, 0–255.
  func level8(_ number: UInt64) -> UInt8 {
    if self == .unsigned(bits: 8) { return UInt8(truncatingIfNeeded: number) }
    return UInt8((Int(level16(number)) + 128) / 257)
  }

  private static func level(_ number: UInt64, bits: Int) -> UInt16 {
    if bits >= 16 { return UInt16(truncatingIfNeeded: number >> UInt64(bits - 16)) }
    let last = UInt64(1) << bits - 1
    return UInt16(truncatingIfNeeded: (number * 65_535 + last / 2) / last)
  }

  private static func level(_ value: Double) -> UInt16 {
    // False for NaN too.
    guard value > 0 else { return 0 }
    return value < 1 ? UInt16(value * 65_535 + 0.5) : 65_535
  }

  /// A floating-point number of 16, 24 (one sign bit, seven of exponent; TIFF Technical Note 3), 32 or 64 bits.
  private static func float(_ number: UInt64, bits: Int) -> Double {
    switch bits {
    case 64: Double(bitPattern: number)
    case 32: Double(Float(bitPattern: UInt32(truncatingIfNeeded: number)))
    case 24: small(number, exponentBits: 7, fractionBits: 16)
    default: small(number, exponentBits: 5, fractionBits: 10)
    }
  }

  private static func small(
    _ number: UInt64, exponentBits: Int, fractionBits: Int
  ) -> Double {
    let fraction = Double(number & (1 << fractionBits - 1)) / Double(1 << fractionBits)
    let exponent = Int(number >> UInt64(fractionBits) & (1 << exponentBits - 1))
    let bias = 1 << (exponentBits - 1) - 1
    let isNegative = number >> UInt64(exponentBits + fractionBits) & 1 == 1
    let magnitude: Double
    if exponent == 1 << exponentBits - 1 {
      magnitude = fraction == 0 ? .infinity : .nan
    } else if exponent == 0 {
      magnitude = Double(sign: .plus, exponent: 1 - bias, significand: fraction)
    } else {
      magnitude = Double(sign: .plus, exponent: exponent - bias, significand: 1 + fraction)
    }
    return isNegative ? -magnitude : magnitude
  }
}
