package import ByteReading

/// One chunk of a RIFF file (Multimedia Programming Interface and Data Specifications 1.0).
package struct RIFFChunk: Sendable, Hashable {
  package var type: FourCC
  /// The type of the list in a `LIST` or `RIFF` chunk; nil for others. The payload begins after it.
  package var listType: FourCC?
  package var payload: Range<UInt64>

  /// The offset of its type, from where its header begins.
  package var start: UInt64 { payload.lowerBound - (listType == nil ? 8 : 12) }
}

extension ByteSource {
  /// The chunks in a range. Only their headers are read.
  package func chunks(in range: Range<UInt64>, limit: Int = 10_000) throws -> [RIFFChunk] {
    var found: [RIFFChunk] = []
    var position = range.lowerBound
    while found.count < limit,
      let (chunk, next) = try chunk(at: position, before: range.upperBound)
    {
      found.append(chunk)
      position = next
    }
    return found
  }

  /// The chunk at an offset, cut off at `end`, and the even offset after it; nil if fewer than 8 bytes are left.
  package func chunk(
    at position: UInt64, before end: UInt64
  ) throws -> (chunk: RIFFChunk, next: UInt64)? {
    let end = min(end, count)
    guard position < end, end - position >= 8 else { return nil }
    let header = try header(at: position, count: 12)
    guard let type = header.fourCC(at: 0), let size = header.u32(at: 4, .little) else { return nil }
    let start = position + 8
    let chunkEnd = min(start + UInt64(size), end)
    let isList = (type == "LIST" || type == "RIFF") && size >= 4 && chunkEnd - start >= 4
    let chunk = RIFFChunk(
      type: type, listType: isList ? header.fourCC(at: 8) : nil,
      payload: (isList ? start + 4 : start)..<chunkEnd)
    return (chunk, start + UInt64(size) + UInt64(size & 1))
  }
}
