import ByteReading
import MediaFormats
import MetadataTransfer
import Testing

/// Where the samples of movie fragments are (ISO/IEC 14496-12 §8.8).
@Suite(.timeLimit(.minutes(5)))
struct ISOFragmentsTests {
  /// A fragment whose run has the most samples that its header can state, without sizes of their own.
  private func visits(sampleSize: UInt32, count: UInt32) throws -> [Range<UInt64>] {
    let isSized: UInt32 = sampleSize > 0 ? 0x10 : 0
    let header =
      bytes(0x20000 | isSized) + bytes(1) + (isSized > 0 ? bytes(sampleSize) : [])
    let run = bytes(0) + bytes(count)
    let file =
      isoBox("moov", [])
      + isoBox("moof", isoBox("traf", isoBox("tfhd", header) + isoBox("trun", run)))
    let source = ArraySource(file)
    let boxes = try source.boxes(in: 0..<source.count, limit: 4)
    let fragments = try ISOFragments(boxes[0], source)
    var visited: [Range<UInt64>] = []
    try fragments.visit(boxes[1], individually: [1]) { visited.append($1) }
    return visited
  }

  private func bytes(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  @Test func samplesWithoutBytesCostNothing() throws {
    #expect(try visits(sampleSize: 0, count: .max) == [])
  }

  @Test func samplesEndWithTheFile() throws {
    let visited = try visits(sampleSize: 16, count: .max)
    // The movie's header has 8 bytes; samples count from the fragment's header after it, which has 52.
    #expect(visited == [8..<24, 24..<40, 40..<56, 56..<60])
  }
}
