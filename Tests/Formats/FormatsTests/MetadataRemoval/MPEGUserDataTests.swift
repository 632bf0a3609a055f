import ByteReading
import MediaEdits
import MediaModel
import Testing

@testable import MetadataRemoval

/// User data after start code 0xB2 (ISO/IEC 13818-2 §6.2.2.2.2, ISO/IEC 14496-2 §6.2.2.1).
struct MPEGUserDataTests {
  private static let place = Array("47.3711, 8.5422 or any".utf8)
  private static let filler = [UInt8](repeating: VideoUserData.filler, count: place.count)

  private func stream(_ content: [UInt8]) -> [UInt8] {
    [0, 0, 1, 0xB3, 1, 2] + [0, 0, 1, 0xB2] + content + [0, 0, 0, 1, 0xB6, 0x55, 0xB2, 3]
  }

  @Test func `user data is overwritten up to the next start code`() {
    let own = stream(Self.place) + [0, 0, 1, 0xB2] + Self.place
    let ranges = VideoUserData(.mpeg, configuration: []).erasable(in: own)
    var changed = own
    for index in ranges.joined() { changed[index] = VideoUserData.filler }
    #expect(changed == stream(Self.filler) + [0, 0, 1, 0xB2] + Self.filler)
  }

  /// Closed captions (ATSC A/53 part 4), the active format, captions of a DVD, and versions that FFmpeg reads.
  @Test(arguments: [
    Array("GA94".utf8) + [3, 0xC1, 0xFF], Array("DTG1".utf8) + [0x41, 0xF8],
    Array("CC".utf8) + [1, 0xF8, 2], Array("DivX503b1393p".utf8), Array("XviD0064".utf8),
    Array("Lavc59.37.100".utf8), Array("FFmpeg0.4.9.pre1b4751".utf8), [],
  ])
  func `known kinds of user data stay`(content: [UInt8]) {
    #expect(VideoUserData(.mpeg, configuration: []).erasable(in: stream(content)) == [])
  }

  @Test(arguments: [
    "GA94 47.3711, 8.5422", "XviD gps", "Lavc\u{1}\u{2}", "Xvi",
    String(repeating: "DivX", count: 20),
  ])
  func `other kinds of user data are overwritten`(content: String) {
    let ranges = VideoUserData(.mpeg, configuration: [])
      .erasable(in: stream(Array(content.utf8)))
    #expect(ranges == [10..<(10 + content.utf8.count)])
  }

  /// A movie of one frame. The descriptors contain the same user data (ISO/IEC 14496-1 §7.2.6).
  @Test(arguments: ["mp4v", "m2v1", "XVID"])
  func `user data in movies is overwritten`(type: String) throws {
    func movie(_ user: [UInt8]) -> [UInt8] {
      let frame = stream(user)
      let specific = [5, UInt8(frame.count)] + frame
      let decoder: [UInt8] = [4, UInt8(13 + specific.count), 0x20] + zeros(12) + specific
      let descriptors: [UInt8] = [3, UInt8(3 + decoder.count), 0, 1, 0] + decoder
      let entry = box(type, zeros(78) + box("esds", zeros(4) + descriptors))
      func start(_ offset: Int) -> [UInt8] {
        let tables =
          box("stsd", be32(0) + be32(1) + entry)
          + box("stsc", be32(0) + be32(1) + be32(1) + be32(1) + be32(1))
          + box("stsz", be32(0) + be32(Int64(frame.count)) + be32(1))
          + box("stco", be32(0) + be32(1) + be32(Int64(offset)))
        let media =
          box("hdlr", zeros(8) + Array("vide".utf8) + zeros(13))
          + box("minf", box("stbl", tables))
        let track = box("tkhd", zeros(12) + be32(1) + zeros(68)) + box("mdia", media)
        return box("ftyp", Array("qt  ".utf8) + be32(0))
          + box("moov", box("mvhd", zeros(100)) + box("trak", track))
      }
      return start(start(0).count + 8) + box("mdat", frame)
    }
    let own = movie(Self.place)
    let changed = try Redaction.of(.quickTimeMovie, ArraySource(own), .withoutLocation)
      .applied(to: own)
    #expect(changed == movie(Self.filler))
    let captions = try Redaction.of(.quickTimeMovie, ArraySource(own), .withoutCaptions)
    #expect(captions.applied(to: own) == own)
  }
}
