import Foundation
import MediaTools
import SeededRandom
import Testing
import Workbench

/// `kill -9` at random moments of an import, again and again.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .ffmpeg, .imageMagick)))
struct KilledImportTests {
  /// Whether the long tests are asked for.
  private static let isLong = ProcessInfo.processInfo.environment["SHOEBOX_LONG_TESTS"] == "1"

  @Test(.timeLimit(.minutes(20)))
  func `an import that is killed again and again loses nothing and copies nothing twice`()
    async throws
  {
    let seed = SeededGenerator.seed(of: "killed imports")
    var random = SeededGenerator(seed: seed)
    let bench = try Workbench()
    // Files: 2 of each pair, a sidecar for every fifth; 1 of each single, a sidecar for every third.
    let (pairs, singles) = Self.isLong ? (600, 510) : (60, 50)
    try await bench.makeCard(pairs: pairs, singles: singles)
    let card = try await bench.contents(bench.card + "/DCIM")
    #expect(card.count == pairs * 2 + (pairs + 4) / 5 + singles + (singles + 2) / 3)
    let before = try await bench.state(bench.card)

    let kills = Self.isLong ? 20 : 6
    var (killed, killedWhileCopying) = (0, 0)
    // The known duration of the copying in seconds.
    var span = Self.isLong ? 8.0 : 1.0
    var copied = 0
    while killed < kills {
      // Some are killed while they read the card, more while they copy.
      let isEarly = Int.random(in: 0..<4, using: &random) == 0
      // About as much of the card for each kill.
      let moment = Double.random(in: 0...(2 * span / Double(kills)), using: &random)
      let wasKilled = try await kill(after: isEarly ? nil : copied, seconds: moment, bench)
      let files = try await bench.contents(bench.library)
      if wasKilled { killed += 1 }
      #expect(
        Set(files.values).isSubset(of: Set(card.values)), "torn file: seed \(seed), kill \(killed)")
      #expect(Set(files.values).count == files.count, "twice: seed \(seed), kill \(killed)")
      #expect(files.count >= copied, "lost: seed \(seed), kill \(killed)")
      if files.count > copied, files.count < card.count { killedWhileCopying += 1 }
      copied = files.count
      if files.count == card.count {
        // All is copied, whether or not the scan that follows was cut off: the next round begins with an empty library.
        try await bench.expectWholeImport(card, "seed \(seed), complete after \(killed) kills")
        try await bench.bash("rm -rf library catalog.sqlite*; mkdir library")
        (copied, span) = (0, max(0.02, span * 0.7))
        continue
      }
      // Some nights a scan comes first.
      if Bool.random(using: &random) { _ = try await bench.shoebox(["scan", bench.library]) }
    }
    let last = try await bench.importCard()
    #expect(last.status == 0 && last.report.failed == 0, "seed \(seed)")
    try await bench.expectWholeImport(card, "seed \(seed)")
    #expect(try await bench.bash("find library -name '.shoebox*'").isEmpty, "seed \(seed)")
    #expect(try await bench.list(["--type", "livePhotos"]).count == pairs, "seed \(seed)")
    let again = try await bench.importCard()
    #expect(again.status == 0 && again.report.copied == 0, "seed \(seed)")
    #expect(again.report.known == card.count, "seed \(seed)")
    #expect(try await bench.state(bench.card) == before, "the source was changed: seed \(seed)")
    print(
      "killed imports: seed \(seed), \(card.count) files, \(killed) kills, \(killedWhileCopying) of them between the "
        + "first and the last copy")
    #expect(killedWhileCopying >= kills / 4, "seed \(seed)")
  }

  /// Starts an import and kills it.
  ///
  /// - Parameters:
  ///   - count: the time counts from when the library has more files than this; nil for the start.
  /// - Returns: whether it was still running then.
  private func kill(
    after count: Int?, seconds: Double, _ bench: Workbench
  ) async throws -> Bool {
    let status = try await bench.bash(
      """
      SHOEBOX_CATALOG='\(bench.catalog)' setsid '\(bench.program)' import card --into library --quiet \
        >/dev/null 2>&1 &
      shoebox=$!
      if [[ -n '\(count.map(String.init) ?? "")' ]]; then
        until [[ $(find library -type f | wc -l) -gt \(count ?? 0) || ! -e /proc/$shoebox/exe ]]; do :; done
      fi
      sleep \(seconds)
      kill -KILL -- -$shoebox 2>/dev/null || true
      status=0; wait $shoebox 2>/dev/null || status=$?
      echo $status
      """)
    return status == "137\n"
  }
}
