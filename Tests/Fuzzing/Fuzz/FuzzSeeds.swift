import Catalog
import Exporter
import Foundation
import Linux
import MediaEdits
import MediaFormats
import MediaModel
import WorkerProtocol

/// Seeds that no other program makes: messages of the worker protocol, lines of an export's record, a colour profile.
enum FuzzSeeds {
  /// Writes each seed into a folder with its target's name.
  static func write(to folder: String) throws {
    let all = [
      ("requests", requests), ("replies", replies), ("record", [record]), ("icc", [profile]),
      ("transfer", clips), ("mov", clips),
    ]
    for (target, seeds) in all {
      let place = URL(fileURLWithPath: folder).appendingPathComponent(target)
      try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
      for (number, seed) in seeds.enumerated() {
        try Data(seed).write(to: place.appendingPathComponent("made-\(number)"))
      }
    }
  }

  private static let name = BytePath("a.jpg")

  /// Clips of Live Photos.
  private static var clips: [[UInt8]] {
    let moment = ISOStillImageTime(
      seconds: 1.25,
      items: [
        .init(key: ISOStillImageTime.momentKey, type: 65, value: [0xFF]),
        .init(
          key: "com.apple.quicktime.live-photo-still-image-transform-reference-dimensions",
          type: 71, value: [0x44, 0xF0, 0, 0, 0x44, 0xB4, 0, 0]),
      ])
    return [true, false].compactMap { movie(with: moment, isQuickTime: $0) }
  }

  private static var requests: [[UInt8]] {
    let picture = PictureRendering(
      maxPixels: 100, crop: CropRect(x: 1, y: 2, width: 3, height: 4))
    let video = VideoEncoding(codec: .h264, size: PixelSize(width: 64, height: 48))
    let movie = MovieRendering(
      container: .mp4,
      tracks: [
        TrackRendering(index: 0, work: .encodeVideo(video)),
        TrackRendering(index: 1, work: .encodeAudio(AudioEncoding(codec: .aac))),
        TrackRendering(index: 2, work: .copy), TrackRendering(index: 3, work: .encodeSubtitles),
      ], trim: TimeSpan(start: 1, end: 2))
    let requests: [WorkerRequest] = [
      .probe([name]), .describe, .inspect(name), .digest([name]), .selfTest,
      .examine([
        ExamineItem(path: name, uniformType: .jpeg, range: ByteRange(offset: 1, length: 2))
      ]),
      .render([
        RenderStep(source: name, work: .copy(.jpeg), metadata: .withoutLocation),
        RenderStep(source: name, work: .picture(.heic, picture)),
        RenderStep(source: name, work: .movie(movie)),
      ]),
      .thumbnails([ThumbnailItem(path: name, uniformType: .jpeg)], longerSide: 320),
    ]
    return requests.map(\.payload)
  }

  private static var replies: [[UInt8]] {
    let failure = ProbeFailure(.damaged, "It is damaged.")
    var sidecar = SidecarFacts(kind: .takeoutJSON)
    sidecar.captureTime = CaptureTime(
      wallSeconds: 1, fraction: "5", offsetMinutes: 60, source: "takeout")
    sidecar.location = Location(latitude: 1, longitude: 2, altitude: 3)
    sidecar.keywords = ["k"]
    var facts = MediaFacts(mediaType: .video, uniformType: .quickTimeMovie)
    facts.pixelSize = PixelSize(width: 3024, height: 4032)
    facts.duration = 1.85
    facts.captureTime = sidecar.captureTime
    facts.location = sidecar.location
    facts.video = VideoProperties(codec: "hevc", frameRate: 30, dynamicRange: .hlg)
    facts.embeddedClip = EmbeddedClip(offset: 1, length: 2, evidence: "e")
    facts.clues = [Clue(.exifCustomRendered, "6")]
    facts.warnings = ["cut off"]
    var track = TrackDescription(index: 0, kind: .video)
    track.size = facts.pixelSize
    track.orientation = .right
    track.pixelAspect = 2
    let picture = PictureDescription(uprightSize: PixelSize(width: 3, height: 4))
    let thumbnail = Thumbnail(jpeg: [0xFF, 0xD8, 0xFF, 0xE0], size: PixelSize(width: 3, height: 4))
    let messages: [any WireMessage] = [
      ProbeReply.media(facts, emptyFingerprint), ProbeReply.sidecar(sidecar, emptyFingerprint),
      ProbeReply.other, ProbeReply.failed(failure), ProbeReply.passedOn,
      InspectReply.tags([MetadataTag(group: "g", name: "n", value: "v")]),
      DigestReply.working, DigestReply.digest([1, 2]),
      ExamineReply.picture(picture),
      ExamineReply.movie(
        MovieDescription(container: .mpeg4, duration: 2, tracks: [track])),
      RenderReply.working(position: 1),
      RenderReply.done(
        RenderResult(size: 9, pixelSize: PixelSize(width: 3, height: 4), notes: ["n"])),
      ThumbnailReply.thumbnail(thumbnail),
      Hello(sandbox: SandboxState(landlockLevel: 7, filtersCalls: true)),
      ProgramDescription(libraries: ["l"], codecs: ["c"]),
      SelfTestReply(refused: ["r"], permitted: ["p"]),
    ]
    return messages.map(\.payload)
  }

  /// The lines of an export that was killed after it had made one of two files.
  private static var record: [UInt8] {
    func line(_ name: String, _ inode: UInt64) -> [UInt8] {
      let version = ExportRecord.Version(size: 10, modified: 1_000)
      return ExportRecord.line(
        ExportRecord.Key(identifier: "a", resource: .photo, variant: inode == 2 ? "v" : ""),
        ExportRecord.Entry(
          source: version, settings: "s", naming: "flat ", target: name, made: version,
          inode: inode),
        proof: recordKey)
    }
    return ExportRecord.line(beginning: ["", "b"]) + line("a.jpg", 1) + line("b/a.jpg", 2)
      + ExportRecord.line(done: [1]) + Array("{\"compacted\":3}\n".utf8)
  }

  /// A profile with a description (ICC.1:2022 §7).
  private static var profile: [UInt8] {
    let text = Array("desc\0\0\0\0\0\0\0\u{8}47.1 N\0\0".utf8)
    var bytes = [UInt8](repeating: 0, count: 128)
    bytes.replaceSubrange(36..<40, with: Array("acsp".utf8))
    bytes += [0, 0, 0, 1] + Array("desc".utf8) + [0, 0, 0, 144, 0, 0, 0, UInt8(text.count)] + text
    bytes[3] = UInt8(bytes.count)
    return bytes
  }
}
