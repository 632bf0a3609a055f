import Catalog
public import Foundation
import Linux
import MediaModel
import Query
public import SystemPackage

/// One picture or video, as `PHAsset` is on Apple's systems: what the catalog knows of it at one moment.
///
/// A live photo is one asset, with a picture and a clip as its resources.
public struct Asset: Identifiable, Sendable, Hashable, Codable {
  /// A UUID, which stays when the file is edited, renamed or moved, and is never reused.
  public let id: String
  /// Whether it is a picture or a video.
  public let mediaType: MediaType
  /// The kinds of picture or video that it is, by evidence in the file (``PhotoLibrary/evidence(for:)``).
  public let subtypes: MediaSubtypes
  /// The uniform type of the main file's content, such as `public.heic`.
  public let uniformType: String
  /// The size of the original, upright, in pixels; nil if it could not be read. An edited version, which
  /// ``PhotoLibrary/image(for:fitting:priority:)`` shows, may have another one.
  public let pixelSize: PixelSize?
  /// Seconds; nil for pictures without.
  public let duration: Double?
  /// When it was taken; nil if nothing says.
  public let captureDate: CaptureDate?
  /// Where it was taken; nil if nothing says.
  public let location: Location?
  /// The main file.
  public var path: FilePath { codedPath.path }
  private let codedPath: CodedPath
  /// Bytes of the main file.
  public let size: Int64
  /// Whether the file is present and readable.
  public let status: Status
  /// The number of the catalog's change that last wrote the asset or what belongs to it: if it is equal, the asset is, except
  /// for ``burstCount``. One that is not listed keeps the number of the change since which it is not.
  public let revision: Int64
  /// From the file or a sidecar.
  public let title: String?
  /// From the file or a sidecar.
  public let caption: String?
  /// 0 to 5 stars, −1 for rejected; nil if nothing says.
  public let rating: Int?
  /// Whether it is a favorite, by the file or a sidecar, such as a Takeout's.
  public let isFavorite: Bool
  /// The word of a color label, such as `Red`, by the file or a sidecar.
  public let label: String?
  /// How the user has chosen it, by the file or a sidecar; nil without a mark.
  public let pick: Pick?
  /// Make and model of the camera as a person says them, such as `Canon EOS R5`; nil if nothing says.
  public let camera: String?
  /// The camera's maker, as the file has it.
  public let cameraMake: String?
  /// The camera's model, as the file has it.
  public let cameraModel: String?
  /// The number of pictures in the burst that it is part of, in the library, or in the visible part of a
  /// ``LimitedLibrary``; nil if it is not part of one, or nothing says of which.
  public let burstCount: Int?

  /// The keys in JSON: those of the properties.
  private enum CodingKeys: String, CodingKey {
    /// Facts.
    case id, mediaType, subtypes, uniformType, pixelSize, duration, captureDate, location
    /// The path, which is a text.
    case codedPath = "path"
    /// Facts, and texts for people.
    case size, status, revision, title, caption, rating, isFavorite, label, pick
    /// Facts.
    case camera, cameraMake, cameraModel, burstCount
  }

  /// The kind of media that an asset is.
  public enum MediaType: String, Sendable, Hashable, Codable, CaseIterable {
    /// A picture, moving or not.
    case image
    /// A video.
    case video
  }

  /// How the user has chosen a picture, by Lightroom's flags, digiKam's pick labels or a rating of −1.
  public enum Pick: String, Sendable, Hashable, Codable, CaseIterable {
    /// Flagged, or accepted.
    case picked
    /// Rejected.
    case rejected
    /// Undecided, by digiKam.
    case pending
  }

  /// Whether the file of an asset is there.
  public enum Status: String, Sendable, Hashable, Codable, CaseIterable {
    /// It is there, and was read.
    case present
    /// It was there and is gone, though its folder's disk is there.
    case missing
    /// It is there and could not be read.
    case unreadable
  }

  /// - Parameter bursts: the numbers of pictures in bursts, by their identifiers.
  init(_ asset: AssetRecord, bursts: [String: Int]) {
    id = asset.identifier
    mediaType = asset.mediaType == .video ? .video : .image
    subtypes = MediaSubtypes(rawValue: asset.subtypes.rawValue)
    uniformType = asset.uniformType.rawValue
    pixelSize = asset.pixelSize.map { PixelSize(width: $0.width, height: $0.height) }
    duration = asset.duration
    captureDate = asset.captureTime.map(CaptureDate.init)
    location = asset.location.map {
      Location(latitude: $0.latitude, longitude: $0.longitude, altitude: $0.altitude)
    }
    codedPath = CodedPath(FilePath(asset.path))
    size = asset.size
    status =
      switch asset.status {
      case .present: .present
      case .missing: .missing
      case .unreadable: .unreadable
      }
    revision = asset.revision
    (title, caption, rating) = (asset.title, asset.caption, asset.rating)
    isFavorite = asset.isFavorite
    label = asset.label
    pick =
      switch asset.pick {
      case .picked: .picked
      case .rejected: .rejected
      case .pending: .pending
      case .none: nil
      }
    camera = asset.camera.displayName
    burstCount = asset.burstIdentifier.flatMap { bursts[$0] }
    (cameraMake, cameraModel) = (asset.camera.make, asset.camera.model)
  }
}

