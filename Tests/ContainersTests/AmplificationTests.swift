import Containers
import MediaModel
import Testing

/// Small files that ask for much: what they cost is bounded by what they are, not by what they claim.
@Suite(.timeLimit(.minutes(1)))
struct AmplificationTests {
  /// A chunk of GoPro's telemetry claims 2³² − 1 samples of one byte, a hundred thousand times.
  @Test func countsNoMoreSamplesThanCanBePlaced() {
    let chunks = 100_000
    let tables =
      box("stsd", be32(0) + be32(1) + box("gpmd", zeros(6) + be16(1)))
      + box("stsz", be32(0) + be32(1) + be32(0xFFFF_FFFF))
      + box("stsc", be32(0) + be32(1) + be32(1) + be32(0xFFFF_FFFF) + be32(1))
      + box("stco", be32(0) + be32(Int64(chunks)) + (0..<chunks).flatMap { _ in be32(16) })
    let track = box(
      "trak",
      box("tkhd", zeros(12) + be32(2) + zeros(68))
        + box(
          "mdia",
          box("hdlr", zeros(8) + Array("meta".utf8) + zeros(13)) + box("minf", box("stbl", tables))
        ))
    let movie =
      box("ftyp", Array("isom".utf8) + be32(512) + Array("isommp42".utf8))
      + box("moov", box("mvhd", zeros(100)) + track) + box("mdat", zeros(1 << 20))
    #expect(throws: RedactionRefusal.self) {
      try Redaction.of(.mpeg4, ArraySource(movie), .withoutLocation)
    }
  }
}
