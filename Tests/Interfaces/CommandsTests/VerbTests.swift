import ArgumentParser
import Foundation
import GRDB
import Linux
import MediaModel
import Testing

@testable import Catalog
@testable import Commands
@testable import Query
@testable import Terminal

struct ShowTests {
  let bench: CommandBench

  init() throws {
    bench = try CommandBench()
  }

  @Test func aPersonSeesEverythingKnown() async {
    let run = await bench.run("show", "aaaaaaaa-0000-4000-8000-000000000001")
    #expect(run.status == .success)
    #expect(run.lines.first == "\(bench.root)/a.jpg")
    for line in [
      "  kind      image, livePhoto", "  camera  Apple iPhone 13", "  pixels    3024 × 4032",
      "  size      2.2 MB (2182707 bytes)", "  date    2022-02-16T12:55:41.123+01:00",
      "  keywords  holiday", "  pairedVideo  \(bench.root)/a.mov (3.0 MB)",
      "  Make  Apple\u{FFFD}[31m", "EXIF IFD0",
    ] {
      #expect(run.lines.contains(line), "\(line) in \(run.text)")
    }
  }

  @Test func aScriptSeesItToo() async throws {
    let run = await bench.run("show", "\(bench.root)/a.mov", "--format", "json")
    let objects = try #require(
      try JSONSerialization.jsonObject(with: Data(run.bytes)) as? [[String: Any]])
    #expect(objects.count == 1)
    #expect(objects[0]["id"] as? String == "AAAAAAAA-0000-4000-8000-000000000001")
    #expect(
      objects[0]["metadata"] as? [[String: String]]
        == [["group": "EXIF IFD0", "name": "Make", "value": "Apple\u{1B}[31m"]])
  }

  @Test func everyLabelIsExplained() async throws {
    let live = await bench.run("show", "\(bench.root)/a.jpg")
    let kinds = try #require(live.lines.firstIndex(of: "Kinds"))
    #expect(
      live.lines[kinds...(kinds + 3)] == [
        "Kinds", "  livePhoto  name+time (95 %)", "Not", "  motionPhoto  the clip is cut off",
      ])
    let screenshot = await bench.run("show", "BBBBBBBB", "--no-tags")
    #expect(screenshot.lines.contains("  screenshot  score 80: name, screenSize:1170x2532, png"))
    #expect(!screenshot.lines.contains("Not"))
    let other = await bench.run("show", "CCCCCCCC", "--no-tags")
    #expect(!other.lines.contains("Kinds"))
  }

  @Test func theCopiesOfADuplicateAreNamed() async throws {
    try await Catalog.open(at: bench.catalogPath, mode: .readWrite).database.write {
      // b,"c".png, the name that is not UTF-8 and the one that is missing; another size is no copy.
      try $0.execute(
        sql: """
          UPDATE files SET content_digest = x'01', size = 999 WHERE id IN (3, 4, 5);
          UPDATE files SET content_digest = x'01' WHERE id = 1;
          UPDATE assets SET is_duplicate = 1 WHERE id IN (3, 4);
          """)
    }
    let text = await bench.run("show", "BBBBBBBB", "--no-tags")
    #expect(
      text.lines.suffix(3)
        == ["Duplicates", "  set   01", "  copy  \(bench.root)/\u{FFFD}.jpg"])
    let json = await bench.run("show", "CCCCCCCC", "--no-tags", "--format", "jsonl")
    let object = try #require(
      try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: Any])
    #expect(
      object["duplicates"] as? [[String: String]] == [["path": "\(bench.root)/旅行/b,\"c\".png"]])
    #expect(
      !(await bench.run("show", "AAAAAAAA-0000-4000-8000-000000000001")).text.contains("copy"))
  }

  @Test func aNameThatIsNotUTF8IsFoundByItsBytes() async {
    let argument = ArgumentText.text(
      of: Array("\(bench.root)/".utf8) + [0xFF, 0x2E, 0x6A, 0x70, 0x67])
    let run = await bench.run("show", argument, "--format", "jsonl")
    #expect(run.text.contains("CCCCCCCC-0000-4000-8000-000000000004"))
  }

  /// As manifests have it.
  @Test func aReferenceURLNamesAnAsset() async {
    let run = await bench.run(
      "show", "shoebox://asset/BBBBBBBB-0000-4000-8000-000000000003", "--format", "jsonl",
      "--no-tags")
    #expect(run.status == .success)
    #expect(run.text.contains("screenSize:1170x2532"))
    let unknown = await bench.run("show", "shoebox://asset/FFFFFFFF", "--no-tags")
    #expect(unknown.messages == ["shoebox: no asset has an id that begins with FFFFFFFF"])
  }

  @Test func whatIsUnknownIsNamedAndTheRestIsShown() async {
    let run = await bench.run("show", "ffffff", "AAAAAA", "aaaaaaaa-0000-4000-8000-000000000001")
    #expect(run.status == .someFailed)
    #expect(run.messages.count == 2)
    #expect(run.messages[0] == "shoebox: no asset has an id that begins with ffffff")
    #expect(run.messages[1].contains("AAAAAAAA-0000-4000-8000-000000000002"))
    #expect(run.lines.first == "\(bench.root)/a.jpg")
  }

  @Test func aFileThatCannotBeInspectedIsShownAllTheSame() async {
    let run = await bench.run("show", "BBBBBBBB")
    #expect(run.status == .someFailed)
    #expect(run.messages.count == 1)
    #expect(run.lines.contains("  kind      image, screenshot"))
    #expect((await bench.run("show", "BBBBBBBB", "--no-tags")).status == .success)
  }
}

