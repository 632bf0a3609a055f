import Foundation
import GRDB
import Linux
import MediaModel
import Testing

@testable import Catalog
@testable import Commands
@testable import Query
@testable import Terminal

struct RootsTests {
  let bench: CommandBench

  init() throws {
    bench = try CommandBench()
  }

  @Test func rootsAreListedWithTheirState() async throws {
    let run = await bench.run("roots", "--format", "json")
    let objects = try #require(
      try JSONSerialization.jsonObject(with: Data(run.bytes)) as? [[String: Any]])
    #expect(objects.map { $0["path"] as? String } == [bench.root])
    #expect(objects.map { $0["available"] as? Bool } == [true])
    try FileManager.default.removeItem(atPath: bench.root)
    let gone = await bench.run("roots", "list")
    #expect(gone.lines[1].hasPrefix("unavailable"))
  }

  @Test func aRootIsMovedWhereItIs() async throws {
    let new = "\(bench.folder)/elsewhere"
    #expect((await bench.run("roots", "move", bench.root, new)).status == .unavailable)
    try FileManager.default.moveItem(atPath: bench.root, toPath: new)
    let run = await bench.run("roots", "move", "\(bench.root)/", new)
    #expect(run.status == .success, "\(run.messages)")
    #expect((await bench.run("roots", "--format", "paths")).text == "\(new)\n")
    #expect(
      (await bench.run("list", "--type", "livePhotos", "--format", "paths")).text
        == "\(new)/a.jpg\n")
  }

  /// A link where the folder was keeps other programs working.
  @Test func aRootThatBecameALinkIsMovedAndForgotten() async throws {
    let new = "\(bench.folder)/elsewhere"
    try FileManager.default.moveItem(atPath: bench.root, toPath: new)
    try FileManager.default.createSymbolicLink(atPath: bench.root, withDestinationPath: new)
    let run = await bench.run("roots", "move", bench.root, new)
    #expect(run.status == .success, "\(run.messages)")
    #expect((await bench.run("roots", "--format", "paths")).text == "\(new)\n")
    #expect((await bench.run("roots", "forget", bench.root)).status == .success)
    #expect((await bench.run("roots", "--format", "paths")).text == "")
  }

  /// Scanned first and by themselves, they are roots of their own.
  @Test func rootsInsideARootGoAlong() async throws {
    let manager = FileManager.default
    for name in ["2022", "gone"] {
      try await Catalog.open(at: bench.catalogPath, mode: .readWrite).database.write {
        [path = "\(bench.root)/\(name)"] in
        try $0.execute(
          sql: "INSERT INTO roots (path, added_date, device, inode) VALUES (?, 0, 1, 1)",
          arguments: [path])
      }
    }
    let new = "\(bench.folder)/elsewhere"
    try manager.createDirectory(atPath: "\(bench.root)/2022", withIntermediateDirectories: true)
    try manager.moveItem(atPath: bench.root, toPath: new)
    let run = await bench.run("roots", "move", bench.root, new)
    #expect(run.status == .success)
    #expect(run.messages.dropFirst().first == "\(bench.root)/2022 is \(new)/2022 now")
    #expect(run.messages.last?.contains("gone is a library folder too") == true)
    let roots = await bench.run("roots", "--format", "paths")
    #expect(roots.lines == [new, "\(new)/2022", "\(bench.root)/gone"])
    let moved = try FileManager.default.attributesOfItem(atPath: "\(new)/2022")
    let known = try Catalog.open(at: bench.catalogPath, mode: .readOnly).roots()[1].record
    #expect(known.identity.inode == (moved[.systemFileNumber] as? UInt64))
  }

  @Test func aRootDoesNotMoveIntoItselfOrAround() async throws {
    let inside = "\(bench.root)/2022"
    try FileManager.default.createDirectory(atPath: inside, withIntermediateDirectories: true)
    for new in [inside, bench.folder] {
      let run = await bench.run("roots", "move", bench.root, new)
      #expect(run.status == .usage)
      #expect(run.messages.count == 1 && run.messages[0].contains("is inside"))
    }
    #expect((await bench.run("roots", "--format", "paths")).text == "\(bench.root)\n")
    #expect((await bench.run("roots", "move", bench.root, bench.root)).status == .success)
  }

  @Test func aRootIsForgottenAndItsFilesAreLeftAlone() async {
    #expect((await bench.run("roots", "forget", "/elsewhere")).status == .badData)
    let run = await bench.run("roots", "forget", bench.root)
    #expect(run.status == .success)
    #expect(run.messages == ["forgot \(bench.root) and 5 assets in it"])
    #expect((await bench.run("list")).bytes.isEmpty)
    #expect(FileManager.default.fileExists(atPath: "\(bench.root)/a.jpg"))
  }

  @Test func nothingIsForgottenWhileAScanRuns() async throws {
    var holder: LockHolder? = try LockHolder(Catalog.open(at: bench.catalogPath, mode: .readOnly))
    #expect(holder != nil)
    #expect((await bench.run("roots", "forget", bench.root)).status == .busy)
    holder = nil
    #expect((await bench.run("roots", "forget", bench.root, "--quiet")).messages.isEmpty)
  }

  @Test func forgettingMakesNoCatalog() async {
    let path = "\(bench.folder)/none.sqlite"
    let run = await bench.run("roots", "forget", bench.root, "--catalog", path)
    #expect(run.status == .inputOutput)
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}

/// A lock like that of another scanning process.
final class LockHolder {
  private let lock: FileLock

  init(_ catalog: Catalog) throws {
    guard let lock = try FileLock.take(catalog.lockPath) else { throw CocoaError(.fileLocking) }
    self.lock = lock
  }
}
