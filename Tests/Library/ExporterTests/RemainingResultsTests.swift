import Catalog
import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing

@testable import Exporter

/// Results of assets that an export does not include.
struct RemainingResultsTests {
  private static let secret = [UInt8](repeating: 7, count: 32)
  private let folder: ScratchFolder
  private let target: TargetFolder

  init() throws {
    folder = try ScratchFolder()
    target = TargetFolder(BytePath(folder.url.path), libraries: [], key: Self.secret)
  }

  private func removing(_ metadata: MetadataPolicy) throws -> ExportRequest {
    var request = try request(image: "current")
    request.metadata = metadata
    return request
  }

  private func line(
    _ identifier: String, _ name: String, _ metadata: MetadataPolicy, proof: [UInt8] = secret
  ) throws -> [UInt8] {
    let stamp = ExportRecord.Version(size: 1, modified: 1)
    let request = try removing(metadata)
    return ExportRecord.line(
      ExportRecord.Key(identifier: identifier, resource: .photo),
      ExportRecord.Entry(
        source: stamp, settings: request.settingsDigest(of: .image), naming: request.naming,
        target: name, made: stamp, inode: 1),
      proof: proof, isDone: true)
  }

  @Test func `those with more metadata are found if they exist`() throws {
    for name in ["gone.jpg", "clean.jpg", "part.jpg", "other.jpg", "own.jpg"] {
      try folder.write([1], to: name)
    }
    let lines: [[UInt8]] = [
      try line("GONE", "gone.jpg", .keep), try line("DELETED", "deleted.jpg", .keep),
      try line("CLEAN", "clean.jpg", .withoutLocation),
      try line("PART", "part.jpg", .withoutCaptions), try line("OWN", "own.jpg", .keep),
      try line("NAMED", "own.jpg", .keep),
      try line("OTHER", "other.jpg", .keep, proof: [UInt8](repeating: 1, count: 32)),
    ]
    try folder.write(lines.flatMap(\.self), to: ExportRecord.fileName)
    func names(_ policy: MetadataPolicy) throws -> [String] {
      try target.remainingResults(try removing(policy), besides: ["OWN"], ["own.jpg"])
    }
    #expect(try names(.withoutLocation) == ["gone.jpg", "part.jpg"])
    #expect(try names(.appearanceOnly) == ["clean.jpg", "gone.jpg", "part.jpg"])
    #expect(try names(.keep) == [])
    let plan = ExportPlan(items: [], remainingResults: ["gone.jpg", "part.jpg"])
    #expect(
      plan.warnings(of: try removing(.withoutLocation))
        == [
          "gone.jpg and 1 other stay in the target and may still contain the location, because this export "
            + "does not include the assets: remove what you do not want to pass on"
        ])
  }

  @Test func `a target that does not exist has none`() throws {
    let missing = TargetFolder(BytePath(folder.path("missing")), libraries: [], key: Self.secret)
    #expect(try missing.remainingResults(try removing(.withoutLocation), besides: [], []) == [])
  }
}
