import Catalog
import Query

extension FetchResult {
  /// Some assets of a listing that follow one another.
  package struct Excerpt: Sendable {
    /// The assets, in the listing's order.
    package var assets: [Asset] = []
    /// Those that were added or changed since the state that was asked for.
    package var changed: Set<Asset.ID> = []
  }

  /// The assets from one through another, whatever was added or removed since the caller has listed them: positions would
  /// then name other assets.
  ///
  /// - Parameters:
  ///   - first: the one that comes first in the listing.
  ///   - last: the one that comes last; perhaps the same.
  ///   - token: the state for ``Excerpt/changed``.
  ///   - most: the largest number of assets.
  /// - Returns: the assets; nil if one of the two is not in the listing, if they are not in this order, or if there are
  ///   more assets between them.
  package func excerpt(
    from first: Asset.ID, through last: Asset.ID, changedSince token: ChangeToken, most: Int
  ) async throws(PhotoLibraryError) -> Excerpt? {
    let ends = [first, last]
    // The beginning of an id, which the command line accepts, is not one.
    guard ends.allSatisfy({ $0.utf8.count == 36 }) else { return nil }
    let known = try await library.query { [filter] in
      try $0.identifiers(among: ends, matching: filter)
    }
    guard known.isSuperset(of: ends), let start = try await library.record(first),
      let asset = try await library.asset(first, visible: visible)
    else { return nil }
    var excerpt = Excerpt(assets: [asset])
    var size = 200
    var order = options.assetOrder(limit: size)
    var position = AssetPosition(after: start, in: order.key)
    while excerpt.assets.last?.id != last {
      guard excerpt.assets.count < most else { return nil }
      let (page, end) = try await library.query { [filter, visible, order, position] catalog in
        let found = try catalog.page(matching: filter, in: order, after: position)
        return (
          try catalog.assets(found, visible: visible),
          found.last.map { AssetPosition(after: $0, in: order.key) }
        )
      }
      guard let end else { return nil }
      if let index = page.firstIndex(where: { $0.id == last }) {
        excerpt.assets += page[...index]
      } else {
        excerpt.assets += page
      }
      size = Swift.min(size * 4, 10_000)
      (position, order) = (end, options.assetOrder(limit: size))
    }
    guard excerpt.assets.count <= most else { return nil }
    // If the state is of another catalog, or a backup was put in its place, all may have changed.
    let state = token.state
    let isKnown = try await library.query { try $0.follows(state) }
    for asset in excerpt.assets where !isKnown || asset.revision > state.revision {
      excerpt.changed.insert(asset.id)
    }
    return excerpt
  }
}
