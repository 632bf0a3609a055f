import Foundation
import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

/// Texts are found in whatever form, case and accents they are stored and typed.
///
/// Forms are those of Unicode 14's UnicodeData.txt, cases those of its CaseFolding.txt (as Python's
/// `unicodedata` and `str.casefold` give them), plain spellings those of CLDR's Latin-ASCII.
struct TextFormTests {
  /// Names without their `.jpg`, each the name of the asset with the number 2 × place + 1.
  private static let names = [
    "ガーデン", "\u{30AB}\u{3099}ーテ\u{3099}ン", "한국", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}",
    "Ελλάδα", "Ελλα\u{301}δα", "Йогурт", "и\u{306}огурт", "Straße", "Łódź", "ŁO\u{301}DZ\u{301}",
    "Smørrebrød", "Übung_NFC", "U\u{308}bung_NFD", "ΣΊΣΥΦΟΣ", "Σι\u{301}συφος", "ЁЛКА",
    "JOURNE\u{301}E", "cafe", "Cafe\u{301}", "CAFÉ", "İzmir", "i\u{307}zmir", "izmir",
    "Å 300\u{212A}", "a\u{30A} 300k", "כָּל", "STRASSE",
  ]
  private let library: SampleLibrary

  init() throws {
    library = try SampleLibrary(count: 80)
    try library.catalog.database.write { database in
      try database.execute(sql: "UPDATE assets SET is_missing = 0, is_unreadable = 0")
      for (place, name) in Self.names.enumerated() {
        try database.execute(
          sql: """
            UPDATE assets SET name = :name || '.jpg', title = :name WHERE id = :id;
            INSERT INTO keywords (asset_id, keyword) VALUES (:id, :name);
            """, arguments: ["name": name, "id": 2 * place + 1])
        try database.execute(
          sql: SampleLibrary.originChange(["model": "'\(name)'"], where: "a.id = \(2 * place + 1)"))
      }
    }
    try library.catalog.write { _ = try $0.writeSearch(limit: .max) }
  }

  /// The places of the names found.
  private func found(_ filter: AssetFilter) throws -> Set<Int64> {
    var rows: [Int64] = []
    try library.catalog.forEachAsset(matching: filter, with: []) { rows.append($0.rowID) }
    #expect(try library.catalog.count(matching: filter) == rows.count)
    return Set(rows.map { ($0 - 1) / 2 })
  }

  private func found(_ expression: String) throws -> Set<Int64> {
    try found(.with { $0.expressions = [try Condition(expression: expression)] })
  }

  @Test(
    arguments: [
      ("ガーデン", [0, 1]), ("カーテン", []), ("한국", [2, 3]), ("Ελλάδα", [4, 5]), ("ελλαδα", [4, 5]),
      ("йогурт", [6, 7]), ("ИОГУРТ", [6, 7]), ("strasse", [8, 27]), ("STRAẞE", [8, 27]),
      ("lodz", [9, 10]), ("łódź", [9, 10]), ("smorrebrod", [11]), ("ubung", [12, 13]),
      ("σισυφος", [14, 15]), ("Σισυφοσ", [14, 15]), ("елка", [16]), ("ёлка", [16]),
      ("journee", [17]), ("cafe", [18, 19, 20]), ("izmir", [21, 22, 23]), ("ızmir", [21, 22, 23]),
      ("300k", [24, 25]), ("å 300k", [24, 25]), ("כָּל", [26]), ("כל", []),
    ] as [(String, Set<Int64>)])
  func aSearchFindsEveryForm(typed: String, expected: Set<Int64>) throws {
    for form in Self.forms(typed) {
      for text in [form, "\"\(form)\""] {
        let search = try SearchText(typed: text)
        #expect(try found(.with { $0.searches = [search] }) == expected, "\(text)")
      }
    }
  }

  @Test func asManyWordsAsCanBeTypedCanBeAsked() throws {
    for word in ["a", "ø"] {
      let typed = Array(repeating: word, count: 1024 / (word.utf8.count + 1)).joined(separator: " ")
      let search = try SearchText(typed: typed)
      #expect(
        try found(.with { $0.searches = [search] })
          == found(.with { $0.searches = [try SearchText(typed: word)] }))
    }
  }

  /// The index reads a quote with a combining accent as a quote, which must not become a part of its query language.
  @Test(arguments: ["a\"\u{301}cafe", "\u{301}cafe\u{301}\"\u{327}", "\"\u{20DD}cafe\"\u{FE0F}"])
  func anAccentOnAQuoteIsOnlyText(typed: String) throws {
    let search = try SearchText(typed: typed)
    #expect(throws: Never.self) { try found(.with { $0.searches = [search] }) }
  }

  @Test(
    arguments: [
      ("ガーデン", [0, 1]), ("カーテン", []), ("한국", [2, 3]), ("ΕΛΛΆΔΑ", [4, 5]), ("ελλαδα", []),
      ("йогурт", [6, 7]), ("иогурт", []), ("STRAẞE", [8]), ("strasse", [27]), ("łódź", [9, 10]),
      ("Lodz", []), ("ÜBUNG_NFC", [12]), ("übung_nfd", [13]), ("σίσυφος", [14, 15]),
      ("ёлка", [16]), ("елка", []), ("journée", [17]), ("Cafe", [18]), ("café", [19, 20]),
      ("İZMIR", [21, 22]), ("izmir", [23]),
    ] as [(String, Set<Int64>)])
  func aWholeTextIsFoundInEveryForm(typed: String, expected: Set<Int64>) throws {
    for form in Self.forms(typed) {
      #expect(try found("name = \"\(form).JPG\"") == expected, "\(form)")
      #expect(try found("name like \"\(form).*\"") == expected, "\(form)")
      for attribute in ["title", "model", "camera", "keyword"] {
        #expect(try found("\(attribute) = \"\(form)\"") == expected, "\(attribute) \(form)")
        #expect(try found("hdr or \(attribute) = \"\(form)\" and not hdr").isSuperset(of: expected))
      }
    }
  }

  @Test(
    arguments: [
      ("~ ーデ", [0, 1]), ("~ ЙОГ", [6, 7]), ("~ огурт", [6, 7]), ("~ übung", [12, 13]),
      ("~ JOURNÉE", [17]), ("~ cafe", [18]), ("~ fé", [19, 20]), ("~ ος", [14, 15]),
      ("like 'ŁÓDŹ*'", [9, 10]), ("like 'łó[dx]ź.*'", [9, 10]), ("like 'caf?.jpg'", [18, 19, 20]),
      ("like 'caf[éè].jpg'", [19, 20]), ("like 'caf[!e].*'", [19, 20]), ("like 'cafe*'", [18]),
      ("like 'Ü*'", [12, 13]), ("like '?bung*'", [12, 13]), ("like '*δα.jpg'", [4, 5]),
      ("like 'iz*'", [23]), ("like '[α-ω][ά-ώ]σ*'", [14, 15]), ("like 's[mt]*'", [8, 11, 27]),
    ] as [(String, Set<Int64>)])
  func aPartIsFoundInEveryForm(typed: String, expected: Set<Int64>) throws {
    for form in Self.forms(typed) {
      #expect(try found("name \(form)") == expected, "\(form)")
    }
  }

  /// In both forms, and in both cases if these are the same text in another case.
  private static func forms(_ text: String) -> [String] {
    let hasCases = !text.unicodeScalars.contains { "ıİẞ".unicodeScalars.contains($0) }
    let cases =
      hasCases && !text.contains("'") ? [text, text.uppercased(), text.lowercased()] : [text]
    return cases + cases.map(\.decomposedStringWithCanonicalMapping)
  }

  /// The assumption of the indexes of names and keywords: a text's Unicode form does not matter, and a text that
  /// begins with ASCII in its comparable form begins so in every form. Unicode maps three characters to ASCII.
  @Test func nothingButASCIIBecomesASCII() {
    func begins(_ text: String) -> Int { text.unicodeScalars.prefix(while: \.isASCII).count }
    let bad = (UInt32(0x80)..<0x3100).compactMap(Unicode.Scalar.init).filter { scalar in
      ["\(scalar)", "i\(scalar)", "\(scalar)\u{307}", "K\(scalar)\u{327}"].contains { text in
        let comparable = text.comparable
        let other = text.decomposedStringWithCanonicalMapping.comparable
        return begins(comparable) > begins(text)
          || Array(comparable.comparable.utf8) != Array(comparable.utf8)
          || Array(other.utf8) != Array(comparable.utf8)
      }
    }
    #expect(bad == ["\u{37E}", "\u{1FEF}", "\u{212A}"])
  }
}
