import MediaEdits
import MediaModel
import Presets
import WorkerProtocol

@testable import Catalog
@testable import Exporter
@testable import Query

/// An asset as the catalog would know it.
func sample(
  _ path: String, type: UniformType = .jpeg,
  size: PixelSize? = PixelSize(width: 4032, height: 3024),
  captured: String? = nil, clip: ResourceRecord? = nil, status: AssetStatus = .present,
  duration: Double? = nil, subtypes: MediaSubtypes = []
) -> AssetRecord {
  let mediaType = type.mediaType ?? .image
  let own = ResourceRecord(
    type: mediaType == .image ? .photo : .video, path: BytePath(path), uniformType: type,
    size: 1000)
  var asset = AssetRecord(
    rowID: 1, identifier: "ID-\(path.replacing("/", with: "_"))", mediaType: mediaType,
    subtypes: subtypes, uniformType: type,
    path: BytePath(path), size: 1000, modified: 5_000_000_007, camera: Camera(),
    exposure: Exposure(), video: VideoProperties(), status: status, warnings: [], added: 0)
  asset.pixelSize = size
  asset.duration = duration
  asset.captureTime =
    captured.flatMap { try? WallDate(typed: String($0.prefix(19))) }
    .flatMap {
      CaptureTime(
        wallSeconds: $0.firstMillisecond / 1000, offsetMinutes: captured.flatMap(offsetMinutes),
        source: "exif:DateTimeOriginal")
    }
  asset.resources = [own] + (clip.map { [$0] } ?? [])
  return asset
}

/// The offset at the end of a time in ISO 8601, in minutes east of UTC.
private func offsetMinutes(_ text: String) -> Int? {
  guard let match = text.firstMatch(of: /([+-])(\d\d):(\d\d)$/) else { return nil }
  let minutes = (Int(match.2) ?? 0) * 60 + (Int(match.3) ?? 0)
  return match.1 == "-" ? -minutes : minutes
}

/// A clip in a file of its own.
func clip(_ path: String) -> ResourceRecord {
  ResourceRecord(
    type: .pairedVideo, path: BytePath(path), uniformType: .quickTimeMovie, size: 500)
}

/// A clip inside a picture's file.
func embedded(in path: String) -> ResourceRecord {
  ResourceRecord(
    type: .pairedVideo, path: BytePath(path), uniformType: .mpeg4, size: 300,
    range: ResourceRange(offset: 700, length: 300))
}

/// The stamp that all files of these tests have, unless they are changed.
let usualStamp = FileStamp(size: 1000, modified: 5_000_000_007, inode: 1)

/// An asset of the library `/l`, with all its files there.
func subject(_ asset: AssetRecord, stamp: FileStamp = usualStamp) -> ExportSubject {
  let below = asset.path.components.dropFirst().dropLast()
  return ExportSubject(
    asset: asset, folder: below.reduce(BytePath(bytes: [])) { $0.appending($1) },
    stamps: Dictionary(asset.resources.map { ($0.path, stamp) }) { first, _ in first })
}

/// A request with these presets.
func request(image: String = "compatible", video: String = "current") throws -> ExportRequest {
  let library = PresetLibrary()
  return ExportRequest(
    imagePreset: try library.imagePreset(image), videoPreset: try library.videoPreset(video))
}

/// The item of a plan for one asset.
///
/// - Parameter examined: the reply for each file whose header the plan requires.
func planned(
  _ asset: AssetRecord, _ request: ExportRequest, examined: ExamineReply? = nil,
  target: TargetState = TargetState()
) -> ExportItem? {
  let planner = ExportPlanner(request, target: target)
  let subjects = [subject(asset)]
  let looks = planner.examinations(subjects)
  let replies = examined.map { examined in
    Dictionary(looks.map { ($0, examined) }) { first, _ in first }
  }
  return planner.plan(subjects, examined: replies ?? [:]).items.first
}

/// The reply for an ordinary picture.
func picture(
  hasAlpha: Bool = false, hasFewColors: Bool = false, hasGainMap: Bool = false,
  sdrCopy: SDRCopy? = nil, obstacle: String? = nil
) -> ExamineReply {
  .picture(
    PictureDescription(
      uprightSize: PixelSize(width: 3024, height: 4032), isTransparent: hasAlpha,
      hasFewColors: hasFewColors, hasGainMap: hasGainMap, sdrCopy: sdrCopy, obstacle: obstacle))
}
