import Catalog
import Foundation
import Linux
import MediaModel
package import Query
import Similarity
import Synchronization
import Thumbnails
import WorkerProtocol

extension PhotoLibrary {
  /// Pixels of the longer side of the small pictures with which signatures are made. Contact sheets and reports have the
  /// same ones, so that each picture is read once.
  package static let previewSide = 320

  /// The sets of pictures that look the same, those that waste most first. Exact copies that are spare are left out.
  ///
  /// Pictures without a signature get one first, by a worker.
  ///
  /// - Parameters:
  ///   - filter: which assets may be spare. All others are kept.
  ///   - threshold: the least similarity, 0 to 1.
  ///   - progress: called from several tasks.
  nonisolated package func similarPictures(
    sparing filter: Query::AssetFilter, threshold: Double,
    progress: @escaping @Sendable (DuplicateProgress) -> Void
  ) async throws(PhotoLibraryError) -> [DuplicateSet] {
    try await makePreviews(of: Query::AssetFilter(), progress: progress)
    return try await onThreads {
      let pictures = try Catalog.endingWhenCancelled {
        let gone = Set(
          try exactCopies(sparing: filter).flatMap(\.spares).map(\.asset.rowID))
        return try SignedPictures(catalog, previewCache(), leavingOut: gone)
      }
      let search = try await pictures.search(tasks: jobs)
      let matches = try await pictures.matches(
        search, threshold: Float(threshold), tasks: jobs, progress: progress)
      return try Catalog.endingWhenCancelled {
        let sets = try pictures.sets(
          matches, mayGo: catalog.rowIDs(matching: filter), in: catalog
        ) { search.similarity(of: $0, and: $1, threshold: Float(threshold)) }
        return try sets.withoutNamesOfOneFile()
      }
    }
  }

  /// Makes the small pictures and the signatures that are missing. What cannot be made of a file is recorded, and tried
  /// again only after the file has changed, or if the failure may pass.
  ///
  /// - Parameters:
  ///   - filter: of which pictures.
  ///   - progress: called from several tasks.
  nonisolated package func makePreviews(
    of filter: Query::AssetFilter, progress: @escaping @Sendable (DuplicateProgress) -> Void
  ) async throws(PhotoLibraryError) {
    let missing = try await query { _ in try withoutSignature(filter, previewCache()) }
    guard !missing.isEmpty else { return }
    let done = Atomic(0)
    progress(.previews(0, of: missing.count))
    try await makeImages(of: missing, longerSide: Self.previewSide) {
      let count = done.add(1, ordering: .relaxed).newValue
      progress(.previews(count, of: missing.count))
    }
    try await onThreads { try previewCache().trim(to: ImageMaking.cacheLimit) }
  }

  /// The cache that pictures are put into.
  nonisolated private func previewCache() throws -> ThumbnailCache {
    try imageCache.cache(of: catalog)
  }

  /// The present pictures without a signature of the current version of their files.
  nonisolated private func withoutSignature(
    _ filter: Query::AssetFilter, _ cache: ThumbnailCache
  ) throws -> [AssetRecord] {
    var signed: [String: ThumbnailCache.SignedVersion] = [:]
    try cache.forEachVersion { signed[$0] = $1 }
    var pictures = Query::AssetFilter()
    pictures.types = [.images]
    pictures.others = [filter]
    var missing: [AssetRecord] = []
    try catalog.forEachAsset(matching: pictures, with: []) { asset in
      try Task.checkCancellation()
      guard asset.status == .present,
        signed[asset.identifier] != ThumbnailCache.SignedVersion(asset)
      else { return }
      let key = ThumbnailKey(asset, longerSide: Self.previewSide)
      if case .failed(let failure) = try cache.outcome(for: key), !failure.reason.isTransient {
        return
      }
      missing.append(asset)
    }
    return missing
  }
}

extension ThumbnailCache.SignedVersion {
  fileprivate init(_ asset: AssetRecord) {
    self.init(size: asset.size, modified: asset.modified)
  }
}

/// The pictures of a library that have a signature.
private struct SignedPictures: Sendable {
  private var rows: [Int64] = []
  private var signatures: [PictureSignature] = []

  /// Pictures that one task compares between two reports of progress.
  private static let portion = 250

