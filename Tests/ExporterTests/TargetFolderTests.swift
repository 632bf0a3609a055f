import Catalog
import Foundation
import MediaModel
import MediaTools
import Testing

@testable import Exporter

/// What is seen in the folder that an export writes into.
struct TargetFolderTests {
  private let folder: ScratchFolder
  private let target: TargetFolder

  init() throws {
    folder = try ScratchFolder()
    target = TargetFolder(BytePath(folder.url.path), libraries: [])
  }

  @Test func namesAreThoseOfTheFoldersAskedFor() throws {
    let files = FileManager.default
    try files.createDirectory(atPath: folder.path("there"), withIntermediateDirectories: false)
    try folder.write([], to: "there/a.jpg")
    try files.createSymbolicLink(
      atPath: folder.path("link"), withDestinationPath: folder.path("there"))
    let state = try target.state(listing: ["there", "link", "missing", "there/a.jpg"])
    #expect(
      state.names == [
        "there": ["a.jpg"], "link": ["a.jpg"], "missing": [], "there/a.jpg": [],
      ])
  }

  /// A link that leads to itself can be read by nobody, whoever asks.
  @Test func whatCannotBeLookedAtIsNotTakenForNothing() throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("loop"), withDestinationPath: "loop")
    #expect(throws: ExportError.self) { try target.state(listing: ["loop"]) }
    let version = ExportRecord.Version(size: 1, modified: 1)
    let line = ExportRecord.line(
      ExportRecord.Key(identifier: "A", resource: .photo),
      ExportRecord.Entry(
        source: version, settings: "", naming: "", target: "loop/a.jpg", made: version, inode: 1))
    try folder.write(line, to: ExportRecord.fileName)
    #expect(throws: ExportError.self) { try target.state() }
  }
}
