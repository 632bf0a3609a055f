import ByteReading
import MediaEdits
import MediaModel
import MetadataRemoval
import Testing

/// Tracks of timed metadata, whose samples are searched whatever their keys are named (QuickTime File Format, "Timed
/// metadata"; exiftool's Canon.pm for `CTMD`).
struct TimedMetadataTests {
  private static let sentence = Array("$GPGGA,123519,4722.266,N,00832.532,E,1,08".utf8)
  private static let place = Array("47.3600, 8.5400 ".utf8)
  /// EXIF with a directory of GPS.
  private static let exif: [UInt8] =
    Array("II".utf8) + le16(42) + le32(8) + le16(1) + entry(0x8825, 4, 1, le32(26)) + le32(0)
    + le16(1) + entry(1, 2, 2, Array("N\0\0\0".utf8)) + le32(0)

  /// A movie with a track of one sample. Its media data is in front of its header.
  private func movie(_ handler: String, _ entries: [[UInt8]], _ sample: [UInt8]) -> [UInt8] {
    let start = box("ftyp", Array("qt  ".utf8) + be32(0) + Array("qt  ".utf8))
    let tables =
      box("stsd", be32(0) + be32(Int64(entries.count)) + entries.joined())
      + box("stsc", be32(0) + be32(1) + be32(1) + be32(1) + be32(1))
      + box("stsz", be32(0) + be32(0) + be32(1) + be32(Int64(sample.count)))
      + box("stco", be32(0) + be32(1) + be32(Int64(start.count + 8)))
    let media =
      box("hdlr", zeros(8) + Array(handler.utf8) + zeros(13)) + box("minf", box("stbl", tables))
    let track = box("trak", box("tkhd", zeros(84)) + box("mdia", media))
    return start + box("mdat", sample) + box("moov", box("mvhd", zeros(100)) + track)
  }

  private func key(_ number: Int, _ name: [UInt8], _ more: [UInt8] = []) -> [UInt8] {
    box(be32(Int64(number)), box("keyd", Array("mdta".utf8) + name) + more)
  }

  /// The description of samples with keys.
  private func keyed(_ keys: [UInt8]) -> [UInt8] { box("mebx", zeros(8) + box("keys", keys)) }

  private func value(_ content: [UInt8]) -> [UInt8] {
    be32(Int64(content.count + 8)) + be32(1) + content
  }

  private func stripped(_ movie: [UInt8]) throws -> [UInt8] {
    let made = try Redaction.of(.quickTimeMovie, ArraySource(movie), .withoutLocation)
      .applied(to: movie)
    #expect(made.count == movie.count)
    return made
  }

  @Test func `places under any key are cleared`() throws {
    let entry = keyed(key(1, Array("com.example.sensor".utf8)))
    for content in [Self.sentence, [1, 2] + Self.place + [3], [9] + Self.exif] {
      let sample = value(content)
      #expect(
        try stripped(movie("meta", [entry], sample)).firstIndex(
          of: be32(Int64(sample.count)) + zeros(sample.count - 4)) != nil)
    }
    for content in [Array("12 satellites".utf8), [0x40, 0x47, 0xAF, 0x7F, 0, 1, 0, 0]] {
      let own = movie("meta", [entry], value(content))
      #expect(try stripped(own) == own)
    }
  }

  @Test func `samples of unknown keys are cleared`() throws {
    let many = (1...64).flatMap { key($0, Array("com.example.sensor".utf8)) }
    let other = key(65, Array("com.example.gps".utf8))
    let nameless = box(be32(2), box("dtyp", be32(0) + be32(1)))
    let placed = key(2, Array("at 47.3600, 8.5400".utf8))
    let sample = value(Array("12 satellites".utf8))
    for keys in [[], many + other, key(1, Array("a".utf8)) + nameless, placed] {
      let made = try stripped(movie("meta", [keyed(keys)], sample))
      #expect(made.firstIndex(of: "satellites") == nil)
    }
    let own = movie("meta", [keyed(many)], sample)
    #expect(try stripped(own) == own)
  }

  /// The set-up and the language of a key, and its type.
  @Test(arguments: ["setu", "loca", "dtyp"])
  func `places in descriptions of keys are cleared`(type: String) throws {
    func made(_ text: [UInt8]) -> [UInt8] {
      let key = key(1, Array("com.example.sensor".utf8), box(type, be32(0) + text + [1]))
      return movie("meta", [keyed(key)], value([1, 2]))
    }
    #expect(try stripped(made(Self.place)) == made(zeros(Self.place.count)))
    #expect(try stripped(made(Array("Kept: 12 faces".utf8))) == made(Array("Kept: 12 faces".utf8)))
  }

  @Test func `places in metadata of Canon's cameras are cleared`() throws {
    let entry = box("CTMD", zeros(6) + be16(1))
    for content in [Self.sentence, le32(60) + le16(7) + Self.exif] {
      let made = try stripped(movie("meta", [entry], content))
      #expect(made.firstIndex(of: box("mdat", zeros(content.count))) != nil)
    }
    let own = movie(
      "meta", [entry], le32(24) + le16(1) + zeros(6) + [7, 0xE8, 11, 30, 11, 0, 0, 0])
    #expect(try stripped(own) == own)
  }

  /// The last of many descriptions.
  @Test func `each description of samples counts`() throws {
    let entry = box("CTMD", zeros(6) + be16(1))
    let entries = [[UInt8]](repeating: entry, count: 64)
    let last = box("gpmd", zeros(6) + be16(1))
    let sample: [UInt8] = [1, 2, 3, 4]
    #expect(
      try stripped(movie("meta", entries + [last], sample)).firstIndex(of: box("mdat", zeros(4)))
        != nil)
    let own = movie("meta", entries, sample)
    #expect(try stripped(own) == own)
    let many = [[UInt8]](repeating: entry, count: 5000)
    #expect(throws: RedactionRefusal.self) { try stripped(movie("meta", many, sample)) }
  }

  @Test(arguments: ["tmcd", "hint", "clcp", "odsm"])
  func `places in samples of other tracks are cleared`(handler: String) throws {
    let entry = box("tmcd", zeros(6) + be16(1) + zeros(18))
    let made = try stripped(movie(handler, [entry], [0] + Self.place + [1]))
    #expect(made.firstIndex(of: box("mdat", zeros(Self.place.count + 2))) != nil)
    let own = movie(handler, [entry], [0, 1, 2, 3])
    #expect(try stripped(own) == own)
  }
}
