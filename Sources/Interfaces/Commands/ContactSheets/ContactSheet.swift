import Linux
import MediaModel
import Query
import ShoeboxKit
import Terminal

/// A page with a thumbnail of each asset of a listing.
///
/// The listing is read several times: to find missing thumbnails and copies, to count pictures under each heading, and
/// to write the page. Only assets without a thumbnail are kept in memory.
struct ContactSheet {
  let library: PhotoLibrary
  let source: SheetSource
  let choices: SheetChoices
  let images: StoredImages
  /// What shares a tile.
  let stacks: SheetStacks

  /// Pixels of a thumbnail's longer side.
  static let longerSide = PhotoLibrary.previewSide
  /// The largest number of pictures on a page; browsers open longer pages slowly.
  static let maximumCount = 20_000

  /// - Throws: ``Failure`` if the listing is longer than a page can be.
  init(_ library: PhotoLibrary, _ source: SheetSource, _ choices: SheetChoices) throws {
    self.library = library
    self.source = source
    self.choices = choices
    images = try library.storedImages(longerSide: Self.longerSide)
    let numbers = choices.stacksCopies ? try library.sameContent() : [:]
    stacks = try SheetStacks(source, in: library, numbers: numbers)
  }

  /// Nil for what divides the page best. Orders that are not by time are not divided.
  private var heading: SheetHeading? { source.isByTime ? choices.heading : .undivided }

  /// Calls `body` with each asset that has a tile.
  func forEachTile(
    with parts: AssetParts = [], _ body: (AssetRecord) throws -> Void
  ) throws {
    try source.forEach(in: library, with: parts) { asset in
      if !stacks.hidden.contains(asset.rowID) { try body(asset) }
    }
  }

  /// The assets of which a thumbnail is missing.
  ///
  /// - Throws: ``Failure`` if the listing is longer than a page can be.
  func assetsWithoutThumbnail() throws -> [AssetRecord] {
    var missing: [AssetRecord] = []
    var count = 0
    try forEachTile { asset in
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
  /// - Parameter renditions: the larger pictures to link to, by row, as relative URLs.
  /// - Returns: the assets without a picture, with the reasons.
  func write(to output: Output, renditions: [Int64: String] = [:]) throws -> SheetSummary {
    var (page, summary) = try survey()
    try output.append(page.beginning.utf8)
    var current: SheetGroup??
    try forEachTile(with: .resources) { asset in
      let group = SheetGroup(asset, by: page.heading)
      if current != .some(group) {
        if let last = current { try output.append(page.closing(last).utf8) }
        try output.append(page.opening(group).utf8)
        current = group
      }
      let clip = SheetClip(of: asset)
      if case .plays = clip { summary.clipCount += 1 }
      let tile = SheetTile(
        asset: asset, heading: page.heading, picture: try images.picture(of: asset), clip: clip,
        rendition: renditions[asset.rowID], copies: stacks.copies[asset.rowID] ?? [])
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
    var playsClips = false
    try forEachTile { asset in
      summary.count += 1
      if let gap = try images.gap(of: asset) { summary.gaps.append((asset.path, gap.reason)) }
      playsClips = playsClips || SheetClip.mayPlay(asset)
      census.add(asset)
    }
    summary.stackedCount = stacks.hidden.count
    let heading = heading ?? census.best
    let page = SheetPage(
      title: choices.title, heading: heading, groups: census.groups(by: heading),
      count: summary.count, gaps: summary.reasons, playsClips: playsClips)
    return (page, summary)
  }
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
  /// Tiles.
  var count = 0
  /// Assets that are on the tile of another one with the same content.
  var stackedCount = 0
  /// Videos and clips that play in the page.
  var clipCount = 0
  /// Larger pictures next to the page.
  var renditionCount = 0
  var gaps: [(path: BytePath, reason: String)] = []

  /// Each reason once, the most frequent first.
  var reasons: [(reason: String, count: Int)] {
    let counts = gaps.reduce(into: [String: Int]()) { $0[$1.reason, default: 0] += 1 }
    return counts.map { (reason: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.reason) < ($0.count, $1.reason) }
  }
}
