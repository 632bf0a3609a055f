/// Decompresses a Brotli stream (RFC 7932), as in the metadata of JPEG XL.
///
/// - Returns: nil if the stream is damaged, ends early or expands to more than `limit` bytes.
package func expandBrotli(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
  var expander = BrotliExpander(PackedBits(bytes), limit: limit)
  return expander.run() ? expander.output : nil
}

/// Brotli (RFC 7932): blocks of commands, each of which inserts literals and copies earlier output or a word of the
/// dictionary.
private struct BrotliExpander {
  private var bits: PackedBits
  private let limit: Int
  private(set) var output: [UInt8] = []
  /// The farthest distance of earlier output in bytes.
  private var window = 0
  /// The last four distances, the latest one first (§4).
  private var distances = [4, 11, 15, 16]

  init(_ bits: PackedBits, limit: Int) {
    self.bits = bits
    self.limit = limit
  }

  /// Decompresses the stream; false if it is incomplete or its output exceeds the limit.
  mutating func run() -> Bool {
    guard let windowBits = readWindowBits() else { return false }
    window = 1 << windowBits - 16
    while let isLast = bits.read(1) {
      if isLast == 1, bits.read(1) != 0 { return true }
      guard expandBlock(isLast: isLast == 1) else { return false }
      if isLast == 1 { return true }
    }
    return false
  }

  /// The logarithm of the size of the window (§9.1). The code of larger windows is not part of the RFC.
  private mutating func readWindowBits() -> Int? {
    guard let isLarge = bits.read(1) else { return nil }
    if isLarge == 0 { return 16 }
    guard let more = bits.read(3) else { return nil }
    if more > 0 { return 17 + more }
    guard let other = bits.read(3), other != 1 else { return nil }
    return other == 0 ? 17 : 8 + other
  }

  /// Decompresses one block of the stream (§9.2).
  private mutating func expandBlock(isLast: Bool) -> Bool {
    guard let digits = bits.read(2) else { return false }
    if digits == 3 { return !isLast && skipMetadata() }
    guard let stored = bits.read(16 + 4 * digits), digits == 0 || stored >> (12 + 4 * digits) > 0
    else { return false }
    let end = output.count + stored + 1
    guard end <= limit else { return false }
    if !isLast {
      guard let isStored = bits.read(1) else { return false }
      if isStored == 1 { return copyStored(until: end) }
    }
    guard var codes = BrotliCodes(&bits) else { return false }
    while output.count < end {
      guard expandCommand(&codes, until: end) else { return false }
    }
    return output.count == end
  }

  private mutating func skipMetadata() -> Bool {
    guard bits.read(1) == 0, let width = bits.read(2), let length = bits.read(8 * width)
    else { return false }
    bits.skipToByte()
    for _ in 0..<(width == 0 ? 0 : length + 1) {
      guard bits.read(8) != nil else { return false }
    }
    return true
  }

  private mutating func copyStored(until end: Int) -> Bool {
    bits.skipToByte()
    while output.count < end {
      guard let byte = bits.read(8) else { return false }
      output.append(UInt8(byte))
    }
    return true
  }

  /// Inserts and copies (§5). The last command of a block may have nothing to copy.
  private mutating func expandCommand(_ codes: inout BrotliCodes, until end: Int) -> Bool {
    guard let command = codes.readCommand(&bits),
      command.insertLength <= end - output.count
    else { return false }
    for _ in 0..<command.insertLength {
      let (last, second) = (output.last ?? 0, output.count > 1 ? output[output.count - 2] : 0)
      guard let literal = codes.readLiteral(&bits, last, second) else { return false }
      output.append(literal)
    }
    if output.count == end { return true }
    var code = 0
    var distance = distances[0]
    if !command.repeatsDistance {
      guard let (read, found) = codes.readDistance(&bits, command.copyLength, distances)
      else { return false }
      (code, distance) = (read, found)
    }
    let farthest = min(window, output.count)
    guard distance <= farthest else {
      return insertWord(distance - farthest - 1, length: command.copyLength, until: end)
    }
    guard command.copyLength <= end - output.count else { return false }
    if code != 0 { distances = [distance] + distances.dropLast() }
    for _ in 0..<command.copyLength { output.append(output[output.count - distance]) }
    return true
  }

  private mutating func insertWord(_ number: Int, length: Int, until end: Int) -> Bool {
    guard let word = BrotliDictionary.word(number, length: length),
      word.count <= end - output.count
    else { return false }
    output += word
    return true
  }
}
