import ByteReading
import MediaFormats
import MediaModel
import Testing

/// Movies of the corpus, compared with the output of exiftool and ffprobe.
@Suite(.enabled(if: Corpus.isPresent))
struct MovieCorpusTests {
  private func movies() throws -> [(entry: Corpus.Entry, movie: ISOMovie)] {
    let corpus = try #require(Corpus.shared)
    return try corpus.entries().compactMap { entry in
      guard ["MOV", "MP4", "3GP", "M4A"].contains(entry["file_type"] ?? ""),
        case let source = WindowedSource(ArraySource(try corpus.library(entry.path))),
        let movie = try? ISOMovie(source)
      else { return nil }
      return (entry, movie)
    }
  }

  @Test func `content identifiers equal exiftool's`() throws {
    var found = 0
    for (entry, movie) in try movies() {
      let identifier = movie.value("com.apple.quicktime.content.identifier")?.text
      #expect(identifier == entry["content_id"], "\(entry.path)")
      if identifier != nil { found += 1 }
    }
    #expect(found > 3)
  }

  @Test func `sizes equal ffprobe's`() throws {
    var compared = 0
    for (entry, movie) in try movies() {
      guard let track = movie.tracks.first(where: { $0.handler == "vide" }),
        let orientation = track.orientation, let size = track.sampleEntries.first?.codedSize,
        let width = entry["display_width"].flatMap(Int.init),
        let height = entry["display_height"].flatMap(Int.init)
      else { continue }
      compared += 1
      let shown = orientation.upright(size)
      #expect(shown == PixelSize(width: width, height: height), "\(entry.path)")
    }
    #expect(compared > 40)
  }

  @Test func `durations equal ffprobe's`() throws {
    var compared = 0
    for (entry, movie) in try movies() where !movie.isFragmented {
      guard let seconds = movie.seconds, let expected = entry["duration_s"].flatMap(Double.init)
      else { continue }
      compared += 1
      #expect(abs(seconds - expected) < 0.1, "\(entry.path): \(seconds), not \(expected)")
    }
    #expect(compared > 40)
  }

  @Test func `frame rates equal ffprobe's`() throws {
    var compared = 0
    for (entry, movie) in try movies() where !movie.isFragmented {
      guard let rate = movie.tracks.first(where: { $0.handler == "vide" })?.rate,
        let expected = entry["fps"].flatMap(Double.init)
      else { continue }
      compared += 1
      #expect(abs(rate - expected) < 0.02 * expected, "\(entry.path): \(rate), not \(expected)")
    }
    #expect(compared > 30)
  }
}
