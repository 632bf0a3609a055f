import Foundation
import Testing
import Workbench

/// Every picture of the corpus, exported with the preset `compatible` and compared by other programs.
@Suite(.serialized, .timeLimit(.minutes(20)), .enabled(if: Half.isAtHand))
struct ExportedPictureTests {
  /// The least likeness, in decibels, that needs no comparison with another encoder.
  private static let alike = 38.0

  @Test func `every picture that a reference decodes is exported`() async throws {
    let export = try await CorpusExport.pictures.value
    let made = Set(export.lines.filter { $0.result != nil }.map { export.below($0.source) })
    let missing = export.scanned.files.filter {
      $0["media_type"] == "image" && !KnownDisagreements.isNotMedia($0) && !made.contains($0.path)
    }
    #expect(made.count > 350)
    let decodable = try await concurrently(missing.map(\.path)) { path in
      let reference = try await ReferencePicture(
        of: "\(export.scanned.folder)/\(path)", on: export.scanned.bench)
      reference?.discard()
      return reference == nil ? nil : path
    }
    expectKnown(Set(decodable.compactMap(\.self)), in: KnownExports.refused) {
      "\($0) is a picture to other programs and is not exported"
    }
    for line in export.lines where line.action == "failed" {
      #expect(line.error?.hasSuffix(".") == true, "\(line.source) fails without a sentence")
    }
  }

  @Test func `results that are not re-encoded equal the original`() async throws {
    let export = try await CorpusExport.pictures.value
    let copied = export.lines.filter { $0.action == "copied" }
    #expect(copied.count > 250)
    for line in copied {
      let result = try #require(line.result)
      #expect(FileManager.default.contentsEqual(atPath: line.source, andPath: result))
    }
  }

  @Test func `two other programs open re-encoded pictures, upright`() async throws {
    let export = try await CorpusExport.pictures.value
    let files = Dictionary(export.scanned.files.map { ($0.path, $0) }) { $1 }
    let wrong = KnownDisagreements.wrongReferences[.displaySize] ?? [:]
    let opened = try await concurrently(export.transcoded) { picture in
      (export.below(picture.source), try await export.scanned.bench.opened(picture.result))
    }
    #expect(opened.count > 80)
    for (path, said) in opened {
      // A RAW file is exported as the camera's preview, which has another size.
      guard let file = files[path], file["media_type"] == "image", wrong[path] == nil,
        let size = Comparison.displaySize.expected(of: file)
      else {
        #expect(said.contains(/^[0-9]+x[0-9]+ (TopLeft|Undefined)$/), "\(path): \(said)")
        continue
      }
      #expect(["\(size) TopLeft", "\(size) Undefined"].contains(said), "\(path)")
    }
  }

  @Test func `re-encoded pictures look like the original`() async throws {
    let export = try await CorpusExport.pictures.value
    let bench = export.scanned.bench
    let raw = Set(export.scanned.files.filter { $0["media_type"] == "raw" }.map(\.path))
    let pictures = export.transcoded.filter { !raw.contains(export.below($0.source)) }
    let compared = try await concurrently(pictures) { picture -> (path: String, said: String?) in
      let path = export.below(picture.source)
      guard let reference = try await ReferencePicture(of: picture.source, on: bench) else {
        return (path, "no other program decodes it")
      }
      defer { reference.discard() }
      return (path, try await Self.difference(picture.result, reference))
    }
    #expect(compared.count > 80)
    let unlike = Dictionary(compared.compactMap { entry in entry.said.map { (entry.path, $0) } }) {
      $1
    }
    expectKnown(Set(unlike.keys), in: KnownExports.unlike) { path in
      "\(path) does not look like its original: \(unlike[path] ?? "")"
    }
  }

  /// How a result differs from its reference; nil if it is as near as a JPEG can be.
  private static func difference(
    _ result: String, _ reference: ReferencePicture
  ) async throws -> String? {
    guard let likeness = try await reference.likeness(to: result) else {
      return "it cannot be compared"
    }
    guard likeness < alike else { return nil }
    guard let usual = try await reference.likenessOfItsJPEG(like: result) else {
      return "\(likeness) dB"
    }
    return likeness < usual - 1 ? "\(likeness) dB, where ImageMagick has \(usual) dB" : nil
  }

  /// Takes exactly the listed exceptions.
  private func expectKnown(
    _ found: Set<String>, in known: [String: String],
    location: SourceLocation = #_sourceLocation, _ complaint: (String) -> String
  ) {
    for path in found.sorted() where known[path] == nil {
      Issue.record("\(complaint(path))", sourceLocation: location)
    }
    for path in known.keys.sorted() where !found.contains(path) {
      Issue.record(
        "\(path): its entry in KnownExports is out of date", sourceLocation: location)
    }
  }
}
