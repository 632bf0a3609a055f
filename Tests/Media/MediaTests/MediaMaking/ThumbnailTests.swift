import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Thumbnails of files made by ffmpeg, whose left half is red and whose right half is blue; ffmpeg decodes the
/// thumbnails.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .heifEncoder, .exiftool)))
struct ThumbnailTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func make(_ name: String, width: Int, height: Int, _ options: [String] = []) async throws
  {
    let halves =
      "color=red:s=\(width / 2)x\(height)[l];color=blue:s=\(width / 2)x\(height)[r];[l][r]hstack"
    try await Tool.ffmpeg.run(
      ["-v", "error", "-f", "lavfi", "-i", halves, "-t", "1"] + options + [folder.path(name)])
  }

  private func thumbnail(_ name: String, _ type: UniformType) throws -> Thumbnail {
    let item = ThumbnailItem(path: BytePath(folder.path(name)), uniformType: type)
    switch MediaTests.thumbnail(item, longerSide: 320) {
    case .thumbnail(let thumbnail): return thumbnail
    case .failed(let failure): throw ToolFailure(description: "\(name): \(failure.message)")
    }
  }

  /// The colours of a thumbnail's middle left, middle right, middle top and middle bottom as ffmpeg decodes
  /// them, each `red` or `blue`.
  private func colors(_ thumbnail: Thumbnail) async throws -> [String] {
    try folder.write(thumbnail.jpeg, to: "out.jpg")
    try await Tool.ffmpeg.run([
      "-v", "error", "-y", "-i", folder.path("out.jpg"), "-vf", "scale=9:9:flags=neighbor",
      "-f", "rawvideo", "-pix_fmt", "rgb24", folder.path("out.rgb"),
    ])
    let pixels = try folder.bytes("out.rgb")
    return [(1, 4), (7, 4), (4, 1), (4, 7)].map { x, y in
      let start = (y * 9 + x) * 3
      return pixels[start] > pixels[start + 2] ? "red" : "blue"
    }
  }

  @Test(arguments: [
    ("a.png", UniformType.png), ("a.jpg", .jpeg), ("a.webp", .webP), ("a.tiff", .tiff),
    ("a.bmp", .bmp),
  ])
  func picturesAreMadeSmall(_ name: String, _ type: UniformType) async throws {
    try await make(name, width: 1200, height: 900, ["-frames:v", "1"])
    let thumbnail = try thumbnail(name, type)
    #expect(thumbnail.size == PixelSize(width: 320, height: 240))
    #expect(try await colors(thumbnail).prefix(2) == ["red", "blue"])
    let printed = try await Tool.exiftool.run(["-s3", "-ImageSize", folder.path("out.jpg")])
    #expect(printed == "320x240")
  }

  /// EXIF 2.32 §4.6.4: 6 means a clockwise turn, so the left half is then on top.
  @Test func jpegsAreTurnedUpright() async throws {
    try await make("a.jpg", width: 1200, height: 900, ["-frames:v", "1"])
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-EXIF:Orientation=6", folder.path("a.jpg"),
    ])
    let thumbnail = try thumbnail("a.jpg", .jpeg)
    #expect(thumbnail.size == PixelSize(width: 240, height: 320))
    #expect(try await colors(thumbnail).suffix(2) == ["red", "blue"])
  }

  @Test func smallPicturesStaySmall() async throws {
    try await make("a.png", width: 40, height: 30, ["-frames:v", "1"])
    #expect(try thumbnail("a.png", .png).size == PixelSize(width: 40, height: 30))
  }

  /// A JPEG's embedded thumbnail is used if it is large enough and has the picture's shape. This one is blue at
  /// the left, which shows whether it was used.
  @Test(arguments: [(320, 240, "blue"), (160, 120, "red"), (320, 180, "red")])
  func embeddedThumbnailsAreUsedIfSuitable(
    width: Int, height: Int, left: String
  ) async throws {
    try await make("a.jpg", width: 1200, height: 900, ["-frames:v", "1"])
    try await make("t.jpg", width: width, height: height, ["-vf", "hflip", "-frames:v", "1"])
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-ThumbnailImage<=" + folder.path("t.jpg"), folder.path("a.jpg"),
    ])
    #expect(try await colors(thumbnail("a.jpg", .jpeg)).first == left)
  }

  @Test(arguments: [["-t", "240"], []])
  func heicsWithAndWithoutThumbnails(_ options: [String]) async throws {
    try await make("a.png", width: 1200, height: 900, ["-frames:v", "1"])
    try await Tool.heifEncoder.run([folder.path("a.png"), "-o", folder.path("a.heic")] + options)
    let thumbnail = try thumbnail("a.heic", .heic)
    #expect(max(thumbnail.size.width, thumbnail.size.height) == (options.isEmpty ? 320 : 240))
    #expect(try await colors(thumbnail).prefix(2) == ["red", "blue"])
  }

  @Test(arguments: [("a.mp4", UniformType.mpeg4), ("a.mkv", .matroska), ("a.avi", .avi)])
  func videosGiveOneFrame(_ name: String, _ type: UniformType) async throws {
    try await make(name, width: 640, height: 360, ["-pix_fmt", "yuv420p"])
    let thumbnail = try thumbnail(name, type)
    #expect(thumbnail.size == PixelSize(width: 320, height: 180))
    #expect(try await colors(thumbnail).prefix(2) == ["red", "blue"])
  }

  /// A frame is turned by the track's matrix.
  @Test func videosAreTurnedUpright() async throws {
    try await make("a.mp4", width: 640, height: 360, ["-pix_fmt", "yuv420p"])
    try await folder.turn("a.mp4", by: 90)
    let printed = try await Tool.exiftool.run(["-s3", "-n", "-Rotation", folder.path("a.mp4")])
    try #require(printed == "90")
    let thumbnail = try thumbnail("a.mp4", .mpeg4)
    #expect(thumbnail.size == PixelSize(width: 180, height: 320))
    #expect(try await colors(thumbnail).suffix(2) == ["red", "blue"])
  }

  /// If any part is missing, the reply is a thumbnail or a sentence.
  @Test(arguments: [
    ("a.jpg", UniformType.jpeg), ("a.png", .png), ("a.mp4", .mpeg4), ("a.heic", .heic),
  ])
  func truncatedFilesGiveAThumbnailOrASentence(_ name: String, _ type: UniformType) async throws {
    if type == .heic {
      try await make("a.png", width: 640, height: 360, ["-frames:v", "1"])
      try await Tool.heifEncoder.run([folder.path("a.png"), "-o", folder.path(name)])
    } else {
      let options = type == .mpeg4 ? ["-pix_fmt", "yuv420p"] : ["-frames:v", "1"]
      try await make(name, width: 640, height: 360, options)
    }
    let whole = try folder.bytes(name)
    for part in 0..<12 {
      try folder.write(Array(whole.prefix(whole.count * part / 12)), to: "cut")
      let item = ThumbnailItem(path: BytePath(folder.path("cut")), uniformType: type)
      switch MediaTests.thumbnail(item, longerSide: 320) {
      case .thumbnail(let thumbnail): #expect(thumbnail.isSound)
      case .failed(let failure): #expect(failure.message.hasSuffix("."))
      }
    }
  }
}
