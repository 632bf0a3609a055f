import Foundation
import MediaModel
import Testing

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats

/// The corpus' movies are read without FFmpeg. `SHOEBOX_CORPUS` names the corpus.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SHOEBOX_CORPUS"] != nil))
struct MovieCorpusFactsTests {
  private struct Entry {
    var name: String
    var type: UniformType
    var source: ArraySource
  }

  private func movies() throws -> [Entry] {
    let root = URL(fileURLWithPath: ProcessInfo.processInfo.environment["SHOEBOX_CORPUS"] ?? "")
    let folder = root.appending(path: "library")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String }
    return try (names ?? []).sorted().compactMap { name in
      let url = folder.appending(path: name)
      // Folders cannot be read.
      guard let content = try? Data(contentsOf: url) else { return nil }
      let source = ArraySource(Array(content))
      guard
        case .media(let type) = try ContentType(
          of: source, fileExtension: url.pathExtension.lowercased()),
        type.format is any MovieFormat.Type
      else { return nil }
      return Entry(name: name, type: type, source: source)
    }
  }

  /// Tracks without `DefaultDuration`, so that only the packets have the frame rate.
  private static let withoutRate = [
    "mkv/sample.mkv", "mkv/sample_with_htc_rotation_track_name.mkv",
  ]

  @Test func noMovieNeedsTheCodec() throws {
    let movies = try movies()
    #expect(movies.count > 75)
    for movie in movies {
      do {
        _ = try MovieReading(movie.type, movie.source)
      } catch is NeedsCodec {
        let isExpected = Self.withoutRate.contains { movie.name.hasSuffix($0) }
        if !isExpected { Issue.record("\(movie.name) needs the codec.") }
      }
    }
  }
}
