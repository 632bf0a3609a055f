import Catalog
import MediaModel
package import Query
import Similarity

extension PhotoLibrary {
  /// The sets of assets with the same bytes, by the digests of the last scan, those that waste most first.
  ///
  /// An asset is spare if the one to keep has all of its content in other files: a live photo's clip goes with its
  /// picture. Several names of one file (hard links, one folder under two paths) are never spare. Neither are files that
  /// are not there any more.
  ///
  /// - Parameter filter: which assets may be spare. All others are kept.
  nonisolated package func exactCopies(
    sparing filter: Query::AssetFilter = Query::AssetFilter()
  ) throws -> [DuplicateSet] {
    let sets = try read { catalog -> [DuplicateSet] in
      let owners = try catalog.copyOwners()
      guard !owners.isEmpty else { return [] }
      let choice = try ExactChoice(owners, mayGo: catalog.rowIDs(matching: filter), in: catalog)
      return choice.sets
    }
    return try sets.withoutNamesOfOneFile()
  }
}

/// Chooses which of the assets with the same bytes to keep.
private struct ExactChoice {
  /// In no order.
  private(set) var sets: [DuplicateSet] = []

  /// - Parameter mayGo: the rows of the assets that may be spare.
  init(_ owners: [CopyOwner], mayGo: Set<Int64>, in catalog: Catalog) throws {
    let records = try catalog.assets(rows: owners.map(\.asset), with: .all)
    let assets = Dictionary(records.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
    let ranks = assets.mapValues { KeeperRank($0) }
    let ordered = ranks.sorted { $1.value < $0.value }.map(\.key)
    let places = Dictionary(uniqueKeysWithValues: zip(ordered, Int64(0)...))
    let linked = Self.linkedAssets(owners)
    let known = owners.filter { assets[$0.asset] != nil }
    let spares = SpareChoice(
      known.map { owner in
        CopyHolder(
          asset: owner.asset, files: owner.files.map(\.file), rank: places[owner.asset],
          isFixed: !mayGo.contains(owner.asset) || linked.contains(owner.asset))
      }
    ).spares
    let kept = KeptFiles(known.filter { !spares.contains($0.asset) }, places: places)
    var sparesOfKept: [Int64: [(asset: Int64, files: [DuplicateSet.File])]] = [:]
    for owner in known where spares.contains(owner.asset) {
      guard let (keeper, files) = kept.match(for: owner) else { continue }
      sparesOfKept[keeper, default: []].append((owner.asset, files))
    }
    for (keeper, spares) in sparesOfKept {
      guard let asset = assets[keeper], let rank = ranks[keeper] else { continue }
      let members = spares.compactMap { spare -> DuplicateSet.Member? in
        guard let record = assets[spare.asset], let other = ranks[spare.asset] else { return nil }
        return DuplicateSet.Member(
          asset: record, isSpare: true, similarity: 1,
          reason: other < rank ? rank.reason(over: other) : Self.reason(mayGo.contains(keeper)),
          files: spare.files)
      }.sorted { (places[$0.asset.rowID] ?? 0) < (places[$1.asset.rowID] ?? 0) }
      sets.append(
        DuplicateSet(
          kind: .exact,
          keeper: DuplicateSet.Member(
            asset: asset, isSpare: false, similarity: 1, reason: nil, files: []),
          reason: members.first?.reason ?? "", spares: members))
    }
  }

  /// Why an asset is kept although another has more merits.
  private static func reason(_ mayGo: Bool) -> String {
    mayGo ? "has all of the files" : "not selected by the filter"
  }

  /// The assets with a file that has another name, in another asset or the same.
  private static func linkedAssets(_ owners: [CopyOwner]) -> Set<Int64> {
    var names: [CopyFile.Identity: Int] = [:]
    for file in owners.lazy.flatMap(\.files) { names[file.file.identity, default: 0] += 1 }
    return Set(
      owners.lazy.filter { $0.files.contains { names[$0.file.identity, default: 0] > 1 } }
        .map(\.asset))
  }
}

/// The files of the assets that are kept, by content.
private struct KeptFiles {
  private var owners: [Int64: CopyOwner] = [:]
  /// The best first.
  private var assets: [CopyFile.Content: [Int64]] = [:]

  init(_ kept: [CopyOwner], places: [Int64: Int64]) {
    let ordered = kept.sorted { (places[$0.asset] ?? 0) < (places[$1.asset] ?? 0) }
    for owner in ordered {
      owners[owner.asset] = owner
      for content in Set(owner.files.map(\.file.content)) {
        assets[content, default: []].append(owner.asset)
      }
    }
  }

  /// The best asset that has all content of a spare one in other files, and these files.
  func match(for spare: CopyOwner) -> (keeper: Int64, files: [DuplicateSet.File])? {
    let identities = Set(spare.files.map(\.file.identity))
    guard let content = spare.files.first?.file.content else { return nil }
    for asset in assets[content] ?? [] {
      guard let owner = owners[asset],
        identities.isDisjoint(with: owner.files.map(\.file.identity))
      else { continue }
      let files = spare.files.compactMap { file -> DuplicateSet.File? in
        owner.files.first { $0.file.content == file.file.content }.map {
          DuplicateSet.File(path: file.path, equal: $0.path, size: file.size)
        }
      }
      if files.count == spare.files.count { return (asset, files) }
    }
    return nil
  }
}
