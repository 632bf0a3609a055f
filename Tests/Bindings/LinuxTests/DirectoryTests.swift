import Foundation
import MediaModel
import Testing

@testable import Linux

/// Reading folders; each test has a folder of its own.
struct DirectoryTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("shoebox-directory-\(UUID().uuidString)")

  private func inFolder(_ body: (BytePath) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(BytePath(folder.path).resolved())
  }

  private func link(_ name: String, to target: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.path + "/" + name, withDestinationPath: target)
  }

  @Test func aLinkToAFileIsTheFileIfLinksAreFollowed() throws {
    try inFolder { path in
      _ = try OutputFile.create(path.appending("file"))
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("sub"), withIntermediateDirectories: true)
      for (name, target) in [
        ("good", "file"), ("chain", "good"), ("folder", "sub"), ("dangling", "nothing"),
        ("loop", "loop"), ("through", "file/x"), ("device", "/dev/null"),
      ] { try link(name, to: target) }
      let entries = try Directory(reading: path, followingLinks: true).entries
      let file = try FileStatus(of: path.appending("file"))
      for entry in entries {
        let name = String(decoding: entry.name, as: UTF8.self)
        #expect(entry.failure == nil)
        if ["file", "good", "chain"].contains(name) {
          #expect(entry.kind == .regular)
          #expect(entry.stamp == file.stamp)
          #expect(entry.changed == file.changed)
        } else {
          #expect(entry.kind == (name == "sub" ? .directory : .symbolicLink))
          #expect(entry.stamp == nil)
        }
      }
      #expect(entries.count == 9)
      let unfollowed = try Directory(reading: path).entries
      #expect(unfollowed.count { $0.kind == .symbolicLink } == 7)
    }
  }

  /// Big enough for several threads to share the calls.
  @Test func aBigFolderHasTheStateOfEachFile() throws {
    try inFolder { path in
      for index in 0..<5000 {
        try Data(count: index % 100).write(to: folder.appendingPathComponent("file\(index)"))
      }
      let threads = BlockingThreads()
      let directory = try Directory(reading: path, sharedWith: threads)
      #expect(directory.entries.count == 5000)
      for entry in directory.entries {
        let name = BytePath(bytes: entry.name)
        #expect(try entry.stamp == FileStatus(of: path.appending(name.bytes)).stamp)
      }
      let count = try FolderCount(reading: path)
      #expect(count.others == 5000)
      #expect(count.folders.isEmpty)
      #expect(try Directory(reading: path, namesOnly: true).entries.allSatisfy { $0.stamp == nil })
    }
  }

  @Test func keepsOneEntryOfEachName() throws {
    func entries(_ names: [String]) -> DirectoryEntries {
      var entries = DirectoryEntries(folderSize: 2 << 20)
      for name in names {
        var name = name
        _ = name.withUTF8 { unsafe entries.append(UnsafeRawBufferPointer($0), .other) }
      }
      return entries
    }
    var doubled = entries(["b", "a", "", "b", "cc", "c", "a", "b"])
    let hadDuplicates = doubled.removeDuplicateNames()
    #expect(hadDuplicates)
    #expect(doubled.map(\.name) == ["b", "a", "", "cc", "c"].map { Array($0.utf8) })
    let hasDuplicates = doubled.removeDuplicateNames()
    #expect(!hasDuplicates)
    #expect(doubled.firstIndex(named: Array("c".utf8)) == 4)
    #expect(doubled.firstIndex(named: Array("d".utf8)) == nil)
  }
}
