import Foundation
import MediaTools
import PlantedPlaces
import Testing
import Workbench

/// Exports of movies whose frames are pictures with the planted place in their own metadata, and of subtitles in UTF-16.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .exiftool)), .timeLimit(.minutes(5)))
struct FrameMetadataTests {
  private static let frameCount = 10

  /// Makes movies of pictures with EXIF, XMP and a comment each.
  private func makeMovies(in bench: Workbench) async throws {
    try await bench.bash(
      """
      mkdir frames; cd frames
      ffmpeg -v error -f lavfi -i testsrc2=s=160x120:r=25 -frames:v \(Self.frameCount) -q:v 3 %02d.jpg
      ffmpeg -v error -f lavfi -i testsrc2=s=160x120:r=25 -frames:v \(Self.frameCount) %02d.png
      ffmpeg -v error -f lavfi -i testsrc2=s=160x120:r=25 -frames:v \(Self.frameCount) -c:v tiff %02d.tif
      exiftool -q -n -overwrite_original -GPSLatitude=47.123456 -GPSLatitudeRef=N \\
        -GPSLongitude=8.654321 -GPSLongitudeRef=E -XMP:GPSLatitude=47.123456 \\
        -XMP:GPSLongitude=8.654321 '-Comment=47.123456, 8.654321' *.jpg *.png *.tif
      for kind in jpg png; do
        for name in a.mov b.avi c.mkv; do
          ffmpeg -v error -framerate 25 -i %02d.$kind -c copy ../library/$kind-$name
        done
        ffmpeg -v error -framerate 25 -i %02d.$kind -c copy -f mp4 \\
          -movflags frag_keyframe+empty_moov ../library/$kind-fragments.mp4
      done
      ffmpeg -v error -framerate 25 -i %02d.jpg -c copy ../library/jpg-d.mp4
      ffmpeg -v error -framerate 25 -i %02d.tif -c copy ../library/tif-a.mov
      """)
  }

  private func frames(_ path: String) async throws -> [String] {
    try await Tool.ffmpeg.run(["-v", "fatal", "-i", path, "-map", "0:v", "-f", "framemd5", "-"])
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: " ").last.map(String.init) }
  }

  private func bytes(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: path)))
  }

  @Test(arguments: [
    ("current", "--strip-location"), ("current", "--strip-metadata"),
    ("Passthrough", "--strip-location"), ("Passthrough", "--strip-metadata"),
  ])
  func `frames that are pictures do not contain the place`(
    preset: String, policy: String
  ) async throws {
    let bench = try Workbench()
    try await makeMovies(in: bench)
    let names = try FileManager.default.contentsOfDirectory(atPath: bench.library)
    #expect(names.count == 10)
    for name in names {
      try #require(
        PlantedPlace.planted.needles.traces(in: bytes(bench.library + "/" + name)) != [], "\(name)")
    }
    _ = try await bench.scan([bench.library])
    let target = bench.folder + "/out"
    let outcome = try await bench.shoebox([
      "export", "--video-preset", preset, policy, "--to", target,
    ])
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
    let results = try FileManager.default.contentsOfDirectory(atPath: target)
      .filter { !$0.hasPrefix(".") }
    #expect(results.count == names.count)
    for result in results {
      let path = target + "/" + result
      #expect(
        PlantedPlace.planted.needles.traces(in: try bytes(path)) == [], "\(preset): \(result)")
      let stem = result.split(separator: ".")[0]
      let source = try #require(names.first { $0.hasPrefix(stem + ".") })
      let expected = try await frames(bench.library + "/" + source)
      #expect(expected.count == Self.frameCount)
      #expect(try await frames(path) == expected, "\(result) has other frames")
    }
  }

  /// A text of `mov_text` in UTF-16 begins with a mark (3GPP TS 26.245 §5.17).
  @Test func `places in subtitles in UTF-16 are removed`() async throws {
    let bench = try Workbench()
    let length = 60
    try await bench.bash(
      """
      printf '1\\n00:00:00,100 --> 00:00:00,900\\n%s\\n' \(String(repeating: "x", count: length)) >a.srt
      ffmpeg -v error -f lavfi -i testsrc2=s=160x120:r=25:d=1 -i a.srt -c:v libx264 \\
        -pix_fmt yuv420p -c:s mov_text library/a.mp4
      ffmpeg -v error -i library/a.mp4 -c copy -c:s srt library/b.mkv
      """)
    let text = "\u{FEFF}47°07′24″N 8°39′15″E"
    let wide: [UInt8] = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
    let padded = wide + (wide.count..<length).map { $0 % 2 == 0 ? 0 : 0x20 }
    for name in ["a.mp4", "b.mkv"] {
      let path = bench.library + "/" + name
      var file = Data(try bytes(path))
      let place = try #require(file.range(of: Data(String(repeating: "x", count: length).utf8)))
      file.replaceSubrange(place, with: padded)
      try file.write(to: URL(filePath: path))
    }
    _ = try await bench.scan([bench.library])
    for preset in ["current", "Passthrough", "compatible"] {
      let target = bench.folder + "/" + preset
      let outcome = try await bench.shoebox([
        "export", "--video-preset", preset, "--strip-location", "--to", target,
      ])
      // Subtitles cannot be taken out of a copy of Matroska.
      #expect(outcome.status == (preset == "compatible" ? 0 : 1), "\(outcome.errors)")
      let results = try FileManager.default.contentsOfDirectory(atPath: target)
        .filter { !$0.hasPrefix(".") }
      #expect(results.count == (preset == "compatible" ? 2 : 1), "\(outcome.errors)")
      for result in results {
        let file = Data(try bytes(target + "/" + result))
        #expect(file.range(of: Data(wide.dropFirst(2))) == nil, "\(preset): \(result)")
        #expect(file.range(of: Data("07′24″".utf8)) == nil, "\(preset): \(result)")
      }
    }
  }
}
