import Foundation
import MediaModel
import Testing

@testable import Linux

/// Folders below an open folder, and what other processes can do to them.
struct OpenFolderTests {
  private let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)

  private func inFolder(_ body: (OpenFolder) throws -> Void) throws {
    let files = FileManager.default
    try files.createDirectory(
      at: url.appending(path: "top/in/side"), withIntermediateDirectories: true)
    try files.createDirectory(
      at: url.appending(path: "outside"), withIntermediateDirectories: true)
    defer { try? files.removeItem(at: url) }
    for (link, destination) in [("out", "../outside"), ("to", "in"), ("in/side/loop", "loop")] {
      try files.createSymbolicLink(
        atPath: url.path + "/top/" + link, withDestinationPath: destination)
    }
    try body(OpenFolder(BytePath(url.path + "/top")))
  }

  /// One system call, where the kernel has it, gives the same result as opening name by name.
  @Test(
    arguments: [
      ("in/side", nil), ("", nil), ("out", ELOOP), ("to", ELOOP), ("to/side", ELOOP),
      ("in/side/loop", ELOOP), ("none", ENOENT), ("in/none/at/all", ENOENT),
    ] as [(String, Int32?)])
  func noLinkIsFollowed(path: String, code: Int32?) throws {
    try inFolder { folder in
      let relative = BytePath(path)
      for open in [
        { try folder.folder(relative) },
        { try folder.openStepwise(relative.components, making: false) },
      ] {
        do {
          let found = try open()
          #expect(code == nil)
          let expected = try FileStatus(of: BytePath(url.path + "/top/" + path))
          #expect(try found.status().folderIdentity == expected.folderIdentity)
        } catch let error as SystemError {
          #expect(error.code == code)
        }
      }
    }
  }

  @Test(arguments: ["..", "in/../..", "in/side/../../../outside", "/tmp"])
  func nothingLeadsOut(path: String) throws {
    try inFolder { folder in
      #expect(throws: SystemError.self) { _ = try folder.folder(BytePath(path), making: true) }
    }
  }

  @Test func missingFoldersAreMadeButNotThroughLinks() throws {
    try inFolder { folder in
      _ = try folder.folder(BytePath("in/new/deep"), making: true)
      #expect(FileManager.default.fileExists(atPath: url.path + "/top/in/new/deep"))
      let error = #expect(throws: SystemError.self) {
        _ = try folder.folder(BytePath("out/new"), making: true)
      }
      #expect(error?.isLink == true)
      #expect(!FileManager.default.fileExists(atPath: url.path + "/outside/new"))
    }
  }

  /// The parent folder is moved away and a link takes its name: the open folder is still used.
  @Test func whatIsOpenIsNotRedirected() throws {
    try inFolder { folder in
      let side = try folder.folder(BytePath("in/side"))
      try FileManager.default.moveItem(
        atPath: url.path + "/top/in", toPath: url.path + "/top/away")
      try FileManager.default.createSymbolicLink(
        atPath: url.path + "/top/in", withDestinationPath: "../outside")
      _ = try OutputFile.create(Array("a".utf8), in: side)
      try side.rename(Array("a".utf8), to: Array("b".utf8), replacing: false)
      #expect(FileManager.default.fileExists(atPath: url.path + "/top/away/side/b"))
      #expect(throws: SystemError.self) { _ = try folder.folder(BytePath("in/side")) }
    }
  }

  @Test func namesAreExchangedInOneStep() throws {
    try inFolder { folder in
      let (one, two) = (Array("1".utf8), Array("2".utf8))
      let first = try OutputFile.create(one, in: folder).status().stamp.inode
      let second = try OutputFile.create(two, in: folder).status().stamp.inode
      // Some file systems do not support it.
      guard try folder.exchange(one, with: two) else { return }
      #expect(try folder.status(of: one)?.stamp.inode == second)
      #expect(try folder.status(of: two)?.stamp.inode == first)
    }
  }

  /// Where the file system has no files without a name, there is nothing to test.
  @Test func aFileWithoutANameGetsAFreeOneOnly() throws {
    try inFolder { folder in
      let (name, taken) = (Array("made".utf8), Array("taken".utf8))
      _ = try OutputFile.create(taken, in: folder)
      let before = try folder.names().count
      guard let file = try OutputFile.createUnnamed(name, in: folder) else { return }
      try file.write([1, 2, 3], at: 0)
      #expect(try folder.names().count == before)
      let error = #expect(throws: SystemError.self) { try file.link(as: taken, in: folder) }
      #expect(error?.isTaken == true)
      try file.link(as: name, in: folder)
      let status = try #require(try folder.status(of: name))
      #expect(try status.stamp.inode == file.status().stamp.inode)
      #expect(status.stamp.size == 3)
      #expect(try folder.status(of: taken)?.stamp.size == 0)
    }
  }

  @Test func nothingIsLeftOfAFileWithoutAName() throws {
    try inFolder { folder in
      let before = try folder.names().count
      if let file = try OutputFile.createUnnamed([0x61], in: folder) {
        try file.write([1], at: 0)
        _ = consume file
      }
      #expect(try folder.names().count == before)
    }
  }

  /// Another process gets the open file, whatever gets its path meanwhile.
  @Test func anotherFileIsNotFilled() throws {
    try inFolder { folder in
      let name = Array("made".utf8)
      let file = try OutputFile.create(name, in: folder)
      let path = folder.path.appending(name)
      try Data("mine".utf8).write(to: URL(filePath: path.display), options: .atomic)
      let received = try OutputFile(received: SharedFile(emptying: file))
      try received.write([1, 2], at: 0)
      #expect(try Data(contentsOf: URL(filePath: path.display)) == Data("mine".utf8))
      #expect(try file.read(at: 0, count: 9) == [1, 2])
    }
  }

  /// A source is a regular file inside its root: no link, no folder, and no pipe, which would block.
  @Test(.timeLimit(.minutes(1))) func onlyRegularFilesInsideTheRootAreSources() throws {
    try inFolder { folder in
      let url = URL(filePath: folder.path.display)
      let outside = url.appending(path: "outside"), root = url.appending(path: "root")
      for new in [outside, root.appending(path: "sub")] {
        try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
        try Data("x".utf8).write(to: new.appending(path: "a"))
      }
      let manager = FileManager.default
      try manager.createSymbolicLink(
        at: root.appending(path: "link"), withDestinationURL: outside.appending(path: "a"))
      try manager.createSymbolicLink(
        at: root.appending(path: "folder"), withDestinationURL: outside)
      let made = unsafe mkfifo(root.appending(path: "pipe").path, 0o600)
      #expect(made == 0)
      let opened = try OpenFolder(BytePath(root.path))
      for (name, isFound) in [
        ("sub/a", true), ("link", false), ("folder/a", false), ("pipe", false), ("sub", false),
        ("sub/../../outside/a", false), ("none", false),
      ] {
        let path = BytePath(root.path + "/" + name)
        #expect(((try? SharedFile.source(path, below: opened)) != nil) == isFound, "\(name)")
      }
      #expect((try? SharedFile.source(BytePath(root.path + "/link"), below: nil)) != nil)
      // The way of kernels without `openat2`.
      for names in [["sub", "..", "..", "outside"], ["..", "outside"], ["folder"]] {
        #expect(throws: SystemError.self) {
          try opened.openStepwise(names.map { Array($0.utf8) }, making: false)
        }
      }
      // The name of a folder may begin with that of another, which is not above it.
      let longer = url.appending(path: "root-old")
      try FileManager.default.createDirectory(at: longer, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: longer.appending(path: "a"))
      #expect((try? SharedFile.source(BytePath(longer.path + "/a"), below: opened)) != nil)
    }
  }

  /// The lines of a file, read in pieces of any size.
  @Test func linesAreReadOneByOne() throws {
    try inFolder { folder in
      let long = String(repeating: "x", count: 300_000)
      let lines = ["a", "", long, "b", String(repeating: "y", count: 299_990), "end"]
      let file = try OutputFile.create(Array("lines".utf8), in: folder)
      try file.write(Array(lines.joined(separator: "\n").utf8), at: 0)
      for (limit, expected) in [(1 << 20, lines), (1000, ["a", "", "b", "end"])] {
        var found: [String] = []
        let isEnded = try ReadOnlyFile(Array("lines".utf8), in: folder).forEachLine(limit: limit) {
          line in
          var bytes: [UInt8] = []
          for index in line.indices { bytes.append(line[index]) }
          found.append(String(decoding: bytes, as: UTF8.self))
        }
        #expect(!isEnded)
        #expect(found == expected)
      }
    }
  }
}
