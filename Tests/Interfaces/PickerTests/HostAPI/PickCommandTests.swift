import Foundation
import Testing
import Workbench

extension HostAPITests {
  /// `shoebox pick`, with a program in the place of the browser.
  @Suite struct PickCommands {
    @Test func `the arguments of no program contain the address of the page`() async throws {
      let bench = try await PickerLibrary.small()
      let browser = try await BrowserScript(bench, choosing: .all)
      let outcome = try await bench.shoebox(
        ["pick", "--format", "paths"], environment: browser.environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.lines == [bench.library + "/one.gif"])
      let arguments = try await bench.bash("cat arguments")
      #expect(arguments.hasPrefix(bench.folder + "/run/shoebox-pick-"), "\(arguments)")
      // The file and its folder.
      #expect(try await bench.bash("cat modes") == "600\n700\n")
      #expect(try await bench.bash("ls -A run") == "")
    }

    @Test func `a cancelled choice ends with 1 and leaves no file`() async throws {
      let bench = try await PickerLibrary.small()
      let browser = try await BrowserScript(bench, choosing: .nothing)
      let outcome = try await bench.shoebox(["pick"], environment: browser.environment)
      #expect(outcome.status == 1 && outcome.output == "" && outcome.errors == "")
      #expect(try await bench.bash("ls -A run") == "")
    }

    @Test func `the address is printed if there is no browser`() async throws {
      let bench = try await PickerLibrary.small()
      _ = try await BrowserScript(bench, choosing: .nothing)
      _ = try bench.addProgram("bin/xdg-open", "exit 3")
      let said = try await bench.bash(
        """
        export DISPLAY=:0 PATH="$PWD/bin:$PATH" XDG_RUNTIME_DIR="$PWD/run"
        '\(bench.program)' pick --catalog '\(bench.catalog)' 2>said & pick=$!
        for i in {1..100}; do grep -q http said && break; sleep 0.1; done
        kill -TERM $pick
        wait $pick || echo $? >>said
        cat said
        """)
      #expect(said.hasPrefix("Choose in a browser: http://127.0.0.1:"), "\(said)")
      #expect(said.contains("\n130\n"), "\(said)")
    }
  }
}
