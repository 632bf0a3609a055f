import Catalog
package import MediaModel
package import Query

// Listings for the command line: the records themselves, on the caller's thread. A task or a value of another type for
// each asset would take as long as reading it.

extension PhotoLibrary {
  /// Calls `body` with the record of each matching asset in turn. A few hundred are in memory at a time.
  ///
  /// - Throws: ``PhotoLibraryError``, or what `body` throws, which ends the listing.
  nonisolated package func forEachRecord(
    matching filter: Query::AssetFilter, in order: AssetOrder = AssetOrder(),
    with parts: AssetParts,
    _ body: (AssetRecord) throws -> Void
  ) throws {
    try read { try $0.forEachAsset(matching: filter, in: order, with: parts, body) }
  }

  /// The number of matching assets.
  nonisolated package func count(matching filter: Query::AssetFilter) throws -> Int {
    try read { try $0.count(matching: filter) }
  }

  /// Whether the catalog contains a folder that a filter names.
  nonisolated package func hasFolder(_ folder: BytePath) throws -> Bool {
    try read { try $0.hasFolder(folder) }
  }
}
