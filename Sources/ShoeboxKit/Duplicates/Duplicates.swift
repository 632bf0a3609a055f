import Catalog
import Linux
import MediaModel
import Query
public import SystemPackage

/// Which duplicates to find, and what may be spare.
public struct DuplicateOptions: Sendable, Hashable {
  /// The rule by which assets are duplicates.
  public var kinds: Set<DuplicateGroup.Kind>
  /// Which assets may be spare. All others are kept.
  public var filter: AssetFilter
  /// The least similarity of similar pictures, 0 to 1.
  public var threshold: Double

  /// - Parameters:
  ///   - kinds: what makes assets duplicates.
  ///   - filter: which assets may be spare. All others are kept.
  ///   - threshold: the least similarity of similar pictures, 0 to 1.
  public init(
    kinds: Set<DuplicateGroup.Kind> = [.exact], filter: AssetFilter = .everything,
    threshold: Double = 0.9
  ) {
    (self.kinds, self.filter, self.threshold) = (kinds, filter, threshold)
  }
}

/// Assets that are the same, and which of them to keep. Shoebox deletes nothing.
public struct DuplicateGroup: Sendable, Hashable {
  /// The rule by which assets are duplicates.
  public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
    /// Their files have the same bytes. A live photo counts with its clip.
    case exact
    /// Their pictures look the same: re-encoded, scaled, slightly cropped or brightened.
    case similar
  }

  /// An asset that the one to keep can replace.
  public struct Spare: Sendable, Hashable {
    /// The asset.
    public let asset: Asset
    /// How much it looks like the one to keep, 0 to 1.
    public let similarity: Double
    /// Why the other one is kept, as a phrase.
    public let reason: String
    /// Its files, without sidecars.
    public let files: [FilePath]
  }

  /// The rule by which they are the same.
  public let kind: Kind
  /// The asset to keep.
  public let keeper: Asset
  /// Why that one, as a phrase: its advantage over the best other one.
  public let reason: String
  /// The others, best first.
  public let spares: [Spare]
  /// The bytes of the spare assets' files.
  public let reclaimableBytes: Int64

  init(_ set: DuplicateSet, bursts: [String: Int]) {
    kind = set.kind == .exact ? .exact : .similar
    keeper = Asset(set.keeper.asset, bursts: bursts)
    reason = set.reason
    spares = set.spares.map { spare in
      Spare(
        asset: Asset(spare.asset, bursts: bursts), similarity: spare.similarity,
        reason: spare.reason ?? "",
        files: spare.files.map { FilePath($0.path) })
    }
    reclaimableBytes = set.reclaimableBytes
  }
}

extension PhotoLibrary {
  /// The duplicates in the library: exact copies first, and of each kind those that waste most first.
  ///
  /// Exact copies are those of the last scan. To find similar pictures, workers first make a small picture of each one
  /// that has none yet, see ``makePreviews(for:progress:)``.
  ///
  /// - Throws: ``PhotoLibraryError/invalidFilter(_:)``, and for similar pictures what
  ///   ``makePreviews(for:progress:)`` throws.
  nonisolated public func duplicates(
    _ options: DuplicateOptions = DuplicateOptions()
  ) async throws(PhotoLibraryError) -> [DuplicateGroup] {
    let filter = try options.filter.query()
    var sets: [DuplicateSet] = []
    if options.kinds.contains(.exact) {
      sets += try await query { _ in try exactCopies(sparing: filter) }
    }
    if options.kinds.contains(.similar) {
      sets += try await similarPictures(sparing: filter, threshold: options.threshold) { _ in }
    }
    let records = sets.flatMap { $0.members.map(\.asset) }
    let bursts = try await query {
      try $0.burstCounts(of: records, matching: Query::AssetFilter())
    }
    return sets.map { DuplicateGroup($0, bursts: bursts) }
  }

  /// Makes the small pictures that are missing, of which contact sheets and the search for similar pictures consist. A
  /// nightly run that calls this leaves nothing to make for the day.
  ///
  /// - Parameters:
  ///   - filter: of which pictures. Videos are left out.
  ///   - progress: called from several tasks with the number that is made and that of all that were missing.
  /// - Throws: ``PhotoLibraryError/invalidFilter(_:)``, ``PhotoLibraryError/workersMissing(searched:)``,
  ///   ``PhotoLibraryError/workers(reason:)``, ``PhotoLibraryError/cancelled``.
  nonisolated public func makePreviews(
    for filter: AssetFilter = .everything,
    progress: @escaping @Sendable (_ completed: Int, _ total: Int) -> Void = { _, _ in }
  ) async throws(PhotoLibraryError) {
    try await makePreviews(of: try filter.query()) { event in
      if case .previews(let done, let total) = event { progress(done, total) }
    }
  }
}
