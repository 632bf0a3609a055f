import Foundation
import Testing
import Workbench

extension ScanTests {
  /// `scan --shard`.
  @Suite struct Shards {
    /// A library with live photos, bursts, Takeout's and Ente's sidecars, in 40 folders.
    private static func fill(_ bench: Workbench) async throws {
      for folder in 0..<40 {
        let place = "year\(folder % 4)/month\(folder / 4)/day\(folder)"
        for index in 0..<3 {
          try bench.addPicture("\(place)/IMG_\(folder)_\(index).gif", width: 1 + folder * 3 + index)
        }
      }
      try await bench.bash(
        """
        cd library/year0/month0/day0
        mkdir metadata
        echo '{"title":"IMG_0_0.gif","creationTime":{"timestamp":"1600000000"}}' >metadata/IMG_0_0.gif.json
        echo '{"title":"IMG_0_1.gif","description":"a caption"}' >IMG_0_1.gif.json
        mkdir -p ../../../empty/folders; echo text >../../../notes.txt
        """)
    }

    @Test func `every file is in exactly one shard, with what its folder says of it`() async throws
    {
      let bench = try Workbench()
      try await Self.fill(bench)
      _ = try await bench.scan([bench.library])
      let whole = try await facts(bench, bench.catalog)
      var parts: [String] = []
      var counts: [Int] = []
      for number in 1...5 {
        let catalog = bench.folder + "/\(number).sqlite"
        for _ in 1...2 {
          let outcome = try await bench.shoebox([
            "scan", "--shard", "\(number)/5", "--catalog", catalog, bench.library,
          ])
          #expect(outcome.status == 0, "\(outcome.errors)")
        }
        let part = try await facts(bench, catalog)
        counts.append(part.count)
        parts += part
        // Those of other shards are not kept, except around its own.
        let walked = try await bench.query(
          """
          SELECT count(*) FROM folders WHERE parent_id IS NOT NULL AND digest IS NULL
            AND id NOT IN (SELECT parent_id FROM folders WHERE parent_id IS NOT NULL)
          """, of: catalog)
        #expect(walked == ["0"])
      }
      #expect(parts.sorted() == whole)
      #expect(parts.count == 120)
      // Each has some, none has most.
      #expect(counts.allSatisfy { (6...60).contains($0) }, "\(counts)")
    }

    /// Each asset in JSON, without the id, which is random, and the date of adding.
    private func facts(_ bench: Workbench, _ catalog: String) async throws -> [String] {
      try await bench.shoebox(["list", "--format", "jsonl", "--catalog", catalog]).output
        .split(separator: "\n").map { line in
          String(line).replacing(/"id":"[^"]*",|,"addedDate":"[^"]*"/, with: "")
        }.sorted()
    }

    @Test func `a shard's rescan finds what has gone from its folders only`() async throws {
      let bench = try Workbench()
      try await Self.fill(bench)
      for number in 1...2 {
        let outcome = try await bench.shoebox(
          [
            "scan", "--shard", "\(number)/2", "--catalog", "\(bench.folder)/\(number)",
            bench.library,
          ])
        #expect(outcome.status == 0)
      }
      try await bench.bash("rm -r library/year1 library/year0/month0/day0/IMG_0_2.gif")
      var missing = 0
      for number in 1...2 {
        let outcome = try await bench.shoebox([
          "scan", "--shard", "\(number)/2", "--catalog", "\(bench.folder)/\(number)", "--format",
          "json",
        ])
        let report = try JSONDecoder().decode(ScanCounts.self, from: Data(outcome.output.utf8))
        missing += report.missing
        #expect(report.added == 0 && report.changed == 0)
      }
      #expect(missing == 31)
    }

    private struct ScanCounts: Decodable {
      var added: Int
      var changed: Int
      var missing: Int
    }

    @Test func `a store gets complete catalogs, each once`() async throws {
      let bench = try Workbench()
      try await Self.fill(bench)
      try await bench.bash("mkdir store tmp")
      let arguments = [
        "scan", "--shard", "auto/3", "--store", bench.folder + "/store", bench.library,
      ]
      for variables in [
        ["SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_MIN": "0"], ["JOB_COMPLETION_INDEX": "1"],
        ["PARALLEL_SEQ": "3"],
      ] {
        let environment = variables.merging(
          ["SHOEBOX_CATALOG": "", "TMPDIR": bench.folder + "/tmp"]) { $1 }
        let outcome = try await bench.shoebox(arguments, environment: environment)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let again = try await bench.shoebox(arguments, environment: environment)
        #expect(again.status == 0)
        #expect(again.errors.contains("is there already"))
      }
      #expect(
        try await bench.bash("ls store tmp")
          == "store:\nshard-1-of-3.sqlite\nshard-2-of-3.sqlite\nshard-3-of-3.sqlite\n\ntmp:\n")
      var count = 0
      for number in 1...3 {
        count +=
          Int(
            try await bench.query(
              "SELECT count(*) FROM assets", of: "\(bench.folder)/store/shard-\(number)-of-3.sqlite"
            ).first ?? "") ?? 0
      }
      #expect(count == 120)
    }

    @Test func `an array of some of the tasks is refused`() async throws {
      let bench = try Workbench()
      let outcome = try await bench.shoebox(
        ["scan", "--shard", "auto/64", bench.library],
        environment: [
          "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_MIN": "7", "SLURM_ARRAY_TASK_COUNT": "1",
        ])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("the array has 1 task, not 64: write K/64"))
    }

    @Test(arguments: ["0/3", "4/3", "1", "a/b", "1/0", "1/2000000", "auto/3", "-1/3"])
    func `another number is refused`(shard: String) async throws {
      let bench = try Workbench()
      let outcome = try await bench.shoebox(["scan", "--shard", shard, bench.library])
      #expect(outcome.status == 64)
      #expect(outcome.errors.contains("--shard"))
    }
  }
}
