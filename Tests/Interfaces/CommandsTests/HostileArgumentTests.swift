import Foundation
import Testing

@testable import Commands

/// Arguments that a mistake in a script, or a name that begins with a hyphen, makes.
struct HostileArgumentTests {
  let bench: CommandBench

  init() throws {
    bench = try CommandBench()
  }

  /// An unset variable must not mean the working directory, which may be anything.
  @Test(
    arguments: [
      ["roots", "forget", ""], ["roots", "move", "", "new"], ["roots", "move", "old", ""],
      ["failures", ""], ["failures", "--acknowledge", ""],
      ["missing", "list", "--under", ""],
      ["missing", "purge", "--older-than", "1d", "--under", ""],
      ["scan", ""], ["nightly", ""], ["backup", ""], ["manual", ""], ["presets", "check", ""],
      ["catalog", "merge", "--into", "m.sqlite", ""],
    ])
  func anEmptyPathIsRefused(arguments: [String]) async {
    await bench.expectRefusal(
      of: arguments, .badData, "'' is not a path: write . for the current folder")
  }

  @Test(
    arguments: [
      (["scan", "--shard", "1/2", "--store", "", "dir"], "--store is empty"),
      (["duplicates", "--script", "--move-to", ""], "--move-to is empty"),
      (["sheet", "--to", ""], "--to is empty"),
    ])
  func anEmptyOptionIsRefused(arguments: [String], message: String) async {
    await bench.expectRefusal(of: arguments, .usage, message)
  }

  @Test(arguments: ["", "shoebox://asset/"])
  func anEmptyIDIsTooShort(asset: String) async {
    await bench.expectRefusal(
      of: ["show", asset], .someFailed, "the id prefix '' is too short; use at least 6 characters")
  }

  /// The parser reads `-photos` as `-p -h -o …`, and `-h` asks for help.
  @Test(
    arguments: [
      ["scan", "-photos"], ["verify", "-hash"], ["show", "-dash.jpg"], ["-photos"],
      ["roots", "forget", "-photos", "--", "help"],
    ])
  func aNameWithAHyphenIsNoRequestForHelp(arguments: [String]) async {
    let name = arguments.first { $0.hasPrefix("-") } ?? ""
    await bench.expectRefusal(
      of: arguments, .usage,
      "unknown option '\(name)': put -- before names that begin with -")
  }

  @Test(
    arguments: [
      ["scan", "-h"], ["scan", "--help"], ["help", "scan"], ["scan", "-photos", "-h"],
      ["--version"],
      ["roots", "--help"], [],
    ])
  func helpIsStillGiven(arguments: [String]) async {
    let run = await bench.run(arguments)
    #expect(run.status == .success)
    #expect(!run.text.isEmpty)
  }

  @Test(arguments: ["0/3", "4/3", "1", "auto/3"])
  func anInvalidShardIsOneSentence(shard: String) async {
    let run = await bench.run("export", "--to", bench.folder, "--shard", shard)
    #expect(run.status == .usage)
    #expect(run.messages.count == 1)
    #expect(run.messages.first?.contains("Usage:") == false, "\(run.messages)")
  }

  @Test func anAssetThatIsNamedTwiceIsShownOnce() async {
    let once = await bench.run("show", "\(bench.root)/a.jpg")
    let twice = await bench.run(
      "show", "\(bench.root)/a.jpg", "aaaaaaaa-0000-4000-8000-000000000001")
    #expect(once.status == .success && twice.status == .success)
    #expect(twice.text == once.text)
  }

  @Test func theLastConfigurationFileCounts() async throws {
    for name in ["first", "last"] {
      try Data("log: {level: \(name == "first" ? "loud" : "info")}\n".utf8)
        .write(to: URL(filePath: "\(bench.folder)/\(name).yaml"))
    }
    let run = await bench.run(
      "roots", "list", "--config", "\(bench.folder)/first.yaml", "--config",
      "\(bench.folder)/last.yaml")
    #expect(run.status == .success, "\(run.messages)")
    // The value of another option.
    let other = await bench.run(
      "missing", "list", "--under", "--config", "--config", "\(bench.folder)/last.yaml")
    #expect(other.status == .success, "\(other.messages)")
  }

  @Test func aCatalogsNameMustBeText() async {
    let name = ArgumentText.text(of: Array("\(bench.folder)/".utf8) + [0xFF])
    await bench.expectRefusal(
      of: ["list", "--catalog", name], .inputOutput, "its name is not valid UTF-8")
  }

  @Test(arguments: ["1:65-", "-1:60", "1:-2-"])
  func timesOfAClockHaveLessThanSixtySeconds(trim: String) async {
    let run = await bench.run("export", "--to", bench.folder, "--trim", trim)
    #expect(run.status == .badData, "\(run.messages)")
  }

  @Test func aDryRunKnowsThatAFileIsNoTarget() async {
    for target in ["\(bench.root)/a.jpg", "\(bench.root)/a.jpg/below"] {
      await bench.expectRefusal(
        of: ["export", "--dry-run", "--to", target, "\(bench.root)/a.jpg"], .inputOutput,
        "\(bench.root)/a.jpg is not a folder")
    }
  }
}
