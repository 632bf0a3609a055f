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

    @Test func `filters are written as for list`() async throws {
      let bench = try await PickerLibrary.shared.copy([
        PickerLibrary.photo, PickerLibrary.heic, PickerLibrary.screenshot,
      ]).bench
      let browser = try await BrowserScript(bench, choosing: .all)
      for filter in [
        ["--since", "2024-06-01 10:00", "--until", "2024-06-01 10:30"],
        ["--near", "47.56, 7.59, 500m", "--since", "2024-06"],
        ["--near", "47.5596,7.5886,1", "--near", "0,0,1mi", "--name", "*1.JPG"],
      ] {
        let listed = try await bench.shoebox(["list", "--format", "paths"] + filter)
        #expect(listed.lines == [bench.library + "/" + PickerLibrary.photo], "\(filter)")
        let chosen = try await bench.shoebox(
          ["pick", "--limit", "0", "--format", "paths"] + filter, environment: browser.environment)
        #expect(chosen.lines == listed.lines, "\(filter): \(chosen.errors)")
      }
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

    @Test func `an interrupted export reports what is done and ends with 130`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library
        ffmpeg -v error -f lavfi -i color=teal:size=640x480:rate=25:duration=10 -c:v mpeg4 ../clip.avi
        ffmpeg -v error -stream_loop 700 -i ../clip.avi -c copy long.avi
        """)
      _ = try await bench.scan([bench.library])
      let browser = try await BrowserScript(bench, choosing: .all)
      let variables = browser.environment.map { "\($0)='\($1)'" }.sorted().joined(separator: " ")
      // Progress is printed every ten seconds.
      let status = try await bench.bash(
        """
        \(variables) '\(bench.program)' pick --limit 0 --to results --strip-location \\
          --catalog '\(bench.catalog)' >printed 2>said & pick=$!
        for i in {1..300}; do grep -q '0 of 1 exported' said && break; sleep 0.1; done
        kill -TERM $pick
        wait $pick || echo $?
        """)
      let (printed, said) = (try await bench.bash("cat printed"), try await bench.bash("cat said"))
      #expect(status == "130\n", "\(said)")
      #expect(printed.contains("interrupted after 0 pictures and videos"), "\(printed)")
      #expect(said.contains("may name a place: `shoebox export --name"), "\(said)")
      #expect(said.contains("0 of 1 exported"), "\(said)")
      #expect(try await bench.bash("ls results") == "")
    }
  }
}
