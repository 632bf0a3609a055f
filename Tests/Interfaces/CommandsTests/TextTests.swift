import Testing

@testable import Commands
@testable import Terminal

struct TextTests {
  @Test(arguments: [
    // By Python's wcwidth for single letters; emoji sequences are two columns on today's terminals.
    ("abc", 3), ("", 0), ("日本語", 6), ("한글", 4), ("é", 1), ("e\u{301}", 1), ("😀", 2),
    ("👨‍👩‍👧", 2), ("❤️", 2), ("ａ", 2), ("…", 1), ("×", 1), ("ё", 1), ("\u{200B}", 0),
  ])
  func columns(text: String, columns: Int) {
    #expect(text.columns == columns)
  }

  @Test(arguments: [
    ("/a/b.jpg", 20, "/a/b.jpg"), ("/photos/2022/b.jpg", 10, "…022/b.jpg"), ("日本語", 5, "…本語"),
    ("日本語", 4, "…語"),
  ])
  func theEndOfLongTextIsKept(text: String, limit: Int, kept: String) {
    #expect(text.keepingEnd(columns: limit) == kept)
  }

  @Test(arguments: [
    ("iPhone 13", 9, "iPhone 13"), ("iPhone 13 Pro", 9, "iPhone 1…"), ("日本語", 5, "日本…"),
    ("日本語", 4, "日…"), ("日本語", 1, "…"),
  ])
  func theBeginningOfLongTextIsKept(text: String, limit: Int, kept: String) {
    #expect(text.keepingBeginning(columns: limit) == kept)
  }

  @Test func nothingHarmlessIsChanged() {
    #expect("Zürich 旅行 😀 👨‍👩‍👧".terminalSafe == "Zürich 旅行 😀 👨‍👩‍👧")
    #expect(
      "a\u{1B}[31m\n\u{202E}gpj.exe\u{9B}".terminalSafe
        == "a\u{FFFD}[31m\u{FFFD}\u{FFFD}gpj.exe\u{FFFD}")
  }

  @Test(
    arguments: [
      (0, "0 B"), (999, "999 B"), (1000, "1.0 kB"), (9_949, "9.9 kB"), (9_950, "10 kB"),
      (999_499, "999 kB"), (999_500, "1.0 MB"), (2_182_707, "2.2 MB"), (Int64.max, "9.2 EB"),
      (-5, "0 B"),
    ] as [(Int64, String)])
  func bytes(bytes: Int64, text: String) {
    #expect(humanBytes(bytes) == text)
  }

  @Test(
    arguments: [
      (0, "0:00"), (0.2, "0:01"), (1.85, "0:02"), (59.6, "1:00"), (754, "12:34"), (3723, "1:02:03"),
      (.infinity, "?"), (-1, "?"),
    ] as [(Double, String)])
  func durations(seconds: Double, text: String) {
    #expect(humanDuration(seconds) == text)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1000, "1 000"), (1_234_567, "1 234 567")])
  func counts(count: Int, text: String) {
    #expect(humanCount(count) == text)
  }

  @Test(arguments: [(1.0 / 60, "1/60 s"), (0.0166667, "1/60 s"), (2.5, "2.5 s"), (0, "0.0 s")])
  func exposures(seconds: Double, text: String) {
    #expect(exposureText(seconds) == text)
  }

  @Test(arguments: [
    (["a", "b"], "a,b\r\n"), (["a,b", "\"", "", "x\ny"], "\"a,b\",\"\"\"\",,\"x\ny\"\r\n"),
  ])
  func csvLines(fields: [String], line: String) {
    #expect(csvLine(fields) == line)
  }
}
