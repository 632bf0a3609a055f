import Exporter
import Linux
package import MediaEdits
import MediaModel
package import Presets
public import SystemPackage

/// The form in which assets are exported, as a transfer representation is on Apple's systems.
///
/// ```swift
/// let representation = Representation.compatible.removingLocation().livePhoto(.pair)
/// ```
public struct Representation: Sendable, Hashable {
  private enum Base: Hashable {
    /// By name.
    case preset(String)
    /// In a file of its own.
    case file(FilePath)
    /// One for each kind.
    case presets(ImagePreset, VideoPreset)
  }

  /// Which parts of live and motion photos are exported.
  public enum LivePhotoPart: String, Sendable, Hashable, Codable, CaseIterable {
    /// The picture alone.
    case still
    /// The picture and its clip, under one name, or neither.
    case pair
    /// The clip alone.
    case motion
  }

  /// Which versions of edited pictures are exported.
  public enum Version: String, Sendable, Hashable, Codable, CaseIterable {
    /// The edited version where there is one, else the original.
    case current
    /// The picture as it was taken.
    case original
    /// Both, the edited one first.
    case both
  }

  /// The treatment of pictures and videos of high dynamic range.
  public enum DynamicRange: String, Sendable, Hashable, Codable, CaseIterable {
    /// They stay so. A video is encoded as HEVC where the preset has H.264. A picture that becomes a JPEG gets a gain map
    /// (Ultra HDR, ISO 21496-1); one that would become a PNG is copied, unless it is cropped or made smaller.
    case keep
    /// They become SDR, also where the preset copies files.
    case drop
  }

  /// A part of each picture as it is seen, upright.
  public struct Crop: Sendable, Hashable, Codable {
    let part: PictureCrop

    private init(_ part: PictureCrop) { self.part = part }

    /// Pixels from the left and the top; what extends beyond the picture is left out.
    public init(x: Int, y: Int, size: PixelSize) {
      self.init(.pixels(x: x, y: y, width: size.width, height: size.height))
    }

    /// Parts of the picture's width and height from the left and the top, each 0…1.
    public static func fractions(x: Double, y: Double, width: Double, height: Double) -> Crop {
      Crop(.fractions(x: x, y: y, width: width, height: height))
    }

    /// This number of pixels in the middle; all of a side that has fewer.
    public static func centered(_ size: PixelSize) -> Crop {
      Crop(.centered(width: size.width, height: size.height))
    }

    /// The largest part in the middle whose sides have this ratio, as 16 to 9.
    public static func aspectRatio(_ width: Int, _ height: Int) -> Crop {
      Crop(.aspectRatio(width: width, height: height))
    }

    /// The largest square in the middle.
    public static var square: Crop { aspectRatio(1, 1) }
  }

  private let base: Base
  private var metadata = MetadataPolicy.keep
  private var part = LivePhotoPart.pair
  private var crop: Crop?
  private var trim: TimeSpan?
  private var maxSeconds: Double?
  private var isCutExactly = false
  private var versions = Version.current
  private var hasAllResources = false
  private var pixels: Int?
  private var dynamicRange: DynamicRange?

  private init(_ base: Base) { self.base = base }

  /// The files as they are; of an edited picture the edited version.
  public static let current = Representation(.preset("current"))
  /// JPEG, and MP4 with H.264: what every program opens. A file that is so already is copied.
  public static let compatible = Representation(.preset("compatible"))

  /// A preset for pictures, videos or both, as `shoebox presets` lists them, such as `AVAssetExportPreset1280x720`.
  public static func preset(named name: String) -> Representation { Representation(.preset(name)) }

  /// A preset in a JSON file of one's own.
  public static func file(_ path: FilePath) -> Representation { Representation(.file(path)) }

  /// Without coordinates and place names. Titles, captions and file names stay, unless ``removingCaptions()`` removes the
  /// captions too.
  public func removingLocation() -> Representation {
    changed { $0.metadata.formUnion(.withoutLocation) }
  }

  /// Without titles, descriptions, headlines, alternative texts and comments. Keywords, places, dates and file names
  /// stay. Can be combined with ``removingLocation()``.
  public func removingCaptions() -> Representation {
    changed { $0.metadata.formUnion(.withoutCaptions) }
  }

  /// Without metadata, except for orientation and colour.
  public func removingMetadata() -> Representation { changed { $0.metadata = .appearanceOnly } }

  /// With these parts of live and motion photos; both, unless something else is said.
  public func livePhoto(_ part: LivePhotoPart) -> Representation { changed { $0.part = part } }

  /// Only this part of each picture.
  public func cropped(to crop: Crop) -> Representation { changed { $0.crop = crop } }

