import Linux
import MediaModel
import Query
import ShoeboxKit
import Terminal

/// A page with a thumbnail of each asset of a listing.
///
/// The listing is read three times: to find missing thumbnails, to count pictures under each heading, and to write
/// the page. Only assets without a thumbnail are kept in memory.
struct ContactSheet {
  let library: PhotoLibrary
  let filter: Query::AssetFilter
  let order: AssetOrder
  /// Nil for what divides the page best.
  let heading: SheetHeading?
  let images: StoredImages

  /// Pixels of a thumbnail's longer side.
  static let longerSide = PhotoLibrary.previewSide
  /// The largest number of pictures on a page; browsers open longer pages slowly.
  static let maximumCount = 20_000

  init(
    _ library: PhotoLibrary, _ filter: Query::AssetFilter, _ order: AssetOrder,
    heading: SheetHeading?
  ) throws {
    self.library = library
    self.filter = filter
    self.order = order
    // Other orders are not by time.
    self.heading = order.key == .captureDate ? heading : .undivided
    images = try library.storedImages(longerSide: Self.longerSide)
  }

  /// The assets of which a thumbnail is missing.
  ///
  /// - Throws: ``Failure`` if the listing is longer than a page can be.
  func assetsWithoutThumbnail() throws -> [AssetRecord] {
    var missing: [AssetRecord] = []
    var count = 0
    try library.forEachRecord(matching: filter, in: order, with: []) { asset in
      count += 1
      guard count <= Self.maximumCount else {
        throw Failure(
          .usage,
          "a contact sheet shows at most \(humanCount(Self.maximumCount)) pictures: use --limit"
        )
      }
      if try images.isMissing(for: asset) { missing.append(asset) }
    }
    return missing
  }

  /// Writes the page.
  ///
  /// - Returns: the assets without a picture, with the reasons.
  func write(to output: Output) throws -> SheetSummary {
    let (page, summary) = try survey()
    try output.append(page.beginning.utf8)
    var current: SheetGroup??
    try library.forEachRecord(matching: filter, in: order, with: []) { asset in
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
    try library.forEachRecord(matching: filter, in: order, with: []) { asset in
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

  private func picture(of asset: AssetRecord) throws -> Result<EncodedImage, SheetGap> {
    try images.picture(of: asset)
  }

  private func gap(of asset: AssetRecord) throws -> SheetGap? { try images.gap(of: asset) }
}

extension StoredImages {
  /// The picture of an asset, or why there is none.
  func picture(of asset: AssetRecord) throws -> Result<EncodedImage, SheetGap> {
    if let gap = try gap(of: asset) { return .failure(gap) }
    return try image(of: asset).map(Result.success) ?? .failure(.tooLate)
  }

  /// Whether a picture has to be made.
  func isMissing(for asset: AssetRecord) throws -> Bool {
    guard asset.status == .present else { return false }
    return !(try state(of: asset)?.isFinal ?? false)
  }

  /// Why an asset has no picture; nil if it has one.
  fileprivate func gap(of asset: AssetRecord) throws -> SheetGap? {
    switch (try state(of: asset), asset.status) {
    // The thumbnail of a file that is gone may still be in the cache.
    case (.made, _): nil
    case (_, .missing): SheetGap(reason: "The file is gone.")
    case (_, .unreadable): SheetGap(reason: asset.error ?? "The file cannot be read.")
    case (.failed(let message, _), .present): SheetGap(reason: message)
    case (nil, .present): .tooLate
    }
  }
}

extension StoredImages.State {
  /// Whether another try would end the same way.
  fileprivate var isFinal: Bool {
    switch self {
    case .made: true
    case .failed(_, let isFinal): isFinal
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
