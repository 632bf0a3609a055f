import ByteReading
import MediaEdits
import MediaModel
import MetadataRemoval
import Testing

/// User data in blocks of Matroska movies that are built byte by byte, in the forms that RFC 9559 §5.1.4.1.31
/// and §10 allow.
struct MatroskaUserDataTests {
  private static let user = [UInt8](repeating: 0x11, count: 16)
  private static let unit: [UInt8] = [6, 5, 16] + user + [0x80]
  private static let sized: [UInt8] = [0, 0, 0, UInt8(unit.count)] + unit + [0, 0, 0, 2, 0x65, 9]
  private static let configuration: [UInt8] = [1, 100, 0, 31, 0xFF, 0xE0, 0]

  private func element(_ id: [UInt8], _ payload: [UInt8]) -> [UInt8] {
    id + [0x10, 0, UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
  }

  /// A movie with the same frame in a simple block and in a block group.
  private func movie(
    _ frame: [UInt8], _ configuration: [UInt8]? = configuration, flags: UInt8 = 0,
    compression: [UInt8]? = nil
  ) -> [UInt8] {
    var track =
      element([0xD7], [1]) + element([0x83], [1]) + element([0x86], Array("V_MPEG4/ISO/AVC".utf8))
    if let configuration { track += element([0x63, 0xA2], configuration) }
    if let compression {
      track += element([0x6D, 0x80], element([0x62, 0x40], element([0x50, 0x34], compression)))
    }
    let block = [0x81, 0, 0, flags] + frame
    return element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
      + element(
        [0x18, 0x53, 0x80, 0x67],
        element([0x16, 0x54, 0xAE, 0x6B], element([0xAE], track))
          + element(
            [0x1F, 0x43, 0xB6, 0x75],
            element([0xE7], [0]) + element([0xA3], block)
              + element([0xA0], element([0xA1], block))))
  }

  private func strip(_ movie: [UInt8]) throws -> [UInt8] {
    try Redaction.of(.matroska, ArraySource(movie), .withoutLocation).applied(to: movie)
  }

  /// The movie with its user data overwritten.
  private func cleared(_ movie: [UInt8]) -> [UInt8] {
    var result = movie
    while let start = result.firstIndex(of: Self.user) {
      result.replaceSubrange(
        start..<(start + Self.user.count),
        with: [UInt8](repeating: VideoUserData.filler, count: Self.user.count))
    }
    return result
  }

  @Test func `user data in blocks and groups is overwritten`() throws {
    let source = movie(Self.sized)
    #expect(cleared(source) != source)
    #expect(try strip(source) == cleared(source))
  }

  @Test func `user data after start codes is overwritten`() throws {
    let source = movie([0, 0, 0, 1] + Self.unit + [0, 0, 1, 0x65, 9], nil)
    #expect(try strip(source) == cleared(source))
  }

  @Test func `user data in frames with stripped headers is overwritten`() throws {
    for count in 1...4 {
      let source = movie(
        Array(Self.sized.dropFirst(count)),
        compression: element([0x42, 0x54], [3])
          + element([0x42, 0x55], Array(Self.sized.prefix(count))))
      #expect(try strip(source) == cleared(source), "\(count)")
    }
  }

  @Test func `other forms of video are refused`() {
    let zlib = movie(Self.sized, compression: element([0x42, 0x54], [0]))
    let long = movie(
      Self.sized,
      compression: element([0x42, 0x54], [3]) + element([0x42, 0x55], [0, 0, 0, 9, 9]))
    for source in [zlib, long] + [2, 4, 6].map({ movie(Self.sized, flags: $0) }) {
      #expect(throws: RedactionRefusal.self) { try strip(source) }
    }
  }

  /// RFC 9559 §5.1.2: file names, and the programs that made the movie.
  @Test func `movies without metadata have no names of files and programs`() throws {
    func movie(_ muxer: String) -> [UInt8] {
      let names =
        element([0x73, 0x84], Array("Secret.mkv".utf8)) + element([0x4D, 0x80], Array(muxer.utf8))
        + element([0x57, 0x41], Array("Secret".utf8))
      return element([0x1A, 0x45, 0xDF, 0xA3], element([0x42, 0x82], Array("matroska".utf8)))
        + element([0x18, 0x53, 0x80, 0x67], element([0x15, 0x49, 0xA9, 0x66], names))
    }
    func bare(_ muxer: String) throws -> [UInt8] {
      let own = movie(muxer)
      let made = try Redaction.of(.matroska, ArraySource(own), .appearanceOnly).applied(to: own)
      #expect(made.count == own.count)
      return made
    }
    #expect(try bare("Secret").firstIndex(of: "Secret") == nil)
    #expect(try bare("Lavf Secret").firstIndex(of: "Secret") == nil)
    // The elements are mandatory, so they stay.
    #expect(
      try bare("Secret").firstIndex(
        of: [0x57, 0x41, 0x10, 0, 0, 6] + [UInt8](repeating: 0, count: 6)) != nil)
    #expect(try bare("Lavf59.27.100").firstIndex(of: "Lavf59.27.100") != nil)
    #expect(try strip(movie("Muxer")) == movie("Muxer"))
  }
}
