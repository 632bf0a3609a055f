import Foundation
import Linux
import MediaModel
import Testing

@testable import Commands
@testable import Terminal

struct ListTests {
  let bench: CommandBench

  init() throws {
    bench = try CommandBench()
  }

  @Test func everyFormatListsTheSameAssets() async throws {
    let json = await bench.run("list", "--format", "json")
    let objects = try #require(
      try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [[String: Any]])
    #expect(objects.map { ($0["id"] as? String)?.first } == ["B", "A", "E", "C"])
    #expect(objects[1]["keywords"] as? [String] == ["holiday"])
    #expect((objects[1]["resources"] as? [Any])?.count == 2)
    #expect(objects[2]["error"] as? String == "the file is empty")
    #expect(Data(base64Encoded: objects[3]["pathBytes"] as? String ?? "")?.suffix(5).first == 0xFF)
    let lines = await bench.run("list", "--format", "jsonl")
    let parsed = try lines.lines.map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSDictionary
    }
    #expect(parsed == objects.map { $0 as NSDictionary })
    #expect((await bench.run("list")).lines.count == 5)
  }

  @Test func pathsAreTheVeryBytes() async {
    let root = Array(bench.root.utf8)
    let expected: [[UInt8]] = [
      root + Array("/旅行/b,\"c\".png".utf8), root + Array("/a.jpg".utf8),
      root + Array("/bad\u{1B}[2J\n.jpg".utf8), root + [0x2F, 0xFF] + Array(".jpg".utf8),
    ]
    let zeroed = await bench.run("list", "--format", "paths0")
    #expect(zeroed.bytes == Array(expected.map { $0 + [0] }.joined()))
    let lines = await bench.run("list", "--format", "paths")
    #expect(lines.bytes == Array(expected.map { $0 + [0x0A] }.joined()))
  }

  @Test func allFilesOfAnAssetArePrinted() async throws {
    let json = await bench.run("list", "--format", "json")
    let objects = try #require(
      try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [[String: Any]])
    let files = objects.reduce(0) { $0 + (($1["resources"] as? [Any])?.count ?? 1) }
    let all = await bench.run("list", "--format", "paths0", "--resources", "all")
    #expect(all.bytes.count { $0 == 0 } == files && files > objects.count)
    let main = await bench.run("list", "--format", "paths0", "--resources", "main")
    #expect(main.bytes.count { $0 == 0 } == objects.count)
    #expect((await bench.run("list", "--resources", "all")).status == .usage)
  }

  /// After OWASP's page on CSV injection; numbers stay numbers.
  @Test(arguments: [
    ("=1+2", "'=1+2"), ("+1+2", "'+1+2"), ("-1+2", "'-1+2"), ("@SUM(A1)", "'@SUM(A1)"),
    ("\tx", "'\tx"), ("\rx", "\"'\rx\""), ("=\"a\",1", "\"'=\"\"a\"\",1\""),
    ("＝1", "'＝1"), ("-inf", "'-inf"), ("-", "'-"), ("-33.86", "-33.86"), ("+1e-3", "+1e-3"),
    ("a=1", "a=1"), ("", ""), ("２", "２"),
  ])
  func aSpreadsheetComputesNoText(text: String, cell: String) {
    #expect(csvLine([text]) == cell + "\r\n")
  }

  @Test func csvIsReadByAnotherProgram() async throws {
    let run = await bench.run("list", "--format", "csv")
    #expect(run.text.hasPrefix("id,mediaType,subtypes,uniformType,path,"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-c",
      "import csv,io,sys\nfor r in csv.DictReader(io.TextIOWrapper(sys.stdin.buffer,'utf8',newline='')):"
        + " print(r['id'][0], repr(r['path'].split('/')[-1]), r['status'])",
    ]
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(run.bytes))
    try input.fileHandleForWriting.close()
    let read = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(
      read == """
        B 'b,"c".png' present
        A 'a.jpg' present
        E 'bad\\x1b[2J\\n.jpg' unreadable
        C '\u{FFFD}.jpg' present

        """)
  }

  @Test func theTableOfAPersonCannotSteerTheTerminal() async {
    (bench.isTerminal, bench.width) = (true, 80)
    bench.environment = ["NO_COLOR": "1"]
    for (format, count) in [("table", 5), ("paths", 4), ("csv", 5), ("json", 4), ("jsonl", 4)] {
      let run = await bench.run("list", "--format", format)
      #expect(run.bytes.count { $0 == 0x0A } == count)
      #expect(!run.bytes.contains(0x1B))
    }
    bench.isTerminal = false
    #expect((await bench.run("list", "--format", "csv")).bytes.contains(0x1B))
  }

  @Test func theTableFitsTheTerminal() async {
    (bench.isTerminal, bench.width) = (true, 80)
    bench.environment = ["NO_COLOR": "1"]
    let run = await bench.run("list")
    #expect(run.lines.allSatisfy { $0.columns <= 80 }, "\(run.text)")
    #expect(run.lines[1].hasPrefix("2022-02-16 12:55  screenshot   999 B  1170×2532         …"))
    #expect(run.lines[1].hasSuffix("旅行/b,\"c\".png"))
    bench.isTerminal = false
    #expect((await bench.run("list")).text.contains("\(bench.root)/旅行/b,\"c\".png"))
  }

  @Test(arguments: [["list"], ["stats"], ["roots"], ["scans"]], [20, 30, 40, 60, 80])
  func noTableIsWiderThanTheTerminal(arguments: [String], width: Int) async {
    (bench.isTerminal, bench.width) = (true, width)
    bench.environment = ["NO_COLOR": "1"]
    let run = await bench.run(arguments)
    #expect(run.lines.count > 1)
    #expect(run.lines.allSatisfy { $0.columns <= width }, "\(run.text)")
  }

  @Test func colourIsForTerminalsThatWantIt() async {
    bench.isTerminal = true
    #expect((await bench.run("list")).bytes.contains(0x1B))
    #expect(!(await bench.run("list", "--no-color")).bytes.contains(0x1B))
    bench.environment = ["TERM": "dumb"]
    #expect(!(await bench.run("list")).bytes.contains(0x1B))
    bench.isTerminal = false
    #expect(!(await bench.run("list", "--type", "screenshots")).bytes.contains(0x1B))
  }

  @Test(arguments: ["table", "jsonl", "csv", "paths", "paths0"])
  func nothingFoundPrintsNothing(format: String) async {
    let run = await bench.run("list", "--name", "nothing", "--format", format)
    #expect(run.status == .success)
    #expect(run.bytes.isEmpty)
    #expect(run.messages == ["0 assets"])
    let quiet = await bench.run("list", "--name", "nothing", "--quiet", "--format", format)
    #expect(quiet.messages.isEmpty && quiet.bytes.isEmpty)
  }

  @Test func nothingFoundIsAnEmptyArray() async {
    #expect((await bench.run("list", "--name", "nothing", "--format", "json")).text == "[]\n")
  }

  @Test func filtersAndOrdersAreTakenFromTheCommandLine() async {
    func ids(_ arguments: String...) async -> String {
      var all = ["list", "--format", "csv"]
      all += arguments
      let run = await bench.run(all)
      return String(run.text.split(separator: "\r\n").dropFirst().compactMap(\.first))
    }
    #expect(await ids("--type", "LIVEPHOTOS") == "A")
    #expect(await ids("--type", "screenshots", "--type", "livePhotos") == "BA")
    #expect(await ids("--not-type", "livePhotos", "--has-location") == "")
    #expect(await ids("--until", "2022-02-16T12:55:41") == "AE")
    #expect(await ids("--since", "2022-02-16T12:55:42") == "B")
    #expect(await ids("--under", "\(bench.root)/旅行/") == "B")
    #expect(await ids("--under", "\(bench.root)/../library/./旅行") == "B")
    #expect(await ids("--missing") == "D")
    #expect(await ids("--camera", "IPHONE") == "A")
    #expect(await ids("--min-size", "1kB", "--max-duration", "2s") == "A")
    #expect(await ids("--sort", "size", "--limit", "2", "--offset", "1") == "BC")
    #expect(await ids("--reverse") == "EABC")
    #expect(await ids("--where", "livePhotos or screenshots") == "BA")
    #expect(await ids("--where", "livePhotos", "--where", "screenshots") == "BA")
    #expect(await ids("--where", "under '\(bench.root)/../library/./旅行/'") == "B")
    #expect(await ids("--where", "under 旅行") == "B")
    #expect(await ids("--where", "missing") == "D")
    #expect(await ids("--near", "-33.9,18.4,5") == "")
  }

  @Test(arguments: [
    (["list", "--type", "screenshoot"], Commands.ExitStatus.badData, "did you mean screenshots"),
    (["list", "--since", "someday"], .badData, "'someday' is not a date"),
    (["list", "--min-size", "big"], .badData, "is not a size"),
    (["list", "--max-duration", "long"], .badData, "is not a duration"),
    (["list", "--name", String(repeating: "*", count: 1 << 20)], .badData, "longer than"),
    (["list", "--format", "xml"], .usage, "xml"),
    (["list", "--limit=-1"], .usage, "not be negative"),
    (["list", "--sort", "colour"], .usage, "colour"),
    (["list", "--catalog", ""], .usage, "--catalog is empty"),
    (["list", "--type", "nope"], .badData, "unknown type 'nope': `shoebox list --help` names"),
    (["scans", "--last", "-1"], .usage, "--last must not be negative"),
    (["list", "--jobs", "4"], .usage, "are for --format sheet"),
    (["list", "--heading", "year"], .usage, "are for --format sheet"),
    (["list", "--group-by", "year", "--sort", "size"], .usage, "not for counts"),
    (["list", "--count", "--sort", "size"], .usage, "not for counts"),
    (["lst"], .usage, "unknown command 'lst': did you mean list?"),
    (["nope"], .usage, "unknown command 'nope': 'shoebox --help' lists them"),
    (["help", "nope"], .usage, "unknown command 'nope'"),
    (["help", "lsit"], .usage, "did you mean list?"),
    (["help", "presets", "chekc"], .usage, "did you mean check?"),
    (["presets", "chekc"], .usage, "unknown command 'chekc': did you mean check?"),
    (["roots", "lsit", "--quiet"], .usage, "did you mean list?"),
    (["searches", "lst", "x"], .usage, "did you mean list?"),
    (["searches", "nope"], .usage, "'shoebox searches --help' lists them"),
    (["help", "stats", "type"], .usage, "'shoebox stats' has no commands of its own"),
    (["list", "--quiet", "--verbose"], .usage, "exclude"),
    (["stats", "--format", "paths"], .usage, "no paths"),
    (["list", "--catalog", "/nowhere/c.sqlite"], .inputOutput, "there is no catalog"),
  ])
  func whatIsWrongIsSaidOnStandardError(
    arguments: [String], status: Commands.ExitStatus, message: String
  ) async {
    await bench.expectRefusal(of: arguments, status, message)
  }

  @Test(arguments: [
    (["help"], "SUBCOMMANDS"), (["help", "help"], "shoebox help"),
    (["help", "list"], "shoebox list [<options>]"), (["help", "--help"], "shoebox help"),
    (["help", "presets", "check"], "shoebox presets check"),
  ])
  func helpIsGivenForWhatThereIs(arguments: [String], text: String) async {
    let run = await bench.run(arguments)
    #expect(run.status == .success)
    #expect(run.text.contains(text), "\(run.text)")
  }

  @Test func aMistakeInAnExpressionHasACaretUnderIt() async {
    let run = await bench.run("list", "--where", "name = 旅行 and scrnshots")
    #expect(run.status == .badData)
    #expect(
      run.messages == [
        """
        shoebox: --where: unknown word 'scrnshots': did you mean screenshots?
          name = 旅行 and scrnshots
                          ^
        """
      ])
    let long = await bench.run("list", "--where", String(repeating: "x", count: 1 << 20))
    #expect(long.status == .badData)
    #expect(long.messages == ["shoebox: --where: an expression has at most 64 KiB"])
    let mixed = await bench.run("list", "--where", "missing", "--where", "hdr")
    #expect(mixed.status == .badData)
  }

  @Test func aReaderWhoHasSeenEnoughIsNoFailure() async {
    let context = CommandContext(
      environment: ["SHOEBOX_CATALOG": bench.catalogPath],
      output: Output { _ in throw SystemError(code: 32, operation: "write") },  // EPIPE
      message: { Issue.record("\($0)") }, inspect: { _, _ in [] })
    #expect(await runShoebox(["list"], in: context) == .success)
  }

  @Test func aFullDiskIsSaidSo() async {
    var messages: [String] = []
    let context = CommandContext(
      environment: ["SHOEBOX_CATALOG": bench.catalogPath],
      output: Output { _ in throw SystemError(code: 28, operation: "write") },  // ENOSPC
      message: { messages.append($0) }, inspect: { _, _ in [] })
    #expect(await runShoebox(["list"], in: context) == .inputOutput)
    #expect(messages == ["shoebox: write: No space left on device"])
  }

  /// An error that no command knows is the machine's, not a mistake of the user's.
  @Test func anUnknownErrorIsNoWrongUsage() async {
    struct Odd: Error, CustomStringConvertible {
      let description = "an odd thing"
    }
    var messages: [String] = []
    let context = CommandContext(
      environment: ["SHOEBOX_CATALOG": bench.catalogPath],
      output: Output { _ in throw Odd() }, message: { messages.append($0) }, inspect: { _, _ in [] }
    )
    #expect(await runShoebox(["list"], in: context) == .inputOutput)
    #expect(messages == ["shoebox: an odd thing"])
  }
}
