import Catalog
import Linux
import MediaModel
import Query
import Terminal
import Thumbnails
import WorkerPool
import WorkerProtocol

/// A page with a thumbnail of each asset of a listing.
///
/// The listing is read three times: to find missing thumbnails, to count pictures under each heading, and to write
/// the page. Only assets without a thumbnail are kept in memory.
struct ContactSheet {
  let catalog: Catalog
  let filter: AssetFilter
  let order: AssetOrder
  /// Nil for what divides the page best.
  let heading: SheetHeading?
  let cache: ThumbnailCache

  /// Pixels of a thumbnail's longer side.
  static let longerSide = 320
  /// The largest number of pictures on a page; browsers open longer pages slowly.
  static let maximumCount = 20_000

  init(
    _ catalog: Catalog, _ filter: AssetFilter, _ order: AssetOrder, heading: SheetHeading?
  ) throws {
    self.catalog = catalog
    self.filter = filter
    self.order = order
    // Other orders are not by time.
    self.heading = order.key == .captureDate ? heading : .undivided
    cache = try ThumbnailCache(path: catalog.path + ".thumbnails")
  }

  /// The thumbnails that are missing.
  ///
  /// - Throws: ``Failure`` if the listing is longer than a page can be.
  func thumbnailRequests() throws -> [ThumbnailRequest] {
    var requests: [ThumbnailRequest] = []
    var count = 0
    try catalog.forEachAsset(matching: filter, in: order, with: []) { asset in
      count += 1
      guard count <= Self.maximumCount else {
        throw Failure(
          .usage,
          "a contact sheet shows at most \(humanCount(Self.maximumCount)) pictures: use --limit"
        )
      }
      let request = ThumbnailRequest(asset, longerSide: Self.longerSide)
      let isSettled = try cache.outcome(for: request.key)?.isFinal ?? false
      if asset.status == .present, !isSettled { requests.append(request) }
    }
    return requests
  }

  /// Writes the page.
  ///
  /// - Returns: the assets without a picture, with the reasons.
  func write(to output: Output) throws -> SheetSummary {
    let (page, summary) = try survey()
    try output.append(page.beginning.utf8)
    var current: SheetGroup??
    try catalog.forEachAsset(matching: filter, in: order, with: []) { asset in
      let group = SheetGroup(asset, by: page.heading)
      if current != .some(group) {
        if let last = current { try output.append(page.closing(last).utf8) }
        try output.append(page.opening(group).utf8)
        current = group
      }
      let tile = SheetTile(asset: asset, heading: page.heading, picture: try picture(of: asset))
      try output.append(tile.html)
    }
    if let last = current { try output.append(page.closing(last).utf8) }
    try output.append(page.end.utf8)
    try output.flush()
    return summary
  }

  /// The text before the first picture.
  private func survey() throws -> (SheetPage, SheetSummary) {
    var census = SheetCensus()
    var summary = SheetSummary()
    try catalog.forEachAsset(matching: filter, in: order, with: []) { asset in
      summary.count += 1
      if let gap = try gap(of: asset) { summary.gaps.append((asset.path, gap.reason)) }
      census.add(asset)
    }
    let heading = heading ?? census.best
    let page = SheetPage(
      heading: heading, groups: census.groups(by: heading), count: summary.count,
      gaps: summary.reasons)
    return (page, summary)
  }

  private func picture(of asset: AssetRecord) throws -> Result<Thumbnail, SheetGap> {
    if let gap = try gap(of: asset) { return .failure(gap) }
    let key = ThumbnailKey(asset, longerSide: Self.longerSide)
    return try cache.thumbnail(for: key).map(Result.success) ?? .failure(.tooLate)
  }

  /// Why an asset has no picture; nil if it has one.
  private func gap(of asset: AssetRecord) throws -> SheetGap? {
    switch (try cache.outcome(for: ThumbnailKey(asset, longerSide: Self.longerSide)), asset.status)
    {
    // The thumbnail of a file that is gone may still be in the cache.
    case (.made, _): nil
    case (_, .missing): SheetGap(reason: "The file is gone.")
    case (_, .unreadable): SheetGap(reason: asset.error ?? "The file cannot be read.")
    case (.failed(let failure), .present): SheetGap(reason: failure.message)
    case (nil, .present): .tooLate
    }
  }
}

extension SheetGap {
  fileprivate static let tooLate = SheetGap(
    reason: "The file was changed while the page was being made.")
}

/// What a page shows and what it does not.
struct SheetSummary {
  var count = 0
  var gaps: [(path: BytePath, reason: String)] = []

  /// Each reason once, the most frequent first.
  var reasons: [(reason: String, count: Int)] {
    let counts = gaps.reduce(into: [String: Int]()) { $0[$1.reason, default: 0] += 1 }
    return counts.map { (reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}
