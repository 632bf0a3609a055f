import Foundation
import Testing
import Workbench

extension ScanTests {
  /// A worker that hostile bytes have taken over costs its files, and nothing else.
  @Suite struct HostileWorkers {
    /// The ways in which `Tests/Support/FaultyCodec/hostile-worker` misbehaves without a single valid reply.
    @Test(arguments: ["flood", "noise", "lie", "deaf", "empty"])
    func `a worker without valid replies makes its files unreadable`(mode: String) async throws {
      let bench = try Workbench()
      try bench.addPictures(3)
      let (status, report) = try await scan(bench, mode)
      #expect(status == 1)
      #expect(report.scanned == 3)
      #expect(report.unreadable == 3)
      #expect(report.failures.allSatisfy { $0.error.hasSuffix(".") })
      // With a sound worker all are read.
      let healed = try await bench.scan()
      #expect(healed.status == 0)
      #expect(try await bench.list().count == 3)
    }

    /// Replies beyond the requested ones are no replies to later requests.
    @Test(arguments: ["surplus", "descriptors"])
    func `surplus replies and files harm nothing`(mode: String) async throws {
      let bench = try Workbench()
      try bench.addPictures(100)
      let (_, report) = try await scan(bench, mode)
      #expect(report.scanned + report.ignored == 100)
      let healed = try await bench.scan(["--rebuild"])
      #expect(healed.status == 0)
      #expect(try await bench.list().count == 100)
    }

    /// Scans with a limit on memory that a flood would exceed.
    private func scan(
      _ bench: Workbench, _ mode: String
    ) async throws -> (status: Int, report: ScanReport) {
      let program = try bench.addProgram(
        "hostile",
        "exec '\(Workbench.supportFolder)/FaultyCodec/hostile-worker' \(mode) \"$@\"")
      return try await bench.scan(
        [bench.library],
        environment: ["SHOEBOX_CODEC": program, "SHOEBOX_FILE_TIMEOUT": "1"], seconds: 60)
    }

    /// How many kills are enough, and the rounds of one scan and one export after which the test ends anyway.
    private static let (enoughKills, rounds) = ScanTests.isLong ? (500, 400) : (10, 4)

    /// A kill can hit a worker at any moment. Each file is tried twice, so one kill alone loses nothing.
    @Test
    func `killed workers lose no file`() async throws {
      let bench = try Workbench()
      try bench.addPictures(400)
      try await bench.bash(
        """
        cd library
        for n in {1..8}; do
          ffmpeg -v error -f lavfi -i testsrc2=s=1600x1200:d=1:r=1 -frames:v 1 -q:v 2 $n.jpg
          ffmpeg -v error -f lavfi -i testsrc=d=2:s=640x360 $n.mov
        done
        """)
      #expect(try await bench.scan([bench.library]).status == 0)
      let count = try await bench.list().count
      let whole = try await bench.shoebox(
        ["export", "--to", "whole", "--preset", "compatible", "--format", "json"], seconds: 120)
      #expect(whole.status == 0)
      let expected = try await digests(of: "whole", bench)
      var (kills, round, lost) = (0, 0, 0)
      while round < Self.rounds, kills < Self.enoughKills {
        round += 1
        // Every kill is of a random worker of this bench.
        let said = try await bench.bash(
          """
          export SHOEBOX_CATALOG='\(bench.catalog)'
          rm -rf out; mkdir out
          attack() {
            while sleep 0.$((RANDOM % 4))$((RANDOM % 10)); do
              # In its sandbox: a program whose start fails twice is reported as broken.
              pids=$(for pid in $(pgrep -P $1); do
                grep -sl '^Seccomp:.2' /proc/$pid/status || true
              done | cut -d/ -f3)
              kill -KILL $(shuf -n 1 <<<"$pids") 2>/dev/null && echo killed >>kills || true
            done
          }
          for words in 'scan --rebuild' 'export --to out --preset compatible'; do
            status=0
            '\(bench.program)' $words --quiet >printed 2>said & run=$!
            attack $run & attack=$!
            wait $run || status=$?
            kill $attack; wait $attack 2>/dev/null || true
            echo "$status"
            cat said printed
          done
          find out -name '.shoebox-*partial'
          """, seconds: 240)
        #expect(!said.contains("partial"), "round \(round): \(said)")
        #expect(try await bench.list().count == count, "round \(round)")
        let made = try await digests(of: "out", bench)
        #expect(made.isSubset(of: expected), "round \(round): a torn result")
        lost += expected.count - made.count
        // What was killed twice has failed, with its name.
        #expect(
          expected.count - made.count
            == said.split(separator: "\n").count {
              $0.contains("crashed on it") && $0.contains("library/")
            },
          "round \(round): \(said)")
        kills = Int(try await bench.bash("touch kills; wc -l <kills").dropLast()) ?? 0
      }
      print(
        "killed workers: \(kills) in \(round) rounds; \(expected.count) results a round, "
          + "\(lost) failed because their worker was killed twice")
      #expect(kills >= (ScanTests.isLong ? Self.enoughKills : 1))
    }

    /// The files that an export has made, with the digests of their contents.
    private func digests(of folder: String, _ bench: Workbench) async throws -> Set<Substring> {
      let sums = try await bench.bash(
        "cd \(folder) && find . -type f -not -name '.*' -print0 | xargs -0r sha256sum")
      return Set(sums.split(separator: "\n"))
    }
  }
}
