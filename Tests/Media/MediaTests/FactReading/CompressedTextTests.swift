import Foundation
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// exiftool compresses PNG's texts with zlib on request; reading must return the same texts.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .exiftool)))
struct CompressedTextTests {
  @Test(arguments: ["short", String(repeating: "many words again and again ", count: 2000)])
  func readsCompressedXMP(title: String) async throws {
    let folder = try ScratchFolder()
    try await folder.makePicture("a.png")
    let description = title + (0..<500).map { " \($0 * 7919 % 1009)" }.joined()
    try Data(description.utf8).write(to: folder.url.appending(path: "words.txt"))
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-z", "-XMP-dc:Description<=" + folder.path("words.txt"),
      folder.path("a.png"),
    ])
    #expect(try folder.bytes("a.png").count < description.utf8.count + 8000)
    guard case .media(let facts, _) = probe(BytePath(folder.path("a.png"))) else {
      throw ToolFailure(description: "a.png cannot be read")
    }
    #expect(facts.caption == description)
    #expect(facts.warnings.isEmpty)
  }
}
