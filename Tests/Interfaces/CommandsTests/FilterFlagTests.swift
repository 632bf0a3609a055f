import ArgumentParser
import Testing

@testable import Commands
@testable import Terminal

/// Flags that occur several times, or without a value.
struct FilterFlagTests {
  let bench: CommandBench

  init() throws {
    bench = try CommandBench()
  }

  private func count(_ arguments: String...) async -> Int {
    let run = await bench.run(["list", "--format", "paths", "--quiet"] + arguments)
    return run.lines.count
  }

  /// The contract: repeated flags of one kind are ORed.
  @Test(arguments: [
    ("--since", "2022-02", "1969"), ("--until", "1970", "2022-02"), ("--min-size", "1MB", "1B"),
    ("--max-size", "1B", "1kB"),
  ])
  func ofSeveralLimitsOneMustHold(flag: String, narrow: String, wide: String) async {
    let (few, many) = (await count(flag, narrow), await count(flag, wide))
    #expect(few < many)
    #expect(await count(flag, narrow, flag, wide) == many)
    #expect(await count(flag, wide, flag, narrow) == many)
  }

  @Test func severalLimitsAreSavedAsTheyWereGiven() async {
    _ = await bench.run("list", "--min-size", "1MB", "--min-size", "1B", "--save", "sizes")
    let shown = await bench.run("searches", "show", "sizes")
    #expect(shown.lines == ["shoebox list --min-size 1MB --min-size 1B"])
    #expect(await count("--saved", "sizes") == count("--min-size", "1B"))
  }

  /// The picker's program takes no flags.
  @Test(arguments: [
    [], ["--type", "images"], ["--not-type", "images"], ["--since", "2022-02"],
    ["--until", "2022-02"], ["--added-since", "2099"], ["--added-since", "1970"],
    ["--added-since", "last-scan"], ["--under", "/"], ["--camera", "apple"], ["--lens", "x"],
    ["--near", "47,8,100"], ["--search", "iphone"], ["--where", "images", "--where", "videos"],
    ["--has-location"], ["--no-location"], ["--min-size", "1kB"], ["--max-size", "1kB"],
    ["--min-duration", "1s"], ["--max-duration", "1s"], ["--name", "a*"], ["--saved", "few"],
    ["--type", "images", "--max-size", "1MB", "--added-since", "1970"],
  ])
  func anExpressionSelectsTheSameAsFlags(flags: [String]) async throws {
    _ = await bench.run("list", "--added-since", "2099", "--save", "few")
    let context = CommandContext(environment: [:], output: Output { _ in }, message: { _ in })
    let library = try GlobalOptions.parse(["--catalog", bench.catalogPath])
      .openLibrary(in: context)
    let expression = try FilterOptions.parse(flags).expression(in: context, library)
    let list = ["list", "--format", "paths", "--quiet"]
    let expected = await bench.run(list + flags)
    let found = await bench.run(list + (expression.map { ["--where", $0] } ?? []))
    #expect(expected.status == .success && found.lines == expected.lines, "\(expression ?? "")")
  }

  /// A script's variable that is not set must not stand for the folder that the script runs in.
  @Test(arguments: [
    "--under", "--name", "--since", "--min-size", "--saved", "--camera", "--lens", "--search",
  ])
  func nothingIsNoValue(flag: String) async {
    let run = await bench.run("list", flag, "")
    #expect(run.status == .badData, "\(run.messages)")
    #expect(run.bytes.isEmpty)
  }

  /// `"$MAKE $MODEL"` of two such variables would choose every camera that has a model.
  @Test(arguments: ["--camera", "--lens"])
  func blanksAreNoValue(flag: String) async {
    #expect((await bench.run("list", flag, " \t")).status == .badData)
    #expect((await bench.run("export", flag, "", "--to", "\(bench.folder)/out")).status == .badData)
    #expect((await bench.run("list", flag, "i", "--quiet")).status == .success)
  }

  @Test(arguments: [["--missing"], ["--where", "missing"], ["--saved", "gone"]])
  func whatIsMissingIsNotHandedOut(filter: [String]) async {
    _ = await bench.run("list", "--where", "images and missing", "--save", "gone")
    let run = await bench.run(["export", "--to", "\(bench.folder)/out"] + filter)
    #expect(run.status == .usage)
    #expect(run.messages.first?.contains("cannot be exported") == true, "\(run.messages)")
  }

  @Test(arguments: ["camera ~ ''", "keyword ~ \"\"", "name like ''"])
  func nothingIsInNoText(expression: String) async {
    let run = await bench.run("list", "--where", expression)
    #expect(run.status == .badData)
    #expect(run.messages.first?.contains("non-empty") == true, "\(run.messages)")
    #expect((await bench.run("list", "--where", "title = ''")).status == .success)
  }

  @Test func nothingIsNoAsset() async {
    let run = await bench.run("show", "")
    #expect(run.status == .someFailed)
    #expect(run.messages.first?.contains("is too short") == true)
  }

  @Test(arguments: ["--limit", "--offset"])
  func negativeNumbersAreToldAsSuch(flag: String) async {
    let run = await bench.run("list", flag, "-1")
    #expect(run.status == .usage)
    #expect(run.messages.first?.contains("not be negative") == true, "\(run.messages)")
  }

  /// A shell reads a tab from `$'…'`.
  @Test func aSavedSearchIsShownAsAShellReadsIt() async {
    _ = await bench.run("list", "--name", "a\tb'\\*", "--save", "odd")
    let shown = await bench.run("searches", "show", "odd")
    #expect(shown.lines == ["shoebox list --name $'a\\x09b\\'\\\\*'"])
  }
}
