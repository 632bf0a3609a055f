package import ByteReading

/// The trailer that Samsung's phones write behind a picture ("SEF"): a directory of named blocks,
/// little-endian, found from the file's end.
package struct SamsungTrailer: Sendable, Hashable {
  /// One block of the trailer.
  package struct Block: Sendable, Hashable {
    /// 0x0A30 MotionPhoto_Data, 0x0A01 Image_UTC_Data, 0x09E0 burst, 0x08E0 panorama …
    package var type: UInt16
    package var name: String
    /// Where its payload lies in the source.
    package var payload: Range<UInt64>
    /// Where it is with its header and its name.
    package var range: Range<UInt64>
  }

  package private(set) var blocks: [Block] = []
  /// Where the list of blocks is, without its length and its mark.
  package private(set) var directory: Range<UInt64>
  /// Where the trailer's first block begins.
  package private(set) var start: UInt64

  private static let maximumBlocks = 256
  private static let maximumDirectorySize: UInt32 = 0x10000

  package func block(_ type: UInt16) -> Block? {
    blocks.first { $0.type == type }
  }

  /// Nil where the source ends in no such trailer.
  package init?(_ source: any ByteSource) throws {
    guard let directory = try Self.directory(source),
      let header = try source.exactly(12, at: directory.lowerBound), header.hasText("SEFH"),
      let count = header.u32(at: 8, .little)
    else { return nil }
    start = directory.lowerBound
    self.directory = directory
    let listed = min(Int(count), Self.maximumBlocks)
    let table = try source.bytes(at: directory.lowerBound + 12, count: listed * 12)
    for index in 0..<listed {
      guard let type = table.u16(at: index * 12 + 2, .little),
        let back = table.u32(at: index * 12 + 4, .little),
        let size = table.u32(at: index * 12 + 8, .little), UInt64(back) <= directory.lowerBound,
        size <= back
      else { continue }
      let begin = directory.lowerBound - UInt64(back)
      start = min(start, begin)
      if let block = try Self.block(type, at: begin, size: UInt64(size), source) {
        blocks.append(block)
      }
    }
  }

  /// A block's own header repeats the type and tells the name's length.
  private static func block(
    _ type: UInt16, at begin: UInt64, size: UInt64, _ source: any ByteSource
  ) throws -> Block? {
    let header = try source.bytes(at: begin, count: 8 + 64)
    guard size >= 8, let nameLength = header.u32(at: 4, .little), UInt64(nameLength) <= size - 8,
      let end = begin.adding(size)
    else { return nil }
    let name = header.bytes(from: 8).prefix(Int(clamping: nameLength))
    return Block(
      type: type, name: Array(name).text, payload: (begin + 8 + UInt64(nameLength))..<end,
      range: begin..<end)
  }

  /// The directory, from `SEFH` to before its length: the last block of the file, or before a `QDIO`
  /// block that is followed by `BS`.
  private static func directory(_ source: any ByteSource) throws -> Range<UInt64>? {
    guard source.count > 20 else { return nil }
    let tail = try source.bytes(at: source.count - 6, count: 6)
    guard tail.hasText("SEFT", at: 2) || tail.hasText("QDIOBS") else { return nil }
    var end = tail.hasText("QDIOBS") ? source.count - 2 : source.count
    for _ in 0..<8 {
      guard end >= 8, let foot = try source.exactly(8, at: end - 8),
        let length = foot.u32(at: 0, .little), length >= 4, length < maximumDirectorySize,
        UInt64(length) <= end - 8
      else { return nil }
      let begin = end - 8 - UInt64(length)
      if foot.hasText("SEFT", at: 4) { return length >= 12 ? begin..<(end - 8) : nil }
      end = begin
    }
    return nil
  }

  /// The motion clip's place: the block itself, or the place in the file that its `mpv2` form names.
  package func motionVideo(in source: any ByteSource) throws -> Range<UInt64>? {
    guard let block = block(0x0A30) else { return nil }
    let start = try source.bytes(at: block.payload.lowerBound, count: 12)
    guard block.payload.count == 12, start.hasText("mpv2") else { return block.payload }
    guard let offset = start.u32(at: 4), let size = start.u32(at: 8) else { return nil }
    return UInt64(offset)..<(UInt64(offset) + UInt64(size))
  }

  /// What was captured otherwise than through a lens: `Screenshot` (block 0x0C51, Samsung_Capture_Info;
  /// exiftool's Samsung.pm).
  package func captureInfo(in source: any ByteSource) throws -> String? {
    guard let block = block(0x0C51), block.payload.count <= 64 else { return nil }
    return try source.exactly(block.payload.count, at: block.payload.lowerBound)?.trimmedText
  }

  /// When the picture was taken, in milliseconds since 1970 UTC, as decimal text in the file.
  package func captureMilliseconds(in source: any ByteSource) throws -> Int64? {
    guard let block = block(0x0A01), block.payload.count <= 20 else { return nil }
    return try source.exactly(block.payload.count, at: block.payload.lowerBound)?
      .trimmedText.flatMap { Int64($0) }
  }
}
