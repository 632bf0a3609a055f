// Presets: definitions of exported pictures and videos, as data.
//
// A preset is a JSON object over one schema (PresetSchema.swift) whose every key has a default, so that a
// file says only what it wants. Those in `Shipped/` are compiled in; a person's own files add to them or take
// their place. The module is pure: callers read the files, pass their bytes, and get typed presets back, or
// for each mistake a sentence with the file, the key and the remedy.

package import MediaEdits
package import MediaModel

/// A file of presets: its path, for complaints, and its content.
package struct PresetFile: Sendable, Hashable {
  package var name: String
  package var bytes: [UInt8]

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// What presets of either kind have.
package struct PresetHeader: Sendable, Hashable {
  /// By which it is chosen, whatever the case of its letters.
  package var name: String
  /// Other names for it.
  package var aliases: [String]
  /// One sentence for people.
  package var description: String
  /// Why it cannot be used; nil if it can.
  package var unavailable: String?
  /// The file it came from.
  package var origin: String
  /// Every key of its kind with its value, in the schema's order: what it asks for, whole.
  package var settings: [PresetSetting]
}

/// One key of a preset and its value.
package struct PresetSetting: Sendable, Hashable {
  package var key: String
  package var value: JSONValue
}

/// How pictures are exported.
package struct ImagePreset: Sendable, Hashable {
  /// What a picture becomes.
  package enum Format: String, Sendable, Hashable {
    case jpeg, png
    /// What it is already.
    case source
  }

  /// What a picture with a clip becomes.
  package enum LivePhoto: String, Sendable, Hashable {
    /// What it is already.
    case source
    /// Apple's Live Photo: a picture and a QuickTime clip.
    case pair
    /// A JPEG with its clip inside (Motion Photo format 1.0).
    case motionPhoto
  }

  package var header: PresetHeader
  package var format: Format
  /// What a picture with transparency becomes where ``format`` is JPEG.
  package var transparentFormat: PictureRendering.Format
  /// 1–100, for JPEG.
  package var quality: Int
  package var chroma: PictureRendering.ChromaSubsampling
  /// The maximum of the longer side in pixels; nil for no limit.
  package var maxPixels: Int?
  package var colorSpace: PictureRendering.ColorSpace
  /// Whether a JPEG of an HDR picture gets a gain map.
  package var keepsDynamicRange: Bool
  package var metadata: MetadataPolicy
  /// Pictures of these types are left as they are unless they have to be made smaller.
  package var keepTypes: Set<UniformType>
  /// What live photos and motion photos become, if both parts are exported.
  package var livePhoto = LivePhoto.source
}

/// How videos are exported.
package struct VideoPreset: Sendable, Hashable {
  package enum Codec: Sendable, Hashable {
    case encoded(VideoEncoding.Codec)
    /// As it is.
    case source
    /// No picture: sound alone.
    case none
  }

  package enum AudioCodec: Sendable, Hashable {
    case encoded(AudioEncoding.Codec)
    /// As it is.
    case source
    /// No sound.
    case none
  }

  package var header: PresetHeader
  package var codec: Codec
  /// The largest width and height, in the orientation of the picture; it is never enlarged. Nil for no limit.
  package var maxSize: PixelSize?
  /// The encoder's constant quality (CRF), 0–63, less is better.
  package var quality: Double
  /// Bits a second at most; nil for no limit.
  package var maxBitRate: Int?
  /// The encoder's own preset, as `medium`.
  package var speed: String
  /// Frames a second at most; nil to keep every frame.
  package var maxFrameRate: Double?
  /// Frames from one key frame to the next at most; nil for the encoder's own.
  package var keyFrameInterval: Int?
  /// Whether HDR stays HDR; else it becomes SDR.
  package var keepsDynamicRange: Bool
  package var audioCodec: AudioCodec
  /// Bits a second; nil for the codec's own.
  package var audioBitRate: Int?
  /// The maximum number of channels; more are mixed down.
  package var maxAudioChannels: Int
  /// Nil for the source's own, or the nearest that can be written.
  package var container: MovieRendering.Container?
  package var metadata: MetadataPolicy
}

/// A preset of either kind.
package enum Preset: Sendable, Hashable {
  case image(ImagePreset)
  case video(VideoPreset)

  package var header: PresetHeader {
    switch self {
    case .image(let preset): preset.header
    case .video(let preset): preset.header
    }
  }

  package var kind: PresetKind {
    switch self {
    case .image: .image
    case .video: .video
    }
  }
}

/// What a preset is for.
package enum PresetKind: String, Sendable, CaseIterable {
  case image, video
}
