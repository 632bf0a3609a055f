import Catalog
import Foundation
import SeededRandom
import Testing

/// Which of many copies are spare.
@Suite struct SpareChoiceTests {
  /// A file by two small numbers: what is in it, and which file it is.
  private func file(_ content: Int, _ inode: Int) -> CopyFile {
    CopyFile(
      content: .digest(Data("content \(content)".utf8), size: 10),
      identity: CopyFile.Identity(device: 1, inode: Int64(inode), modified: 1))
  }

  /// The definition, for few assets: everything is compared with everything.
  private func expected(
    _ assets: [Int64: [CopyFile]], _ sidecars: [Int64: Int]
  ) -> Set<Int64> {
    func contents(_ asset: Int64) -> Set<CopyFile.Content> {
      Set((assets[asset] ?? []).map(\.content))
    }
    func files(_ asset: Int64) -> Set<CopyFile.Identity> {
      Set((assets[asset] ?? []).map(\.identity))
    }
    var (kept, spare) = ([Int64](), [Int64]())
    for asset in assets.keys.sorted(by: {
      (-contents($0).count, -sidecars[$0, default: 0], $0)
        < (-contents($1).count, -sidecars[$1, default: 0], $1)
    }) {
      let isSpare = kept.contains {
        contents(asset).isSubset(of: contents($0)) && files(asset).isDisjoint(with: files($0))
      }
      if isSpare { spare.append(asset) } else { kept.append(asset) }
    }
    while let other = spare.first(where: { one in
      kept.contains { !files(one).isDisjoint(with: files($0)) }
    }) {
      spare.removeAll { $0 == other }
      kept.append(other)
    }
    return Set(spare)
  }

  @Test func aRandomSetIsChosenByTheDefinition() {
    var random = SeededGenerator(seed: 14)
    for _ in 0..<2000 {
      var assets: [Int64: [CopyFile]] = [:]
      let contentCount = Int.random(in: 1...4, using: &random)
      let perContent = Int.random(in: 1...5, using: &random)
      for asset in 1...Int64.random(in: 1...9, using: &random) {
        assets[asset] = (0..<Int.random(in: 1...3, using: &random)).map { _ in
          let content = Int.random(in: 0..<contentCount, using: &random)
          // One file has one content.
          return file(content, content * 10 + Int.random(in: 0..<perContent, using: &random))
        }
      }
      let sidecars = assets.mapValues { _ in Int.random(in: 0...2, using: &random) }
      let holders = assets.map {
        CopyHolder(asset: $0.key, files: $0.value, sidecars: sidecars[$0.key, default: 0])
      }
      #expect(
        SpareChoice(holders).spares == expected(assets, sidecars), "\(assets), \(sidecars)")
    }
  }

  /// To compare each with each would take hours.
  @Test(.timeLimit(.minutes(5))) func manyCopiesAreChosenInOnePass() {
    let count: Int64 = 100_000
    func spares(_ files: (Int) -> [CopyFile]) -> Int {
      SpareChoice((0..<count).map { CopyHolder(asset: $0, files: files(Int($0))) }).spares.count
    }
    #expect(spares { [file(1, $0)] } == Int(count) - 1, "copies")
    #expect(spares { _ in [file(1, 1)] } == 0, "names of one file")
    #expect(spares { [file(1, $0 % 2)] } == Int(count) / 2, "names of two files")
    // Pairs whose stills are copies, and whose clips are names of one file.
    #expect(spares { [file(1, 10 + $0), file(2, 1)] } == 0, "pairs")
    #expect(spares { [file(10 + $0, 10 + $0), file(2, 1)] } == 0, "other stills with one clip")
  }
}
