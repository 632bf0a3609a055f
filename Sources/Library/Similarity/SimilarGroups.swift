package import MediaModel

/// Groups of pictures that look the same: one to keep, and those that it can replace.
///
/// Each spare picture is like the kept one itself. Pictures that are only linked by others, as two different crops of one
/// picture are, become one group if the whole picture is there, and two otherwise.
package struct SimilarGroups: Sendable {
  /// One to keep, with what it can replace, best first.
  package struct Group: Sendable {
    package var keeper: Int
    package var spares: [(member: Int, similarity: Float)]
  }

  package private(set) var groups: [Group] = []

  /// - Parameters:
  ///   - assets: all that are in a match, by number, with all their parts.
  ///   - matches: which look the same.
  ///   - mayGo: the numbers of the assets that may be spare.
  package init(_ assets: [Int: AssetRecord], _ matches: [PictureMatch], mayGo: Set<Int>) {
    let ranks = assets.mapValues { KeeperRank($0) }
    let moments = assets.mapValues { PictureMoment($0) }
    var similar: [Int: [Int: Float]] = [:]
    for match in matches {
      guard let one = moments[match.part], let other = moments[match.whole],
        !one.isAnotherExposure(than: other)
      else { continue }
      let known = similar[match.part]?[match.whole] ?? 0
      similar[match.part, default: [:]][match.whole] = max(known, match.similarity)
      similar[match.whole, default: [:]][match.part] = max(known, match.similarity)
    }
    similar = Self.withoutAmbiguity(similar, moments)
    var spare: Set<Int> = []
    var kept: Set<Int> = []
    for keeper in ranks.sorted(by: { $1.value < $0.value }).map(\.key)
    where !spare.contains(keeper) {
      kept.insert(keeper)
      let spares = (similar[keeper] ?? [:]).filter { member, _ in
        guard mayGo.contains(member), !kept.contains(member), !spare.contains(member),
          let asset = assets[member], let best = assets[keeper]
        else { return false }
        return Self.canReplace(best, asset)
      }
      guard !spares.isEmpty else { continue }
      spare.formUnion(spares.keys)
      let ordered = spares.sorted { one, other in
        guard let left = ranks[one.key], let right = ranks[other.key] else { return false }
        return right < left
      }
      groups.append(
        Group(keeper: keeper, spares: ordered.map { (member: $0.key, similarity: $0.value) }))
    }
  }

  /// Leaves out that a picture is like several different exposures: it is a copy of the one that it is most like.
  /// Otherwise a copy without metadata would link all frames of a burst.
  private static func withoutAmbiguity(
    _ similar: [Int: [Int: Float]], _ moments: [Int: PictureMoment]
  ) -> [Int: [Int: Float]] {
    var result = similar
    for (member, others) in similar {
      var exposures: [PictureMoment] = []
      let ordered = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      for (other, _) in ordered {
        guard let moment = moments[other] else { continue }
        if exposures.contains(where: { $0.isAnotherExposure(than: moment) }) {
          result[member]?[other] = nil
          result[other]?[member] = nil
        } else if exposures.count < mostExposures {
          exposures.append(moment)
        }
      }
    }
    return result
  }

  /// The pictures that are compared with each further one. More than that have the same moment, or none.
  private static let mostExposures = 20

  /// Whether nothing but a picture of the same is lost with an asset: a clip, a RAW and an edited version are only spare
  /// if the one to keep has one, too.
  private static func canReplace(_ keeper: AssetRecord, _ asset: AssetRecord) -> Bool {
    let types: [ResourceType] = [.pairedVideo, .alternatePhoto, .fullSizePhoto]
    return types.allSatisfy { type in
      !asset.resources.contains { $0.type == type }
        || keeper.resources.contains { $0.type == type }
    }
  }
}
