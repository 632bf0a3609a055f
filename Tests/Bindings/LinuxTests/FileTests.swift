import Foundation
import Glibc
import MediaModel
import Testing

@testable import Linux

struct FileTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("shoebox-posix-\(UUID().uuidString)")

  private func inFolder(_ body: (BytePath) throws -> Void) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(BytePath(folder.path).resolved())
  }

  @Test func listsEveryKindOfEntryWithItsBytes() throws {
    try inFolder { path in
      let odd = path.appending([0x61, 0xFF, 0x0A, 0x62])
      // A lock file is the one kind of file that this module creates.
      _ = try FileLock.take(odd)
      try FileManager.default.createDirectory(
        at: folder.appendingPathComponent("sub"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent("link"), withDestinationURL: folder)
      let entries = try Directory(reading: path).entries
      #expect(entries.count == 3)
      let file = try #require(entries.first { $0.name == [0x61, 0xFF, 0x0A, 0x62] })
      #expect(file.kind == .regular)
      #expect(try file.stamp == FileStatus(of: odd).stamp)
      #expect(entries.first { $0.name == Array("sub".utf8) }?.kind == .directory)
      #expect(entries.first { $0.name == Array("link".utf8) }?.kind == .symbolicLink)
    }
  }

  @Test func aFolderThatIsALinkIsNotRead() throws {
    try inFolder { path in
      try FileManager.default.createSymbolicLink(
        at: folder.appendingPathComponent("link"), withDestinationURL: folder)
      #expect(throws: SystemError.self) { try Directory(reading: path.appending("link")) }
    }
  }

  @Test func readsUpToTheEndAndNoFurther() throws {
    try inFolder { path in
      let bytes = Data((0..<100).map { UInt8($0) })
      try bytes.write(to: folder.appendingPathComponent("f"))
      let file = try ReadOnlyFile(path: path.appending("f"))
      #expect(file.size == 100)
      #expect(try file.read(at: 90, count: 50) == Array(90..<100))
      #expect(try file.read(at: 100, count: 1).isEmpty)
      #expect(try file.read(at: .max, count: 1).isEmpty)
      #expect(try file.read(at: UInt64(Int64.max), count: 16).isEmpty)
    }
  }

  @Test func refusesOtherThanRegularFiles() throws {
    try inFolder { path in
      #expect(throws: SystemError.self) { _ = try ReadOnlyFile(path: BytePath("/dev/null")) }
      #expect(throws: SystemError.self) { _ = try ReadOnlyFile(path: path) }
      let error = #expect(throws: SystemError.self) {
        _ = try ReadOnlyFile(path: path.appending("none"))
      }
      #expect(error?.isNotFound == true)
    }
  }

  @Test func aLockIsHeldByOneAtATime() throws {
    try inFolder { path in
      let file = path.appending("lock")
      let first = try FileLock.take(file)
      #expect(try !canTake(file))
      _ = consume first
      #expect(try canTake(file))
    }
  }

  @Test func aSharedLockIsHeldByMany() throws {
    try inFolder { path in
      let folder = try OpenFolder(path)
      let name = Array("lock".utf8)
      let file = path.appending(name)
      guard let first = try FileLock.take(name, in: folder, isShared: true),
        let second = try FileLock.take(name, in: folder, isShared: true)
      else {
        Issue.record("two processes cannot share a lock")
        return
      }
      #expect(try !canTake(file))
      #expect(FileLock.isHeld(file, evenShared: true) && !FileLock.isHeld(file))
      // The first one loses its lock, so that the last one gets it.
      #expect(try !first.makeExclusive())
      #expect(try second.makeExclusive())
      #expect(FileLock.isHeld(file))
      _ = consume second
      #expect(try first.makeExclusive())
      _ = consume first
      #expect(!FileLock.isHeld(file, evenShared: true))
    }
  }

  private func canTake(_ file: BytePath) throws -> Bool {
    guard let lock = try FileLock.take(file) else { return false }
    _ = consume lock
    return true
  }

  /// The fallback for file systems that cannot rename without replacing, such as FAT and some network shares,
  /// tested on one that can.
  @Test func aNameIsClaimedOnlyIfItIsFree() throws {
    try inFolder { path in
      let (made, name) = (path.appending("made"), path.appending("name"))
      try OutputFile.create(made).write(Array("new".utf8), at: 0)
      try Data("old".utf8).write(to: folder.appendingPathComponent("name"))
      let own = try OpenFolder(path)
      let refusal = #expect(throws: SystemError.self) {
        try own.rename(Array("made".utf8), claiming: Array("name".utf8))
      }
      #expect(refusal?.isTaken == true)
      #expect(try Data(contentsOf: folder.appendingPathComponent("name")) == Data("old".utf8))
      #expect(try FileStatus(of: made).stamp.size == 3)

      try name.removeFile()
      try own.rename(Array("made".utf8), claiming: Array("name".utf8))
      #expect(try Data(contentsOf: folder.appendingPathComponent("name")) == Data("new".utf8))
      #expect(throws: SystemError.self) { try FileStatus(of: made) }
    }
  }

  /// The file to be renamed no longer exists.
  @Test func aFailedClaimIsUndone() throws {
    try inFolder { path in
      #expect(throws: SystemError.self) {
        try OpenFolder(path).rename(Array("gone".utf8), claiming: Array("name".utf8))
      }
      let left = try Directory(reading: path).entries
      #expect(left.isEmpty)
    }
  }

  /// 64 bits of nanoseconds cover the years 1677 to 2262; tmpfs and others store times far outside.
  @Test(arguments: [
    (9_223_372_036, 854_775_807, Int64.max), (9_223_372_036, 854_775_808, .max),
    (9_223_372_037, 0, .max), (Int.max, 999_999_999, .max), (Int.min, 0, .min),
    (-9_223_372_037, 0, .min), (-1, 999_999_999, -1), (1, 2, 1_000_000_002),
  ])
  func timesOutOfRangeAreClamped(seconds: Int, nanoseconds: Int, expected: Int64) {
    var status = stat()
    status.st_mtim = timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    #expect(FileStatus(status).stamp.modified == expected)
  }

  /// Times before 1970 have nanoseconds, too. `stat` reads them back, as far as the file system can store them.
  @Test(arguments: [0, 1_500_000_000, -1, -1_500_000_000, -3_600_000_000_000])
  func aFileGetsItsTime(modified: Int64) throws {
    try inFolder { path in
      let file = try OutputFile.create(path.appending("f"))
      file.setModeAndTime(modified: modified)
      #expect(try file.status().stamp.modified == modified)
      // No file system has to store these.
      file.setModeAndTime(modified: .min)
      file.setModeAndTime(modified: .max)
    }
  }

  @Test func errorsAreThoseOfTheCallsThatFailed() throws {
    try inFolder { path in
      let file = path.appending("f")
      _ = try OutputFile.create(file)
      let codes = [
        #expect(throws: SystemError.self) { _ = try OutputFile.create(file) },
        #expect(throws: SystemError.self) { _ = try Directory(reading: file) },
        #expect(throws: SystemError.self) { _ = try path.appending("g").resolved() },
        #expect(throws: SystemError.self) { _ = try file.linkTarget() },
        #expect(throws: SystemError.self) { try file.appending("g").makeFolders() },
        #expect(throws: SystemError.self) { try path.removeFile() },
      ].map { $0?.code }
      #expect(codes == [EEXIST, ENOTDIR, ENOENT, EINVAL, ENOTDIR, EISDIR])
    }
  }
}
