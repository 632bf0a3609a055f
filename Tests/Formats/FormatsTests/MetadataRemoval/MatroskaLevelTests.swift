import ByteReading
import MediaEdits
import MediaModel
import MetadataRemoval
import Testing

/// Elements of Matroska movies at places where the format does not have them, or that players do not read (RFC 9559 §5.1).
struct MatroskaLevelTests {
  private static let place = Array("47.3600, 8.5400 ".utf8)
  private static let blank = zeros(place.count)

  private func element(_ id: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    let count = payload.count
    return id + [0x10, UInt8(count >> 16 & 0xFF), UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
      + payload
  }

  private static let trackID: [UInt8] = [0xAE]

  private func track(_ type: [UInt8], _ codec: String, _ more: [UInt8] = []) -> [UInt8] {
    element(
      Self.trackID,
      element([0xD7], [1]) + element([0x83], type) + element([0x86], Array(codec.utf8)) + more)
  }

  private func movie(
    tracks: [UInt8]? = nil, information: [UInt8] = [], cluster: [UInt8] = [], more: [UInt8] = []
  ) -> [UInt8] {
    element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
      + element(
        [0x18, 0x53, 0x80, 0x67],
        element(
          [0x15, 0x49, 0xA9, 0x66], element([0x2A, 0xD7, 0xB1], [15, 66, 64]) + information)
          + element([0x16, 0x54, 0xAE, 0x6B], tracks ?? track([1], "V_VP8"))
          + element(
            [0x1F, 0x43, 0xB6, 0x75],
            element([0xE7], [0]) + element([0xA3], [0x81, 0, 0, 0, 9]) + cluster) + more)
  }

  private func stripped(_ movie: [UInt8]) throws -> [UInt8] {
    let made = try Redaction.of(.matroska, ArraySource(movie), .withoutLocation).applied(to: movie)
    #expect(made.count == movie.count)
    return made
  }

  private func expectKept(_ movie: [UInt8]) throws { #expect(try stripped(movie) == movie) }

  @Test func `long titles are searched or removed`() throws {
    func title(_ text: [UInt8]) -> [UInt8] { movie(information: element([0x7B, 0xA9], text)) }
    let words = Array(String(repeating: "a ", count: 2500).utf8)
    try expectKept(title(words))
    #expect(try stripped(title(words + Self.place)).firstIndex(of: Self.place) == nil)
    let long = [UInt8](repeating: 0x61, count: 70_000)
    #expect(try stripped(title(long)).firstIndex(of: Array(long.prefix(64))) == nil)
  }

  @Test func `tags outside of their list are removed`() throws {
    let city = Array("Zuerichplatz".utf8)
    let simple = element(
      [0x67, 0xC8], element([0x45, 0xA3], Array("CITY".utf8)) + element([0x44, 0x87], city))
    let artist = element(
      [0x67, 0xC8],
      element([0x45, 0xA3], Array("ARTIST".utf8)) + element([0x44, 0x87], Array("Me".utf8)))
    func tags(_ content: [UInt8]) -> [UInt8] { element([0x12, 0x54, 0xC3, 0x67], content) }
    func tag(_ content: [UInt8]) -> [UInt8] { element([0x73, 0x73], content) }
    let kept = tags(tag(element([0x63, 0xC0], element([0x68, 0xCA], [50])) + artist))
    try expectKept(movie(more: kept))
    let all = tags(tag(simple))
    for hidden in [
      movie(more: tags(simple)), movie(more: tags(tag(tag(simple)))), movie(more: simple),
      movie(more: tag(simple)), movie(more: tags(tag(element([0x63, 0xC0], simple)))),
      movie(information: all), movie(tracks: track([1], "V_VP8") + all),
      movie(tracks: track([1], "V_VP8", all)),
    ] {
      #expect(try stripped(hidden).firstIndex(of: city) == nil)
    }
  }

  @Test func `tracks of other kinds than media are refused`() throws {
    for type in [[16], [18], [32], [33], [0, 33], [0, 0, 18]] as [[UInt8]] {
      #expect(throws: RedactionRefusal.self) {
        try stripped(movie(tracks: track(type, "V_VP8")))
      }
    }
    let second = element([0x83], [17])
    #expect(throws: RedactionRefusal.self) {
      try stripped(movie(tracks: track([1], "V_VP8", second)))
    }
    for type in [[1], [2], [3], [17], [0, 1]] as [[UInt8]] {
      try expectKept(movie(tracks: track(type, "V_VP8")))
    }
  }

  @Test(arguments: ["V_VP8", "V_VP9", "A_OPUS", "V_MPEG4/ISO/AVC", "V_MS/VFW/FOURCC"])
  func `places in headers of codecs are cleared`(codec: String) throws {
    func made(_ text: [UInt8]) -> [UInt8] {
      let header = element([0x63, 0xA2], zeros(60) + text + [1])
      return movie(tracks: track([codec.hasPrefix("A") ? 2 : 1], codec, header))
    }
    #expect(try stripped(made(Self.place)) == made(Self.blank))
    try expectKept(made(Array("Kept 12 34".utf8)))
  }

  /// An encrypted block, a virtual block, and a state of the codec.
  @Test func `places in parts that players do not read are removed`() throws {
    let block = element([0xA1], [0x81, 0, 0, 0, 9])
    func group(_ id: [UInt8], _ content: [UInt8]) -> [UInt8] {
      movie(cluster: element([0xA0], block + element(id, content)))
    }
    let void: [UInt8] = [0xEC, 0x80 | UInt8(Self.place.count + 3)]
    func erased(_ id: [UInt8], _ build: ([UInt8]) -> [UInt8]) -> [UInt8] {
      let own = element(id, Self.place)
      return build(void + zeros(own.count - 2))
    }
    #expect(
      try stripped(movie(cluster: element([0xAF], Self.place)))
        == erased([0xAF]) { movie(cluster: $0) })
    #expect(
      try stripped(group([0xA2], Self.place))
        == erased([0xA2]) { movie(cluster: element([0xA0], block + $0)) })
    #expect(try stripped(group([0xA4], Self.place)) == group([0xA4], Self.blank))
    try expectKept(group([0x9B], [20]))
    try expectKept(group([0xA4], [1, 2, 3, 4]))
  }
}
