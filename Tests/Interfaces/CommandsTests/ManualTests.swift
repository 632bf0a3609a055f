import ArgumentParser
import Foundation
import Testing

@testable import Commands
@testable import Terminal

@Suite struct ManualTests {
  /// Made once, because a test for each command needs those of all.
  private static let pages = Result { try CommandDescription.shoebox().tree.map(ManualPage.init) }

  /// Every command that help lists has a page, and the page names every option that the help names.
  @Test(arguments: ShownCommand.all) func pageTellsWhatHelpTells(_ command: ShownCommand) throws {
    let page = try #require(
      try Self.pages.get().first { $0.name == command.words.joined(separator: "-") }?.text)
    let help = Shoebox.helpMessage(for: command.type, columns: 200)
    let options = help.matches(of: /--[a-z][a-z-]*/).map { String($0.output) }
    for option in options {
      #expect(page.contains(option.replacing("-", with: "\\-")), "\(option)")
    }
    for example in command.examples {
      #expect(page.contains(Roff.literal(example)), "\(example)")
    }
  }

  @Test func theProjectsOwnCommandsHaveNone() throws {
    #expect(
      try !Self.pages.get().contains { $0.name.contains("manual") || $0.name.contains("help") })
  }

  /// man(7): arguments in quotes, `\e` for a backslash, `\-` for a minus sign, `\&` before what would
  /// be a macro.
  @Test func whatTroffWouldTakeForItsOwnIsEscaped() throws {
    let json = #"""
      {"commandName": "odd-one", "shouldDisplay": true, "superCommands": ["shoebox"],
       "abstract": "Say \"it\".", "discussion": ".hidden files\n'quoted'\n\n  shoebox odd-one 'a\\b'",
       "arguments": [{"kind": "option", "shouldDisplay": true, "isOptional": true,
         "isRepeating": false, "names": [{"kind": "long", "name": "so-so"}], "valueName": "x",
         "defaultValue": "a-b", "abstract": "As --so-so does, well-known."}]}
      """#
    let command = try JSONDecoder().decode(CommandDescription.self, from: Data(json.utf8))
    let text = ManualPage(command: command).text
    let lines = text.split(separator: "\n").map(String.init)
    #expect(lines[0].hasPrefix(#".TH "SHOEBOX\-ODD\-ONE" "1" """#))
    #expect(lines[4] == #"shoebox\-odd\-one \- Say "it""#)
    #expect(lines[6] == #"\fBshoebox odd\-one\fR [\fIoptions\fR]"#)
    #expect(lines.contains(#"\&.hidden files"#))
    #expect(Roff.literal("1…2 é") == #"1\[u2026]2 \[u00E9]"#)
    #expect(lines.contains(#"\(aqquoted\(aq"#))
    #expect(lines.contains(#"shoebox odd\-one \(aqa\eb\(aq"#))
    #expect(lines.contains(#"\fB\-\-so\-so\fR \fIx\fR"#))
    #expect(lines.contains(#"As \-\-so\-so does, well-known. Default: a-b."#))
  }

  @Test func pagesAreWrittenIntoAFolder() async throws {
    let bench = try CommandBench()
    let run = await bench.run("manual", bench.root)
    #expect(run.status == .success)
    let files = try FileManager.default.contentsOfDirectory(atPath: bench.root)
    #expect(
      Set(files) == Set(ShownCommand.all.map { $0.words.joined(separator: "-") + ".1" } + ["a.jpg"])
    )
    let again = await bench.run("manual", bench.root)
    #expect(again.status == .inputOutput)
    #expect(again.messages.first?.contains("remove them first") == true, "\(again.messages)")
    let made = await bench.run("manual", "\(bench.folder)/share/man1")
    #expect(made.status == .success)
  }
}