extension Catalog {
  /// Assets as a library with this visible part shows them.
  func assets(_ records: [AssetRecord], visible: Query::AssetFilter) throws -> [Asset] {
    let bursts = try burstCounts(of: records, matching: visible)
    return records.map { Asset($0, bursts: bursts) }
  }
}

/// The kinds of an asset, as `PHAssetMediaSubtype` has them.
public struct MediaSubtypes: OptionSet, Sendable, Hashable, Codable {
  /// Bits; their meaning never changes.
  public let rawValue: UInt32

  /// A set of kinds by its bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// An Apple live photo: a picture with a clip next to it.
  public static let livePhoto = MediaSubtypes(MediaModel::MediaSubtypes.livePhoto)
  /// A picture with a clip inside its file, as Android phones make it.
  public static let motionPhoto = MediaSubtypes(MediaModel::MediaSubtypes.motionPhoto)
  /// A picture of a screen.
  public static let screenshot = MediaSubtypes(MediaModel::MediaSubtypes.screenshot)
  /// A video of a screen.
  public static let screenRecording = MediaSubtypes(MediaModel::MediaSubtypes.screenRecording)
  /// One of several pictures that were taken in quick succession.
  public static let burst = MediaSubtypes(MediaModel::MediaSubtypes.burst)
  /// A panorama.
  public static let panorama = MediaSubtypes(MediaModel::MediaSubtypes.panorama)
  /// A picture with depth data, such as a portrait.
  public static let depthEffect = MediaSubtypes(MediaModel::MediaSubtypes.depthEffect)
  /// A video whose focus can be changed.
  public static let cinematic = MediaSubtypes(MediaModel::MediaSubtypes.cinematic)
  /// A slow motion.
  public static let slomo = MediaSubtypes(MediaModel::MediaSubtypes.slomo)
  /// A time-lapse.
  public static let timelapse = MediaSubtypes(MediaModel::MediaSubtypes.timelapse)
  /// Recorded for both eyes.
  public static let spatial = MediaSubtypes(MediaModel::MediaSubtypes.spatial)
  /// Brighter than standard dynamic range, on screens that can.
  public static let hdr = MediaSubtypes(MediaModel::MediaSubtypes.hdr)
  /// A camera's raw data.
  public static let raw = MediaSubtypes(MediaModel::MediaSubtypes.raw)
  /// There is an edited version, or instructions for one.
  public static let edited = MediaSubtypes(MediaModel::MediaSubtypes.edited)

  init(_ subtypes: MediaModel::MediaSubtypes) { rawValue = subtypes.rawValue }

  /// The words of the set, as the JSON of `shoebox list` has them: `["livePhoto", "hdr"]`.
  public var names: [String] { MediaModel::MediaSubtypes(rawValue: rawValue).names }

  /// Reads an array of words; one that this version does not know is left out.
  public init(from decoder: any Decoder) throws {
    let words = Set(try decoder.singleValueContainer().decode([String].self))
    let kinds = (0..<UInt32.bitWidth).map { MediaSubtypes(rawValue: 1 << $0) }
    self.init(kinds.filter { !words.isDisjoint(with: $0.names) })
  }

  /// Writes an array of words, as in the JSON of `shoebox list`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(names)
  }
}

/// Width and height in pixels.
public struct PixelSize: Sendable, Hashable, Codable {
  /// Pixels, at least 1.
  public var width: Int
  /// Pixels, at least 1.
  public var height: Int

  /// A size in pixels.
  public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}

/// A place on Earth.
public struct Location: Sendable, Hashable, Codable {
  /// Degrees north, −90 to 90.
  public var latitude: Double
  /// Degrees east, −180 to 180.
  public var longitude: Double
  /// Metres above sea level, if known.
  public var altitude: Double?

  /// A place in degrees and metres.
  public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    (self.latitude, self.longitude, self.altitude) = (latitude, longitude, altitude)
  }
}

/// When a picture was taken: the time on a clock at the place, and its distance from UTC if a file says. If it is
/// inferred from the place or from a neighbour in time, the source ends with `+place` or `+neighbor`.
public struct CaptureDate: Sendable, Hashable, Codable, Comparable, CustomStringConvertible {
  /// Milliseconds from 1970-01-01T00:00:00 to the time, both on the same wall clock.
  public let wallMilliseconds: Int64
  /// Minutes east of UTC, if known.
  public let offsetMinutes: Int?
  /// ISO 8601, with an offset if it is known.
  public let description: String
  /// The tags it is from, such as `exif:DateTimeOriginal+OffsetTimeOriginal`.
  public let source: String

  init(_ time: CaptureTime) {
    wallMilliseconds = time.wallMilliseconds
    offsetMinutes = time.offsetMinutes
    description = time.iso8601
    source = time.source
  }

  /// The instant; nil if the offset from UTC is unknown.
  public var date: Date? {
    offsetMinutes.map {
      Date(timeIntervalSince1970: Double(wallMilliseconds) / 1000 - Double($0) * 60)
    }
  }

  /// By the time on the wall clock, as listings are sorted.
  public static func < (left: CaptureDate, right: CaptureDate) -> Bool {
    left.wallMilliseconds < right.wallMilliseconds
  }
}
