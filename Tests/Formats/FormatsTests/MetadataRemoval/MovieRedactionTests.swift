import MediaEdits
import ByteReading
import MediaModel
import MetadataRemoval
import Testing

/// The bytes of movies, built byte by byte, that a copy without locations keeps. Offsets and lengths
/// follow ISO/IEC 14496-12 and the QuickTime File Format.
struct MovieRedactionTests {
  private static let draft = Array("+47.3600+008.5400+408.000/".utf8)
  private static let frames = [UInt8](repeating: 7, count: 24)

  private func strip(_ movie: [UInt8]) throws -> [UInt8] {
    try Redaction.of(.quickTimeMovie, ArraySource(movie), .withoutLocation).applied(to: movie)
  }

  private func track(
    _ handler: String, _ entry: [UInt8], tables: [UInt8], id: Int64 = 1, more: [UInt8] = []
  ) -> [UInt8] {
    let media =
      box("hdlr", zeros(8) + Array(handler.utf8) + zeros(13))
      + box(
        "minf", box("stbl", box("stsd", be32(0) + be32(1) + entry) + tables))
    return box("trak", box("tkhd", zeros(12) + be32(id) + zeros(68)) + box("mdia", media) + more)
  }

  /// A header whose tables refer to media data after it.
  private func movie(
    mediaData: [UInt8], _ content: (_ offset: Int64) -> [UInt8]
  ) -> [UInt8] {
    func start(_ offset: Int) -> [UInt8] {
      box("ftyp", Array("qt  ".utf8) + be32(0) + Array("qt  ".utf8))
        + box("moov", box("mvhd", zeros(100)) + content(Int64(offset)))
    }
    return start(start(0).count + 8) + box("mdat", mediaData)
  }

  private let picture = box("mp4v", zeros(78))

  /// Entries of a table after version, flags and their count.
  private func table(_ type: String, _ entries: [[Int64]]) -> [UInt8] {
    box(type, be32(0) + be32(Int64(entries.count)) + entries.joined().flatMap { be32($0) })
  }

  private func sizes(_ sizes: [Int64]) -> [UInt8] {
    box("stsz", be32(0) + be32(0) + be32(Int64(sizes.count)) + sizes.flatMap { be32($0) })
  }

  @Test(arguments: [4, 8, 16, 32])
  func `media data outside of samples is cleared`(width: Int) throws {
    let sizeTable =
      switch width {
      case 4: box("stz2", be32(0) + be32(4) + be32(3) + [0x8C, 0x40])
      case 8: box("stz2", be32(0) + be32(8) + be32(3) + [8, 12, 4])
      case 16: box("stz2", be32(0) + be32(16) + be32(3) + [0, 8, 0, 12, 0, 4])
      default: sizes([8, 12, 4])
      }
    // Two chunks with drafts around them: 8 and 12 bytes, then 4.
    let data = Self.draft + Self.frames.prefix(20) + Self.draft + Self.frames.prefix(4) + Self.draft
    let source = movie(mediaData: data) { offset in
      let first = offset + Int64(Self.draft.count)
      return track(
        "vide", picture,
        tables: table("stsc", [[1, 2, 1], [2, 1, 1]]) + sizeTable
          + table("stco", [[first], [first + 20 + Int64(Self.draft.count)]]))
    }
    let result = try strip(source)
    let gap = zeros(Self.draft.count)
    let expected = gap + Self.frames.prefix(20) + gap + Self.frames.prefix(4) + gap
    #expect(Array(result.suffix(data.count)) == expected)
    #expect(Array(result.dropLast(data.count)) == Array(source.dropLast(data.count)))
  }

  /// QuickTime counts frames of 4 bytes as samples of 1 byte; ISO's `AudioSampleEntry` has the same fields.
  @Test func `audio with samples of one byte stays`() throws {
    let stereo = zeros(16) + be16(2) + be16(16) + zeros(8)
    let data = Self.frames + Self.draft
    let source = movie(mediaData: data) { offset in
      track(
        "soun", box("sowt", stereo),
        tables: table("stsc", [[1, 6, 1]]) + box("stsz", be32(0) + be32(1) + be32(6))
          + table("stco", [[offset]]))
    }
    #expect(try Array(strip(source).suffix(data.count)) == Self.frames + zeros(Self.draft.count))
  }

