import ByteReading
import MediaEdits
import MediaFormats

// User data inside of coded video.
extension ISORedaction {
  private static let maximumConfiguration = 1 << 20
  /// How often a byte of the file may be part of a frame, on average.
  private static let maximumUses: UInt64 = 8
  /// Sample entries of H.264, HEVC and AV1, Dolby Vision's and AVC-Intra's among them (ISO/IEC 14496-15, the registry at
  /// mp4ra.org), and of MPEG-1, MPEG-2 and MPEG-4 Visual (QuickTime File Format, "Video Sample Description").
  private static let codecs: [FourCC: VideoUserData.Codec] = {
    let entries: [VideoUserData.Codec: [FourCC]] = [
      .h264: [
        "avc1", "avc2", "avc3", "avc4", "dva1", "dvav", "ai5p", "ai5q", "ai52", "ai53", "ai55",
        "ai56", "ai1p", "ai1q", "ai12", "ai13", "ai15", "ai16", "AVin", "aivx", "xalg", "avlg",
      ],
      .hevc: ["hvc1", "hvc2", "hvc3", "hev1", "hev2", "hev3", "lhv1", "lhe1", "dvh1", "dvhe"],
      .av1: ["av01", "dav1"],
      .mpeg: [
        "mp4v", "XVID", "DIVX", "3IV2", "m1v ", "mpeg", "mp1v", "m2v1", "mp2v", "hdv1", "hdv2",
        "hdv3", "hdv4", "hdv5", "hdv6", "hdv7", "hdv8", "hdv9", "hdva", "mx3n", "mx3p", "mx4n",
        "mx4p", "mx5n", "mx5p", "xdv1", "xdv2", "xdv3", "xdv4", "xdv5", "xdv6", "xdv7", "xdv8",
        "xdv9", "xdva", "xdvb", "xdvc", "xdvd", "xdve", "xdvf", "xd51", "xd54", "xd55", "xd59",
        "xd5a", "xd5b", "xd5c", "xd5d", "xd5e", "xd5f", "xdh2", "xdhd", "AVmp",
      ],
    ]
    return Dictionary(
      entries.flatMap { codec, types in types.map { ($0, codec) } }, uniquingKeysWith: { $1 })
  }()
  /// The boxes with the decoder configurations of these codecs, and of further layers of HEVC.
  private static let configurations: [VideoUserData.Codec: [FourCC]] = [
    .h264: ["avcC"], .hevc: ["hvcC", "lhvC"], .av1: ["av1C"], .mpeg: ["esds", "glbl"],
  ]
  /// Types of MPEG-4's objects that are coded pictures: JPEG, PNG, JPEG 2000 (the registry at mp4ra.org).
  private static let pictureObjects: ClosedRange<UInt8> = 0x6C...0x6E
  /// H.264 in the form of an MPEG-4 object.
  private static let h264Object: UInt8 = 0x21

  /// How the samples of a track contain user data; nil for a track of another codec. In the decoder configurations, user
  /// data and texts with coordinates are overwritten. User data is not a caption, so it stays if the place does.
  ///
  /// - Throws: ``RedactionRefusal`` if the track changes between forms.
  mutating func userDataForm(_ stbl: ISOBox) throws -> VideoUserData? {
    guard policy.removesLocation,
      let stsd = try source.allBoxes(inside: stbl).first(where: { $0.type == "stsd" })
    else { return nil }
    var form: VideoUserData?
    for entry in try source.allBoxes(inside: stsd, skip: 8, limit: Self.maximumDescriptions) {
      guard var codec = Self.codecs[entry.type] else { continue }
      var configuration: [UInt8] = []
      for type in Self.configurations[codec] ?? [] {
        guard let box = try source.child(type, of: entry, skip: 78) else { continue }
        guard let content = try source.content(of: box, limit: Self.maximumConfiguration) else {
          throw RedactionRefusal(
            "The description of a video track is too long, so user data in it cannot be found.")
        }
        let object = type == "esds" ? ISODescriptors(content) : nil
        if let object, Self.pictureObjects.contains(object.objectType) { return nil }
        if object?.objectType == Self.h264Object { codec = .h264 }
        if configuration.isEmpty { configuration = object?.specificInfo ?? content }
        let user = VideoUserData(codec, configuration: content)
        redaction.add(
          user.withoutTexts(inConfiguration: content, isLayered: type == "lhvC"),
          at: box.payload.lowerBound)
        searchedConfigurations.insert(box.offset)
      }
      // Units have start codes if the entry has no configuration.
      let found = VideoUserData(codec, configuration: configuration)
      guard form == nil || form == found else {
        throw RedactionRefusal(
          "A video track changes its codec, so user data in it cannot be found.")
      }
      form = found
    }
    return form
  }

  /// Whether a track's samples may be pictures with metadata of their own, by its sample descriptions or by its first
  /// sample; nil if they are not.
  ///
  /// - Returns: whether the descriptions say so. `mp4v` describes pictures too (ISO/IEC 14496-1 table 5, 0x6C to 0x6E).
  func pictureNaming(_ types: [FourCC], _ samples: ISOSampleTable) throws -> Bool? {
    if types.contains(where: PictureFrame.codecs.contains) { return true }
    // A fragmented movie may have no sample in its header.
    var isPicture = fragments != nil
    var isFirst = true
    _ = try samples.visitSamples(limit: 1) {
      guard isFirst, !$0.isEmpty else { return }
      isFirst = false
      isPicture = try PictureFrame.kind(of: source.part($0.clamped(to: 0..<source.count))) != nil
    }
    return isPicture ? types.contains("mp4v") && !isFirst : nil
  }

  /// Overwrites what the policy removes in a sample of video: user data, or the metadata of a picture.
  ///
  /// - Throws: ``RedactionRefusal`` for more units than any movie has, for samples that overlap many times, and for a damaged
  ///   picture; what the source throws.
  mutating func visit(frame sample: Range<UInt64>, ofTrack id: UInt32) throws {
    let frame = source.part(sample.clamped(to: 0..<source.count))
    frameBytes += frame.count
    // A small file can state gigabytes of samples.
    guard frameBytes / Self.maximumUses <= source.count else {
      throw RedactionRefusal(
        "The movie is damaged: its samples overlap, so \(policy.removedText) in them cannot be found."
      )
    }
    if let isNamed = pictureTracks[id], try PictureFrame.kind(of: frame) != nil {
      redaction.add(
        try PictureFrame.redaction(policy, of: frame, depth: depth, isNamed: isNamed),
        at: sample.lowerBound)
    } else {
      try userData[id]?.erase(in: sample, of: source, count: &unitCount, &redaction)
    }
  }
}
