import Foundation
import Testing
import Workbench

extension NightTests {
  @Suite struct Logs {
    private struct Line: Decodable {
      var time: String
      var level: String
      var label: String
      var message: String
      var metadata: [String: String]?
    }

    @Test func `with JSON, every line of standard error is a record with its fields`() async throws
    {
      let bench = try Workbench()
      try bench.addPictures(3)
      // A name with a line feed and a quotation mark.
      try await bench.bash(
        #"mkdir out; head -c 40 /dev/urandom >"library/not a\"picture"$'\n'".jpg""#)
      // The exports run in the same process, which can set up its log once.
      try bench.configure(
        """
        roots: ['\(bench.library)']
        nightly:
          exports: ["--type images --update --to '\(bench.folder)/out'"]
        log:
          format: json
        """)
      let outcome = try await bench.shoebox(
        ["nightly", "--format", "json", "--config", bench.folder + "/config.yaml"])
      #expect(outcome.status == 1)
      let lines = try outcome.errors.split(separator: "\n").map {
        try JSONDecoder().decode(Line.self, from: Data($0.utf8))
      }
      let steps = lines.filter { $0.metadata?["step"] != nil }
      #expect(steps.map { $0.metadata?["step"] } == ["scan", "thumbnails", "verify", "export"])
      #expect(steps.prefix(3).map(\.level) == ["warning", "notice", "notice"])
      #expect(steps.allSatisfy { $0.metadata?["catalog"] == bench.catalog })
      let failures = lines.filter { $0.message == "cannot be read" }
      #expect(failures.map { $0.metadata?["path"] } == [bench.library + "/not a\"picture\n.jpg"])
      #expect(lines.allSatisfy { $0.label == "shoebox" && $0.time.hasSuffix("Z") })

      // Without a log, and with one of more serious messages only.
      for variables in [["SHOEBOX_LOG_FORMAT": "off"], ["SHOEBOX_LOG_LEVEL": "critical"]] {
        let silent = try await bench.shoebox(
          ["nightly", "--config", bench.folder + "/config.yaml"], environment: variables)
        #expect(silent.status == 0)
        #expect(!silent.errors.contains("{"), "\(silent.errors)")
      }
    }

    @Test func `an error of a command is a record, too`() async throws {
      let bench = try Workbench()
      let outcome = try await bench.shoebox(
        ["list", "--where", "year ="], environment: ["SHOEBOX_LOG_FORMAT": "json"])
      #expect(outcome.status == 65)
      let line = try JSONDecoder().decode(Line.self, from: Data(outcome.errors.utf8))
      #expect(line.level == "error")
    }
  }
}
