package import ByteReading
package import MediaModel

/// The size and metadata of a WebP (RFC 9649).
package struct WebPFile {
  package private(set) var size: PixelSize
  /// The EXIF block from its TIFF header on.
  package private(set) var exif: [UInt8]?
  package private(set) var xmp: [UInt8]?
  package private(set) var isAnimated = false
  /// The number of frames of an animation; 1 for a picture.
  package private(set) var frameCount = 0
  /// The seconds that an animation lasts; nil for one picture.
  package private(set) var duration: Double?

  /// Chunks that are read. EXIF and XMP follow all frames of an animation.
  package static let maximumChunks = 1_000_000

  /// - Throws: ``ContainerError`` if the header or the size is missing; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let head = try source.bytes(at: 0, count: 12)
    guard head.hasText("RIFF"), head.hasText("WEBP", at: 8) else {
      throw ContainerError.notThisFormat("WebP")
    }
    var found: PixelSize?
    var milliseconds = 0
    /// The beginning of a chunk, without the coded pixels after it.
    func start(_ chunk: RIFFChunk) throws -> [UInt8] {
      try source.header(at: chunk.payload.lowerBound, count: min(16, chunk.payload.count))
    }
    for chunk in try source.webPChunks() {
      switch chunk.type {
      case "VP8 ": found = try found ?? Self.lossySize(start(chunk))
      case "VP8L": found = try found ?? Self.losslessSize(start(chunk))
      case "VP8X": found = try Self.canvasSize(start(chunk)) ?? found
      case "ANIM": isAnimated = true
      case "ANMF":
        frameCount += 1
        // The duration in milliseconds comes after the position and the size (RFC 9649 §2.7.1.1).
        milliseconds += Int(try start(chunk).u24(at: 12, .little) ?? 0)
      case "EXIF":
        let content = try source.bytes(in: chunk.payload, limit: 4 << 20)
        exif = content.flatMap { tiffBlock(in: $0, at: 0) } ?? exif
      case "XMP ": xmp = try source.bytes(in: chunk.payload, limit: 4 << 20) ?? xmp
      default: break
      }
    }
    guard let found else { throw ContainerError.damaged("ends before the WebP picture's header") }
    size = found
    if frameCount > 1, milliseconds > 0 { duration = Double(milliseconds) / 1000 }
    frameCount = max(frameCount, 1)
  }

  /// The size in a key frame's header (RFC 6386 §9.1).
  private static func lossySize(_ start: [UInt8]) -> PixelSize? {
    guard start.hasBytes([0x9D, 0x01, 0x2A], at: 3), let width = start.u16(at: 6, .little),
      let height = start.u16(at: 8, .little)
    else { return nil }
    return PixelSize(width: Int(width & 0x3FFF), height: Int(height & 0x3FFF))
  }

  private static func losslessSize(_ start: [UInt8]) -> PixelSize? {
    guard start.u8(at: 0) == 0x2F, let bits = start.u32(at: 1, .little) else { return nil }
    return PixelSize(width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1)
  }

  private static func canvasSize(_ start: [UInt8]) -> PixelSize? {
    guard let width = start.u24(at: 4, .little), let height = start.u24(at: 7, .little)
    else { return nil }
    return PixelSize(width: Int(width) + 1, height: Int(height) + 1)
  }
}

extension ByteSource {
  /// The chunks of a WebP after its header of 12 bytes; none if the file ends within the header.
  package func webPChunks() throws -> [RIFFChunk] {
    try chunks(in: 12..<max(12, count), limit: WebPFile.maximumChunks)
  }
}

extension WebPFile {
  /// Whether its header declares transparency (RFC 9649 §2.7, §3.4), or its first frame leaves a part of the canvas
  /// empty.
  package static func hasAlpha(_ source: any ByteSource) throws -> Bool {
    let head = try source.bytes(at: 12, count: 18)
    if head.hasText("VP8X") {
      if head.u8(at: 8).map({ $0 & 0x10 != 0 }) ?? false { return true }
      guard let canvas = canvasSize(head.bytes(from: 8)),
        let frame = try source.webPChunks().first(where: { $0.type == "ANMF" }),
        // The size in a frame's header has the form of the canvas's.
        let size = canvasSize(try source.bytes(at: frame.payload.lowerBound + 2, count: 10))
      else { return false }
      return size != canvas
    }
    if head.hasText("VP8L") { return head.u8(at: 12).map { $0 & 0x10 != 0 } ?? false }
    return false
  }

  /// Whether its picture is lossless with a palette: its first transform is color indexing (RFC 9649 §4.4). Encoders
  /// begin with it, since the others change the colours that it counts.
  package static func hasPalette(_ source: any ByteSource) throws -> Bool {
    guard let chunk = try source.webPChunks().first(where: { $0.type == "VP8L" }) else {
      return false
    }
    // The signature, 14 bits each of width and height, 1 of transparency, 3 of the version; 1 bit for a transform, and
    // 2 bits of its kind, the lowest bits first.
    let head = try source.bytes(at: chunk.payload.lowerBound, count: 6)
    return head.u8(at: 0) == 0x2F && head.u8(at: 5).map { $0 & 0b111 == 0b111 } ?? false
  }

  /// A frame of an animation as a separate WebP without metadata.
  package struct Frame: Sendable {
    package var bytes: [UInt8]
    /// The offset of a byte of the frame's coded data in the file, less its offset in ``bytes``.
    package var offset: Int
    /// The position of its upper left corner on the canvas, in pixels.
    package var x: Int
    package var y: Int
  }

  /// The first frame of an animation; nil for a picture that is not animated.
  package static func firstFrame(_ source: any ByteSource, limit: Int) throws -> Frame? {
    guard let chunk = try source.webPChunks().first(where: { $0.type == "ANMF" }) else {
      return nil
    }
    return try frame(in: chunk, of: source, limit: limit)
  }

  /// The frame in an `ANMF` chunk (RFC 9649 §2.7.1.1); nil if the chunk is too short or exceeds the limit.
  package static func frame(
    in chunk: RIFFChunk, of source: any ByteSource, limit: Int
  ) throws -> Frame? {
    guard let content = try source.bytes(in: chunk.payload, limit: limit), content.count > 24,
      let x = content.u24(at: 0, .little), let y = content.u24(at: 3, .little),
      let place = Int(exactly: chunk.payload.lowerBound)
    else { return nil }
    // An extended header: a flag for transparency, then the size in the form of the frame's header.
    let flags: UInt8 = content.hasText("VP8 ", at: 16) ? 0 : 0x10
    let header = Array("WEBPVP8X".utf8) + [10, 0, 0, 0, flags, 0, 0, 0] + content[6..<12]
    let size = UInt32(header.count + content.count - 16)
    let length = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: size >> UInt32($0)) }
    let start = Array("RIFF".utf8) + length + header
    var bytes = start + content[16...]
    WebPPixels.hideMetadata(in: &bytes)
    return Frame(
      bytes: bytes, offset: place + 16 - start.count, x: Int(x) * 2, y: Int(y) * 2)
  }
}
