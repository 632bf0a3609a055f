import Foundation
import GRDB
import Testing

@testable import Catalog
@testable import Commands
@testable import Query
@testable import Terminal

/// Searching, counting, choosing columns and keeping filters.
struct QueryCommandTests {
  let bench: CommandBench

  init() throws {
    bench = try CommandBench()
  }

  private func ids(_ arguments: String...) async -> String {
    var all = ["list", "--format", "csv", "--columns", "id"]
    all += arguments
    let run = await bench.run(all)
    return String(run.text.split(separator: "\r\n").dropFirst().compactMap(\.first))
  }

  @Test func wordsAreSearchedInNamesFoldersKeywordsAndCameras() async {
    #expect(await ids("--search", "iphone") == "A")
    #expect(await ids("--search", "旅行") == "B")
    #expect(await ids("--search", "HOLI") == "A")
    #expect(await ids("--search", "holiday", "--search", "旅") == "BA")
    #expect(await ids("--search", "holiday apple") == "A")
    #expect(await ids("--search", "holiday 旅") == "")
    #expect(await ids("--where", "search(holiday) or screenshots") == "BA")
    let empty = await bench.run("list", "--search", "!")
    #expect(empty.status == .badData)
    #expect(empty.messages.first?.contains("has no word to search for") == true)
  }

  @Test func theTotalIsSaidOnStandardError() async {
    // 999 + 2 182 707 + 0 + 10 bytes.
    #expect((await bench.run("list")).messages == ["4 assets, 2.2 MB"])
    #expect((await bench.run("list", "--format", "paths0")).messages == ["4 assets, 2.2 MB"])
    #expect((await bench.run("list", "--limit", "1")).messages == ["1 asset, 999 B"])
    #expect((await bench.run("list", "--quiet")).messages == [])
    #expect((await bench.run("list", "--name", "none")).messages == ["0 assets"])
  }

