import Foundation
import Linux
import MediaModel
import MediaTools
import Testing

@testable import Exporter

/// How results get their names, with a temporary name from the beginning and without one.
struct StagedFileTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private func staged(_ content: String, isNamed: Bool) throws -> StagedFile {
    let file = try StagedFile(in: BytePath(folder.url.path), isNamed: isNamed)
    try file.file.write(Array(content.utf8), at: 0)
    return file
  }

  private func path(_ name: String) -> BytePath { BytePath(folder.path(name)) }

  private func content(_ name: String) throws -> String {
    try String(contentsOfFile: folder.path(name), encoding: .utf8)
  }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test(arguments: [true, false]) func aTakenNameStays(isNamed: Bool) throws {
    try Data("old".utf8).write(to: folder.url.appending(path: "a"))
    do {
      let file = try staged("new", isNamed: isNamed)
      let error = #expect(throws: SystemError.self) {
        try file.publish(as: path("a"), replacing: false)
      }
      #expect(error?.isTaken == true)
      try file.publish(as: path("b"), replacing: false)
      try file.syncNamed()
    }
    #expect(try names == ["a", "b"])
    #expect(try content("a") == "old" && content("b") == "new")
  }

  @Test(arguments: [true, false]) func anUnpublishedFileLeavesNothing(isNamed: Bool) throws {
    do {
      let file = try staged("new", isNamed: isNamed)
      if isNamed { #expect(try names.count == 1) }
      // One without a name gets it before another file gives way to it.
      try file.prepareToReplace()
      #expect(try names.count == 1)
    }
    #expect(try names.isEmpty)
  }

  @Test(arguments: [true, false]) func aReplacedFileIsGone(isNamed: Bool) throws {
    try Data("old".utf8).write(to: folder.url.appending(path: "a"))
    let file = try staged("new", isNamed: isNamed)
    let inode = try file.file.status().stamp.inode
    try file.publish(as: path("a"), replacing: true)
    #expect(try names == ["a"])
    #expect(try content("a") == "new")
    #expect(try FileStatus(of: path("a")).stamp.inode == inode)
  }

  /// Some file systems cannot exchange names; then the old file is gone at once.
  @Test(arguments: [true, false]) func anExchangeCanBeUndone(isNamed: Bool) throws {
    try Data("old".utf8).write(to: folder.url.appending(path: "a"))
    do {
      let file = try staged("new", isNamed: isNamed)
      guard try file.publish(exchangingWith: path("a")) else { return }
      #expect(try content("a") == "new")
      #expect(try names.count == 2)
      try file.takeBack(from: path("a"))
      #expect(try content("a") == "old")
    }
    #expect(try names == ["a"])
    let again = try staged("newer", isNamed: isNamed)
    _ = try again.publish(exchangingWith: path("a"))
    try again.removeReplaced()
    #expect(try names == ["a"])
    #expect(try content("a") == "newer")
  }
}
