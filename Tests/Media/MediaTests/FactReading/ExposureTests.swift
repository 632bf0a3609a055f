import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import FactReading
@testable import MediaFormats

/// Values that few files have in the usual place. exiftool writes them, and its reading is the expected result.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .exiftool)))
struct ExposureTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func facts(_ name: String, _ tags: [String] = []) async throws -> MediaFacts {
    if !tags.isEmpty {
      try await Tool.exiftool.run(["-q", "-n", "-overwrite_original"] + tags + [folder.path(name)])
    }
    guard case .media(let facts, _) = probe(BytePath(folder.path(name))) else {
      throw ToolFailure(description: "\(name) is not read")
    }
    return facts
  }

  private func exiftool(_ tag: String, _ name: String) async throws -> Double {
    let text = try await Tool.exiftool.run(["-s3", "-n", "-" + tag, folder.path(name)])
    return try #require(Double(text), "\(tag): \(text)")
  }

  @Test(arguments: [(0.004, 5.6), (0.3, 1.8), (4, 22)])
  func readsAPEXValues(time: Double, aperture: Double) async throws {
    try await folder.makePicture("a.jpg")
    let facts = try await facts(
      "a.jpg", ["-EXIF:ShutterSpeedValue=\(time)", "-EXIF:ApertureValue=\(aperture)"])
    let expected = (
      try await exiftool("ShutterSpeed", "a.jpg"), try await exiftool("Aperture", "a.jpg")
    )
    #expect(facts.exposure.time.map { abs($0 - expected.0) < 1e-9 } == true)
    #expect(facts.exposure.fNumber.map { abs($0 - expected.1) < 1e-9 } == true)
  }

  @Test func prefersMeasuredValuesToAPEX() async throws {
    try await folder.makePicture("a.jpg")
    let facts = try await facts(
      "a.jpg",
      [
        "-EXIF:ShutterSpeedValue=0.01", "-EXIF:ExposureTime=0.008", "-EXIF:ApertureValue=4",
        "-EXIF:FNumber=4.5", "-XMP-exif:FNumber=8", "-XMP-exif:ISO=400",
        "-XMP-exif:FocalLength=35",
      ])
    #expect(facts.exposure.time == 0.008)
    #expect(facts.exposure.fNumber == 4.5)
    #expect(facts.exposure.iso == 400)
    #expect(facts.exposure.focalLength == 35)
  }

  /// 65,535 fills the field if the speed does not fit or is unknown.
  @Test func dropsImplausibleSpeeds() async throws {
    try await folder.makePicture("a.jpg")
    #expect(try await facts("a.jpg", ["-EXIF:ISO=65535"]).exposure.iso == nil)
    let facts = try await facts("a.jpg", ["-EXIF:RecommendedExposureIndex=102400"])
    #expect(facts.exposure.iso == 102_400)
  }

  @Test(arguments: ["a.gif", "a.webp"])
  func readsTheDurationOfAnimations(name: String) async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=8:d=1.5", folder.path(name),
    ])
    let duration = try await facts(name).duration
    #expect(try await duration == exiftool("Duration", name))
    try await folder.makePicture("still-" + name)
    #expect(try await facts("still-" + name).duration == nil)
  }

  /// exiftool prints no duration of an animated PNG; ffprobe prints that of each frame.
  @Test func readsTheDurationOfAnimatedPNGs() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=8:d=1.5", "-f", "apng",
      folder.path("a.png"),
    ])
    let frames = try await Tool.ffprobe.run([
      "-v", "error", "-show_entries", "packet=duration_time", "-of", "csv=p=0",
      folder.path("a.png"),
    ])
    let expected = frames.split(separator: "\n").reduce(0) { $0 + (Double($1) ?? 0) }
    #expect(expected == 1.5)
    #expect(try await facts("a.png").duration == expected)
    try await folder.makePicture("still.png")
    #expect(try await facts("still.png").duration == nil)
  }

  @Test func readsTheDurationOfLargeGIFs() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "mandelbrot=s=320x240:r=10", "-t", "2",
      folder.path("a.gif"),
    ])
    #expect(try folder.bytes("a.gif").count > 128 << 10)
    let duration = try await facts("a.gif").duration
    #expect(try await duration == exiftool("Duration", "a.gif"))
  }

  @Test func readsTitlesInPNGTexts() async throws {
    try await folder.makePicture("a.png")
    let texts = try await facts("a.png", ["-PNG:Title=At sea", "-PNG:Description=Waves"])
    #expect(texts.title == "At sea")
    #expect(texts.caption == "Waves")
    let xmp = try await facts("a.png", ["-XMP:Title=Ashore"])
    #expect(xmp.title == "Ashore")
    let camera = try await facts("a.png", ["-PNG:Description=OLYMPUS DIGITAL CAMERA"])
    #expect(camera.caption == nil)
  }
}
