import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// The corpus that `SHOEBOX_CORPUS` names.
private let corpusLibrary = ProcessInfo.processInfo.environment["SHOEBOX_CORPUS"]
  .map { URL(fileURLWithPath: $0).appendingPathComponent("library") }

/// Every real file of the corpus, copied without its location: exiftool must find none.
@Suite(.enabled(if: corpusLibrary != nil && Tool.areInstalled(.exiftool)))
struct StrippedCorpusTests {
  /// Tags that exiftool names like a place although they are none: measuring conditions of a profile, a light's
  /// height, focus distances, clock settings.
  private static let innocent: Set<String> = [
    "MeasurementGeometry", "GlobalAltitude", "FocusLocation", "WorldTimeLocation",
    "RetouchAreaSourceState", "BodyBatteryState", "GripBatteryState",
  ]

  private func type(of path: String) -> UniformType? {
    switch probe(BytePath(path)) {
    case .media(let facts, _): facts.uniformType
    default: nil
    }
  }

  private func files(in library: URL) -> [URL] {
    let found = FileManager.default.enumerator(at: library, includingPropertiesForKeys: nil)
    return (found?.allObjects.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }
  }

  @Test(.timeLimit(.minutes(20))) func containNoLocation() async throws {
    let files = files(in: try #require(corpusLibrary))
    let folder = try ScratchFolder()
    var copied = 0
    var refused: [String] = []
    for file in files {
      guard let type = type(of: file.path) else { continue }
      let target = "\(copied)-" + file.lastPathComponent
      let step = RenderStep(
        source: BytePath(file.path), work: .copy(type), metadata: .withoutLocation)
      if case .done = try render(step, to: BytePath(folder.path(target)), progress: { _ in }) {
        copied += 1
      } else {
        refused.append(file.lastPathComponent)
        try FileManager.default.removeItem(atPath: folder.path(target))
      }
    }
    #expect(copied > 400)
    // Movies of kinds that cannot be changed in place, and a JPEG without a picture.
    #expect(refused.count <= 10, "\(refused)")
    #expect(try await places(in: folder) == [])
  }

  private func places(in folder: ScratchFolder) async throws -> [String] {
    let text = try await Tool.exiftool.run([
      "-a", "-u", "-G1", "-ee3", "-api", "LargeFileSupport=1", "-j", "-r", folder.url.path,
      "-m",
    ])
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    #expect((parsed?.count ?? 0) > 400)
    let telling = try Regex(
      "GPS|Latitude|Longitude|Altitude|City|Country|Location|State$|Geo|Province")
    return (parsed ?? []).flatMap { file in
      file.compactMap { key, value -> String? in
        let name = key.split(separator: ":").last.map(String.init) ?? key
        let text = String(describing: value)
        guard name.contains(telling), !Self.innocent.contains(name), !text.isEmpty, text != "n/a"
        else { return nil }
        return "\(file["SourceFile"] ?? ""): \(key) = \(text)"
      }
    }
  }
}
