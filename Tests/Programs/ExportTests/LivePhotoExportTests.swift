import Foundation
import MediaTools
import Testing
import Workbench

/// What makes two files one Live Photo, after exports that rewrite both. exiftool reads identifiers and the value,
/// ffprobe the time of the sample.
@Suite(
  .timeLimit(.minutes(5)),
  .enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool, .heifEncoder, .imageMagick)))
struct LivePhotoExportTests {
  private static let identifier = "6D1F4A52-93C7-4E0B-A1D8-2F5B7C9E0A31"

  /// A library with one Live Photo: a HEIC, and a clip of HEVC with a key frame every half second and the moment at
  /// 1.4 s.
  private func library() async throws -> Workbench {
    let bench = try Workbench()
    try await bench.bash(
      """
      {
        printf 'Apple iOS\\0\\0\\001MM\\0\\001\\0\\021\\0\\002\\0\\0\\0\\045\\0\\0\\0\\040\\0\\0\\0\\0'
        printf '%s\\0' \(Self.identifier)
      } >note
      convert -seed 3 -size 320x240 plasma:tomato-steelblue picture.png
      heif-enc -q 60 picture.png -o library/IMG_1.HEIC >/dev/null
      exiftool -q -overwrite_original -Make=Apple -Model='iPhone 13 Pro' '-MakerNoteApple<=note' \
        -DateTimeOriginal='2024:06:01 10:15:30' -OffsetTimeOriginal=+02:00 -GPSLatitude=47.5596 \
        -GPSLatitudeRef=N -GPSLongitude=7.5886 -GPSLongitudeRef=E library/IMG_1.HEIC
      ffmpeg -v error -f lavfi -i testsrc2=s=320x240:r=30:d=2 -f lavfi -i sine=d=2 -c:v libx265 \
        -preset ultrafast -x265-params log-level=error:pools=none:keyint=15:min-keyint=15 \
        -tag:v hvc1 -pix_fmt yuv420p -c:a aac -movflags use_metadata_tags \
        -metadata com.apple.quicktime.content.identifier=\(Self.identifier) \
        -metadata com.apple.quicktime.creationdate=2024-06-01T10:15:29+0200 \
        -metadata com.apple.quicktime.location.ISO6709=+47.5596+007.5886/ \
        -metadata com.apple.quicktime.make=Apple \
        -metadata com.apple.quicktime.model='iPhone 13 Pro' clip.mov
      """)
    let scratch = try ScratchFolder()
    let clip = URL(filePath: bench.folder + "/clip.mov")
    try scratch.write(Array(Data(contentsOf: clip)), to: "clip.mov")
    try scratch.addStillImageTrack(to: "clip.mov", moment: 1400)
    try Data(scratch.bytes("clip.mov")).write(to: URL(filePath: bench.library + "/IMG_1.MOV"))
    _ = try await bench.scan([bench.library])
    return bench
  }

  /// exiftool's tags of the exported files, by name.
  private func tags(_ bench: Workbench) async throws -> [String: [String: Any]] {
    let text = try await bench.bash("cd out && exiftool -j -ee -G1 -n *")
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    return Dictionary((parsed ?? []).map { ($0["SourceFile"] as? String ?? "", $0) }) { $1 }
  }

  private func value(_ tags: [String: Any]?, _ name: String) -> String? {
    tags?.first { $0.key.hasSuffix(":" + name) }.map { String(describing: $0.value) }
  }

