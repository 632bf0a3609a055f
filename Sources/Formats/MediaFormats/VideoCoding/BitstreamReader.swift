import ByteReading

/// Reads the bits of a parameter set or header, starting with the most significant one of each byte, with the
/// descriptors of ITU-T H.264 §7.2.
///
/// After the end all numbers are 0 and ``isAtEnd`` is set, so that a parser checks only once.
struct BitstreamReader {
  private let bytes: [UInt8]
  private var position = 0
  /// Whether more bits were read than there are.
  private(set) var isAtEnd = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A number of up to 32 bits: u(n).
  mutating func read(_ count: Int) -> Int {
    guard count >= 0, count <= 32, position + count <= bytes.count * 8 else {
      isAtEnd = true
      return 0
    }
    var value = 0
    for index in position..<(position + count) {
      value = value << 1 | Int(bytes[index / 8] >> UInt8(7 - index % 8)) & 1
    }
    position += count
    return value
  }

  mutating func flag() -> Bool { read(1) == 1 }

  mutating func skip(_ count: Int) {
    guard count >= 0, count <= bytes.count * 8 - position else {
      isAtEnd = true
      return
    }
    position += count
  }

  /// An unsigned Exp-Golomb number: ue(v).
  mutating func exponential() -> Int {
    var zeros = 0
    while !isAtEnd, zeros < 32, !flag() { zeros += 1 }
    guard !isAtEnd, zeros < 32 else {
      isAtEnd = true
      return 0
    }
    return (1 << zeros) - 1 + read(zeros)
  }

  /// A signed Exp-Golomb number: se(v).
  mutating func signedExponential() -> Int {
    let code = exponential()
    return code % 2 == 0 ? -(code / 2) : code / 2 + 1
  }
}

/// The bytes without the 03 that encoders insert after two zeros (ITU-T H.264 and H.265 §7.4.1).
func withoutEmulationPrevention(_ bytes: some Collection<UInt8>) -> [UInt8] {
  var result: [UInt8] = []
  var zeros = 0
  for byte in bytes {
    if zeros >= 2, byte == 3 {
      zeros = 0
      continue
    }
    zeros = byte == 0 ? zeros + 1 : 0
    result.append(byte)
  }
  return result
}
