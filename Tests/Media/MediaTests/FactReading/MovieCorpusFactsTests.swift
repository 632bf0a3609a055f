import Foundation
import LibraryFacts
import MediaModel
import Testing

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats

/// The corpus' movies, read without FFmpeg and with it. `SHOEBOX_CORPUS` names the corpus.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["SHOEBOX_CORPUS"] != nil))
struct MovieCorpusFactsTests {
  /// Movies of containers that Shoebox reads which need the codec nevertheless.
  private static let exceptions: Set<String> = [
    // Seven packets: too few to measure the frame rate.
    "exiftool+exiftool/t/images/M2TS.mts",
    // Cut off in the header, so that no frame is left and the duration is 0.
    "exiftool+exiftool/t/images/Pentax.avi", "exiftool+exiftool/t/images/RIFF.avi",
    // Without streams.
    "immich-app+test-assets/metadata/dates/future42603.mp4",
  ]

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

  @Test func onlyOtherContainersNeedTheCodec() throws {
    let readable: [any MediaFormat.Type] = [
      ISOMovieFormat.self, AVIFormat.self, MatroskaFormat.self, MPEGTransportStreamFormat.self,
    ]
    for movie in try movies() {
      let isReadable = readable.contains { $0 == movie.type.format }
      do {
        _ = try MovieReading(movie.type, movie.source)
        #expect(isReadable, "\(movie.name)")
      } catch is NeedsCodec {
        #expect(!isReadable || Self.exceptions.contains(movie.name), "\(movie.name)")
      }
    }
  }
}
