package import MediaModel

/// Groups of pictures that look the same: one to keep, and those that it can replace.
///
/// Each spare picture is like the kept one itself. Pictures that are only linked by others, as two different crops of one
/// picture are, become one group if the whole picture is there, and two otherwise. The search leaves out pairs that nearly
/// equal pictures link: those are compared here.
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
  ///   - similarity: how similar two pictures are that were not compared, nil if they are not. It is called for pictures
  ///     that are linked by nearly equal ones.
  package init(
    _ assets: [Int: AssetRecord], _ matches: [PictureMatch], mayGo: Set<Int>,
    similarity: (_ one: Int, _ other: Int) -> Float? = { _, _ in nil }
  ) {
    let ranks = assets.mapValues { KeeperRank($0) }
    let moments = assets.mapValues { PictureMoment($0) }
    var compared: [Int: [Int: Float]] = [:]
    for match in matches {
      guard let one = moments[match.part], let other = moments[match.whole],
        !one.isAnotherExposure(than: other)
      else { continue }
      let known = compared[match.part]?[match.whole] ?? 0
      compared[match.part, default: [:]][match.whole] = max(known, match.similarity)
      compared[match.whole, default: [:]][match.part] = max(known, match.similarity)
    }
    let (similar, exposures) = Self.withoutAmbiguity(compared, moments)
    /// Whether neither picture is a copy of another exposure than the other one.
    func mayBeOneExposure(_ one: Int, _ other: Int) -> Bool {
      guard let first = moments[one], let second = moments[other] else { return false }
      return !first.isAnotherExposure(than: second)
        && !(exposures[one] ?? []).contains { $0.isAnotherExposure(than: second) }
        && !(exposures[other] ?? []).contains { $0.isAnotherExposure(than: first) }
    }
    var near = NearCopies(matches)
    var spare: Set<Int> = []
    var kept: Set<Int> = []
    let order = Self.order(of: ranks, similar, matches)
    let places = Dictionary(uniqueKeysWithValues: zip(order, 0...))
    for keeper in order where !spare.contains(keeper) {
      kept.insert(keeper)
      func canGo(_ member: Int) -> Bool {
        guard mayGo.contains(member), !kept.contains(member), !spare.contains(member),
          let asset = assets[member], let best = assets[keeper]
        else { return false }
        return Self.canReplace(best, asset)
      }
      var spares = (similar[keeper] ?? [:]).filter { canGo($0.key) }
      for member in near.others(of: keeper)
      where compared[keeper]?[member] == nil && canGo(member) && mayBeOneExposure(keeper, member) {
        spares[member] = similarity(keeper, member)
      }
      guard !spares.isEmpty else { continue }
      spare.formUnion(spares.keys)
      let ordered = spares.sorted { (places[$0.key] ?? 0) < (places[$1.key] ?? 0) }
      groups.append(
        Group(keeper: keeper, spares: ordered.map { (member: $0.key, similarity: $0.value) }))
    }
  }

  /// The assets, the best of those that are linked first.
  private static func order(
    of ranks: [Int: KeeperRank], _ similar: [Int: [Int: Float]], _ matches: [PictureMatch]
  ) -> [Int] {
    var sets = DisjointSets()
    for (member, others) in similar {
      for other in others.keys { sets.join(member, other) }
    }
    for match in matches where match.similarity >= SimilaritySearch.nearlyEqual {
      sets.join(match.part, match.whole)
    }
    var linked: [Int: [Int: KeeperRank]] = [:]
    for (number, rank) in ranks { linked[sets.smallest(with: number), default: [:]][number] = rank }
    return linked.values.flatMap(KeeperRank.order)
  }

  /// Leaves out that a picture is like several different exposures: it is a copy of the one that it is most like.
  /// Otherwise a copy without metadata would link all frames of a burst.
  ///
  /// - Returns: what remains, and the moments of some of the pictures that each one is like.
  private static func withoutAmbiguity(
    _ similar: [Int: [Int: Float]], _ moments: [Int: PictureMoment]
  ) -> (similar: [Int: [Int: Float]], exposures: [Int: [PictureMoment]]) {
    var result = similar
    var known: [Int: [PictureMoment]] = [:]
    for (member, others) in similar {
      var exposures: [PictureMoment] = []
      let ordered = others.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      for (other, _) in ordered {
        guard let moment = moments[other] else { continue }
        if exposures.contains(where: { $0.isAnotherExposure(than: moment) }) {
          result[member]?[other] = nil
          result[other]?[member] = nil
        } else if exposures.count < mostExposures, !exposures.contains(moment) {
          exposures.append(moment)
        }
      }
      known[member] = exposures
    }
    return (result, known)
  }

  /// The moments that are compared with that of each further picture. Different ones of one exposure are few.
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
