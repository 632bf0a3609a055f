/// A 16-byte digest of bytes that come piece by piece: MurmurHash3_x64_128 by Austin Appleby, with the seed of
/// FFmpeg's `murmur3` hash. Not cryptographic.
///
/// Catalogs store these digests, so their values must not change.
package struct MurmurHash3: Sendable {
  private static let firstFactor: UInt64 = 0x87C3_7B91_1142_53D5
  private static let secondFactor: UInt64 = 0x4CF5_AD43_2745_937F
  private static let blockSize = 16

  private var first: UInt64 = 0x725A_CC55_DADD_CA55
  private var second: UInt64 = 0x725A_CC55_DADD_CA55
  private var length: UInt64 = 0
  /// The bytes after the last complete block.
  private var rest: [UInt8] = []

  package init() {}

  package mutating func update(_ bytes: [UInt8]) {
    length &+= UInt64(bytes.count)
    var position = 0
    if !rest.isEmpty {
      position = Swift.min(Self.blockSize - rest.count, bytes.count)
      rest += bytes[..<position]
      guard rest.count == Self.blockSize else { return }
      addBlocks(of: rest, from: 0)
      rest = []
    }
    addBlocks(of: bytes, from: position)
    position += (bytes.count - position) / Self.blockSize * Self.blockSize
    rest += bytes[position...]
  }

  /// The digest of all bytes so far.
  package consuming func finish() -> [UInt8] {
    let padded = rest + [UInt8](repeating: 0, count: Self.blockSize - rest.count)
    first ^= Self.mixedFirst(Self.word(padded.span, 0)) ^ length
    second ^= Self.mixedSecond(Self.word(padded.span, 8)) ^ length
    first &+= second
    second &+= first
    first = Self.finalMix(first)
    second = Self.finalMix(second)
    first &+= second
    second &+= first
    return encoded(first, width: 8, .little) + encoded(second, width: 8, .little)
  }

  /// Adds the complete blocks of some bytes.
  private mutating func addBlocks(of bytes: [UInt8], from start: Int) {
    let span = bytes.span
    // A local copy stays in registers.
    var (first, second) = (self.first, self.second)
    var position = start
    while span.count - position >= Self.blockSize {
      // A block of constant length needs one bounds check only.
      let block = span.extracting(position..<(position + Self.blockSize))
      first ^= Self.mixedFirst(Self.word(block, 0))
      first = (first << 27 | first >> 37) &+ second
      first = first &* 5 &+ 0x52DC_E729
      second ^= Self.mixedSecond(Self.word(block, 8))
      second = (second << 31 | second >> 33) &+ first
      second = second &* 5 &+ 0x3849_5AB5
      position += Self.blockSize
    }
    (self.first, self.second) = (first, second)
  }

  @inline(__always)
  private static func mixedFirst(_ word: UInt64) -> UInt64 {
    let product = word &* firstFactor
    return (product << 31 | product >> 33) &* secondFactor
  }

  @inline(__always)
  private static func mixedSecond(_ word: UInt64) -> UInt64 {
    let product = word &* secondFactor
    return (product << 33 | product >> 31) &* firstFactor
  }

  private static func finalMix(_ value: UInt64) -> UInt64 {
    var value = value
    value ^= value >> 33
    value &*= 0xFF51_AFD7_ED55_8CCD
    value ^= value >> 33
    value &*= 0xC4CE_B9FE_1A85_EC53
    return value ^ value >> 33
  }

  /// Eight bytes as a little-endian number. The compiler makes one load of it.
  @inline(__always)
  private static func word(_ bytes: Span<UInt8>, _ start: Int) -> UInt64 {
    let low =
      UInt64(bytes[start]) | UInt64(bytes[start + 1]) << 8 | UInt64(bytes[start + 2]) << 16
      | UInt64(bytes[start + 3]) << 24
    let high =
      UInt64(bytes[start + 4]) | UInt64(bytes[start + 5]) << 8 | UInt64(bytes[start + 6]) << 16
      | UInt64(bytes[start + 7]) << 24
    return low | high << 32
  }
}
