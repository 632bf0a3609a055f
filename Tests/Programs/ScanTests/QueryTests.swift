import Foundation
import Testing
import Workbench

extension ScanTests {
  /// Asking, as a script does it.
  @Suite struct Queries {
    /// Each within the 128 KiB that Linux hands to a program in one argument.
    static let hostile: [String] = [
      "", "'", "\"", "images; DROP TABLE assets; --", "images'; DROP TABLE assets; --", "1=1",
      "images) or (1=1", "\"images\" OR 1=1 --", "?1", "$1", ":a", "%s%n", "\\", "\u{202E}images",
      "imges", "camera ~", "camera ~ \"", "has()", "near(,,)", "search('')", "search('--')",
      "size > 1e999", "size > 0x10", "year = 99999999999999999999", "captureDate = 2023-13",
      String(repeating: "(", count: 10_000), String(repeating: "not ", count: 10_000) + "hdr",
      String(repeating: "all(", count: 10_000) + "hdr" + String(repeating: ")", count: 10_000),
      Array(repeating: "hdr", count: 10_000).joined(separator: " or "),
      String(repeating: "x", count: 120_000), String(repeating: "🏖", count: 30_000),
      "name = \"" + String(repeating: "'", count: 100_000) + "\"",
    ]

    @Test func `an invalid expression ends with 65 and does nothing`() async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      _ = try await bench.scan([bench.library])
      let before = try await bench.dump()
      for expression in Self.hostile {
        for verb in ["list", "stats"] {
          let outcome = try await bench.shoebox([verb, "--where", expression], seconds: 10)
          #expect(outcome.status == 65, "\(expression.prefix(40)): \(outcome.errors.prefix(200))")
          #expect(outcome.output.isEmpty)
          #expect(outcome.errors.hasPrefix("shoebox: "))
          #expect(outcome.errors.utf8.count < 1000, "\(expression.prefix(40))")
        }
      }
      #expect(try await bench.dump() == before)
    }

    @Test(arguments: [
      "rome OR", "\"", "a\"", "name:a AND NOT b", "a* -b ^c", "'; DROP TABLE assets; --",
      "NEAR(a b)",
      "{name}: a", "picture1 )", String(repeating: "a ", count: 400),
    ])
    func `what is typed into a search is only words`(text: String) async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      _ = try await bench.scan([bench.library])
      let outcome = try await bench.shoebox(["list", "--search", text, "--format", "paths"])
      #expect(outcome.status == (text == "\"" ? 65 : 0), "\(outcome.errors)")
      #expect(try await bench.list().count == 3)
    }

    @Test func `a search follows files and folders`() async throws {
      let bench = try Workbench()
      try bench.addPicture("2019 Été/beach.gif")
      try bench.addPicture("other/dog.gif")
      func found(_ text: String) async throws -> [String] {
        try await bench.list(["--search", text]).map {
          String($0.path.dropFirst(bench.library.count + 1))
        }
        .sorted()
      }
      _ = try await bench.scan([bench.library])
      #expect(try await found("ete bea") == ["2019 Été/beach.gif"])
      #expect(try await found("gif").count == 2)
      try await bench.bash(
        "mv 'library/2019 Été' library/Winter; mv library/other/dog.gif library/other/cat.gif")
      _ = try await bench.scan()
      #expect(try await found("ete") == [])
      #expect(try await found("winter") == ["Winter/beach.gif"])
      #expect(try await found("dog") == [])
      #expect(try await found("cat") == ["other/cat.gif"])
      try await bench.bash("rm library/other/cat.gif")
      _ = try await bench.scan()
      #expect(try await found("cat") == [])
      #expect(try await bench.list(["--search", "cat", "--missing"]).count == 1)
      let forgotten = try await bench.shoebox(["roots", "forget", bench.library])
      #expect(forgotten.status == 0)
      #expect(try await found("gif") == [])
    }

    @Test func `a filter that was saved is used by its name`() async throws {
      let bench = try Workbench()
      try bench.addPictures(60)
      _ = try await bench.scan([bench.library])
      let saved = try await bench.shoebox(
        ["list", "--under", "library/folder1", "--search", "picture3", "--save", "Thirties"])
      #expect(saved.status == 0)
      #expect(saved.errors.contains("saved 'Thirties'"))
      let again = try await bench.shoebox(
        ["list", "--saved", "thirties", "--format", "paths", "--quiet"])
      #expect(again.lines.count == 10)
      #expect(again.errors.isEmpty)
      let stats = try await bench.shoebox(["stats", "--saved", "Thirties", "--format", "csv"])
      #expect(stats.output.contains("total,,10,"))
      let unknown = try await bench.shoebox(["list", "--saved", "thirtys"])
      #expect(unknown.status == 65)
      #expect(unknown.errors.contains("did you mean Thirties?"))
    }
  }
}
