import Foundation
import MediaTools
import PlantedPlaces
import Testing
import Workbench

/// Exports, by the real programs, of movies with the planted place in every part of their format.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool)), .timeLimit(.minutes(5)))
struct MovieTests {
  /// Digests of the decoded frames of the kept tracks, with their times.
  private func frames(_ path: String) async throws -> String {
    try await Tool.ffmpeg.run([
      "-v", "fatal", "-i", path, "-map", "0:v", "-map", "0:a", "-f", "framemd5", "-",
    ])
  }

  @Test(arguments: ["current", "Passthrough", "compatible"])
  func `an exported movie does not contain the place`(preset: String) async throws {
    let bench = try Workbench()
    let target = bench.folder + "/out"
    for name in PlantedMovies.names {
      try await PlantedMovies.make(name, in: bench.library)
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: bench.library + "/" + name)))
      try #require(PlantedPlace.planted.needles.traces(in: bytes, limit: 20).count == 20, "\(name)")
    }
    _ = try await bench.scan([bench.library])
    let outcome = try await bench.shoebox([
      "export", "--video-preset", preset, "--strip-location", "--to", target,
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let results = try FileManager.default.contentsOfDirectory(atPath: target)
      .filter { !$0.hasPrefix(".") }
    #expect(results.count == PlantedMovies.names.count)
    for result in results {
      let path = target + "/" + result
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      #expect(PlantedPlace.planted.needles.traces(in: bytes) == [], "\(preset): \(result)")
      if preset == "current" {
        let frames = try await frames(path)
        #expect(frames.split(separator: "\n").count { !$0.hasPrefix("#") } > 50, "\(result)")
        #expect(
          try await frames == self.frames(bench.library + "/" + result),
          "\(result) has other frames")
      }
    }
  }
}
