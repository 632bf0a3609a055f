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

    @Test func `an interruption while the picker starts is no crash`() async throws {
      let bench = try await PickerLibrary.small()
      // It inherits that signals are ignored, so it ends by itself.
      let picker = try bench.addProgram("picker", "exec sleep 0.2")
      // Interrupted 5 to 64 ms after the start of the command.
      let statuses = try await bench.bash(
        """
        export SHOEBOX_CATALOG=\(bench.catalog) SHOEBOX_PICKER=\(picker)
        for time in $(seq 5 64); do
          status=0
          timeout --preserve-status -s INT "$(printf '0.%03d' "$time")" \(bench.program) \
            pick --no-browser </dev/null >/dev/null 2>&1 || status=$?
          echo "$status"
        done | sort -u
        """)
      // Before the command handles signals, they end it.
      #expect(statuses == "130\n", "\(statuses)")
    }

    @Test func `the person's decision on metadata holds for the export`() async throws {
      let bench = try await PickerLibrary.shared.copy([PickerLibrary.photo]).bench
      let kept = try await BrowserScript(bench, choosing: .all)
      let all = try await bench.shoebox(["pick", "--to", "all"], environment: kept.environment)
      #expect(all.status == 0, "\(all.errors)")
      let tags = try await bench.bash("exiftool -G1 -s -a all/IMG_0001.JPG")
      #expect(tags.contains("GPSLatitude") && tags.contains("dusk"), "\(tags)")
      let removed = try await BrowserScript(
        bench, choosing: .all, options: #"{"includeLocation":false,"includeCaptions":false}"#)
      let less = try await bench.shoebox(
        ["pick", "--to", "less"], environment: removed.environment)
      #expect(less.status == 0, "\(less.errors)")
      let rest = try await bench.bash("exiftool -G1 -s -a less/IMG_0001.JPG")
      #expect(!rest.contains("GPS") && !rest.contains("City"), "\(rest)")
      #expect(!rest.contains("dusk") && !rest.contains("Our lake"), "\(rest)")
      #expect(rest.contains("EOS R5"), "\(rest)")
    }

    /// What the page of the last choice could offer.
    private func offer(_ bench: Workbench) async throws -> JSON {
      let session = try await bench.bash("cat session")
      return try JSONDecoder().decode(JSON.self, from: Data(session.utf8))["metadataOptions"]
    }

    @Test func `the page offers only options that have an effect`() async throws {
      let bench = try await PickerLibrary.shared.copy([PickerLibrary.photo]).bench
      // The person cannot undo --strip-location.
      let browser = try await BrowserScript(
        bench, choosing: .all, options: #"{"includeLocation":true}"#)
      let outcome = try await bench.shoebox(
        ["pick", "--to", "results", "--strip-location"], environment: browser.environment)
      #expect(outcome.status == 0, "\(outcome.errors)")
      let tags = try await bench.bash("exiftool -G1 -s -a results/IMG_0001.JPG")
      #expect(!tags.contains("GPS") && tags.contains("dusk"), "\(tags)")
      let stripped = try await offer(bench)
      #expect(stripped["mayIncludeLocation"] == false && stripped["mayIncludeCaptions"] == true)
      // Paths lead to files with all metadata.
      _ = try await bench.shoebox(["pick"], environment: browser.environment)
      let listed = try await offer(bench)
      #expect(listed["mayIncludeLocation"] == false && listed["mayIncludeCaptions"] == false)
    }

    @Test(arguments: [
      ("exit 1", 1, ""), ("exit 65", 65, ""), ("exit 74", 74, ""),
      ("exit 3", 74, "has ended with status 3; install Shoebox again"),
      ("kill -KILL $$", 74, "has ended with status 137; install Shoebox again"),
      ("echo 9F3A", 74, "is of another version of Shoebox; install Shoebox again"),
    ])
    func `the picker program's failure is the command's`(
      line: String, status: Int, sentence: String
    ) async throws {
      let bench = try await PickerLibrary.small()
      let program = try bench.addProgram("picker", "read -r config\n\(line)")
      let outcome = try await bench.shoebox(["pick"], environment: ["SHOEBOX_PICKER": program])
      #expect(outcome.status == status)
      #expect(outcome.output == "")
      #expect(
        sentence.isEmpty ? outcome.errors == "" : outcome.errors.contains(sentence),
        "\(outcome.errors)")
    }

    @Test(arguments: [["pick"], ["picker", "serve"]])
    func `a picker program that cannot be started is named`(command: [String]) async throws {
      let bench = try await PickerLibrary.small()
      let program = bench.folder + "/none"
      let outcome = try await bench.shoebox(command, environment: ["SHOEBOX_PICKER": program])
      #expect(outcome.status == 74)
      #expect(
        outcome.errors == "shoebox: the program \(program) cannot be started: No such file or "
          + "directory; install Shoebox again, or name another one in $SHOEBOX_PICKER\n")
    }

    @Test func `a wrong number of minutes is one line`() async throws {
      let bench = try await PickerLibrary.small()
      let outcome = try await bench.shoebox(["pick", "--minutes", "0"])
      #expect(outcome.status == 64)
      #expect(
        outcome.errors == "shoebox: --minutes 0: the value is a number from 1 to 1440\n")
    }

    @Test func `the server ends with a command that is killed`() async throws {
      let bench = try await PickerLibrary.small()
      let said = try await bench.bash(
        """
        mkdir run
        export XDG_RUNTIME_DIR="$PWD/run"
        '\(bench.program)' pick --no-browser --catalog '\(bench.catalog)' 2>said & pick=$!
        for i in {1..100}; do grep -q http said && break; sleep 0.1; done
        base=$(grep -o 'http://127.0.0.1:[0-9]*' said)
        curl -sS -o page "$base/openapi.yaml" && echo served
        kill -KILL $pick
        wait $pick || echo $?
        for i in {1..100}; do curl -s -o page "$base/openapi.yaml" || break; sleep 0.1; done
        curl -s -o page "$base/openapi.yaml" || echo ended
        """)
      #expect(said == "served\n137\nended\n", "\(said)")
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
