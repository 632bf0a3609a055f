import GRDB
import Query

/// Where a query begins to read, and how it comes across the assets.
struct AssetWalk {
  /// `FROM …`, with the assets as `a`.
  let source: String
  /// What narrows the walk, as SQL, beside what a query asks of every asset.
  let condition: String
  /// The values of both.
  let arguments: [any DatabaseValueConvertible]
  /// Whether it comes across them in the order wanted, so that a listing may stop at its limit.
  let isInOrder: Bool
  /// What it is in order by, and the index it is along, if it is along one of all or of a kind.
  private let key: AssetOrder.Key?
  private let index: String?

  /// A walk that is not in order.
  init(
    _ source: String, where condition: String = "1", _ arguments: [any DatabaseValueConvertible]
  ) {
    (self.source, self.condition, self.arguments) = (source, condition, arguments)
    (isInOrder, key, index) = (false, nil, nil)
  }

  /// The walk in the order wanted, along the index that leads to the fewest rows in that order; without an
  /// order, along the index of a required kind, or else past all assets.
  init(inOrder order: AssetOrder?, of required: [Condition]) {
    index = Self.index(order, required)
    key = order?.key
    source = "FROM assets AS a " + (index.map { "INDEXED BY \($0)" } ?? "NOT INDEXED")
    (condition, arguments) = ("1", [])
    isInOrder = !required.contains(.missing) || order?.key == .captureDate
  }

  /// Whether the assets that fulfil a condition are all of the walk, or a range of its index.
  func isRange(_ condition: Condition) -> Bool {
    switch condition {
    case .type(let word): index == word.sql.index
    case .comparison(.captureDate, _), .comparison(.year, _): key == .captureDate
    case .comparison(.size, _): key == .size
    case .comparison(.duration, _): key == .duration
    default: false
    }
  }

  /// Whether its index tells the kinds of its assets.
  var hasKinds: Bool { key == .size || key == .duration }

  private static func index(_ order: AssetOrder?, _ required: [Condition]) -> String? {
    if required.contains(.missing) { return "assets_missing" }
    guard order == nil || order?.key == .captureDate else { return order?.key.index }
    let types = required.compactMap { condition in
      if case .type(let word) = condition { word } else { nil }
    }
    return (types.first(where: \.isSelective) ?? (order == nil ? nil : types.first))?.sql.index
      ?? order?.key.index
  }
}

extension AssetOrder.Key {
  /// The index that has all listed assets in this order.
  var index: String {
    switch self {
    case .captureDate: "assets_by_capture"
    case .name: "assets_by_name"
    case .size: "assets_by_size"
    case .duration: "assets_by_duration"
    case .addedDate: "assets_by_added"
    }
  }
}
