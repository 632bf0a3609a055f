import MediaModel

/// What is recorded of the results of an asset that the catalog does not have.
struct UnknownAsset {
  typealias Line = (key: ExportRecord.Key, entry: ExportRecord.Entry)

  let identifier: String
  let lines: [Line]
  let targets: [String]
  private let firstName: String

  init(identifier: String, lines: [Line]) {
    (self.identifier, self.lines) = (identifier, lines)
    targets = lines.map(\.entry.target)
    firstName = targets.min() ?? ""
  }

  /// Whether it is the better one of two whose results may want the same name: if its names have no number, or a smaller
  /// one.
  func isBefore(_ other: UnknownAsset) -> Bool {
    (firstName.utf8.count, firstName, identifier)
      < (other.firstName.utf8.count, other.firstName, other.identifier)
  }
}

/// The unknown assets whose results may want a name and are made from a source of one size. There may be as many as assets
/// with that name, so none is compared again after an asset of the catalog has its results.
struct UnknownAssets {
  private struct Key: Hashable {
    var name: Int
    var size: Int64
  }

  private var groups: [Key: [AlikeAssets]] = [:]

  /// - Parameter nameKeys: gives the keys of a result's name.
  init(_ assets: [UnknownAsset], nameKeys: (String) -> [Int]) {
    var members: [Key: [Set<AlikeAssets.Trait>: [UnknownAsset]]] = [:]
    for asset in assets.sorted(by: { $0.isBefore($1) }) {
      let traits = Set(asset.lines.map(AlikeAssets.Trait.init))
      for name in Set(asset.targets.flatMap(nameKeys)) {
        for size in Set(traits.map(\.size)) {
          members[Key(name: name, size: size), default: [:]][traits, default: []].append(asset)
        }
      }
    }
    groups = members.mapValues { $0.values.map(AlikeAssets.init) }
  }

  /// The best free asset of each group that may have results of these names from sources of these sizes, the best one first:
  /// those whose sources have the same time, then those without a number. If the results of one are not those of an asset of
  /// the catalog, those of the others in its group are not either.
  ///
  /// - Parameters:
  ///   - modified: the time of the source, in nanoseconds since 1970 UTC.
  ///   - isFree: whether no asset of the catalog has its results yet. An asset that is not free never becomes free.
  func candidates(
    names: Set<Int>, sizes: Set<Int64>, modified: Int64?, isFree: (UnknownAsset) -> Bool
  ) -> [UnknownAsset] {
    let found = names.flatMap { name in
      sizes.flatMap { size in
        (groups[Key(name: name, size: size)] ?? []).compactMap { $0.first(modified, isFree) }
      }
    }
    return found.sorted { left, right in
      left.hasTime == right.hasTime ? left.asset.isBefore(right.asset) : left.hasTime
    }.map(\.asset)
  }
}

/// Unknown assets whose results differ in nothing but names, times and content.
private final class AlikeAssets {
  /// What decides whether a line may be about a file of an asset of the catalog, besides the content of its source.
  struct Trait: Hashable {
    var resource: ResourceType
    var variant: String
    var size: Int64
    var hasContent: Bool
    var settings: String
    var naming: String
    var isOwn: Bool
    var fileExtension: String

    init(_ line: UnknownAsset.Line) {
      (resource, variant) = (line.key.resource, line.key.variant)
      (size, hasContent) = (line.entry.source.size, line.entry.content != nil)
      (settings, naming, isOwn) = (line.entry.settings, line.entry.naming, line.entry.isOwn)
      fileExtension = FileNameParts(name: Array(line.entry.target.utf8)).fileExtension
    }
  }

  /// Assets of which the first free one is wanted again and again.
  private struct Queue {
    var assets: [UnknownAsset] = []
    private var start = 0

    mutating func first(_ isFree: (UnknownAsset) -> Bool) -> UnknownAsset? {
      while start < assets.count, !isFree(assets[start]) { start += 1 }
      return start < assets.count ? assets[start] : nil
    }
  }

  private var all = Queue()
  /// By the times of their sources.
  private var byTime: [Int64: Queue] = [:]

  /// - Parameter assets: the best one first.
  init(_ assets: [UnknownAsset]) {
    all.assets = assets
    for asset in assets {
      for time in Set(asset.lines.map(\.entry.source.modified)) {
        byTime[time, default: Queue()].assets.append(asset)
      }
    }
  }

  func first(
    _ modified: Int64?, _ isFree: (UnknownAsset) -> Bool
  ) -> (asset: UnknownAsset, hasTime: Bool)? {
    if let modified, let asset = byTime[modified]?.first(isFree) { return (asset, true) }
    return all.first(isFree).map { ($0, false) }
  }
}
