import ByteReading
import MediaEdits
import MediaFormats

// User data inside of coded video.
extension ISORedaction {
  private static let maximumConfiguration = 1 << 20
  /// Sample entries of H.264 and HEVC, Dolby Vision's among them (ISO/IEC 14496-15).
  private static let codecs: [FourCC: (VideoUserData.Codec, configuration: FourCC)] = [
    "avc1": (.h264, "avcC"), "avc3": (.h264, "avcC"), "dva1": (.h264, "avcC"),
    "dvav": (.h264, "avcC"), "hvc1": (.hevc, "hvcC"), "hev1": (.hevc, "hvcC"),
    "dvh1": (.hevc, "hvcC"), "dvhe": (.hevc, "hvcC"),
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

  /// Overwrites the user data in a sample.
  ///
  /// - Throws: ``RedactionRefusal`` for more units than any movie has; what the source throws.
  mutating func eraseUserData(_ sample: Range<UInt64>, ofTrack id: UInt32) throws {
    try userData[id]?.erase(in: sample, of: source, count: &unitCount, &redaction)
  }
}