struct StatsAndScansTests {
  let bench: CommandBench

  init() throws {
    bench = try CommandBench()
  }

  @Test func statsCountByEachGroup() async {
    let run = await bench.run("stats", "--format", "csv")
    #expect(
      run.text.split(separator: "\r\n").map(String.init) == [
        "group,name,count,bytes", "total,,4,5223716", "type,image,4,5223716",
        "subtype,livePhoto,1,5222707", "subtype,screenshot,1,999",
        "root,\(bench.root),4,5223716", "year,2022,2,5223706", "year,1970,1,0", "year,unknown,1,10",
        "camera,Apple iPhone 13,1,5222707", "camera,unknown,3,1009",
      ])
  }

  @Test func aScanThatWasKilledIsNotRunning() async throws {
    let catalog = try Catalog.open(at: bench.catalogPath, mode: .readWrite)
    try await catalog.database.write {
      try $0.execute(
        sql: "INSERT INTO scans (started, outcome, roots) VALUES (1700000009000, 'running', '/l')")
    }
    func outcomes() async -> [String] {
      await bench.run("scans", "--format", "csv").text.split(separator: "\r\n").dropFirst().map {
        String($0.split(separator: ",", omittingEmptySubsequences: false)[3])
      }
    }
    #expect(await outcomes() == ["interrupted", "finished"])
    let holder = try LockHolder(catalog)
    #expect(await outcomes() == ["running", "finished"])
    withExtendedLifetime(holder) {}
  }

  @Test func scansTellWhatFailed() async throws {
    let run = await bench.run("scans", "--last", "1", "--format", "json")
    let scan = try #require(
      (try JSONSerialization.jsonObject(with: Data(run.bytes)) as? [[String: Any]])?.first)
    #expect(scan["scanned"] as? Int == 6)
    #expect(scan["seconds"] as? Double == 2.5)
    #expect(scan["startedDate"] as? String == "2023-11-14T22:13:20Z")
    #expect(
      scan["failures"] as? [[String: String]] == [["path": "/l/bad", "error": "the file is empty"]])
    #expect((await bench.run("scans", "--verbose")).lines.last == "  /l/bad: the file is empty")
  }
}

struct HelpCommandTests {
  let bench: CommandBench

  init() throws {
    bench = try CommandBench()
  }

  @Test func versionAndHelpGoToStandardOutput() async {
    let version = await bench.run("--version")
    #expect(version.text == "shoebox \(shoeboxVersion)\n")
    #expect(version.status == .success)
    let help = await bench.run("--help")
    #expect(help.text.contains("shoebox scan ~/Pictures"))
    #expect((await bench.run()).text == help.text)
  }
}