  @Test(arguments: [
    // A live photo counts with its clip of 3 040 000 bytes.
    ("year", "2022,2,5223706 1970,1,0 unknown,1,10"),
    ("month", "2022-02,2,5223706 1970-01,1,0 unknown,1,10"),
    ("camera", "Apple iPhone 13,1,5222707 unknown,3,1009"),
    ("type", "live,1,5222707 photo,1,10 screenshot,1,999 unreadable,1,0"),
    ("folder", "ROOT,3,5222717 ROOT/旅行,1,999"),
  ])
  func groupsAreCounted(by grouping: String, expected: String) async throws {
    let run = await bench.run("list", "--group-by", grouping, "--format", "csv")
    let lines = run.text.split(separator: "\r\n").map(String.init)
    #expect(lines.first == "group,name,count,bytes")
    let counted = lines.dropFirst().map { $0.dropFirst(grouping.count + 1) }.joined(separator: " ")
    #expect(counted == expected.replacing("ROOT", with: bench.root))
    let json = await bench.run("list", "--group-by", grouping, "--format", "json")
    let objects = try #require(
      try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [[String: Any]])
    #expect(
      objects.map { "\($0["name"] ?? ""),\($0["count"] ?? ""),\($0["bytes"] ?? "")" }
        .joined(separator: " ") == counted)
    #expect((await bench.run("list", "--group-by", grouping)).lines.count == lines.count)
  }

  /// Composed and decomposed, and two that are not UTF-8: equal to the eye, not to the disk.
  @Test func foldersThatLookAlikeAreCountedApart() async throws {
    let catalog = try Catalog.open(at: bench.catalogPath, mode: .readWrite)
    try await catalog.database.write { database in
      try database.execute(
        sql: """
          INSERT INTO folders (id, root_id, parent_id, path, name) VALUES
            (11, 1, 1, 'caf' || char(233), 'caf' || char(233)),
            (12, 1, 1, 'cafe' || char(769), 'cafe' || char(769)),
            (13, 1, 1, x'62FF', x'62FF'), (14, 1, 1, x'62FE', x'62FE');
          UPDATE files SET folder_id = 8 + id WHERE id = 3;
          UPDATE files SET folder_id = 12 WHERE id = 4;
          UPDATE files SET folder_id = 13 WHERE id = 6;
          UPDATE files SET folder_id = 14 WHERE id = 1;
          UPDATE assets SET folder_id = (SELECT folder_id FROM files WHERE files.id = assets.id);
          INSERT INTO roots SELECT 2, path || '/caf' || char(233), 0, 1, 1 FROM roots;
          INSERT INTO roots SELECT 3, path || '/cafe' || char(769), 0, 1, 1 FROM roots WHERE id = 1;
          UPDATE folders SET root_id = 2, path = '', parent_id = NULL WHERE id = 11;
          UPDATE folders SET root_id = 3, path = '', parent_id = NULL WHERE id = 12;
          """)
    }
    let run = await bench.run("list", "--group-by", "folder", "--format", "jsonl")
    let folders = try run.lines.map { line in
      try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
    #expect(folders.map { $0["count"] as? Int } == [1, 1, 1, 1])
    let bytes = folders.compactMap { $0["nameBytes"] as? String }
      .compactMap { Data(base64Encoded: $0)?.last }
    #expect(bytes == [0xFE, 0xFF])
    let stats = await bench.run("stats", "--format", "csv")
    let roots = stats.text.split(separator: "\r\n").filter { $0.hasPrefix("root,") }
    #expect(roots.count == 3)
  }

  @Test(
    arguments: ["year", "month", "day", "camera", "lens", "folder", "keyword", "person", "type"],
    [["--type", "screenshots"], ["--type", "raw"], ["--missing"], ["--has-location"]])
  func anyGroupingTakesAnyFilter(grouping: String, filter: [String]) async {
    let run = await bench.run(["list", "--group-by", grouping, "--format", "csv"] + filter)
    #expect(run.status == .success, "\(run.messages)")
  }

  @Test func groupsAreFilteredAndCut() async {
    let one = await bench.run("list", "--group-by", "year", "--type", "screenshots")
    #expect(one.lines.count == 2)
    let cut = await bench.run(
      "list", "--group-by", "year", "--reverse", "--offset", "1", "--limit", "1", "--format", "csv")
    #expect(cut.text == "group,name,count,bytes\r\nyear,1970,1,0\r\n")
    let none = await bench.run("list", "--group-by", "year", "--name", "none")
    #expect(none.bytes.isEmpty && none.status == .success)
  }

  @Test func onlyHowMany() async {
    #expect((await bench.run("list", "--count")).text == "4\n")
    #expect((await bench.run("list", "--count", "--type", "livePhotos")).text == "1\n")
    #expect((await bench.run("list", "--count", "--under", "\(bench.root)/旅行")).text == "1\n")
    #expect(
      (await bench.run("list", "--count", "--missing", "--format", "json")).text
        == "{\"count\":1}\n")
    #expect(
      (await bench.run("list", "--count", "--where", "path ~ 旅行", "--format", "csv")).text
        == "count\r\n1\r\n")
  }

  @Test func columnsAreChosen() async {
    let csv = await bench.run(
      "list", "--columns", "name, SIZE,camera", "--format", "csv", "--limit", "2")
    #expect(
      csv.text
        == "name,size,camera\r\n\"b,\"\"c\"\".png\",999,\r\na.jpg,2182707,Apple iPhone 13\r\n")
    let table = await bench.run("list", "--columns", "kind,name", "--limit", "2")
    #expect(table.lines == ["KIND        NAME", "screenshot  b,\"c\".png", "live        a.jpg"])
  }

  @Test func badgesAreColoured() async {
    bench.isTerminal = true
    let run = await bench.run("list", "--columns", "kind,id")
    #expect(run.lines[1].hasPrefix("\u{1B}[36mscreenshot\u{1B}[0m"))
    #expect(run.lines[3].hasPrefix("\u{1B}[31munreadable\u{1B}[0m"))
    #expect(run.lines[4].hasPrefix("photo "))
    bench.environment = ["NO_COLOR": "1"]
    #expect(!(await bench.run("list", "--columns", "kind,id")).bytes.contains(0x1B))
  }

  @Test func filtersAreKeptUnderAName() async throws {
    let saved = await bench.run(
      "list", "--under", "\(bench.root)/../library/旅行", "--camera=-x", "--where",
      "screenshots or name = \"it's\"", "--save", "My shots")
    #expect(saved.status == .success)
    #expect(saved.messages == ["saved 'My shots'", "0 assets"])
    let shown = await bench.run("searches", "show", "my SHOTS")
    #expect(
      shown.text == """
        shoebox list --under '\(bench.root)/旅行' --camera=-x --where 'screenshots or name = "it'\\''s"'

        """)
    let again = await bench.run(
      "list", "--missing", "--save", "My Shots", "--format", "csv", "--columns", "id")
    #expect(again.messages == ["replaced 'My Shots'", "1 asset, 20 B"])
    #expect(await ids("--saved", "my shots") == "D")
    #expect(await ids("--saved", "my shots", "--name", "x*") == "")
    let list = await bench.run("searches", "--format", "json")
    let objects = try #require(
      try JSONSerialization.jsonObject(with: Data(list.bytes)) as? [[String: Any]])
    #expect(objects.map { $0["name"] as? String } == ["My Shots"])
    #expect(objects[0]["arguments"] as? [String] == ["--missing"])
    let gone = await bench.run("searches", "delete", "my shots")
    #expect(gone.messages == ["deleted 'My Shots': --missing"])
    #expect((await bench.run("searches")).bytes.isEmpty)
  }

  @Test func whatIsSavedHoldsBesideWhatIsAsked() async {
    _ = await bench.run("list", "--type", "livePhotos", "--type", "screenshots", "--save", "two")
    _ = await bench.run("list", "--under", "\(bench.root)/旅行", "--save", "trip")
    #expect(await ids("--saved", "two") == "BA")
    #expect(await ids("--saved", "two", "--saved", "trip") == "B")
    #expect(await ids("--saved", "two", "--type", "livePhotos") == "A")
    #expect(await ids("--saved", "trip", "--under", "\(bench.root)/旅行") == "B")
    #expect((await bench.run("list", "--saved", "trip", "--count")).text == "1\n")
    #expect(
      (await bench.run("stats", "--saved", "two", "--format", "csv")).text.contains("total,,2,"))
  }

  @Test(arguments: [
    (["list", "--columns", "nmae"], Commands.ExitStatus.badData, "did you mean name?"),
    (["list", "--columns", "", "--format", "csv"], .badData, "unknown column"),
    (["list", "--columns", "name", "--format", "jsonl"], .usage, "--columns is for"),
    (["list", "--group-by", "colour"], .usage, "choose from year, month, day"),
    (["list", "--sort", "nam"], .usage, "did you mean name?"),
    (["list", "--format", "jso"], .usage, "did you mean json"),
    (["list", "--has-location", "--no-location"], .usage, "exclude each other"),
    (["list", "--group-by", "year", "--format", "paths"], .usage, "no paths"),
    (["list", "--group-by", "year", "--count"], .usage, "exclude"),
    (["list", "--count", "--format", "paths"], .usage, "no paths"),
    (["list", "--save", "x"], .badData, "nothing to save"),
    (["list", "--type", "hdr", "--save", ""], .badData, "is not a valid search name"),
    (["list", "--type", "hdr", "--save", "a\nb"], .badData, "is not a valid search name"),
    (["list", "--type", "hdr", "--save", "../x"], .badData, "is not a valid search name"),
    (
      ["list", "--type", "hdr", "--save", String(repeating: "x", count: 65)], .badData,
      "is not a valid search name"
    ),
    (["list", "--saved", "x", "--save", "y"], .usage, "--save cannot be combined with --saved"),
    (["list", "--saved", "x"], .badData, "there is none yet"),
    (["searches", "show", "'; DROP TABLE saved_searches; --"], .badData, "unknown saved search"),
    (["searches", "delete", "x"], .badData, "unknown saved search"),
  ])
  func whatIsWrongIsSaidOnStandardError(
    arguments: [String], status: Commands.ExitStatus, message: String
  ) async {
    await bench.expectRefusal(of: arguments, status, message)
  }

  @Test(arguments: [
    ("list", "--where", "name = \"\u{FFFD}\""), ("stats", "--where", "under '/photos/d\u{FFFD}'"),
    ("list", "--search", "a\u{FFFD}"), ("list", "--name", "bad\u{FFFD}name.jpg"),
    ("list", "--camera", "\u{FFFD}"), ("export", "--name", "\u{FFFD}*"),
  ])
  func aTextThatIsNotUTF8IsRefused(command: String, flag: String, value: String) async {
    func broken(_ text: String) -> String {
      ArgumentText.text(
        of: text.unicodeScalars.flatMap { $0 == "\u{FFFD}" ? [0xFF] : Array("\($0)".utf8) })
    }
    let others = command == "export" ? ["--to", "/nowhere"] : []
    for arguments in [[flag, value], ["\(flag)=\(value)"]] {
      await bench.expectRefusal(
        of: [command] + arguments.map(broken) + others, .badData, "is not UTF-8")
    }
    // U+FFFD itself may be looked for.
    if command != "export" { #expect(await bench.run(command, flag, value).status == .success) }
  }
}
