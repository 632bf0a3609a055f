/// One chunk of a RIFF file (Multimedia Programming Interface and Data Specifications 1.0).
package struct RIFFChunk: Sendable, Hashable {
  package var type: FourCC
  /// Of a `LIST` or `RIFF` chunk, what kind of list it is; its payload begins behind.
  package var listType: FourCC?
  package var payload: Range<UInt64>
}

extension ByteSource {
  /// The chunks in a range, by their headers alone.
  func chunks(in range: Range<UInt64>, limit: Int = 10_000) throws -> [RIFFChunk] {
    var found: [RIFFChunk] = []
    var position = range.lowerBound
    let end = min(range.upperBound, count)
    while found.count < limit, position < end, end - position >= 8 {
      let header = try bytes(at: position, count: 12)
      guard let type = header.fourCC(at: 0), let size = header.u32(at: 4, .little) else { break }
      let start = position + 8
      let chunkEnd = min(start + UInt64(size), end)
      let isList = (type == "LIST" || type == "RIFF") && size >= 4 && chunkEnd - start >= 4
      found.append(
        RIFFChunk(
          type: type, listType: isList ? header.fourCC(at: 8) : nil,
          payload: (isList ? start + 4 : start)..<chunkEnd))
      // Chunks begin at even offsets.
      position = start + UInt64(size) + UInt64(size & 1)
    }
    return found
  }
}
