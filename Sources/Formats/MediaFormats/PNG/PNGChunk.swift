package import ByteReading

/// One chunk of a PNG file (PNG specification, third edition, §5.3): the length of the content, the type, the
/// content and a CRC.
package struct PNGChunk {
  package let type: FourCC
  /// The offset of its length field.
  package let offset: UInt64
  /// The length of the content in bytes, as the chunk states it. The file may end earlier.
  package let length: UInt32

  package var content: Range<UInt64> { offset + 8..<offset + 8 + UInt64(length) }
  /// The offset after its CRC.
  package var end: UInt64 { offset + 12 + UInt64(length) }

  package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
  /// Keyword, no compression, no language, no translated keyword.
  package static let xmpStart = Array((xmpKeyword + "\0\0\0\0\0").utf8)
  package static let xmpKeyword = "XML:com.adobe.xmp"

  /// A whole chunk, with its length and its CRC.
  package static func made(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
    encoded(content.count, width: 4) + type.bytes + content
      + encoded(crc32(type.bytes + content), width: 4)
  }
}

extension [UInt8] {
  /// The chunk that begins at an offset; nil if fewer than 8 bytes are left.
  package func pngChunk(at offset: Int) -> PNGChunk? {
    guard let length = u32(at: offset), let type = fourCC(at: offset + 4) else { return nil }
    return PNGChunk(type: type, offset: UInt64(offset), length: length)
  }
}

/// Steps from chunk to chunk by their lengths, and reads their first 8 bytes only.
package struct PNGChunkWalk {
  private let source: any ByteSource
  private let limit: Int
  private var count = 0
  /// The offset of the next chunk.
  package private(set) var position: UInt64
  /// Whether the file ended where a chunk should begin.
  package private(set) var isCutOff = false

  /// - Parameters:
  ///   - start: the offset of the first chunk; 8 is the end of the signature.
  ///   - limit: the number of chunks after which the walk ends.
  package init(_ source: any ByteSource, from start: UInt64 = 8, limit: Int) {
    self.source = source
    self.limit = limit
    position = start
  }

  /// The next chunk; nil at the end of the file and at the limit. The walk does not stop at `IEND`.
  ///
  /// - Throws: the errors of the source.
  package mutating func next() throws -> PNGChunk? {
    guard count < limit else { return nil }
    count += 1
    let header = try source.header(at: position, count: 8)
    guard let found = header.pngChunk(at: 0) else {
      isCutOff = true
      return nil
    }
    let chunk = PNGChunk(type: found.type, offset: position, length: found.length)
    position = chunk.end
    return chunk
  }

  /// Continues at a later chunk.
  mutating func skip(to offset: UInt64) {
    position = max(position, offset)
  }
}

extension PNGChunk {
  /// The first chunk of a type among those before the pixels (`IDAT`); nil if there is none.
  ///
  /// - Parameter limit: the number of chunks that are searched.
  /// - Throws: the errors of the source.
  package static func beforePixels(
    _ type: FourCC, in source: any ByteSource, limit: Int
  ) throws -> PNGChunk? {
    var walk = PNGChunkWalk(source, limit: limit)
    while let chunk = try walk.next(), chunk.type != "IDAT" {
      if chunk.type == type { return chunk }
    }
    return nil
  }
}
