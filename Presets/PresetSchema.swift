import MediaModel

/// One key that presets of a kind may have.
package struct PresetKey: Sendable, Hashable {
  /// The allowed values.
  package enum Values: Sendable, Hashable {
    case words([String])
    case whole(ClosedRange<Int>)
    case number(ClosedRange<Double>)
    /// A width and a height, `1920x1080`.
    case size
    /// A list of uniform types of pictures.
    case types
  }

  package var name: String
  package var values: Values
  /// What it is where no file says so; `null` for no limit.
  package var standard: JSONValue
  /// For people, half a sentence.
  package var meaning: String

  init(
    _ name: String, _ values: Values, standard: JSONValue = .null, _ meaning: String
  ) {
    self.name = name
    self.values = values
    self.standard = standard
    self.meaning = meaning
  }
}

/// What files of presets may hold.
package enum PresetSchema {
  /// The keys of either kind that identify a preset rather than define results.
  package static let headerKeys = [
    "kind", "name", "extends", "aliases", "description", "unavailable",
  ]

  /// The keys that define the results of a preset of a kind.
  package static func keys(of kind: PresetKind) -> [PresetKey] {
    switch kind {
    case .image: imageKeys
    case .video: videoKeys
    }
  }

  private static let metadata = PresetKey(
    "metadata",
    .words([
      "keep", "withoutLocation", "withoutCaptions", "withoutLocationAndCaptions", "appearanceOnly",
    ]), standard: .text("keep"),
    "the metadata in results; appearanceOnly keeps orientation and colour")

  private static let imageKeys = [
    PresetKey(
      "format", .words(["jpeg", "png", "source"]), standard: .text("jpeg"),
      "what a picture becomes; source leaves it as it is"),
    PresetKey(
      "transparentFormat", .words(["jpeg", "png"]), standard: .text("png"),
      "what it becomes instead where it is transparent and the format is jpeg"),
    PresetKey("quality", .whole(1...100), standard: .number(90), "of a JPEG"),
    PresetKey(
      "chroma", .words(["source", "4:2:0", "4:2:2", "4:4:4"]), standard: .text("source"),
      "how finely a JPEG keeps colour"),
    PresetKey("maxPixels", .whole(16...65_535), "the largest longer side, in pixels"),
    PresetKey(
      "colorSpace", .words(["source", "sRGB"]), standard: .text("source"),
      "source keeps the color space and its profile, sRGB converts"),
    PresetKey(
      "dynamicRange", .words(["source", "sdr"]), standard: .text("source"),
      "source gives a JPEG of an HDR picture a gain map, sdr does not"),
    metadata,
    PresetKey(
      "keepTypes", .types, standard: .array([]),
      "types that are copied unless they must become smaller"),
    PresetKey(
      livePhoto, .words(["source", "pair", "motionPhoto"]), standard: .text("source"),
      "what a live photo or motion photo becomes: Apple's two files, or one file with its clip"),
  ]

  /// The key for the form of live photos.
  package static let livePhoto = "livePhoto"

  private static let videoKeys = [
    PresetKey(
      "codec", .words(["h264", "hevc", "prores422", "prores4444", "source", "none"]),
      standard: .text("h264"), "codec of the video track; source copies it, none drops it"),
    PresetKey("maxSize", .size, "the largest width and height, in the orientation of the video"),
    PresetKey(
      "quality", .number(0...63), standard: .number(20),
      "the encoder's constant quality (CRF); lower is better"),
    PresetKey(
      "maxBitRate", .whole(10_000...1_000_000_000),
      "the largest bit rate of the video track, in bits per second"),
    PresetKey(
      "speed",
      .words([
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower",
        "veryslow",
      ]), standard: .text("medium"), "the encoder's own preset"),
    PresetKey("maxFrameRate", .number(1...1000), "the largest frame rate, in frames per second"),
    PresetKey(
      "keyFrameInterval", .whole(1...1000),
      "the largest distance between key frames, in frames; 1 for key frames only"),
    PresetKey(
      "dynamicRange", .words(["sdr", "source"]), standard: .text("sdr"),
      "sdr converts HDR to SDR, source keeps it"),
    PresetKey(
      "audioCodec", .words(["aac", "pcm", "source", "none"]), standard: .text("aac"),
      "codec of the audio tracks; source copies them, none drops them"),
    PresetKey(
      "audioBitRate", .whole(8_000...1_000_000), "bit rate of the audio tracks, in bits per second"),
    PresetKey("maxAudioChannels", .whole(1...8), standard: .number(2), "more are mixed down"),
    PresetKey(
      "container", .words(["mp4", "mov", "m4v", "m4a", "source"]), standard: .text("mp4"),
      "what the tracks are put into"),
    metadata,
  ]
}

extension PresetKey {
  /// Why a value is not allowed for this key, with the remedy; nil if it is allowed.
  func complaint(about value: JSONValue) -> String? {
    // Whatever has no value by itself can be set back to that.
    if value == .null, standard == .null { return nil }
    switch values {
    case .words(let words):
      guard let text = value.text else { return remedy }
      if words.contains(text) { return nil }
      return UnknownWord(text, kind: "value", among: words, remedy: remedy).description
    case .whole(let range):
      let isGood = value.number.flatMap(Int.init(exactly:)).map(range.contains) ?? false
      return isGood ? nil : remedy
    case .number(let range):
      let isGood = value.number.map(range.contains) ?? false
      return isGood ? nil : remedy
    case .size:
      return value.text.flatMap(PixelSize.init(presetText:)) == nil ? remedy : nil
    case .types: return complaintAboutTypes(value)
    }
  }

  private func complaintAboutTypes(_ value: JSONValue) -> String? {
    guard let elements = value.array else { return remedy }
    let known = UniformType.pictures.map(\.rawValue).sorted()
    for element in elements {
      guard let text = element.text else { return remedy }
      if known.contains(text) { continue }
      return UnknownWord(text, kind: "type", among: known, remedy: remedy).description
    }
    return nil
  }

  /// What to write instead of a value of the wrong kind.
  private var remedy: String {
    switch values {
    case .words(let words): "write one of " + words.map { "\"\($0)\"" }.joined(separator: ", ")
    case .whole(let range): "write a whole number from \(range.lowerBound) to \(range.upperBound)"
    case .number(let range): "write a number from \(range.lowerBound) to \(range.upperBound)"
    case .size: "write a width and a height of at least 16 pixels, as \"1920x1080\""
    case .types: "write a list of types, as [\"public.jpeg\", \"public.png\"]"
    }
  }
}

extension PixelSize {
  /// `1920x1080`; nil for anything else and for what no encoder takes.
  init?(presetText text: String) {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false)
    guard parts.count == 2, let width = Int(parts[0]), let height = Int(parts[1]),
      (16...16_384).contains(width), (16...16_384).contains(height)
    else { return nil }
    self.init(width: width, height: height)
  }
}
