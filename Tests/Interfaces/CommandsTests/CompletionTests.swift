import Foundation
import Presets
import Testing

@testable import Commands
@testable import Terminal

@Suite struct CompletionTests {
  /// The roots of the catalog named on the command line, else of the environment's, else none.
  @Test func libraryFoldersAreThoseOfTheCatalog() throws {
    let bench = try CommandBench()
    let words = ["shoebox", "roots", "forget", ""]
    #expect(
      libraryFolderWords(words, environment: ["SHOEBOX_CATALOG": bench.catalogPath])
        == [bench.root])
    #expect(
      libraryFolderWords(words + ["--catalog", bench.catalogPath], environment: [:])
        == [bench.root])
    #expect(
      libraryFolderWords(
        words + ["--catalog", "/nowhere", "--catalog=\(bench.catalogPath)"],
        environment: ["SHOEBOX_CATALOG": "/nowhere/at-all"]) == [bench.root])
    #expect(
      libraryFolderWords(words + ["--catalog", "=", bench.catalogPath], environment: [:])
        == [bench.root])
    #expect(
      libraryFolderWords(words, environment: ["SHOEBOX_CATALOG": "/nowhere/at-all"]).isEmpty)
    #expect(libraryFolderWords(words + ["--catalog"], environment: [:]).isEmpty)
  }

  @Test func savedSearchesAndPresetsAreOffered() async throws {
    let bench = try CommandBench()
    let environment = ["SHOEBOX_CATALOG": bench.catalogPath, "XDG_CONFIG_HOME": bench.folder]
    let words = ["shoebox", "list", "--saved", ""]
    #expect(savedSearchWords(words, environment: environment) == [])
    _ = await bench.run("list", "--type", "hdr", "--save", "bright")
    #expect(savedSearchWords(words, environment: environment) == ["bright"])
    #expect(presetWords(.image, environment: environment).contains("compatible"))
    #expect(!presetWords(.image, environment: environment).contains("640x480"))
    #expect(presetWords(nil, environment: environment).contains("640x480"))
  }

  /// Bash expands the words: these titles would run a command, or end the completion of all others.
  @Test func titlesThatAShellWouldExpandAreNotOffered() async throws {
    let bench = try CommandBench()
    let environment = ["SHOEBOX_CATALOG": bench.catalogPath]
    for title in ["Best", "$(touch x)", "`touch x`", "it's", "a\"b", "a;b", "x\\y", "Zoë-2"] {
      let run = await bench.run("albums", "add", title, "--type", "images")
      #expect(run.status == .success, "\(title): \(run.messages)")
    }
    let words = albumWords(["shoebox", "albums", "delete", ""], environment: environment)
    #expect(Set(words) == ["Best", "Zoë-2"])
  }

  /// Bash's own completion of the words, as the script expands them, runs nothing and breaks nothing.
  @Test func bashRunsNothingFromTitles() async throws {
    let bench = try CommandBench()
    let trap = bench.folder + "/trap"
    for title in ["Best", "$(touch '\(trap)')", "`touch '\(trap)'`", "it's", "two words"] {
      let run = await bench.run("albums", "add", title, "--type", "images")
      #expect(run.status == .success, "\(title): \(run.messages)")
    }
    let words = albumWords(
      ["shoebox", "albums", "delete", ""], environment: ["SHOEBOX_CATALOG": bench.catalogPath])
    let list = bench.folder + "/words"
    try words.joined(separator: "\n").write(toFile: list, atomically: true, encoding: .utf8)
    #expect(try bash("compgen -W \"$(cat '\(list)')\" -- ''") == "Best\n")
    #expect(!FileManager.default.fileExists(atPath: trap))
    // The same completion of the unfiltered title runs it, so the test can fail.
    try "$(touch '\(trap)')".write(toFile: list, atomically: true, encoding: .utf8)
    _ = try bash("compgen -W \"$(cat '\(list)')\" -- ''")
    #expect(FileManager.default.fileExists(atPath: trap))
  }

  /// The scripts offer what can be typed.
  @Test(arguments: ["bash", "zsh", "fish"]) func scriptsKnowTheWords(_ shell: String) async throws {
    let run = try await CommandBench().run("--generate-completion-script", shell)
    #expect(run.status == .success)
    for word in ["livePhotos", "jsonl", "captureDate", "forget", "has-location"] {
      #expect(run.text.contains(word), "\(word)")
    }
  }

  /// The completions that bash itself offers after some words.
  @Test(arguments: [
    ("shoebox ro", "roots"), ("shoebox list --type scr", "screenshots screenRecordings"),
    ("shoebox list --sort ", "captureDate name size duration addedDate"),
    ("shoebox roots m", "move"), ("shoebox scan --format j", "json"),
  ])
  func bashOffersWhatFits(_ line: String, _ offered: String) async throws {
    let script = try await CommandBench().run("--generate-completion-script", "bash").text
    let words = line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    let asking = """
      \(script)
      COMP_LINE='\(line)'; COMP_POINT=\(line.utf8.count)
      COMP_WORDS=(\(words.map { "'\($0)'" }.joined(separator: " "))); COMP_CWORD=\(words.count - 1)
      _shoebox shoebox "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let replies = try bash(asking).split(separator: "\n").map(String.init)
    for word in offered.split(separator: " ").map(String.init) {
      #expect(replies.contains { $0.trimmingCharacters(in: .whitespaces) == word }, "\(replies)")
    }
  }

  private func bash(_ script: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", script]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }
}
