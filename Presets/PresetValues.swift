import MediaEdits
import MediaModel

// Typed presets out of settings that were checked against the schema: every key is there and holds what
// it may, so that no value has to be doubted here.

extension PresetHeader {
  fileprivate func value(_ key: String) -> JSONValue {
    settings.first { $0.key == key }?.value ?? .null
  }

  fileprivate func word(_ key: String) -> String {
    if case .text(let text) = value(key) { text } else { "" }
  }

  fileprivate func number(_ key: String) -> Double? {
    if case .number(let number) = value(key) { number } else { nil }
  }

  fileprivate func whole(_ key: String) -> Int? {
    number(key).map { Int($0) }
  }

  fileprivate func texts(_ key: String) -> [String] {
    if case .array(let values) = value(key) { values.compactMap(\.text) } else { [] }
  }

  fileprivate var metadata: MetadataPolicy {
    switch word("metadata") {
    case "appearanceOnly": .appearanceOnly
    case "withoutLocation": .withoutLocation
    case "withoutCaptions": .withoutCaptions
    case "withoutLocationAndCaptions": [.withoutLocation, .withoutCaptions]
    default: .keep
    }
  }
}

extension ImagePreset {
  init(_ header: PresetHeader) {
    self.header = header
    format = Format(rawValue: header.word("format")) ?? .jpeg
    transparentFormat = header.word("transparentFormat") == "jpeg" ? .jpeg : .png
    quality = header.whole("quality") ?? 90
    chroma =
      switch header.word("chroma") {
      case "4:2:0": .yuv420
      case "4:2:2": .yuv422
      case "4:4:4": .yuv444
      default: .source
      }
    maxPixels = header.whole("maxPixels")
    colorSpace = header.word("colorSpace") == "sRGB" ? .sRGB : .source
    keepsDynamicRange = header.word("dynamicRange") == "source"
    metadata = header.metadata
    livePhoto = LivePhoto(rawValue: header.word(PresetSchema.livePhoto)) ?? .source
    keepTypes = Set(header.texts("keepTypes").map(UniformType.init(rawValue:)))
  }
}

extension VideoPreset {
  init(_ header: PresetHeader) {
    self.header = header
    codec =
      switch header.word("codec") {
      case "source": .source
      case "none": .none
      case "hevc": .encoded(.hevc)
      case "prores422": .encoded(.proRes422)
      case "prores4444": .encoded(.proRes4444)
      default: .encoded(.h264)
      }
    maxSize = PixelSize(presetText: header.word("maxSize"))
    quality = header.number("quality") ?? 20
    maxBitRate = header.whole("maxBitRate")
    speed = header.word("speed")
    maxFrameRate = header.number("maxFrameRate")
    keyFrameInterval = header.whole("keyFrameInterval")
    keepsDynamicRange = header.word("dynamicRange") == "source"
    audioCodec =
      switch header.word("audioCodec") {
      case "source": .source
      case "none": .none
      case "pcm": .encoded(.pcm)
      default: .encoded(.aac)
      }
    audioBitRate = header.whole("audioBitRate")
    maxAudioChannels = header.whole("maxAudioChannels") ?? 2
    container =
      switch header.word("container") {
      case "source": nil
      case "mov": .quickTime
      case "m4v": .m4v
      case "m4a": .m4a
      default: .mp4
      }
    metadata = header.metadata
  }
}
