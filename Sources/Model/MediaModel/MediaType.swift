/// The kind of a media item, as PhotoKit's `PHAssetMediaType` names it.
package enum MediaType: UInt8, Sendable, CaseIterable {
  /// A still picture, also of a Live Photo.
  case image = 1
  /// A video, with or without audio.
  case video = 2

  /// The word used in JSON and in the catalog: `image` or `video`.
  package var name: String {
    switch self {
    case .image: "image"
    case .video: "video"
    }
  }
}

/// The special kinds of a media item, in the words of PhotoKit and its picker.
///
/// The catalog stores the raw value: bits are only added, never renumbered.
package struct MediaSubtypes: OptionSet, Sendable, Hashable {
  package let rawValue: UInt32

  package init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  package static let livePhoto = MediaSubtypes(rawValue: 1 << 0)
  package static let motionPhoto = MediaSubtypes(rawValue: 1 << 1)
  package static let screenshot = MediaSubtypes(rawValue: 1 << 2)
  package static let screenRecording = MediaSubtypes(rawValue: 1 << 3)
  package static let burst = MediaSubtypes(rawValue: 1 << 4)
  package static let panorama = MediaSubtypes(rawValue: 1 << 5)
  package static let depthEffect = MediaSubtypes(rawValue: 1 << 6)
  package static let cinematic = MediaSubtypes(rawValue: 1 << 7)
  package static let slomo = MediaSubtypes(rawValue: 1 << 8)
  package static let timelapse = MediaSubtypes(rawValue: 1 << 9)
  package static let spatial = MediaSubtypes(rawValue: 1 << 10)
  package static let hdr = MediaSubtypes(rawValue: 1 << 11)
  package static let raw = MediaSubtypes(rawValue: 1 << 12)
  package static let edited = MediaSubtypes(rawValue: 1 << 13)

  /// All subtypes with their words in JSON, in the order they are printed.
  package static let named: [(name: String, subtype: MediaSubtypes)] = [
    ("livePhoto", .livePhoto), ("motionPhoto", .motionPhoto), ("screenshot", .screenshot),
    ("screenRecording", .screenRecording), ("burst", .burst), ("panorama", .panorama),
    ("depthEffect", .depthEffect), ("cinematic", .cinematic), ("slomo", .slomo),
    ("timelapse", .timelapse), ("spatial", .spatial), ("hdr", .hdr), ("raw", .raw),
    ("edited", .edited),
  ]

  /// The subtype of a word; nil for an unknown word.
  package init?(name: String) {
    guard let named = Self.named.first(where: { $0.name == name }) else { return nil }
    self = named.subtype
  }

  /// The word of one subtype; empty for none or several.
  package var name: String {
    Self.named.first { $0.subtype == self }?.name ?? ""
  }

  /// The words of all subtypes in the set, in a fixed order.
  package var names: [String] {
    Self.named.filter { contains($0.subtype) }.map(\.name)
  }
}
