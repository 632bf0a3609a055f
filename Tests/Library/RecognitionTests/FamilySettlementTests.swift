import MediaModel
import SeededRandom
import Testing

@testable import Recognition

/// The decisions for a folder are those for each of its families.
struct FamilySettlementTests {
  @Test(.timeLimit(.minutes(1)))
  func `families settled one by one give what the whole folder gives`() {
    var generator = SeededGenerator(seed: 17)
    for round in 0..<3_000 {
      let folder = RandomFamily.folder(using: &generator)
      let members = folder.media.map { candidate in
        FamilyMember(
          candidate,
          pairedHalf: candidate.contentIdentifier == nil || Bool.random(using: &generator)
            ? nil : candidate.mediaType == .video ? .clip : .still,
          hasOtherHalf: Bool.random(using: &generator),
          hasOwnBurst: Int.random(in: 0...9, using: &generator) == 0,
          trackRate: candidate.mediaType == .video ? 240 : nil)
      }
      let whole = described(members, folder.sidecars)
      let keys = Set((folder.media.map(\.name) + folder.sidecars.map(\.name)).map { FamilyKey($0) })
      var parts: [Int64: Described] = [:]
      for key in keys {
        parts.merge(
          described(
            members.filter { FamilyKey($0.candidate.name) == key }.shuffled(using: &generator),
            folder.sidecars.filter { FamilyKey($0.name) == key }.shuffled(using: &generator))
        ) { $1 }
      }
      #expect(parts == whole, "\(round)")
    }
  }

  /// A verdict with the names of its sidecars instead of their indices.
  private struct Described: Equatable {
    var verdict: FamilyVerdict
    var sidecars: [[UInt8]]
    var sharedSidecars: [[UInt8]]
  }

  private func described(
    _ members: [FamilyMember], _ sidecars: [FamilySidecar]
  ) -> [Int64: Described] {
    FamilySettlement(members, sidecars: sidecars).verdicts.mapValues { verdict in
      var bare = verdict
      (bare.sidecars, bare.sharedSidecars) = ([], [])
      return Described(
        verdict: bare, sidecars: verdict.sidecars.map { sidecars[$0].name },
        sharedSidecars: verdict.sharedSidecars.map { sidecars[$0].name })
    }
  }
}
