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

  /// Whoever wrote the record, it leads nowhere else, and to no files but those that exports begin.
  @Test func whatARecordNamesIsSweptHereAndNowhereElse() throws {
    let files = FileManager.default
    let inside = ["in/side", "real"]
    for name in inside + ["../outside"] {
      try files.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
      for file in [".shoebox-1.partial", "1.partial", ".shoebox-x"] {
        try folder.write([], to: "\(name)/\(file)")
      }
    }
    defer { try? files.removeItem(atPath: folder.path("../outside")) }
    for (name, there) in [("out", "../outside"), ("to", "real")] {
      try files.createSymbolicLink(
        atPath: folder.path(name), withDestinationPath: folder.path(there))
    }
    let named = ["in/side", "../outside", "out", "/", "in/../../outside", "to", "gone", ""]
    try folder.write(
      ExportRecord.line(beginning: named) + Array("{\"beginning\":[1]}\n".utf8),
      to: ExportRecord.fileName)
    let record = try target.state().record
    #expect(record.folders == ["in/side", "out", "to", "gone"])
    #expect(record.entries.isEmpty && record.staleLines == 2)
    target.sweep(record.folders, surely: [])
    #expect(try files.contentsOfDirectory(atPath: folder.path("../outside")).count == 3)
    for name in inside {
      #expect(
        try files.contentsOfDirectory(atPath: folder.path(name)).sorted()
          == [".shoebox-x", "1.partial"])
    }
  }

  @Test func aRecordNamesNotTooManyFolders() {
    let folders = (0...ExportRecord.begunLimit).map(String.init)
    let line = ExportRecord.line(beginning: folders)
    #expect(ExportRecord(line + line).begunFolders.count == ExportRecord.begunLimit)
  }
}
