import Foundation
import Testing
import Workbench

extension ExportTests {
  /// Exports of many pictures with equal names into one folder.
  @Suite struct Collisions {
    private static let folders = 20

    /// A library in which twenty folders contain the same names, half of them in another case.
    private func bench(_ count: Int) async throws -> Workbench {
      let bench = try Workbench()
      for index in 0..<count {
        let (number, folder) = (index / Self.folders, index % Self.folders)
        let name = folder.isMultiple(of: 2) ? "IMG_\(number).GIF" : "Img_\(number).gif"
        try bench.addPicture("\(folder)/\(name)", width: 1 + index)
      }
      _ = try await bench.scan([bench.library])
      return bench
    }

    /// Long test runs use ten thousand pictures.
    @Test func `each picture gets its own name and every run gives the same names`() async throws {
      let count = ExportTests.isLong ? 10_000 : 1_000
      let bench = try await bench(count)
      var runs: [[String]] = []
      for (target, jobs) in [("first", "2"), ("second", "1")] {
        let outcome = try await bench.shoebox(
          ["export", "--flatten", "--to", target, "--jobs", jobs, "--quiet"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        runs.append(try await bench.digests(of: bench.folder + "/" + target))
      }
      #expect(runs[0] == runs[1])
      // Each line is `sum  ./name`.
      let names = runs[0].map { String($0.dropFirst(68)) }
      #expect(Set(names.map { $0.lowercased() }).count == count)
      let sums = Set(runs[0].map { $0.prefix(64) })
      let originals = Set(try await bench.digests(of: bench.library).map { $0.prefix(64) })
      #expect(sums.count == count)
      #expect(sums == originals)
    }
  }
}
