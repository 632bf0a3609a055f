import Foundation
import GRDB
import SeededRandom
import Testing

@testable import Catalog
@testable import Query

/// Shell patterns as SQLite reads them, against the C library's `fnmatch`.
struct ShellPatternTests {
  private let database: DatabaseQueue

  init() throws {
    database = try DatabaseQueue()
  }

  private func fits(_ pattern: String, _ text: String) throws -> Bool {
    try database.read {
      try Bool.fetchOne($0, sql: "SELECT ? GLOB ?", arguments: [text, ShellPattern(pattern).glob])
    } ?? false
  }

  @Test(arguments: [
    ("[!a-z]*", "1.jpg", true), ("[!a-z]*", "a.jpg", false), ("[^a-z]*", "1.jpg", true),
    ("a\\*.jpg", "a*.jpg", true), ("a\\*.jpg", "ab.jpg", false), ("\\[1\\].jpg", "[1].jpg", true),
    ("img[1.jpg", "img[1.jpg", true), ("[]-]x", "]x", true), ("[]-]x", "-x", true),
    ("[\\^]", "^", true), ("[\\^]", "a", false), ("[a\\-c]", "b", false), ("[a\\-c]", "-", true),
    ("[[:digit:]]*", "7up", true), ("[![:digit:]]*", "7up", false), ("a\\\\b", "a\\b", true),
  ])
  func patternsMeanWhatAShellTakesThemFor(pattern: String, text: String, isFit: Bool) throws {
    #expect(try fits(pattern, text) == isFit)
    #expect((unsafe fnmatch(pattern, text, 0) == 0) == isFit)
  }

  /// Nothing but what patterns are made of, with names of the same.
  @Test func randomPatternsMeanWhatFnmatchTakesThemFor() throws {
    var generator = SeededGenerator(seed: 1)
    let characters = Array("*?[]]!^-\\ab[")
    func text(_ characters: [Character], _ longest: Int) -> String {
      String(
        (0..<Int.random(in: 0...longest, using: &generator)).map { _ in
          characters[Int.random(in: characters.indices, using: &generator)]
        })
    }
    for _ in 0..<4000 {
      let pattern = text(characters, 8)
      // What a backslash at the end means is left open, and glibc fails on a set cut off in a range.
      if pattern.hasSuffix("\\") || pattern.hasSuffix("-") { continue }
      for _ in 0..<8 {
        let name = text(Array("ab]^-[!\\"), 3)
        let expected = unsafe fnmatch(pattern, name, 0) == 0
        #expect(try fits(pattern, name) == expected, "\(pattern) \(name)")
      }
    }
  }

  /// Cases by the Unicode Character Database.
  @Test(arguments: [
    ("B\u{C9}ATRICE.JPG", "Béatrice.jpg"), ("élégant.*", "ÉLégant.png"), ("[àé]*", "É.jpg"),
    ("привет*", "Привет.jpg"), ("Be\u{301}*", "B\u{C9}A.jpg"),
  ])
  func lettersAreInEitherCase(pattern: String, name: String) throws {
    let library = try SampleLibrary(count: 20)
    try library.catalog.database.write {
      try $0.execute(sql: "UPDATE assets SET name = ? WHERE id = 1", arguments: [name])
    }
    #expect(try library.catalog.count(matching: .with { $0.names = [pattern] }) == 1)
    #expect(try library.catalog.count(matching: .with { $0.names = ["\u{C8}*"] }) == 0)
  }
}
