import Foundation
import SeededRandom
import ShoeboxKit
import Synchronization
import Testing
import Workbench

/// Changes that the program `shoebox` makes in another process, over a thousand random edits of files.
struct ChangeTests {
  /// A library that is edited at random, and what each edit is to its observers.
  private struct Edits {
    let bench: Workbench
    /// The paths of the pictures that exist.
    private(set) var paths: [String] = []
    private var generator: SeededGenerator
    private var next = 0

    init(_ bench: Workbench, seed: UInt64, pictures: Int) throws {
      (self.bench, generator) = (bench, SeededGenerator(seed: seed))
      for _ in 0..<pictures { try addPicture() }
    }

    @discardableResult
    private mutating func addPicture() throws -> String {
      next += 1
      let path = freshPath()
      try bench.addPicture(path, width: 1 + next % 1000, words: "picture \(next)")
      paths.append(path)
      return path
    }

    private mutating func freshPath() -> String {
      next += 1
      return "folder\(Int.random(in: 0..<5, using: &generator))/picture\(next).gif"
    }

    /// The paths after a batch of edits, each of another picture.
    struct Batch {
      var added: [String] = []
      var changed: [String] = []
      /// The paths before it.
      var removed: [String] = []
    }

    mutating func batch(of count: Int) throws -> Batch {
      var batch = Batch()
      var untouched = paths.shuffled(using: &generator)
      for _ in 0..<count {
        let kind = Int.random(in: 0..<4, using: &generator)
        guard kind > 0, let path = untouched.popLast() else {
          batch.added.append(try addPicture())
          continue
        }
        switch kind {
        case 1:
          next += 1
          try bench.addPicture(path, width: 1 + next % 1000, words: "picture \(next)")
          batch.changed.append(path)
        case 2:
          let new = freshPath()
          let parent = URL(filePath: bench.library + "/" + new).deletingLastPathComponent()
          try FileManager.default.createDirectory(at: parent, withIntermediateDirectories: true)
          try FileManager.default.moveItem(
            atPath: bench.library + "/" + path, toPath: bench.library + "/" + new)
          paths.removeAll { $0 == path }
          paths.append(new)
          batch.changed.append(new)
        default:
          try FileManager.default.removeItem(atPath: bench.library + "/" + path)
          paths.removeAll { $0 == path }
          batch.removed.append(path)
        }
      }
      return batch
    }
  }

  /// What an observer knows that began with some assets and has followed every change.
  private struct Mirror {
    var assets: Set<Asset.ID>
    var updated: Set<Asset.ID> = []
    /// What contradicts what it knows.
    var contradictions: [String] = []

    mutating func apply(_ change: LibraryChange) {
      let all = change.inserted + change.updated + change.removed
      if Set(all).count != all.count { contradictions.append("twice in \(change)") }
      for id in change.inserted where !assets.insert(id).inserted {
        contradictions.append("inserted again: \(id)")
      }
      // A file that has moved to a folder that the scan visits later is missing for a moment, and then returns.
      assets.formUnion(change.updated)
      updated.formUnion(change.updated)
      for id in change.removed where assets.remove(id) == nil {
        contradictions.append("removed without being there: \(id)")
      }
    }
  }

