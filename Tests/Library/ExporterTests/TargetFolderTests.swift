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
        "there": ["a.jpg"], "link": [], "missing": [], "there/a.jpg": [],
      ])
  }

  /// A record that is a link, a pipe, or larger than any is refused, and none of them is waited for.
  @Test func whatIsNotARecordIsRefused() throws {
    let files = FileManager.default
    let record = folder.path(ExportRecord.fileName)
    try files.createSymbolicLink(atPath: record, withDestinationPath: folder.path("elsewhere"))
    #expect(throws: ExportError.foreignFile(BytePath(record), "is a symbolic link")) {
      try target.state()
    }
    try files.removeItem(atPath: record)
    #expect(unsafe mkfifo(record, 0o600) == 0)
    #expect(throws: ExportError.foreignFile(BytePath(record), "is not a regular file")) {
      try target.state()
    }
    try files.removeItem(atPath: record)
    try folder.write([], to: ExportRecord.fileName)
    #expect(unsafe truncate(record, 64 << 30) == 0)
    let tooLarge = "is larger than any record of Shoebox"
    #expect(throws: ExportError.foreignFile(BytePath(record), tooLarge)) { try target.state() }
  }

  @Test func aLockThatIsALinkMakesNothingElsewhere() throws {
    let lock = folder.path(".shoebox-export.lock")
    try FileManager.default.createSymbolicLink(
      atPath: lock, withDestinationPath: folder.path("elsewhere"))
    #expect(throws: ExportError.foreignFile(BytePath(lock), "is a symbolic link")) {
      _ = try target.open()
    }
    #expect(!FileManager.default.fileExists(atPath: folder.path("elsewhere")))
  }

  /// A record of any author leads to no place outside the target, and to no files but those that exports begin.
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
    #expect(record.history.isEmpty)
    target.sweep(record.folders, in: try target.open().tree)
    #expect(try files.contentsOfDirectory(atPath: folder.path("../outside")).count == 3)
    // Nor is a link followed that leads to a folder of the target.
    for (name, left) in [
      ("in/side", [".shoebox-x", "1.partial"]),
      ("real", [".shoebox-1.partial", ".shoebox-x", "1.partial"]),
    ] {
      #expect(try files.contentsOfDirectory(atPath: folder.path(name)).sorted() == left)
    }
  }

  @Test func aRecordNamesNotTooManyFolders() throws {
    for start in stride(from: 0, through: ExportRecord.folderLimit, by: 1000) {
      let line = ExportRecord.line(beginning: (start..<start + 1000).map(String.init))
      let handle = FileHandle(forWritingAtPath: folder.path(ExportRecord.fileName))
      guard let handle else {
        try folder.write(line, to: ExportRecord.fileName)
        continue
      }
      try handle.seekToEnd()
      try handle.write(contentsOf: line)
      try handle.close()
    }
    #expect(try target.state().record.folders.count == ExportRecord.folderLimit)
  }
}
