import ByteReading
import MediaEdits
import MediaModel
import MetadataRemoval
import Testing

/// Places after the fields of parts that players need, in files that are built byte by byte. Lengths follow ISO/IEC 14496-12,
/// RFC 9559 and TIFF 6.0.
struct SampleTableTests {
  private static let place = Array("47.3600, 8.5400 ".utf8)
  private static let blank = zeros(place.count)

  private func stripped(_ type: UniformType, _ file: [UInt8]) throws -> [UInt8] {
    try Redaction.of(type, ArraySource(file), .withoutLocation).applied(to: file)
  }

  /// A fragmented movie with bytes at the end of each table.
  private func movie(_ end: [UInt8]) -> [UInt8] {
    let subsamples =
      be32(0) + be32(1) + be32(1) + be16(2) + [0, 1, 0, 0] + be32(0) + [0, 1, 0, 0] + be32(0)
    let sizes = be32(0) + [0] + be32(2) + [8, 8]
    let offsets = be32(1) + be32(7) + be32(0) + be32(1) + be32(100)
    let spherical = box("sv3d", box("svhd", be32(0) + end))
    let entry = box("mp4v", zeros(78) + spherical)
    let tables =
      box("stsd", be32(0) + be32(1) + entry) + box("subs", subsamples + end)
      + box("saiz", sizes + end) + box("saio", offsets + end)
      + box("sbgp", be32(0) + Array("roll".utf8) + be32(1) + be32(1) + be32(1) + end)
    let media =
      box("hdlr", zeros(8) + Array("vide".utf8) + zeros(13)) + box("minf", box("stbl", tables))
    let track = box(
      "trak",
      box("tkhd", zeros(12) + be32(1) + zeros(68)) + box("tref", box("cdsc", be32(1) + end))
        + box("mdia", media))
    let fragment =
      box("mfhd", be32(0) + be32(1) + end)
      + box(
        "traf",
        box("tfhd", be32(0x20038) + be32(1) + zeros(12) + end) + box("tfdt", zeros(8) + end)
          + box("trun", be32(0x205) + be32(1) + be32(0) + be32(0) + be32(0) + end)
          + box("subs", be32(1 << 24) + be32(1) + be32(1) + be16(1) + zeros(10) + end))
    return box("ftyp", Array("isom".utf8) + be32(0) + Array("isom".utf8))
      + box(
        "moov",
        box("mvhd", zeros(100)) + track
          + box("mvex", box("mehd", zeros(8) + end) + box("trex", zeros(24) + end)))
      + box("moof", fragment)
  }

  @Test func `bytes after the fields of tables are cleared`() throws {
    #expect(try stripped(.mpeg4, movie(Self.place)) == movie(Self.blank))
    #expect(try stripped(.mpeg4, movie([])) == movie([]))
  }

