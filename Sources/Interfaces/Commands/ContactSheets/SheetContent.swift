import MediaModel
import Query
import ShoeboxKit

/// The assets of a contact sheet.
enum SheetSource: Sendable {
  case matching(Query::AssetFilter, AssetOrder)
  /// In this order, with their resources.
  case named([AssetRecord])

  /// Whether the assets are in order of time.
  var isByTime: Bool {
    switch self {
    case .matching(_, let order): order.key == .captureDate
    case .named: false
    }
  }

  func forEach(
    in library: PhotoLibrary, with parts: AssetParts = [], _ body: (AssetRecord) throws -> Void
  ) throws {
    switch self {
    case .matching(let filter, let order):
      try library.forEachRecord(matching: filter, in: order, with: parts, body)
    case .named(let assets): try assets.forEach(body)
    }
  }
}

/// How a contact sheet looks.
struct SheetChoices: Sendable {
  /// Nil for the usual title.
  var title: String?
  /// Nil for what divides the page best.
  var heading: SheetHeading?
  /// Whether assets with the same content share a tile.
  var stacksCopies = true
  /// Whether larger pictures are written next to the page.
  var makesRenditions = false
}

/// Which assets of a page share a tile: the first of those with the same content has it.
struct SheetStacks {
  /// The paths of the other ones, by the row of the first.
  private(set) var copies: [Int64: [BytePath]] = [:]
  /// The rows without a tile of their own.
  private(set) var hidden: Set<Int64> = []

  init() {}

  /// - Parameter numbers: the same for assets with the same content.
  init(_ source: SheetSource, in library: PhotoLibrary, numbers: [Int64: Int]) throws {
    guard !numbers.isEmpty else { return }
    var first: [Int: Int64] = [:]
    try source.forEach(in: library) { asset in
      // What is gone or unreadable has a reason of its own to show.
      guard asset.status == .present, let number = numbers[asset.rowID] else { return }
      if let front = first[number] {
        hidden.insert(asset.rowID)
        copies[front, default: []].append(asset.path)
      } else {
        first[number] = asset.rowID
      }
    }
  }
}
