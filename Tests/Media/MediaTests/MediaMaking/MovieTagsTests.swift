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

/// The tags of other containers in an MP4, as exiftool reads them.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool)))
struct MovieTagsTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  private func keys(_ name: String) async throws -> [String: String] {
    let text = try await Tool.exiftool.run(
      ["-j", "-n", "-Keys:all", clips.folder.path(name)])
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    return (parsed?.first ?? [:]).mapValues { String(describing: $0) }
  }

  private static let sourceTags = [
    "title": "Film", "artist": "Ana", "album": "Summer", "genre": "Home", "comment": "hello",
    "copyright": "Us",
  ]

  @Test(arguments: ["a.avi", "a.mkv", "a.wmv", "a.flv"])
  func arriveAsQuickTimeKeys(name: String) async throws {
    try await clips.make(
      name,
      ["-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1"]
        + Self.sourceTags.flatMap { ["-metadata", "\($0.key)=\($0.value)"] }
        + (name == "a.flv" ? ["-c:v", "flv"] : name == "a.wmv" ? [] : ["-c:v", "mpeg4"]))
    try clips.mustRender(name, to: "b.mp4", .mp4(.h264(160, 120)))
    let kept = try await keys("b.mp4")
    // FFmpeg writes no album to AVI.
    for (key, value) in Self.sourceTags where name != "a.avi" || key != "album" {
      #expect(kept[key.capitalized] == value, "\(key) of \(name)")
    }
  }

  @Test func keywordsRatingAndPeopleOfMatroskaArrive() async throws {
    try await clips.make(
      "a.mkv",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-c:v", "mpeg4", "-metadata",
        "KEYWORDS=sea,sun", "-metadata", "RATING=4", "-metadata", "DIRECTOR=Bo", "-metadata",
        "DATE=2016", "-metadata", "COMMENT=GPS 47.1 8.2",
      ])
    try clips.mustRender("a.mkv", to: "b.mp4", .mp4(.copy))
    let kept = try await keys("b.mp4")
    #expect(kept["Keywords"] == "sea,sun")
    #expect(kept["UserRating"] == "4" || kept["RatingUser"] == "4")
    #expect(kept["Director"] == "Bo")
    #expect(kept["Year"] == "2016")
    #expect(kept["Comment"] == "GPS 47.1 8.2")
    try clips.mustRender("a.mkv", to: "c.mp4", .mp4(.copy), metadata: .withoutLocation)
    let stripped = try await keys("c.mp4")
    #expect(stripped["Comment"] == nil)
    #expect(stripped["Director"] == "Bo")
  }
}
