import MediaEdits
import MediaModel
import Presets

// All that decides what a file becomes, as a short digest: if it is as it was, and the source is too,
// then so is the file that was made.

/// The digests of a request, for items of each kind, with those of the facts that results get.
struct SettingsDigests: Sendable {
  private let image: String
  private let motionPhoto: String
  private let video: String
  private let writesMetadata: Bool

  init(_ request: ExportRequest) {
    image = request.settingsDigest(of: .image)
    motionPhoto = request.settingsDigest(of: .image, isMotionPhoto: true)
    video = request.settingsDigest(of: .video)
    writesMetadata = request.writesMetadata
  }

  /// The digest of the settings for an asset, together with that of the facts that its results get.
  subscript(asset: AssetRecord) -> String {
    let hasClip = asset.resources.contains { $0.type == .pairedVideo && $0.range != nil }
    let settings = asset.mediaType == .image ? hasClip ? motionPhoto : image : video
    guard writesMetadata else { return settings }
    // What settings leave out of the facts, they leave out of the file too.
    let facts = CatalogFacts(besidesFile: asset, source: asset.path, .keep)
    return facts.isEmpty ? settings : settings + "-" + facts.digest
  }

  /// The two digests of which one of ``subscript(_:)`` consists.
  static func parts(_ digest: String) -> (settings: Substring, facts: Substring?) {
    let parts = digest.split(separator: "-", maxSplits: 1)
    return (parts.first ?? "", parts.count > 1 ? parts[1] : nil)
  }
}

extension ExportRecord.Entry {
  /// What was removed from the file's metadata; nothing in lines that say nothing about it.
  ///
  /// - Parameter isMovie: whether the file is a video or a clip.
  func removedMetadata(isMovie: Bool) -> MetadataPolicy {
    let digits = SettingsDigests.parts(settings).settings.split(separator: ".").dropFirst().first
    guard let digits, digits.count == 2, let digit = isMovie ? digits.last : digits.first,
      let value = digit.wholeNumberValue
    else { return .keep }
    return MetadataPolicy(rawValue: UInt8(clamping: value))
  }
}

extension ExportRequest {
  /// What to raise when the same settings begin to make other files.
  private static let generation = 2
  /// What to raise when only motion photos become other files.
  private static let motionPhotoGeneration = 1
  /// What to raise when Shoebox begins to remove more metadata, or more previews of cropped pictures.
  private static let removalGeneration = 3

  /// The digest for items of a kind, with what was removed from the metadata of pictures and of videos: a digit each.
  func settingsDigest(of kind: MediaType, isMotionPhoto: Bool = false) -> String {
    var text = "\(Self.generation) \(livePhotos.rawValue) \(metadata.rawValue)"
    text += " trim \(trim.map { "\($0.start)-\($0.end.map { "\($0)" } ?? "")" } ?? "")"
    text += " duration \(maxDuration.map { "\($0)" } ?? "")"
    if cutsExactly { text += " exact" }
    if isMotionPhoto { text += " motion photo \(Self.motionPhotoGeneration)" }
    if let dynamicRange { text += " hdr \(dynamicRange.rawValue)" }
    if kind == .image {
      text += " pixels \(maxPixels.map { "\($0)" } ?? "")"
      text += " crop \(crop.map(Self.text) ?? "")"
      text += Self.text(imagePreset.header.settings)
    }
    // A picture may have a clip.
    text += Self.text(videoPreset.header.settings)
    let pictures = kind == .image ? imageMetadata : videoMetadata
    if pictures != .keep || videoMetadata != .keep || kind == .image && crop != nil {
      text += " removal \(Self.removalGeneration)"
    }
    return String(FNV1a(text.utf8).value, radix: 16)
      + ".\(pictures.rawValue)\(videoMetadata.rawValue)"
  }

  /// By what names are known to come from the same wish.
  var naming: String { (isFlat ? "flat " : "") + (template?.text ?? "") }

  private static func text(_ crop: PictureCrop) -> String {
    switch crop {
    case .pixels(let x, let y, let width, let height): "\(x),\(y),\(width),\(height)"
    case .fractions(let x, let y, let width, let height): "of \(x),\(y),\(width),\(height)"
    case .centered(let width, let height): "\(width),\(height)"
    case .aspectRatio(let width, let height): "\(width):\(height)"
    }
  }

  private static func text(_ settings: [PresetSetting]) -> String {
    settings.map { " \($0.key)=\($0.value.asked)" }.joined()
  }
}

extension JSONValue {
  /// The value as JSON, without regard to escapes.
  fileprivate var asked: String {
    switch self {
    case .null: "null"
    case .flag(let flag): "\(flag)"
    case .number(let number): "\(number)"
    case .text(let text): text
    case .array(let values): values.map(\.asked).joined(separator: ",")
    case .object(let members):
      members.sorted { $0.key < $1.key }.map { $0.key + $0.value.asked }.joined()
    }
  }
}
