import MediaEdits
import Foundation
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Chapter names that contain a place. ffmpeg writes them, and ffprobe reads the result.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct ChapterLocationTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  private func make(_ name: String, place: String = "at 47.3711, 8.5422") async throws {
    let list = """
      ;FFMETADATA1
      [CHAPTER]
      TIMEBASE=1/1000
      START=0
      END=1000
      title=\(place)
      [CHAPTER]
      TIMEBASE=1/1000
      START=1000
      END=2000
      title=Lunch
      """
    try clips.folder.write(Array(list.utf8), to: "chapters.txt")
    try await clips.make(
      name,
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-i",
        clips.folder.path("chapters.txt"), "-map_chapters", "1", "-c:v", "libx264", "-pix_fmt",
        "yuv420p",
      ])
  }

  private func titles(_ name: String) async throws -> String {
    try await Tool.ffprobe.run([
      "-v", "error", "-show_entries", "chapter_tags=title", "-of", "default=nw=1",
      clips.folder.path(name),
    ])
  }

  private func holds(_ text: String, _ name: String) throws -> Bool {
    let bytes = try clips.folder.bytes(name)
    return Data(bytes).firstRange(of: Data(text.utf8)) != nil
  }

  private static let movies = [
    ("a.mp4", UniformType.mpeg4), ("a.mov", .quickTimeMovie), ("a.mkv", .matroska),
  ]

  @Test(arguments: movies)
  func namesWithAPlaceAreRemoved(name: String, type: UniformType) async throws {
    try await make(name)
    try #require(try await titles(name).contains("47.3711"))
    try clips.folder.mustRender(name, .copy(type), to: "copy", metadata: .withoutLocation)
    try clips.mustRender(name, to: "b.mp4", .mp4(.copy), metadata: .withoutLocation)
    for result in ["copy", "b.mp4"] {
      #expect(try !holds("47.3711", result), "\(result)")
      #expect(try await !titles(result).contains("47.3711"))
    }
    #expect(try await titles("b.mp4").contains("Lunch"))
    try await clips.mustDecode("copy")
  }

  @Test(arguments: movies)
  func otherNamesAreKept(name: String, type: UniformType) async throws {
    try await make(name, place: "Breakfast")
    try clips.folder.mustRender(name, .copy(type), to: "copy", metadata: .withoutLocation)
    #expect(try await titles("copy") == titles(name))
    try clips.folder.mustRender(name, .copy(type), to: "bare", metadata: .appearanceOnly)
    #expect(try !holds("Lunch", "bare"))
    try await clips.mustDecode("bare")
  }
}