  /// Only this range of each video, in seconds.
  public func trimmed(to range: ClosedRange<Double>) -> Representation {
    changed { $0.trim = TimeSpan(start: range.lowerBound, end: range.upperBound) }
  }

  /// Only this range of each video.
  package func trimmed(to span: TimeSpan) -> Representation { changed { $0.trim = span } }

  /// Each video from this second to its end.
  public func trimmed(to range: PartialRangeFrom<Double>) -> Representation {
    changed { $0.trim = TimeSpan(start: range.lowerBound, end: nil) }
  }

  /// At most this number of seconds of each video.
  public func maxDuration(_ seconds: Double) -> Representation {
    changed { $0.maxSeconds = seconds }
  }

  /// With shortened videos that contain nothing but the part that is wanted, to the frame and the audio sample. Their
  /// tracks are re-encoded; copied ones begin at a key frame.
  public func cutExactly() -> Representation { changed { $0.isCutExactly = true } }

  /// With these versions of edited pictures; the edited one, unless something else is said.
  public func version(_ version: Version) -> Representation { changed { $0.versions = version } }

  /// With every file of each asset: both versions, their clips, the RAW, and the sidecars.
  public func includingAllResources() -> Representation { changed { $0.hasAllResources = true } }

  /// With at most this number of pixels on the longer side of pictures.
  public func maxPixels(_ pixels: Int) -> Representation { changed { $0.pixels = pixels } }

  /// With or without high dynamic range; the preset decides, unless this is said.
  public func hdr(_ choice: DynamicRange) -> Representation { changed { $0.dynamicRange = choice } }

  private func changed(_ change: (inout Representation) -> Void) -> Representation {
    var copy = self
    change(&copy)
    return copy
  }

  /// The exporter's form.
  ///
  /// - Throws: ``PhotoLibraryError/invalidRepresentation(_:)``.
  func request() throws(PhotoLibraryError) -> ExportRequest {
    if let crop, !crop.part.isValid {
      throw .invalidRepresentation("a crop begins inside the picture, and has at least one pixel")
    }
    if let trim, trim.start < 0 || trim.end.map({ $0 <= trim.start }) ?? false {
      throw .invalidRepresentation("a range begins at 0 or later, and ends after its beginning")
    }
    if let pixels, !(1...65_535).contains(pixels) {
      throw .invalidRepresentation("the longer side has 1 to 65535 pixels")
    }
    if let maxSeconds, !(maxSeconds > 0) {
      throw .invalidRepresentation("a video of at most \(maxSeconds) seconds has nothing in it")
    }
    var request: ExportRequest
    do {
      request = try presets()
    } catch let error as PhotoLibraryError {
      throw error
    } catch {
      throw .invalidRepresentation(String(describing: error))
    }
    request.metadata = metadata
    request.livePhotos =
      switch part {
      case .still: .still
      case .pair: .pair
      case .motion: .motion
      }
    request.crop = crop?.part
    (request.trim, request.maxDuration) = (trim, maxSeconds)
    request.cutsExactly = isCutExactly
    request.resources = hasAllResources ? .all : .main
    request.edits =
      switch versions {
      case .current: .current
      case .original: .original
      case .both: .both
      }
    request.maxPixels = pixels
    request.dynamicRange = dynamicRange.map { $0 == .keep ? .keep : .drop }
    return request
  }

  /// With presets at hand, for each kind one.
  package static func presets(_ image: ImagePreset, _ video: VideoPreset) -> Representation {
    Representation(.presets(image, video))
  }

  /// The request's presets: a preset for one kind leaves the other kind as `compatible` has it.
  private func presets() throws -> ExportRequest {
    switch base {
    case .presets(let image, let video):
      return ExportRequest(imagePreset: image, videoPreset: video)
    case .preset(let name):
      return try Self.request(PresetLibrary(), name)
    case .file(let path):
      let file = try ReadOnlyFile(path: BytePath(path))
      let bytes = try file.read(at: 0, count: PresetFile.maximumSize + 1)
      let own = PresetFile(name: path.string, bytes: bytes)
      let library = PresetLibrary(own: [own])
      if let problem = library.problems.first { throw problem }
      guard let name = own.presetNames.first else {
        throw PhotoLibraryError.invalidRepresentation("\(path) has no preset")
      }
      return try Self.request(library, name)
    }
  }

  private static func request(_ library: PresetLibrary, _ name: String) throws -> ExportRequest {
    let kinds = try library.presets(named: name).map(\.kind)
    return ExportRequest(
      imagePreset: try library.imagePreset(kinds.contains(.image) ? name : "compatible"),
      videoPreset: try library.videoPreset(kinds.contains(.video) ? name : "compatible"))
  }
}
