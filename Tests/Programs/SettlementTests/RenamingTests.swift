import Testing
import Workbench

extension SettlementTests {
  /// Files that take each other's places.
  @Suite struct Renaming {
    @Test(arguments: [("a", "b"), ("b", "a")])
    func `a file that is put into another folder and replaced loses nothing`(
      old: String, new: String
    ) async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["\(old)/one.jpg": "still-n1.jpg", "\(new)/other.png": "picture.png"])
      try await bench.bash(
        "cd library; mv \(old)/one.jpg \(new)/; cp ../pool/still-n2.jpg \(old)/one.jpg")
      let report = try await bench.scan().report
      #expect(report.scanned == 3)
      #expect(
        try await bench.identifiers().keys.sorted()
          == ["\(new)/one.jpg", "\(new)/other.png", "\(old)/one.jpg"].sorted())
    }

    @Test(arguments: ["kept.jpg", "zzz.jpg"])
    func `an original that is put aside under another name keeps its id`(
      aside: String
    ) async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["one.jpg": "still-n1.jpg"])
      let before = try await bench.identifiers()
      try await bench.bash("cd library; mv one.jpg \(aside); cp ../pool/still-n2.jpg one.jpg")
      let report = try await bench.scan().report
      #expect([report.moved, report.added, report.missing] == [1, 1, 0])
      let after = try await bench.identifiers()
      #expect(after.count == 2)
      #expect(after[aside] == before["one.jpg"])
    }

    @Test func `a file that takes another's name may leave its own to a third`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["a.jpg": "still-n1.jpg", "b.jpg": "still-n2.jpg"])
      let before = try await bench.identifiers()
      try await bench.bash("cd library; mv -f b.jpg a.jpg; cp ../pool/still-b2.jpg b.jpg")
      let report = try await bench.scan().report
      #expect([report.scanned, report.missing] == [2, 1])
      let after = try await bench.identifiers()
      #expect(after["a.jpg"] == before["b.jpg"])
      #expect(after["b.jpg"] != nil)
      #expect(Set(after.values).isDisjoint(with: [before["a.jpg"]].compactMap { $0 }))
    }

    @Test func `labels that depend on a folder's name change with the name`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["Screenshots/Screenshot.png": "picture.png"])
      #expect(try await bench.list(["--type", "screenshots"]).count == 1)
      let before = try await bench.identifiers()
      try await bench.bash("mv library/Screenshots library/Other")
      let report = try await bench.scan().report
      #expect(report.moved == 1)
      #expect(try await bench.list(["--type", "screenshots"]).isEmpty)
      #expect(Array(try await bench.identifiers().values) == Array(before.values))
    }

    @Test func `a broken file that is moved is named as broken`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["empty.jpg": "empty.jpg"])
      try await bench.bash("mkdir library/a; mv library/empty.jpg library/a/")
      for _ in 0..<2 {
        let (status, report) = try await bench.scan()
        #expect(status == 1)
        #expect([report.scanned, report.unreadable] == [1, 1])
        #expect(report.failures.map(\.path) == [bench.library + "/a/empty.jpg"])
      }
    }

    @Test func `another file of the same name, size and time is read`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.lay(["one.jpg": "still-a1.jpg"])
      try await bench.bash("mv library/one.jpg away.jpg")
      _ = try await bench.scan()
      // Both pictures have 603 bytes; they differ in their colour and time.
      try await bench.bash(
        "cp pool/still-a2.jpg library/one.jpg; touch -r away.jpg library/one.jpg")
      _ = try await bench.scan()
      #expect(try await bench.list().map(\.captureDate) == ["2024-06-22T18:00:00+02:00"])
    }
  }
}
