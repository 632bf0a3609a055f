/// A set of bytes, as a table: a search asks for each byte of a text whether it is a member.
struct ByteSet: Sendable {
  private var members = [Bool](repeating: false, count: 256)

  init(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { members[Int(byte)] = true }
  }

  func contains(_ byte: UInt8) -> Bool { members[Int(byte)] }

  func union(_ bytes: some Sequence<UInt8>) -> ByteSet {
    var result = self
    for byte in bytes { result.members[Int(byte)] = true }
    return result
  }
}

/// An ASCII letter in lower case; another byte as it is.
func lowercase(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }

extension [UInt8] {
  /// Whether the bytes at an offset are these, but for the case of letters in ASCII.
  ///
  /// - Parameter wanted: in lower case.
  func hasLowercase(_ wanted: [UInt8], at offset: Int) -> Bool {
    guard offset >= 0, offset <= count - wanted.count else { return false }
    for index in 0..<wanted.count where lowercase(self[offset + index]) != wanted[index] {
      return false
    }
    return true
  }
}
