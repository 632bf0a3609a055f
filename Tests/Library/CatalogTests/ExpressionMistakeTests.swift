import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// Invalid expressions: the position of the mistake is reported, and nothing else happens.
struct ExpressionMistakeTests {
  @Test(
    arguments: [
      ("", 0, "expected a condition, not the end"), ("imges", 0, "did you mean images"),
      ("images and scrnshots", 11, "did you mean screenshots"),
      ("size > 10 parsecs", 10, "expected 'and', 'or' or the end"),
      ("size > 10parsecs", 7, "is not a valid size"), ("size ~ 3", 5, "takes =, !=, <"),
      ("size >", 6, "expected a value, not the end"), ("camera > 3", 7, "is a text"),
      ("camera ~ iPhone 13", 16, "in quotes"), ("camera ~ \"iPhone", 9, "never closed"),
      ("all(images, )", 12, "expected a condition, not ')'"), ("all images", 4, "expected '('"),
      ("(images", 7, "expected ')'"), ("images)", 6, "expected 'and'"), ("all()", 4, "condition"),
      ("has(colour)", 4, "unknown attribute 'colour'"), ("near(47, 8)", 10, "expected ','"),
      ("near(147, 8, 5km)", 5, "is not a latitude"), ("near(47, 8, -1)", 12, "is not a distance"),
      ("near(-1, 200, -1)", 9, "is not a longitude"), ("near(-1, 8, -1)", 12, "is not a distance"),
      ("size > 1XB", 7, "with one of B, kB, KiB, MB, MiB, GB, GiB, TB, TiB"),
      ("pixels > 1k", 9, "px, MP"), ("Imges", 0, "'Imges'"), ("has(Colour)", 4, "'Colour'"),
      ("location = 3", 9, "write has(location)"), ("year = 20x", 7, "is not a valid year"),
      ("pick = bogus", 7, "write one of rejected, none, picked, pending"),
      ("hdr or pick != \"\"", 15, "'' is not a valid pick"),
      ("status = missing", 9, "write one of present, unreadable"),
      ("month = 13", 8, "from 1 to 12"), ("captureDate > 2023-02-30", 14, "is not a date"),
      ("captureDate in 2023", 15, "'..'"), ("captureDate in 2023..2022", 15, "ends before"),
      ("captureDate in 2023-06..2023-05", 15, "ends before"), ("size in 1...2", 8, "'..'"),
      ("size in 3MB..1MB", 8, "ends before"), ("type = bird", 7, "unknown type 'bird'"),
      ("images or missing", 10, "only with 'and'"), ("not missing", 4, "only with 'and'"),
      ("under \"\"", 6, "expected a folder"), ("under .", 6, "expected a folder"),
      ("search rome", 7, "expected '('"), ("search(rome beach)", 12, "several words in quotes"),
      ("search('--')", 7, "has no word"), ("search()", 7, "expected a value"),
      ("serch(rome)", 0, "did you mean search"),
      (String(repeating: "not ", count: 65) + "hdr", 256, "more than 64 deep"),
      (String(repeating: "all(", count: 65) + "hdr" + String(repeating: ")", count: 65), 256, "64"),
      (
        String(repeating: "(", count: 201) + "hdr" + String(repeating: ")", count: 201), 200,
        "parentheses are nested more than 200 deep"
      ),
      ("images\0", 6, "NUL"), ("images; DROP TABLE assets", 0, "unknown word 'images;'"),
      ("\"images\" or 1=1 --", 0, "expected a condition, not 'images'"), ("é and x", 0, "unknown"),
    ] as [(String, Int, String)])
  func aMistakeIsShownWhereItIs(expression: String, offset: Int, complaint: String) {
    let error = #expect(throws: ExpressionError.self) { try Condition(expression: expression) }
    #expect(error?.offset == offset, "\(error?.description ?? "")")
    #expect(error?.complaint.contains(complaint) == true, "\(error?.description ?? "")")
  }

