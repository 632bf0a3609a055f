package import ByteReading

/// The image metadata of a JPEG XL (ISO/IEC 18181-1 §D.3) up to its first extra channel.
package struct JPEGXLTraits: Sendable, Hashable {
  package private(set) var bitDepth = 8
  package private(set) var hasAlpha = false
  package private(set) var isAnimated = false
  /// Whether there is an extra channel other than alpha, such as depth.
  package private(set) var hasOtherChannels = false

  /// Nil if the codestream's header cannot be read.
  package init?(_ source: any ByteSource) throws {
    var codestream = try source.bytes(at: 0, count: 256)
    if !codestream.hasBytes([0xFF, 0x0A]) {
      guard
        let box = try source.boxes(in: 0..<source.count, limit: 64)
          .first(where: { $0.type == "jxlc" || $0.type == "jxlp" })
      else { return nil }
      codestream = try source.start(of: box, 256).bytes(from: box.type == "jxlp" ? 4 : 0)
    }
    guard codestream.hasBytes([0xFF, 0x0A]) else { return nil }
    var bits = PackedBits(codestream.bytes(from: 2))
    guard bits.jpegXLSize() != nil, let isDefault = bits.read(1) else { return nil }
    if isDefault == 1 { return }
    guard readExtraFields(&bits), readDepth(&bits), bits.read(1) != nil,
      let count = bits.jpegXLNumber((0, 0), (1, 0), (2, 4), (1, 12))
    else { return nil }
    hasOtherChannels = count > 0
    guard count > 0, let isPlainAlpha = bits.read(1) else { return }
    hasAlpha = isPlainAlpha == 1 || bits.jpegXLNumber((0, 0), (1, 0), (2, 4), (18, 6)) == 0
    hasOtherChannels = count > 1 || !hasAlpha
  }

  private mutating func readExtraFields(_ bits: inout PackedBits) -> Bool {
    guard let hasExtra = bits.read(1) else { return false }
    if hasExtra == 0 { return true }
    guard bits.read(3) != nil, let hasIntrinsicSize = bits.read(1) else { return false }
    if hasIntrinsicSize == 1, bits.jpegXLSize() == nil { return false }
    // The header of a preview is not supported. No known encoder writes one.
    guard bits.read(1) == 0, let animated = bits.read(1) else { return false }
    guard animated == 1 else { return true }
    isAnimated = true
    return bits.jpegXLNumber((100, 0), (1000, 0), (1, 10), (1, 30)) != nil
      && bits.jpegXLNumber((1, 0), (1001, 0), (1, 8), (1, 10)) != nil
      && bits.jpegXLNumber((0, 0), (0, 3), (0, 16), (0, 32)) != nil && bits.read(1) != nil
  }

  private mutating func readDepth(_ bits: inout PackedBits) -> Bool {
    guard let isFloat = bits.read(1) else { return false }
    let depth =
      isFloat == 1
      ? bits.jpegXLNumber((32, 0), (16, 0), (24, 0), (1, 6))
      : bits.jpegXLNumber((8, 0), (10, 0), (12, 0), (1, 6))
    guard let depth else { return false }
    bitDepth = depth
    return isFloat == 0 || bits.read(4) != nil
  }
}

extension PackedBits {
  /// `U32` (ISO/IEC 18181-1 §B.2.2): two bits select one of four constants and the number of bits to add to it.
  fileprivate mutating func jpegXLNumber(
    _ choices: (base: Int, bits: Int)...
  ) -> Int? {
    guard let choice = read(2), let more = read(choices[choice].bits) else { return nil }
    return choices[choice].base + more
  }
}
