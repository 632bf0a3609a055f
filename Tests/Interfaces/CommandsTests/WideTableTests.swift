import GRDB
import Testing

@testable import Catalog
@testable import Commands
@testable import Query
@testable import Terminal

/// The widths of columns with texts that are not known in advance.
struct WideTableTests {
  private let bench: CommandBench
  private static let title = "A peregrine falcon on the roof of the town hall, in the rain"

  init() throws {
    bench = try CommandBench()
    bench.environment = ["NO_COLOR": "1"]
    try Catalog.open(at: bench.catalogPath, mode: .readWrite).database.write { database in
      try database.execute(
        sql: """
          UPDATE assets SET title = ? WHERE id = 1;
          INSERT OR IGNORE INTO keywords VALUES (1, 'sea'), (1, 'sun')
          """, arguments: [Self.title])
    }
  }

  @Test func aChosenTextIsShownWholeWhereThereIsRoom() async {
    (bench.isTerminal, bench.width) = (true, 160)
    let wide = await bench.run("list", "--columns", "title,name")
    #expect(wide.text.contains(Self.title), "\(wide.text)")
    bench.width = 50
    let narrow = await bench.run("list", "--columns", "title,name")
    #expect(!narrow.text.contains(Self.title))
    #expect(narrow.lines.allSatisfy { $0.columns <= 50 })
  }

  /// In a pipe a column begins where it begins in the line above.
  @Test func columnsAreAlignedInAPipe() async {
    let run = await bench.run("list", "--columns", "title,uniformType")
    let starts = run.lines.dropFirst().compactMap { line in
      line.split(separator: "  ").last.map { line.columns - String($0).columns }
    }
    #expect(starts.count == run.lines.count - 1)
    #expect(Set(starts).count == 1, "\(run.text)")
  }

  @Test func keywordsAreAColumn() async {
    let run = await bench.run("list", "--columns", "keywords,location,name", "--format", "csv")
    #expect(run.text.contains("\"holiday, sea, sun\""), "\(run.text)")
  }

  /// Lines after those that determine the widths are printed too.
  @Test func longTablesArePrintedWhole() async throws {
    var lines: [String] = []
    let output = Output {
      lines += String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
    }
    let columns = [
      TableColumn<Int>("N", width: 2) { String($0) }, TableColumn<Int>("M") { "\($0)!" },
    ]
    let printer = Printer<Int>.table(columns, style: Style(), to: output)
    for number in 0..<1000 { try printer.print(number) }
    try printer.finish()
    try output.flush()
    #expect(lines.count == 1001)
    #expect(lines[1...].map { $0.split(separator: " ").last } == (0..<1000).map { "\($0)!" })
  }
}

/// What people type where they think it belongs.
struct FreeOrderTests {
  private let bench: CommandBench

  init() throws {
    bench = try CommandBench()
  }

  @Test func optionsOfAllCommandsMayStandBeforeThem() async throws {
    let usual = await bench.run(
      "list", "--quiet", "--format", "paths", "--catalog", bench.catalogPath)
    try #require(usual.status == .success)
    bench.environment = ["SHOEBOX_CATALOG": "/nowhere"]
    for options in [
      ["--catalog", bench.catalogPath, "--quiet", "--format", "paths"],
      ["--quiet", "--catalog=\(bench.catalogPath)", "--format=paths"],
    ] {
      let run = await bench.run(options + ["list"])
      #expect(run.bytes == usual.bytes)
      #expect(run.messages == [])
    }
    #expect(
      await bench.run(["--catalog", bench.catalogPath, "show", "--", "-x"]).status == .someFailed)
    #expect(await bench.run(["--quiet"]).status == .usage)
    #expect(await bench.run(["--catalog"]).status == .usage)
    #expect(
      await bench.run(["--quiet", "lst"]).messages.first?.contains("did you mean list?") == true)
  }

  @Test(arguments: [
    (["--under", "/nowhere/at/all"], "contains nothing under '/nowhere/at/all'"),
    (["--where", "under '2031/Rmoe' or hdr"], "contains nothing under '2031/Rmoe'"),
  ])
  func aFolderThatIsUnknownIsNamed(filter: [String], sentence: String) async {
    for command in ["list", "stats"] {
      let run = await bench.run([command] + filter)
      #expect(run.status == .success)
      #expect(run.messages.contains { $0.contains(sentence) }, "\(run.messages)")
    }
    #expect(await bench.run("list", "--under", bench.root, "--quiet").messages == [])
  }

  @Test(arguments: [
    #"not under "/nowhere/at/all""#, #"images and not (hdr or under "2031/Rmoe")"#,
    #"not (videos and not not under "/nowhere/at/all")"#,
  ])
  func toLeaveOutAnUnknownFolderIsRefused(expression: String) async {
    for command in ["list", "stats"] {
      let run = await bench.run(command, "--where", expression)
      #expect(run.status == .badData)
      #expect(run.messages.first?.contains("nothing would be left out") == true)
    }
    let known = await bench.run("list", "--where", "not under \"\(bench.root)\"")
    #expect(known.status == .success)
    let twice = await bench.run("list", "--where", #"not (hdr or not under "/nowhere/at/all")"#)
    #expect(twice.status == .success)
  }

  @Test(arguments: [
    ("images videos", "write 'and' or 'or' between conditions"), ("name = a b", "in quotes"),
    ("duration < 3 seconds", "or the end, not 'seconds'"), ("images)", "or the end, not ')'"),
  ])
  func aWordTooManyIsExplained(expression: String, sentence: String) async {
    let run = await bench.run("list", "--where", expression)
    #expect(run.status == .badData)
    let message = run.messages.first?.split(separator: "\n").first ?? ""
    #expect(message.contains(sentence), "\(message)")
    #expect(message.hasSuffix(sentence) || sentence == "in quotes")
  }
}