  /// 64 frames of IMA 4:1 are a packet of 34 bytes (QuickTime's sound description, version 1).
  @Test func `packed audio stays`() throws {
    let fields =
      zeros(8) + be16(1) + zeros(6) + be16(1) + be16(16) + zeros(8) + be32(64) + be32(34) + be32(34)
      + be32(2)
    let packets = [UInt8](repeating: 7, count: 68)
    let data = packets + Self.draft
    let source = movie(mediaData: data) { offset in
      track(
        "soun", box("ima4", fields),
        tables: table("stsc", [[1, 128, 1]]) + box("stsz", be32(0) + be32(1) + be32(128))
          + table("stco", [[offset]]))
    }
    #expect(try Array(strip(source).suffix(data.count)) == packets + zeros(Self.draft.count))
  }

  /// Samples of a removed metadata track are cleared, even between samples of a kept track.
  @Test func `samples of a removed track are cleared`() throws {
    let data = Self.frames + Self.draft + Self.frames
    let size = Int64(Self.draft.count)
    let source = movie(mediaData: data) { offset in
      track(
        "vide", picture,
        tables: table("stsc", [[1, 1, 1]]) + sizes([24, 24])
          + table("stco", [[offset], [offset + 24 + size]]))
        + track(
          "meta", box("gpmd", zeros(6) + be16(1) + Self.draft),
          tables: table("stsc", [[1, 1, 1]]) + sizes([size]) + table("stco", [[offset + 24]]), id: 2
        )
    }
    let result = try strip(source)
    #expect(
      Array(result.suffix(data.count)) == Self.frames + zeros(Self.draft.count) + Self.frames)
    #expect(result.firstIndex(of: Self.draft) == nil)
  }

  /// The samples of a movie that was moved without its header's offsets can be inside of the header.
  @Test(arguments: ["vide", "meta"])
  func `a header that overlaps samples is refused`(handler: String) throws {
    let source = movie(mediaData: Self.frames) { offset in
      track(
        handler, handler == "vide" ? picture : box("gpmd", zeros(6) + be16(1)),
        tables: table("stsc", [[1, 1, 1]]) + sizes([24]) + table("stco", [[offset - 100]]))
    }
    #expect(throws: RedactionRefusal.self) { try strip(source) }
  }

  /// A subtitle track may begin with many lines of speech.
  @Test func `a place at the end of a text track is found`() throws {
    let text = Array(String(repeating: "talk ", count: 2000).utf8) + Self.draft
    let source = movie(mediaData: text) { offset in
      track(
        "text", box("text", zeros(8)),
        tables: table("stsc", [[1, 1, 1]]) + sizes([Int64(text.count)])
          + table("stco", [[offset]]))
    }
    #expect(try strip(source).firstIndex(of: Self.draft) == nil)
  }

  /// The place is in parts of a header that no player reads.
  @Test(arguments: [
    "after boxes", "free in meta", "table", "handler", "compressor", "extension",
    "unknown in media",
    "second header", "aspect ratio", "settings",
  ])
  func `unknown parts of headers are cleared`(place: String) throws {
    func hidden(_ name: String) -> [UInt8] { place == name ? Self.draft : [] }
    func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
      content.isEmpty ? [] : FormatsTests.box(type, content)
    }
    let compressor = [3] + Array("abc".utf8) + hidden("compressor").prefix(26)
    let entry = FormatsTests.box(
      "mp4v",
      zeros(42) + compressor + zeros(32 - compressor.count) + zeros(4)
        + FormatsTests.box("pasp", be32(1) + be32(1) + hidden("aspect ratio"))
        + box("abcd", hidden("extension")))
    let handler = FormatsTests.box(
      "hdlr", zeros(8) + Array("vide".utf8) + zeros(12) + Array("Kept\0".utf8) + hidden("handler"))
    let source =
      movie(mediaData: Self.frames) { offset in
        let tables =
          table("stsc", [[1, 1, 1]]) + sizes([24])
          + FormatsTests.box("stco", be32(0) + be32(1) + be32(offset) + hidden("table"))
        let stbl = FormatsTests.box(
          "stbl", FormatsTests.box("stsd", be32(0) + be32(1) + entry) + tables)
        let media = FormatsTests.box(
          "mdia",
          handler + FormatsTests.box("minf", stbl) + box("abcd", hidden("unknown in media")))
        let meta = FormatsTests.box(
          "meta",
          FormatsTests.box("hdlr", zeros(8) + Array("mdta".utf8) + zeros(13))
            + box("free", hidden("free in meta")))
        let tail = place == "after boxes" ? zeros(4) + Self.draft : []
        return FormatsTests.box(
          "trak", FormatsTests.box("tkhd", zeros(84)) + media + box("load", hidden("settings")))
          + meta + tail
      } + (place == "second header" ? FormatsTests.box("moov", Self.draft) : [])
    let prefix = Array(Self.draft.prefix(26))
    try #require(source.firstIndex(of: prefix) != nil)
    let result = try strip(source)
    #expect(result.firstIndex(of: prefix) == nil)
    #expect(result.firstIndex(of: "Kept") != nil)
    #expect(result.firstIndex(of: "abc\0") != nil)
    #expect(result.firstIndex(of: Self.frames) == source.firstIndex(of: Self.frames))
    #expect(result.count == source.count)
  }

  @Test(arguments: [false, true])
  func `samples of fragments stay`(countsFromFragment: Bool) throws {
    let ftyp = box("ftyp", Array("iso5".utf8) + be32(0))
    let none = table("stsc", []) + sizes([]) + table("stco", [])
    let moov = box(
      "moov",
      box("mvhd", zeros(100)) + track("vide", picture, tables: none)
        + track("meta", box("gpmd", zeros(6) + be16(1)), tables: none, id: 2)
        + box(
          "mvex",
          box("trex", be32(0) + be32(1) + zeros(4) + zeros(4) + be32(12) + zeros(4))
            + box("trex", be32(0) + be32(2) + zeros(16))))
    let size = Int64(Self.draft.count)
    func moof(_ base: Int64, _ data: Int64) -> [UInt8] {
      func header(_ id: Int64) -> [UInt8] {
        countsFromFragment
          ? box("tfhd", be32(0x020000) + be32(id))
          : box("tfhd", be32(1) + be32(id) + be32(0) + be32(base))
      }
      // Two samples of the default size; then one with its own size after them.
      let video = box("trun", be32(1) + be32(2) + be32(data))
      let places = box("trun", be32(0x201) + be32(1) + be32(data + 24) + be32(size))
      return box(
        "moof",
        box("mfhd", zeros(8)) + box("traf", header(1) + video)
          + box("traf", header(2) + places) + box("abcd", Self.draft))
    }
    let start = Int64(ftyp.count + moov.count)
    let length = Int64(moof(0, 0).count)
    let base = countsFromFragment ? start : 0
    let data = Self.frames + Self.draft + Self.draft
    let source =
      ftyp + moov + moof(base, (countsFromFragment ? 0 : start) + length + 8) + box("mdat", data)
    let result = try strip(source)
    #expect(
      Array(result.suffix(data.count)) == Self.frames + zeros(2 * Self.draft.count))
    #expect(result.firstIndex(of: Self.draft) == nil)
  }

  /// Values under keys that do not name a place may still record one.
  @Test func `values that are neither text nor numbers are removed`() throws {
    func value(_ kind: Int64, _ bytes: [UInt8]) -> [UInt8] {
      box("data", be32(kind) + be32(0) + bytes)
    }
    let blob: [UInt8] = [0x40, 0x47, 0xAE, 0x14, 0x7A, 0xE1, 0x47, 0xAE, 1, 2]
    let source = movie(mediaData: []) { _ in
      box(
        "meta",
        box("hdlr", zeros(8) + Array("mdta".utf8) + zeros(13))
          + box(
            "keys", be32(0) + be32(2) + box("mdta", Array("a".utf8)) + box("mdta", Array("b".utf8)))
          + box(
            "ilst",
            box([0, 0, 0, 1], value(0, blob)) + box([0, 0, 0, 2], value(1, Array("Kept".utf8)))))
    }
    let result = try strip(source)
    #expect(result.firstIndex(of: blob) == nil)
    #expect(result.firstIndex(of: "Kept") != nil)
  }

  /// Boxes of known types with more than their fields, and boxes that only streaming needs.
  @Test(arguments: ["pssh", "sidx", "tfra", "mfro", "prft", "pdin"])
  func `known boxes lose what is not in their fields`(type: String) throws {
    let kept: [UInt8] =
      switch type {
      // A system, no data.
      case "pssh": be32(0) + Array("system identifier".utf8.prefix(16)) + be32(0)
      case "sidx": be32(0) + be32(1) + be32(1000) + zeros(8) + be16(0) + be16(1) + zeros(12)
      // One point of six bytes after two of four.
      case "tfra": be32(0) + be32(1) + be32(0b01_01_01) + be32(1) + zeros(14)
      case "mfro": be32(0) + be32(16)
      default: []
      }
    let inner = box(type, kept + Self.draft)
    let isInside = ["tfra", "mfro"].contains(type)
    let source =
      movie(mediaData: Self.frames) { offset in
        track(
          "vide", picture,
          tables: table("stsc", [[1, 1, 1]]) + sizes([24]) + table("stco", [[offset]]))
      } + (isInside ? box("mfra", inner) : inner)
    let result = try strip(source)
    #expect(result.firstIndex(of: Self.draft) == nil)
    #expect(result.count == source.count)
    let tail = kept + zeros(Self.draft.count)
    #expect(Array(result.suffix(tail.count)) == tail)
    if !kept.isEmpty { #expect(result.firstIndex(of: type) != nil) }
  }

  /// The first four bytes of a text are no size.
  @Test func `a text in place of boxes is cleared`() throws {
    let source = movie(mediaData: Self.frames) { _ in [] } + box("mfra", Self.draft)
    let free = be32(Int64(Self.draft.count)) + Array("free".utf8) + zeros(Self.draft.count - 8)
    #expect(try Array(strip(source).suffix(Self.draft.count)) == free)
  }

  /// The names of handlers and compressors (ISO/IEC 14496-12 §8.4.3, §12.1.3).
  @Test func `movies without metadata have no names of handlers and compressors`() throws {
    let compressor = [6] + Array("Secret".utf8)
    let entry = box("mp4v", zeros(42) + compressor + zeros(32 - compressor.count) + zeros(4))
    let handler = box(
      "hdlr", zeros(8) + Array("vide".utf8) + zeros(12) + Array("Secret\0".utf8))
    let counted = box(
      "hdlr", zeros(4) + Array("dhlr".utf8) + Array("alis".utf8) + zeros(12) + compressor)
    let source = movie(mediaData: Self.frames) { offset in
      let tables =
        table("stsc", [[1, 1, 1]]) + sizes([24]) + table("stco", [[offset]])
      let stbl = box("stbl", box("stsd", be32(0) + be32(1) + entry) + tables)
      return box(
        "trak",
        box("tkhd", zeros(84)) + box("mdia", handler + box("minf", counted + stbl)))
    }
    let result = try Redaction.of(.mpeg4, ArraySource(source), .appearanceOnly)
      .applied(to: source)
    #expect(result.firstIndex(of: "Secret") == nil)
    #expect(result.count == source.count)
    #expect(try strip(source).firstIndex(of: compressor) == source.firstIndex(of: compressor))
  }
}