  init(_ catalog: Catalog, _ cache: ThumbnailCache, leavingOut gone: Set<Int64>) throws {
    var known: [String: (row: Int64, version: ThumbnailCache.SignedVersion)] = [:]
    var filter = Query::AssetFilter()
    filter.types = [.images]
    try catalog.forEachAsset(matching: filter, with: []) { asset in
      guard asset.status == .present, !gone.contains(asset.rowID) else { return }
      known[asset.identifier] = (asset.rowID, ThumbnailCache.SignedVersion(asset))
    }
    var found: [(row: Int64, signature: PictureSignature)] = []
    try cache.forEachSignature { asset, version, signature in
      guard let signature, let picture = known[asset], picture.version == version else { return }
      found.append((picture.row, signature))
    }
    // The same result whatever the order in the cache.
    found.sort { $0.row < $1.row }
    (rows, signatures) = (found.map(\.row), found.map(\.signature))
  }

  /// The search among the pictures, by their numbers.
  func search(tasks: Int) async throws -> SimilaritySearch {
    let hashes = try await inPortions(tasks) { [signatures] in
      signatures[$0].map { WindowHash($0) }
    }
    return SimilaritySearch(signatures, hashes)
  }

  /// The pictures that look the same, by number.
  func matches(
    _ search: SimilaritySearch, threshold: Float, tasks: Int,
    progress: @escaping @Sendable (DuplicateProgress) -> Void
  ) async throws -> [PictureMatch] {
    let count = signatures.count
    let done = Atomic(0)
    progress(.comparing(0, of: count))
    return try await inPortions(tasks) { portion in
      var effort = SimilaritySearch.Effort()
      let matches = search.matches(of: portion, threshold: threshold, effort: &effort)
      progress(
        .comparing(done.add(portion.count, ordering: .relaxed).newValue, of: count))
      return matches
    }
  }

  /// The results for all pictures, in their order, computed by some tasks at a time.
  private func inPortions<Value: Sendable>(
    _ tasks: Int, _ body: @escaping @Sendable (Range<Int>) -> [Value]
  ) async throws -> [Value] {
    let count = signatures.count
    var results: [Int: [Value]] = [:]
    try await withThrowingTaskGroup(of: (Int, [Value]).self) { group in
      var starts = stride(from: 0, to: count, by: Self.portion).makeIterator()
      func addNext() {
        guard let start = starts.next() else { return }
        group.addTask {
          try Task.checkCancellation()
          return (start, body(start..<min(start + Self.portion, count)))
        }
      }
      for _ in 0..<max(1, tasks) { addNext() }
      while let (start, values) = try await group.next() {
        results[start] = values
        addNext()
      }
    }
    return stride(from: 0, to: count, by: Self.portion).flatMap { results[$0] ?? [] }
  }

  /// The sets of the matches, in no order.
  ///
  /// - Parameter similarity: of two pictures that were not compared, by number.
  func sets(
    _ matches: [PictureMatch], mayGo: Set<Int64>, in catalog: Catalog,
    similarity: (_ one: Int, _ other: Int) -> Float?
  ) throws -> [DuplicateSet] {
    let numbers = Array(Set(matches.flatMap { [$0.part, $0.whole] })).sorted()
    let records = try catalog.assets(rows: numbers.map { rows[$0] }, with: .all)
    let byRow = Dictionary(records.map { ($0.rowID, $0) }, uniquingKeysWith: { first, _ in first })
    var assets: [Int: AssetRecord] = [:]
    for number in numbers { assets[number] = byRow[rows[number]] }
    let groups = SimilarGroups(
      assets, matches, mayGo: Set(numbers.filter { mayGo.contains(rows[$0]) }),
      similarity: similarity
    ).groups
    return groups.compactMap { group -> DuplicateSet? in
      guard let keeper = assets[group.keeper] else { return nil }
      let rank = KeeperRank(keeper)
      let spares = group.spares.compactMap { spare -> DuplicateSet.Member? in
        assets[spare.member].map { asset in
          DuplicateSet.Member(
            asset: asset, isSpare: true, similarity: Double(spare.similarity),
            reason: rank.reason(over: KeeperRank(asset)), files: asset.mediaFiles)
        }
      }
      return DuplicateSet(
        kind: .similar,
        keeper: DuplicateSet.Member(
          asset: keeper, isSpare: false, similarity: 1, reason: nil, files: []),
        reason: spares.first?.reason ?? "", spares: spares)
    }
  }
}

extension AssetRecord {
  /// Its own file, and those of its clip, RAW and edited version.
  fileprivate var mediaFiles: [DuplicateSet.File] {
    var seen: Set<BytePath> = [path]
    let others = resources.filter { resource in
      resource.type != .sidecar && resource.type != .adjustmentData
        && seen.insert(resource.path).inserted
    }
    return [DuplicateSet.File(path: path, equal: nil, size: size)]
      + others.map { DuplicateSet.File(path: $0.path, equal: nil, size: $0.size) }
  }
}
