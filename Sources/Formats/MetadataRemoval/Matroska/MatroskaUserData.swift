import ByteReading
import MediaFormats

// User data inside of coded video.
extension MatroskaRedaction {
  /// A track of a codec with user data.
  struct Video: Hashable {
    var form: VideoUserData
    /// Bytes that each frame begins with and that its block leaves out (header stripping, RFC 9559
    /// §5.1.4.1.31.7).
    var stripped: [UInt8] = []
  }

  /// A track of video of which each frame may be a picture.
  struct PictureTrack: Hashable {
    /// Whether the track's codec says so.
    var isNamed: Bool
    /// Whether its blocks are compressed or encrypted.
    var isEncoded: Bool
  }

  private static let maximumConfiguration = 1 << 20

  /// Finds out how a track's blocks contain user data, and overwrites that in its configuration, with other texts that
  /// contain coordinates.
  ///
  /// - Returns: whether the track is of a codec with user data.
  /// - Throws: ``RedactionRefusal`` for a track with compressed or encrypted blocks, for a track that is declared after
  ///   some of its blocks, and for a configuration that is too long.
  mutating func visit(videoTrack items: [EBMLElement]) throws -> Bool {
    guard let id = items.first(where: { $0.id == ID.codec }),
      let number = try items.first(where: { $0.id == ID.trackNumber }).flatMap(number)
    else { return false }
    let name = try source.bytes(at: id.payload.lowerBound, count: min(id.payload.count, 64)).text
    let container = items.first { $0.id == ID.codecPrivate }
    let content =
      try container.flatMap {
        try source.bytes(in: $0.payload, limit: Self.maximumConfiguration)
      } ?? []
    // A BITMAPINFOHEADER comes before the configuration of a codec of AVI.
    let skipped = name == "V_MS/VFW/FOURCC" ? VideoUserData.bitmapHeaderSize : 0
    let codec: VideoUserData.Codec
    switch name {
    case "V_MPEG4/ISO/AVC": codec = .h264
    case "V_MPEGH/ISO/HEVC": codec = .hevc
    case "V_AV1": codec = .av1
    case "V_MPEG1", "V_MPEG2", "V_MPEG4/ISO/SP", "V_MPEG4/ISO/ASP", "V_MPEG4/ISO/AP": codec = .mpeg
    case "V_MS/VFW/FOURCC":
      guard let found = VideoUserData.Codec(bitmapHeader: content) else { return false }
      codec = found
    default: return false
    }
    if let container, container.payload.count > Self.maximumConfiguration {
      throw Self.unreadableVideo
    }
    let configuration = content.bytes(from: skipped)
    let form = VideoUserData(codec, configuration: configuration)
    let video = Video(form: form, stripped: try strippedBytes(items, form))
    guard videos[number].map({ $0 == video }) ?? !hasBlocks else { throw Self.unreadableVideo }
    videos[number] = video
    guard let container else { return true }
    let offset = container.payload.lowerBound + UInt64(skipped)
    redaction.add(form.withoutTexts(inConfiguration: configuration), at: offset)
    return true
  }

  /// The bytes that a track's blocks leave out: none, or at most those of a unit's size or start code.
  ///
  /// - Throws: ``RedactionRefusal`` for other encodings.
  private mutating func strippedBytes(_ items: [EBMLElement], _ form: VideoUserData) throws
    -> [UInt8]
  {
    guard let list = items.first(where: { $0.id == ID.encodings }) else { return [] }
    let encodings = try children(of: list).filter { $0.id == ID.encoding }
    guard !encodings.isEmpty else { return [] }
    guard encodings.count == 1 else { throw Self.unreadableVideo }
    let fields = try children(of: encodings[0])
    guard let compression = fields.first(where: { $0.id == ID.compression }),
      try fields.first(where: { $0.id == ID.encodingType }).flatMap(number) ?? 0 == 0,
      try fields.first(where: { $0.id == ID.encodingScope }).flatMap(number) ?? 1 == 1,
      case let settings = try children(of: compression),
      try settings.first(where: { $0.id == ID.compressionKind }).flatMap(number) == 3,
      let range = settings.first(where: { $0.id == ID.compressionSettings })?.payload,
      let bytes = try source.bytes(in: range, limit: form.lengthSize ?? 4)
    else { throw Self.unreadableVideo }
    return bytes
  }

  /// Records that a track's frames may be pictures.
  mutating func visit(pictureTrack items: [EBMLElement]) throws {
    guard try items.first(where: { $0.id == ID.trackType }).flatMap(number) == 1,
      let number = try items.first(where: { $0.id == ID.trackNumber }).flatMap(number)
    else { return }
    func start(_ id: UInt64, _ count: Int) throws -> [UInt8] {
      guard let item = items.first(where: { $0.id == id }) else { return [] }
      return try source.bytes(at: item.payload.lowerBound, count: min(item.payload.count, count))
    }
    let codec = try start(ID.codec, 64).text
    let type = try start(ID.codecPrivate, VideoUserData.bitmapHeaderSize).fourCC(at: 16)
    pictures[number] = PictureTrack(
      isNamed: codec == "V_MJPEG"
        || codec == "V_MS/VFW/FOURCC" && type.map(PictureFrame.codecs.contains) == true,
      isEncoded: items.contains { $0.id == ID.encodings })
  }

  /// Overwrites the user data in a block, or the metadata of a picture.
  ///
  /// - Parameters:
  ///   - frames: the range after the block's header.
  ///   - flags: the last byte of that header.
  /// - Throws: ``RedactionRefusal`` for a block of several frames (lacing, RFC 9559 §10.3), for more units than any movie
  ///   has, and for pictures that are compressed or damaged; what the source throws.
  mutating func visit(frames: Range<UInt64>, flags: UInt8, ofTrack number: UInt64) throws {
    guard let video = videos[number] else {
      guard let track = pictures[number] else { return }
      return try visit(picture: frames, of: track, isLaced: flags & 0x06 != 0)
    }
    guard flags & 0x06 == 0 else { throw Self.unreadableVideo }
    try video.form.erase(
      in: frames, of: source, stripped: video.stripped, count: &unitCount, &redaction)
  }

  /// Overwrites the metadata of a frame that is a picture.
  ///
  /// - Parameter isLaced: whether the block contains several frames.
  private mutating func visit(
    picture frame: Range<UInt64>, of track: PictureTrack, isLaced: Bool
  ) throws {
    let part = source.part(frame.clamped(to: 0..<source.count))
    if track.isNamed, track.isEncoded || isLaced { throw Self.unreadablePictures }
    redaction.add(
      try PictureFrame.redaction(policy, of: part, depth: 0, isNamed: track.isNamed),
      at: frame.lowerBound)
  }

  private static let unreadablePictures = RedactionRefusal(
    """
    The movie's frames are pictures that are stored in a form in which metadata cannot be found; the video preset \
    `compatible` makes a new video without it.
    """
  )

  private static let unreadableVideo = RedactionRefusal(
    """
    The movie's video is stored in a form in which places cannot be found; the video preset \
    `compatible` makes a new video without them.
    """
  )
}
