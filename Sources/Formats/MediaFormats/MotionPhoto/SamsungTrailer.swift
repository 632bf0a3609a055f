package import ByteReading

/// The trailer that Samsung phones write after a picture ("SEF"): named blocks and a little-endian directory, which is
/// found from the end of the file.
package struct SamsungTrailer: Sendable, Hashable {
  /// One block of the trailer.
  package struct Block: Sendable, Hashable {
    /// 0x0A30 MotionPhoto_Data, 0x0A01 Image_UTC_Data, 0x09E0 burst, 0x08E0 panorama …
    package var type: UInt16
    package var name: String
    /// The range of its payload in the source.
    package var payload: Range<UInt64>
    /// The range of the block with its header and name.
    package var range: Range<UInt64>
  }

  package private(set) var blocks: [Block] = []
  /// The range of the directory without its length and its end marker.
  package private(set) var directory: Range<UInt64>
  /// The offset of the first block.
  package private(set) var start: UInt64

  private static let maximumBlocks = 256
  private static let maximumDirectorySize: UInt32 = 0x10000

  package func block(_ type: UInt16) -> Block? {
    blocks.first { $0.type == type }
  }

  /// Nil if the source does not end with such a trailer.
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

  /// Reads a block's header, which repeats the type and contains the length of the name.
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

  /// The range of the directory from `SEFH` up to its length. The directory is the last part of the file, or precedes a
  /// `QDIO` block that ends with `BS`.
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

  /// The range of the motion clip: the block, or the range in the file that a block of the form `mpv2` contains.
  package func motionVideo(in source: any ByteSource) throws -> Range<UInt64>? {
    guard let block = block(0x0A30) else { return nil }
    let start = try source.bytes(at: block.payload.lowerBound, count: 12)
    guard block.payload.count == 12, start.hasText("mpv2") else { return block.payload }
    guard let offset = start.u32(at: 4), let size = start.u32(at: 8) else { return nil }
    return UInt64(offset)..<(UInt64(offset) + UInt64(size))
  }

  /// The offset of the clip in the file, and the place of this number in the source: 4 bytes, big-endian. Nil if no block
  /// has the form `mpv2`.
  package func clipReference(
    in source: any ByteSource
  ) throws -> (place: UInt64, offset: UInt64)? {
    guard let block = block(0x0A30), block.payload.count == 12 else { return nil }
    let start = try source.bytes(at: block.payload.lowerBound, count: 8)
    guard start.hasText("mpv2"), let offset = start.u32(at: 4) else { return nil }
    return (block.payload.lowerBound + 4, UInt64(offset))
  }

  /// The origin of a picture without a camera, such as `Screenshot` (block 0x0C51, Samsung_Capture_Info; exiftool's
  /// Samsung.pm).
  package func captureInfo(in source: any ByteSource) throws -> String? {
    guard let block = block(0x0C51), block.payload.count <= 64 else { return nil }
    return try source.exactly(block.payload.count, at: block.payload.lowerBound)?.trimmedText
  }

  /// The capture time in milliseconds since 1970 UTC, which the file contains as decimal text.
  package func captureMilliseconds(in source: any ByteSource) throws -> Int64? {
    guard let block = block(0x0A01), block.payload.count <= 20 else { return nil }
    return try source.exactly(block.payload.count, at: block.payload.lowerBound)?
      .trimmedText.flatMap { Int64($0) }
  }
}