  /// An addition to a block that begins like those of a codec.
  @Test func `a place late in a block addition is removed`() throws {
    func element(_ id: [UInt8], _ payload: [UInt8]) -> [UInt8] {
      id + [0x10, 0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }
    let addition = [UInt8](repeating: 1, count: 5000) + Self.place
    let track =
      element([0xD7], [1]) + element([0x83], [1]) + element([0x86], Array("V_VP8".utf8))
    let group =
      element([0xA1], [0x81, 0, 0, 0, 9])
      + element([0x75, 0xA1], element([0xA6], element([0xA5], addition)))
    let file =
      element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
      + element(
        [0x18, 0x53, 0x80, 0x67],
        element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track))
          + element([0x1F, 0x43, 0xB6, 0x75], element([0xE7], [0]) + element([0xA0], group)))
    let made = try stripped(.matroska, file)
    #expect(made.firstIndex(of: Self.place) == nil)
    #expect(made.count == file.count)
  }

  /// Headers of Vorbis in Xiph's form, and blocks of FLAC: tags and a picture (Vorbis I specification §5, RFC 9639 §8).
  @Test func `places in tags of audio codecs are removed`() throws {
    func element(_ id: [UInt8], _ payload: [UInt8]) -> [UInt8] {
      id + [0x10, 0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
    }
    func tags(_ values: [(String, [UInt8])]) -> [UInt8] {
      le32(4) + Array("Lavf".utf8) + le32(values.count)
        + values.flatMap { le32($0.utf8.count + $1.count) + Array($0.utf8) + $1 }
    }
    func file(_ codec: String, _ headers: [UInt8]) -> [UInt8] {
      element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
        + element(
          [0x18, 0x53, 0x80, 0x67],
          element(
            [0x16, 0x54, 0xAE, 0x6B],
            element(
              [0xAE],
              element([0xD7], [1]) + element([0x83], [2]) + element([0x86], Array(codec.utf8))
                + element([0x63, 0xA2], headers))))
    }
    func vorbis(_ end: [UInt8], _ town: String) -> [UInt8] {
      let comments =
        [3] + Array("vorbis".utf8)
        + tags([("ARTIST=", Array("Me".utf8)), ("LOCATION=", Array(town.utf8)), ("X=", end)]) + [1]
      return [2, 30, UInt8(comments.count)] + zeros(30) + comments + zeros(20)
    }
    func block(_ type: UInt8, _ content: [UInt8]) -> [UInt8] {
      be32(Int64(type) << 24 | Int64(content.count)) + content
    }
    func flac(_ end: [UInt8], _ last: [UInt8]) -> [UInt8] {
      Array("fLaC".utf8) + block(0, zeros(34))
        + block(4, tags([("A=", Array("Me".utf8)), ("X=", end)]))
        + last
    }
    let spaces = [UInt8](repeating: 0x20, count: Self.place.count)
    #expect(
      try stripped(.matroska, file("A_VORBIS", vorbis(Self.place, "Town")))
        == file("A_VORBIS", vorbis(spaces, "    ")))
    #expect(
      try stripped(.matroska, file("A_FLAC", flac(Self.place, block(0x86, Self.place))))
        == file("A_FLAC", flac(spaces, block(0x81, Self.blank))))
    let sound = box(
      "fLaC",
      zeros(28) + box("dfLa", be32(0) + flac(Self.place, block(0x86, Self.place)).dropFirst(4)))
    let expected = box(
      "fLaC", zeros(28) + box("dfLa", be32(0) + flac(spaces, block(0x81, Self.blank)).dropFirst(4)))
    func movie(_ entry: [UInt8]) -> [UInt8] {
      let media =
        box("hdlr", zeros(8) + Array("soun".utf8) + zeros(13))
        + box("minf", box("stbl", box("stsd", be32(0) + be32(1) + entry)))
      return box("ftyp", Array("isom".utf8) + be32(0))
        + box(
          "moov", box("mvhd", zeros(100)) + box("trak", box("tkhd", zeros(84)) + box("mdia", media))
        )
    }
    #expect(try stripped(.mpeg4, movie(sound)) == movie(expected))
  }

  /// Each strip of a compressed TIFF is a JPEG (Adobe's TIFF technical note 2).
  @Test func `comments in the strips of a TIFF are cleared`() throws {
    func strip(_ comment: [UInt8]) -> [UInt8] {
      [0xFF, 0xD8] + segment(0xFE, comment) + [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
        + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 1, 2, 0xFF, 0xD9]
    }
    func file(_ comment: [UInt8]) -> [UInt8] {
      let size = strip(comment).count
      return Array("II".utf8) + le16(42) + le32(8) + le16(3) + entry(0x0103, 3, 1, le32(7))
        + entry(0x0111, 4, 2, le32(50)) + entry(0x0117, 4, 2, le32(58)) + le32(0)
        + le32(66) + le32(66 + size) + le32(size) + le32(size) + strip(comment) + strip(comment)
    }
    let spaces = [UInt8](repeating: 0x20, count: Self.place.count)
    #expect(try stripped(.tiff, file(Self.place)) == file(spaces))
  }
}
