import Testing
import Workbench

extension SettlementTests {
  /// Bursts that only their numbered names give away.
  @Suite struct Bursts {
    private static let names = (1...3).map { "20200101_120000_00\($0).jpg" }

    @Test func `numbered bursts copied into another folder are bursts of their own`() async throws {
      let bench = try await Workbench.withMediaPool()
      try await bench.bash("mkdir -p library/a library/b")
      for name in Self.names {
        try await bench.bash("for i in a b; do cp pool/still-n1.jpg library/$i/\(name); done")
      }
      _ = try await bench.scan([bench.library])
      #expect(try await bench.list(["--type", "bursts"]).count == 6)
      #expect(try await bench.burstSizes() == ["3", "3"])

      try await bench.bash("mv library/b library/c; rm library/a/\(Self.names[0])")
      _ = try await bench.scan()
      #expect(try await bench.burstSizes() == ["3"], "two pictures are not a burst")
      #expect(
        try await bench.list(["--type", "bursts"]).allSatisfy { $0.path.contains("/c/") })
    }
  }
}

extension Workbench {
  /// How many pictures each burst has.
  fileprivate func burstSizes() async throws -> [String] {
    try await query(
      """
      SELECT count(*) FROM assets WHERE burst_identifier IS NOT NULL AND status <> 'missing'
      GROUP BY burst_identifier
      """)
  }
}
