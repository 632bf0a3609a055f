import ByteReading
import FoundationEssentials
import MediaFormats
import MediaModel

// The instructions that Apple Photos and the camera of an iPhone write (`com.apple.photo`): JSON, compressed with
// DEFLATE without a header (github.com/neilpa/photohack, issue 4; Stack Overflow, question 61023739).

extension SidecarFacts {
  /// Reads edit instructions, an AAE file.
  init(adjustments file: AdjustmentFile) {
    self.init(kind: .adjustmentData)
    adjustmentFormat = file.formatIdentifier
    switch file.formatIdentifier {
    case nil: break
    case Self.slowMotionFormat:
      // The data are the regions that play slowly: a video of this format has some.
      adjustments.words = [Adjustment.slowMotion.rawValue]
    case "com.apple.photo", "com.apple.video":
      guard let record = AdjustmentRecord(compressed: file.data) else { return }
      adjustments = record.list
      orientation = record.orientation
    case let format?:
      // Another program's data, in a form of its own.
      adjustments.words = [format].filter(AdjustmentRecord.isName)
    }
  }
}

/// The parts of the instructions that matter here. A part of another form than expected counts as missing.
private struct AdjustmentRecord: Decodable {
  /// Bytes of the instructions before and after decompression; longer ones are not read. A retouch with hundreds of
  /// strokes has tens of thousands.
  private static let (mostData, mostJSON) = (1 << 20, 4 << 20)
  /// Photos has fewer than 40 kinds, and each at most once.
  private static let mostAdjustments = 256
  /// Bytes of a name.
  private static let longestName = 128

  /// The edits that are switched on.
  let list: AdjustmentList
  /// In which the edited picture is shown. Photos records a turn only here.
  let orientation: Orientation?

  init?(compressed data: [UInt8]) {
    guard data.count <= Self.mostData, let json = inflateRaw(data, limit: Self.mostJSON),
      let record = try? JSONDecoder().decode(Self.self, from: Data(json))
    else { return nil }
    self = record
  }

  private enum CodingKeys: CodingKey { case adjustments, metadata }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let metadata = try? container.decode(Metadata.self, forKey: .metadata)
    orientation = metadata?.orientation.flatMap { UInt8(exactly: $0) }
      .flatMap(Orientation.init(rawValue:))
    var list = AdjustmentList()
    if var entries = try? container.nestedUnkeyedContainer(forKey: .adjustments) {
      while !entries.isAtEnd, entries.currentIndex < Self.mostAdjustments {
        // An entry never throws, so that the next one is reached.
        try entries.decode(Entry.self).add(to: &list)
      }
    }
    list.words = Adjustment.ordered(list.words)
    self.list = list
  }

  /// Whether a text may be the name of an edit: short, and without control characters.
  static func isName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= longestName
      && text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  private struct Metadata: Decodable {
    var orientation: Int?
  }
}

/// One edit.
private struct Entry: Decodable {
  private var identifier: String?
  private var isEnabled = true
  private var settings = Settings()

  private enum CodingKeys: CodingKey { case identifier, enabled, settings }

  init(from decoder: any Decoder) throws {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self) else { return }
    identifier = try? container.decode(String.self, forKey: .identifier)
    // Edits that cannot be switched off, such as a trim, have no such value.
    isEnabled =
      (try? container.decode(Bool.self, forKey: .enabled))
      ?? (try? container.decode(Double.self, forKey: .enabled)).map { $0 != 0 } ?? true
    settings = (try? container.decode(Settings.self, forKey: .settings)) ?? Settings()
  }

  /// The geometry of a crop.
  private struct Settings: Decodable {
    /// Pixels of the stored picture.
    var xOrigin, yOrigin, width, height: Double?
    /// Radians.
    var straightenAngle, pitch, yaw: Double?

    private enum CodingKeys: CodingKey {
      case xOrigin, yOrigin, width, height, straightenAngle, pitch, yaw
    }

    init() {}

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      func number(_ key: CodingKeys) -> Double? { try? container.decode(Double.self, forKey: key) }
      (xOrigin, yOrigin) = (number(.xOrigin), number(.yOrigin))
      (width, height) = (number(.width), number(.height))
      (straightenAngle, pitch, yaw) = (number(.straightenAngle), number(.pitch), number(.yaw))
    }
  }

  func add(to list: inout AdjustmentList) {
    guard isEnabled, let identifier, AdjustmentRecord.isName(identifier) else { return }
    if identifier == "Crop" {
      addGeometry(to: &list)
    } else if !Self.settingsOfOthers.contains(identifier) {
      list.words.append(Self.kinds[identifier]?.rawValue ?? identifier)
    }
  }

  /// Smaller angles in radians are none.
  private static let smallestAngle = 1e-6

  private func addGeometry(to list: inout AdjustmentList) {
    func isTurned(_ angle: Double?) -> Bool { abs(angle ?? 0) > Self.smallestAngle }
    if isTurned(settings.straightenAngle) { list.words.append(Adjustment.straighten.rawValue) }
    if isTurned(settings.pitch) || isTurned(settings.yaw) {
      list.words.append(Adjustment.perspective.rawValue)
    }
    let origin = max(abs(settings.xOrigin ?? 0), abs(settings.yOrigin ?? 0))
    if origin < 0.5, let width = pixels(settings.width), let height = pixels(settings.height) {
      // The size of the record's metadata is that of the result, so it does not tell whether this is a crop.
      list.cornerCrop = PixelSize(width: width, height: height)
    } else {
      list.words.append(Adjustment.crop.rawValue)
    }
  }

  private func pixels(_ length: Double?) -> Int? {
    length.flatMap { Int32(exactly: $0.rounded()) }.flatMap { $0 > 0 ? Int($0) : nil }
  }

  /// How a RAW is decoded, and what belongs to `Inpaint`: no edits of their own.
  private static let settingsOfOthers: Set<String> = ["RKRawDecodeOperation", "InpaintMasks"]

  /// The names that Photos gives its edits (`identifierName` in PICompositionSerializerConstants of PhotoImaging, iOS
  /// 26), and the names of earlier versions (IPAAdjustmentCurrentVersionForIdentifier in PhotoLibraryServices).
  private static let kinds: [String: Adjustment] = [
    "Orientation": .rotation, "AutoEnhance": .autoEnhance, "SemanticEnhance": .autoEnhance,
    "SmartTone": .light, "SmartColor": .color, "SmartBlackAndWhite": .blackAndWhite,
    "Effect": .filter, "SemanticStyle": .style, "WhiteBalance": .whiteBalance,
    "RKCurvesOperation": .curves, "RKLevelsOperation": .levels,
    "DGDefinition2Operation": .definition, "RKSelectiveColorOperation": .selectiveColor,
    "RKProSharpenOperation": .sharpness, "RKNoiseReductionOperation": .noise,
    "DGRAWReduceNoiseOperation": .noise, "Grain": .grain, "DGVignetteEffectOperation": .vignette,
    "RedEyeBB": .redEye, "RKRedEyeOperation": .redEye, "RKRetouchOperation": .retouch,
    "Inpaint": .cleanUp, "DepthEffect": .portrait, "PortraitEffect": .portraitLighting,
    "PortraitVideo": .cinematic, "Trim": .trim, "SlowMotion": .slowMotion, "SloMo": .slowMotion,
    "AutoLoop": .loop, "VideoCrossfadeLoop": .loop, "VideoStabilize": .stabilization,
    "Mute": .mute, "CinematicAudio": .audioMix, "LivePhotoKeyFrame": .keyPhoto,
    "VideoPosterFrame": .posterFrame, "PosterFrame": .posterFrame,
  ]
}
