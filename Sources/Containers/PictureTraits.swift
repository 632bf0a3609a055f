// What planning an export asks of a picture's header beyond its size: whether it has transparency, and
// of how many bits it is.

extension PNGFile {
  /// Whether one colour of its palette or one of its colours is declared transparent: a `tRNS` chunk,
  /// which stands before the pixels (PNG 3rd edition §5.6).
  package static func hasTransparencyChunk(_ source: any ByteSource) throws -> Bool {
    var position: UInt64 = 8
    for _ in 0..<1000 {
      let header = try source.bytes(at: position, count: 8)
      guard let length = header.u32(at: 0), let type = header.fourCC(at: 4), type != "IDAT"
      else { return false }
      if type == "tRNS" { return true }
      position += UInt64(length) + 12
    }
    return false
  }
}

extension WebPFile {
  /// Whether its header announces transparency (RFC 9649 §2.7, §3.4).
  package static func hasAlpha(_ source: any ByteSource) throws -> Bool {
    let head = try source.bytes(at: 12, count: 16)
    if head.hasText("VP8X") { return head.u8(at: 8).map { $0 & 0x10 != 0 } ?? false }
    if head.hasText("VP8L") { return head.u8(at: 12).map { $0 & 0x10 != 0 } ?? false }
    return false
  }

  /// The first picture of an animation as a WebP of its own, and where on the canvas it lies; nil for
  /// one that is not animated.
  package static func firstFrame(
    _ source: any ByteSource, limit: Int
  ) throws -> (bytes: [UInt8], x: Int, y: Int)? {
    guard let chunk = try source.webPChunks().first(where: { $0.type == "ANMF" }),
      let content = try source.bytes(in: chunk.payload, limit: limit), content.count > 24,
      let x = content.u24(at: 0, .little), let y = content.u24(at: 3, .little)
    else { return nil }
    // An extended header: whether there is transparency, then the frame's size as it stands here.
    let flags: UInt8 = content.hasText("VP8 ", at: 16) ? 0 : 0x10
    let body =
      Array("WEBPVP8X".utf8) + [10, 0, 0, 0, flags, 0, 0, 0] + content[6..<12] + content[16...]
    let size = UInt32(body.count)
    let length = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: size >> UInt32($0)) }
    return (Array("RIFF".utf8) + length + body, Int(x) * 2, Int(y) * 2)
  }
}

extension GIFFile {
  /// Whether the first picture has a transparent colour (GIF89a §23).
  package static func hasTransparentColor(_ source: any ByteSource) throws -> Bool {
    var walk = try GIFBlockWalk(source, limit: maximumWalk)
    while let block = try walk.next(), let label = block.label {
      if label == 0xF9 { return block.head.u8(at: 3).map { $0 & 1 == 1 } ?? false }
    }
    return false
  }
}

extension BMPFile {
  /// Whether a mask says where transparency stands (`BITMAPV3INFOHEADER` and later).
  package static func hasAlphaMask(_ source: any ByteSource) throws -> Bool {
    let head = try source.bytes(at: 0, count: 70)
    // OS/2's second header, of 64 bytes, has something else there.
    guard let size = head.u32(at: 14, .little), size >= 56, size != 64,
      let mask = head.u32(at: 66, .little)
    else { return false }
    return mask != 0
  }
}

extension TIFFFile {
  /// Whether a channel beyond the colours is transparency (TIFF 6.0 §18, `ExtraSamples`).
  package func hasAlpha(_ directory: TIFFDirectory) throws -> Bool {
    guard let entry = directory[0x0152] else { return false }
    return try unsignedList(entry, limit: 4).contains { $0 == 1 || $0 == 2 }
  }

  /// Whether the colours have been multiplied by their opacity (TIFF 6.0 §18, associated alpha).
  package func hasAssociatedAlpha(_ directory: TIFFDirectory) throws -> Bool {
    guard let entry = directory[0x0152] else { return false }
    return try unsignedList(entry, limit: 4).contains(1)
  }

  /// The pictures in a row, without smaller versions of others and masks (`NewSubfileType`).
  package func pages() throws -> [TIFFDirectory] {
    try directories().filter { try (unsigned(0x00FE, in: $0) ?? 0) & 0b101 == 0 }
  }

  /// Whether black is above 0 and white below the largest number (TIFF 6.0 §20, `ReferenceBlackWhite`).
  package func hasHeadroom(_ directory: TIFFDirectory) throws -> Bool {
    guard let entry = directory[0x0214] else { return false }
    return try numbers(entry, limit: 1).first.map { $0 >= 1 } ?? false
  }

  /// Whether the pixels are inks (`PhotometricInterpretation` 5).
  package func isSeparated(_ directory: TIFFDirectory) throws -> Bool {
    try unsigned(0x0106, in: directory) == 5
  }
}

/// What a JPEG XL's image metadata tells (ISO/IEC 18181-1 §D.3) up to its first extra channel.
package struct JPEGXLTraits: Sendable, Hashable {
  package private(set) var bitDepth = 8
  package private(set) var hasAlpha = false
  package private(set) var isAnimated = false

  /// Nil where the codestream's header cannot be read.
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
    var bits = BitReader(codestream.bytes(from: 2))
    guard bits.jpegXLSize() != nil, let isDefault = bits.read(1) else { return nil }
    if isDefault == 1 { return }
    guard readExtraFields(&bits), readDepth(&bits), bits.read(1) != nil,
      let count = bits.jpegXLNumber((0, 0), (1, 0), (2, 4), (1, 12))
    else { return nil }
    guard count > 0, let isPlainAlpha = bits.read(1) else { return }
    hasAlpha = isPlainAlpha == 1 || bits.jpegXLNumber((0, 0), (1, 0), (2, 4), (18, 6)) == 0
  }

  private mutating func readExtraFields(_ bits: inout BitReader) -> Bool {
    guard let hasExtra = bits.read(1) else { return false }
    if hasExtra == 0 { return true }
    guard bits.read(3) != nil, let hasIntrinsicSize = bits.read(1) else { return false }
    if hasIntrinsicSize == 1, bits.jpegXLSize() == nil { return false }
    // A preview's header is not followed: nobody writes one.
    guard bits.read(1) == 0, let animated = bits.read(1) else { return false }
    guard animated == 1 else { return true }
    isAnimated = true
    return bits.jpegXLNumber((100, 0), (1000, 0), (1, 10), (1, 30)) != nil
      && bits.jpegXLNumber((1, 0), (1001, 0), (1, 8), (1, 10)) != nil
      && bits.jpegXLNumber((0, 0), (0, 3), (0, 16), (0, 32)) != nil && bits.read(1) != nil
  }

  private mutating func readDepth(_ bits: inout BitReader) -> Bool {
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

extension BitReader {
  /// `U32` (ISO/IEC 18181-1 §B.2.2): two bits choose of four a constant and how many bits are added.
  fileprivate mutating func jpegXLNumber(
    _ choices: (base: Int, bits: Int)...
  ) -> Int? {
    guard let choice = read(2), let more = read(choices[choice].bits) else { return nil }
    return choices[choice].base + more
  }
}