  /// When the sample of timed metadata is presented.
  private func moment(_ bench: Workbench, _ name: String) async throws -> Double? {
    let text = try await bench.bash(
      "ffprobe -v error -select_streams d -show_entries stream=start_time -of csv=p=0 out/\(name)")
    return Double(text.trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// A frame lasts 1/30 s. The copied track begins at its key frame at 1 s.
  @Test(
    arguments: [
      (["--video-preset", "Passthrough", "--max-duration", "1.7"], "IMG_1.MOV", 1.4),
      (["--video-preset", "Passthrough", "--trim", "1.2-1.7"], "IMG_1.MOV", 0.4),
      (["--video-preset", "AppleProRes422LPCM", "--trim", "0.7-1.8"], "IMG_1.MOV", 0.7),
      (["--video-preset", "AVAssetExportPreset640x480"], "IMG_1.mp4", 1.4),
      (["--image-preset", "email", "--trim", "0.2-1.8"], "IMG_1.mp4", 1.2),
      (["--strip-location"], "IMG_1.mp4", 1.4),
      (["--video-preset", "Passthrough", "--strip-location"], "IMG_1.MOV", 1.4),
      (
        ["--video-preset", "Passthrough", "--max-duration", "1.7", "--strip-location"],
        "IMG_1.MOV", 1.4
      ),
    ])
  func bothFilesStayOneLivePhoto(
    arguments: [String], clip: String, expected: Double
  ) async throws {
    let bench = try await library()
    let (status, _) = try await bench.export(arguments, preset: "compatible")
    #expect(status == 0)
    let tags = try await tags(bench)
    // One stem.
    #expect(tags.keys.sorted() == ["IMG_1.jpg", clip].sorted())
    for name in ["IMG_1.jpg", clip] {
      // Older versions of exiftool call the still's identifier MediaGroupUUID.
      let found = value(tags[name], "ContentIdentifier") ?? value(tags[name], "MediaGroupUUID")
      #expect(found == Self.identifier, "\(name)")
      #expect(value(tags[name], "Make") == "Apple")
      #expect(value(tags[name], "Model") == "iPhone 13 Pro")
      let hasPlace = value(tags[name], "GPSPosition") ?? value(tags[name], "GPSCoordinates")
      #expect((hasPlace == nil) == arguments.contains("--strip-location"), "\(name)")
    }
    #expect(value(tags[clip], "CreationDate") == "2024:06:01 10:15:29+02:00")
    #expect(value(tags["IMG_1.jpg"], "OffsetTimeOriginal") == "+02:00")
    #expect(value(tags[clip], "StillImageTime") == "-1")
    let found = try #require(try await moment(bench, clip))
    #expect(abs(found - expected) < 1 / 30)
    // Shoebox too recognizes the results as one asset.
    _ = try await bench.scan([bench.target])
    #expect(try await bench.list(["--under", bench.target]).count == 1)
  }

  @Test(arguments: [[], ["--update"]])
  func `a missing clip is made again next to a still that was changed`(
    flags: [String]
  ) async throws {
    let bench = try await library()
    #expect(try await bench.export(preset: "compatible").status == 0)
    try await bench.bash(
      "exiftool -q -overwrite_original -Rating=5 out/IMG_1.jpg; cp out/IMG_1.jpg edited.jpg; "
        + "rm out/IMG_1.mp4")
    let (status, summary) = try await bench.export(flags, preset: "compatible")
    #expect(status == 0)
    #expect(summary.failed == 0)
    try await bench.bash("cmp edited.jpg out/IMG_1.jpg")
    let tags = try await tags(bench)
    #expect(value(tags["IMG_1.mp4"], "ContentIdentifier") == Self.identifier)
    #expect(try await bench.export(flags, preset: "compatible").summary.skipped == 1)
    // The still may contain the place.
    try await bench.bash("rm out/IMG_1.mp4")
    let refused = try await bench.shoebox(
      ["export", "--strip-location", "--preset", "compatible", "--to", bench.target] + flags)
    #expect(refused.status != 0)
    #expect((refused.output + refused.errors).contains("--overwrite replaces it"))
    #expect(
      try await bench.export(["--overwrite"], preset: "compatible").summary.transcoded == 1)
    #expect(value(try await self.tags(bench)["IMG_1.jpg"], "Rating") == nil)
  }

  @Test func aMomentThatIsCutOffIsReported() async throws {
    let bench = try await library()
    let outcome = try await bench.shoebox([
      "export", "--video-preset", "Passthrough", "--max-duration", "1", "--to", bench.target,
      "--manifest", bench.folder + "/manifest.jsonl",
    ])
    #expect(outcome.status == 0)
    let manifest = try String(contentsOfFile: bench.folder + "/manifest.jsonl", encoding: .utf8)
    #expect(manifest.contains("does not contain the moment of the Live Photo's still"))
    let tags = try await tags(bench)
    #expect(value(tags["IMG_1.MOV"], "ContentIdentifier") == Self.identifier)
    #expect(value(tags["IMG_1.MOV"], "StillImageTime") == nil)
  }

  @Test func removedMetadataStaysRemoved() async throws {
    let bench = try await library()
    let (status, _) = try await bench.export(
      ["--video-preset", "Passthrough", "--max-duration", "1.7", "--strip-metadata"],
      preset: "compatible")
    #expect(status == 0)
    let tags = try await tags(bench)
    for name in ["IMG_1.jpg", "IMG_1.MOV"] {
      for tag in [
        "ContentIdentifier", "MediaGroupUUID", "StillImageTime", "Make", "CreationDate",
        "MetaFormat",
      ] {
        #expect(value(tags[name], tag) == nil, "\(name): \(tag)")
      }
    }
  }
}
