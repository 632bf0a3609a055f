import ByteReading
import MediaEdits
import MediaFormats

// User data inside of coded video.
extension ISORedaction {
  private static let maximumConfiguration = 1 << 20
  /// Sample entries of H.264, HEVC and AV1, Dolby Vision's among them (ISO/IEC 14496-15).
  private static let codecs: [FourCC: (VideoUserData.Codec, configuration: FourCC)] = [
    "avc1": (.h264, "avcC"), "avc3": (.h264, "avcC"), "dva1": (.h264, "avcC"),
    "dvav": (.h264, "avcC"), "hvc1": (.hevc, "hvcC"), "hev1": (.hevc, "hvcC"),
    "dvh1": (.hevc, "hvcC"), "dvhe": (.hevc, "hvcC"), "av01": (.av1, "av1C"),
    "dav1": (.av1, "av1C"),
  ]

  /// How the samples of a track contain user data; nil for a track of another codec. User data in the
  /// decoder configurations is overwritten. User data is not a caption, so it stays if the place does.
  ///
  /// - Throws: ``RedactionRefusal`` if the track changes between forms.
  mutating func userDataForm(_ stbl: ISOBox) throws -> VideoUserData? {
    guard policy.removesLocation, let stsd = try source.child("stsd", of: stbl) else { return nil }
    var form: VideoUserData?
    for entry in try source.boxes(inside: stsd, skip: 8, limit: 4096) {
      guard let (codec, type) = Self.codecs[entry.type],
        let box = try source.child(type, of: entry, skip: 78),
        let content = try source.content(of: box, limit: Self.maximumConfiguration)
      else { continue }
      let found = VideoUserData(codec, configuration: content)
      found.erase(inConfiguration: content, at: box.payload.lowerBound, &redaction)
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
  /// - Throws: ``RedactionRefusal`` for more units than any movie has, and for a damaged picture; what the source throws.
  mutating func visit(frame sample: Range<UInt64>, ofTrack id: UInt32) throws {
    if let isNamed = pictureTracks[id] {
      let frame = source.part(sample.clamped(to: 0..<source.count))
      redaction.add(
        try PictureFrame.redaction(policy, of: frame, depth: depth, isNamed: isNamed),
        at: sample.lowerBound)
    } else {
      try userData[id]?.erase(in: sample, of: source, count: &unitCount, &redaction)
    }
  }
}