  /// - Parameter scans: that follow in the backup. The first token is then of fewer or of more changes.
  @Test(.timeLimit(.minutes(2)), arguments: [0, 6])
  func `a token expires when a backup takes the place of the catalog`(scans: Int) async throws {
    let kit = try KitBench()
    let bench = kit.bench
    try bench.addPictures(3)
    _ = try await bench.scan([bench.library])
    let early = try await kit.open(access: .readOnly).changeToken
    try await bench.bash("'\(bench.program)' backup saved.sqlite --catalog catalog.sqlite")
    try bench.addPicture("late.gif")
    _ = try await bench.scan()
    let observed = try await kit.open(access: .readOnly)
    let token = try await observed.changeToken
    var running = observed.changes(since: token).makeAsyncIterator()

    try await bench.bash("rm catalog.sqlite*; cp saved.sqlite catalog.sqlite")
    for number in 0..<scans {
      try bench.addPicture("other\(number).gif")
      _ = try await bench.scan()
    }
    let library = try await kit.open(access: .readOnly)
    // This tests what its name says only if the numbers of changes do not.
    if scans > 0 {
      let revision = { (token: ChangeToken) in token.description.split(separator: ".").first }
      let numbers = try await [token, library.changeToken].map(revision).compactMap { $0 }
      #expect(numbers.compactMap { Int($0) }.count == 2)
      #expect(Int(numbers[0]) ?? 0 < Int(numbers[1]) ?? 0)
    }
    var late = library.changes(since: token).makeAsyncIterator()
    await #expect(throws: PhotoLibraryError.expiredToken) { _ = try await late.next() }
    await #expect(throws: PhotoLibraryError.expiredToken) { _ = try await running.next() }

    // What both have in common is known.
    try bench.addPicture("new.gif")
    _ = try await bench.scan()
    let new = try #require(try await bench.identifiers()["new.gif"])
    var changes = library.changes(since: early).makeAsyncIterator()
    #expect(try await changes.next()?.inserted.contains(new) == true)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a token of another catalog is expired`() async throws {
    var tokens: [ChangeToken] = []
    var libraries: [PhotoLibrary] = []
    let kits = [try KitBench(), try KitBench()]
    for kit in kits {
      try kit.bench.addPictures(3)
      _ = try await kit.bench.scan([kit.bench.library])
      libraries.append(try await kit.open(access: .readOnly))
      tokens.append(try await libraries[libraries.count - 1].changeToken)
    }
    defer { withExtendedLifetime(kits) {} }
    for (library, token) in zip(libraries, tokens.reversed()) {
      var changes = library.changes(since: token).makeAsyncIterator()
      await #expect(throws: PhotoLibraryError.expiredToken) { _ = try await changes.next() }
    }
    for (library, token) in zip(libraries, tokens) {
      #expect(try await library.changeToken == token)
      #expect(ChangeToken(token.description) == token)
    }
    for text in ["", "1.2", "1.2.3.4", "1.2.3.4.x", "-1.2.3.4.5", "1.2.3.4.5.6"] {
      #expect(ChangeToken(text) == nil)
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: [1 as UInt64])
  func `each of a thousand random edits is reported once`(seed: UInt64) async throws {
    let kit = try KitBench()
    let bench = kit.bench
    var edits = try Edits(bench, seed: seed, pictures: 150)
    _ = try await bench.scan([bench.library])
    var ids = try await bench.identifiers()
    let initial = Set(ids.values)
    let observed = try await kit.open(access: .readOnly)
    let first = try await observed.changeToken
    // One observer waits all the time, another one comes after each scan with its last token.
    let sentinel = bench.library + "/sentinel.gif"
    let waiter = Task {
      var mirror = Mirror(assets: initial)
      for try await change in observed.changes(since: first) {
        mirror.apply(change)
        for id in change.inserted
        where try await observed.asset(id)?.path == FilePath(sentinel) {
          return mirror
        }
      }
      return mirror
    }
    var token = first.description
    var touched: Set<Asset.ID> = []
    for number in 0..<40 {
      let batch = try edits.batch(of: 25)
      let before = ids
      let scan = try await bench.scan()
      #expect(scan.status == 0)
      ids = try await bench.identifiers()
      // A handle that did not exist when the token was made.
      let library = try await kit.open(access: number.isMultiple(of: 2) ? .readOnly : .readWrite)
      let start = try #require(ChangeToken(token))
      var changes = library.changes(since: start).makeAsyncIterator()
      let change = try #require(try await changes.next())
      let added = batch.added.compactMap { ids[$0] }
      let changed = batch.changed.compactMap { ids[$0] }
      let removed = batch.removed.compactMap { before[$0] }
      #expect(added.count + changed.count + removed.count == 25)
      #expect(change.inserted.sorted() == added.sorted(), "seed \(seed), batch \(number)")
      #expect(change.updated.sorted() == changed.sorted(), "seed \(seed), batch \(number)")
      #expect(change.removed.sorted() == removed.sorted(), "seed \(seed), batch \(number)")
      touched.formUnion(changed)
      token = change.token.description
    }
    try bench.addPicture("sentinel.gif")
    _ = try await bench.scan()
    ids = try await bench.identifiers()
    let final = Set(ids.values)
    #expect(Set(ids.keys) == Set(edits.paths + ["sentinel.gif"]))

    let mirror = try await waiter.value
    #expect(mirror.contradictions == [])
    #expect(mirror.assets == final)
    // It may have slept while an asset was added and then changed.
    #expect(mirror.updated.isSubset(of: touched))
    #expect(mirror.updated.isSuperset(of: touched.intersection(initial).intersection(final)))

    // A token from before all of it gives the sum.
    var sum = try await kit.open().changes(since: first).makeAsyncIterator()
    let all = try #require(try await sum.next())
    #expect(Set(all.inserted) == final.subtracting(initial))
    #expect(all.inserted.count == Set(all.inserted).count)
    #expect(Set(all.removed) == initial.subtracting(final))
    #expect(Set(all.updated) == touched.intersection(initial).intersection(final))
  }

  @Test(.timeLimit(.minutes(1)))
  func `what returns and goes again between two questions is not removed twice`() async throws {
    let kit = try KitBench()
    let bench = kit.bench
    try bench.addPictures(2)
    _ = try await bench.scan([bench.library])
    let ids = try await bench.identifiers()
    let (path, id) = try #require(ids.min { $0.key < $1.key })
    let file = bench.library + "/" + path
    let bytes = try Data(contentsOf: URL(filePath: file))
    let library = try await kit.open(access: .readOnly)
    var changes = library.changes(since: try await library.changeToken).makeAsyncIterator()

    try FileManager.default.removeItem(atPath: file)
    _ = try await bench.scan()
    #expect(try await changes.next()?.removed == [id])
    try bytes.write(to: URL(filePath: file))
    _ = try await bench.scan()
    try FileManager.default.removeItem(atPath: file)
    try bench.addPicture("sentinel.gif")
    _ = try await bench.scan()
    let change = try #require(try await changes.next())
    #expect(change.inserted.count == 1)
    #expect(change.removed == [])

    // Once it has been seen, its removal is news.
    try bytes.write(to: URL(filePath: file))
    _ = try await bench.scan()
    #expect(try await changes.next()?.updated == [id])
    try FileManager.default.removeItem(atPath: file)
    _ = try await bench.scan()
    #expect(try await changes.next()?.removed == [id])
  }

  @Test(.timeLimit(.minutes(1)))
  func `waiting ends when the task is cancelled, and not before`() async throws {
    let kit = try KitBench()
    try kit.bench.addPictures(3)
    _ = try await kit.bench.scan([kit.bench.library])
    let library = try await kit.open(access: .readOnly)
    let token = try await library.changeToken
    let changes = Mutex(0)
    let waiter = Task {
      for try await _ in library.changes(since: token) { changes.withLock { $0 += 1 } }
    }
    // Scans that find nothing new change nothing.
    _ = try await kit.bench.scan()
    try await Task.sleep(for: .seconds(1))
    waiter.cancel()
    await #expect(throws: PhotoLibraryError.cancelled) { try await waiter.value }
    #expect(changes.withLock { $0 } == 0)
  }
}