  @Test func whatIsTooLongTooDeepOrTooManyIsRefused() {
    let deep = 10_000
    let hostile = [
      String(repeating: "x", count: 1 << 20), String(repeating: "(", count: deep),
      String(repeating: "(", count: deep) + "hdr" + String(repeating: ")", count: deep),
      String(repeating: "not ", count: deep) + "hdr", String(repeating: "not(", count: deep),
      String(repeating: "all(", count: deep) + "hdr", String(repeating: "\"", count: deep + 1),
      Array(repeating: "hdr", count: deep).joined(separator: " or "),
      String(repeating: "size in ", count: 8000), String(repeating: "near(", count: deep),
    ]
    for expression in hostile {
      #expect(throws: ExpressionError.self, "\(expression.prefix(20))") {
        try Condition(expression: expression)
      }
    }
  }

  /// As deep and as many as is allowed is also something that SQLite takes.
  @Test func whatIsAllowedCanBeAsked() throws {
    let library = try SampleLibrary(count: 50)
    let all = try library.listed(AssetFilter())
    let brackets =
      String(repeating: "(", count: 200) + "iso < 0" + String(repeating: ")", count: 200)
    let nots = String(repeating: "not ", count: 64) + "keyword ~ zzz"
    let like = String(repeating: "not ", count: 64) + "path like 'ü*'"
    let mixed = (0..<31).reduce("keyword = \"none\"") { inner, level in
      "all(size > \(level), any(iso = -1, not has(size), \(inner)))"
    }
    let left = (0..<64).reduce("under \"none\"") { inner, level in
      level.isMultiple(of: 2) ? "(\(inner) or camera = \"none\")" : "(\(inner) and size > 0)"
    }
    let many =
      Array(repeating: "keyword = \"none\"", count: 499).joined(separator: " or ") + " or hdr"
    for (expression, count) in [(brackets, 0), (nots, 0), (like, 0), (mixed, 0), (left, 0)] {
      let condition = try Condition(expression: expression)
      #expect(try Condition(expression: condition.description) == condition)
      #expect(try library.listed(.with { $0.expressions = [condition] }).count == count)
    }
    let hdr = try library.listed(.with { $0.types = [.hdr] })
    let condition = try Condition(expression: many)
    #expect(try library.listed(.with { $0.expressions = [condition] }) == hdr)
    #expect(all.count > 40)
  }

  /// Of the conditions that take most of SQLite's parser, in every statement that a filter is asked by.
  @Test(arguments: [
    "album ~ event", "album like 'event*'", "keyword ~ none", "path like '*none*'",
    "extension ~ none",
    "camera like 'none*'", "folder = none", "search(none)", "under none",
  ])
  func everyStatementTakesTheDeepestFilters(leaf: String) throws {
    let library = try SampleLibrary(
      count: 50, with: "INSERT INTO albums (id, title, added_date) VALUES (1, 'event none', 0);")
    func chain(_ end: String) throws -> Condition {
      try Condition(
        expression: (0..<32).reduce(end) { inner, _ in "all(images, any(raw, \(inner)))" })
    }
    let deep = try chain(leaf)
    #expect(deep.depth == 64)
    // Each part is as deep as the others.
    let wide = try Condition(
      expression: (0..<5).reduce(leaf) { inner, level in
        level.isMultiple(of: 2)
          ? "all(\(inner), any(hdr, \(inner)))" : "any(\(inner), not all(raw, \(inner)))"
      })
    for expressions in [[deep], [deep, try chain("hdr")], [wide], [.not(wide), deep]] {
      let filter = AssetFilter.with { $0.expressions = expressions }
      let listed = try library.listed(filter)
      #expect(try library.catalog.count(matching: filter) == listed.count)
      #expect(try library.catalog.statistics(matching: filter).total.count == listed.count)
      for grouping in AssetGrouping.allCases {
        _ = try library.catalog.groups(matching: filter, by: grouping)
      }
      for key in AssetOrder.Key.allCases {
        let page = try library.listed(filter, AssetOrder(key, limit: 10))
        #expect(page.count == min(10, listed.count))
      }
    }
  }

  @Test(arguments: [
    "'; DROP TABLE assets; --", "\" OR 1=1 --", "?1", ":a", "%", "[", "\u{202E}", "\\",
  ])
  func hostileTextIsNeverSQL(text: String) throws {
    let library = try SampleLibrary(count: 50)
    let before = try library.listed(AssetFilter())
    let quoted = "\"" + text.replacing("\"", with: "\"\"") + "\""
    for attribute in Attribute.allCases where attribute.kind == .text {
      // Another text than its fixed words is a mistake.
      for relation in TextRelation.allCases
      where attribute.fixedWords == nil || relation != .equal {
        let condition = try Condition(expression: "\(attribute) \(relation.rawValue) \(quoted)")
        #expect(condition == .comparison(attribute, .text(relation, text)))
        #expect(try library.listed(.with { $0.expressions = [condition] }) == [])
      }
    }
    #expect(try library.listed(.with { $0.expressions = [.under(BytePath(text))] }) == [])
    #expect(try library.listed(AssetFilter()) == before)
  }
}
