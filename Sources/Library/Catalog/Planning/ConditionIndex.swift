import MediaModel
import Query

/// An index of which the assets that fulfil a condition are a part that it can tell by itself.
struct ConditionIndex: Hashable {
  let name: String
  /// What its entries have in common, as SQL, word by word as the index says it.
  var conditions: [String] = []
  /// Whether it tells the time of capture, or the kinds, of its assets.
  var hasCapture = false
  var hasKinds = false
  /// Whether it answers the condition; else only assets that it has can fulfil it.
  var isExact = true

  /// What made the assets, and as what: few are different, however many assets there are.
  static let origin = ConditionIndex(name: "assets_by_origin", hasCapture: true)
  fileprivate static let capture = ConditionIndex(name: "assets_by_capture", hasCapture: true)
  fileprivate static let size = ConditionIndex(name: "assets_by_size", hasKinds: true)
  fileprivate static let duration = ConditionIndex(name: "assets_by_duration", hasKinds: true)
  /// As a range: SQLite would look at each entry to tell whether it is NULL.
  fileprivate static let anyDuration = ConditionIndex(
    name: "assets_by_duration", conditions: ["a.duration >= -9e999"], hasKinds: true)
  fileprivate static let rating = ConditionIndex(
    name: "assets_by_rating", conditions: ["a.rating IS NOT NULL"], hasCapture: true)
  fileprivate static let place = ConditionIndex(
    name: "assets_by_place", conditions: ["a.latitude IS NOT NULL"])
  fileprivate static let title = ConditionIndex(
    name: "assets_with_title", conditions: ["a.title IS NOT NULL"], isExact: false)
  fileprivate static let description = ConditionIndex(
    name: "assets_with_caption", conditions: ["a.caption IS NOT NULL"], isExact: false)
}

extension Condition {
  /// The index that answers it, or has all assets that can fulfil it.
  var index: ConditionIndex? {
    if isOfOrigin { return .origin }
    return switch self {
    case .comparison(.captureDate, _), .comparison(.year, _): .capture
    case .comparison(.size, _): .size
    case .comparison(.duration, _): .duration
    case .has(.duration): .anyDuration
    case .comparison(.rating, _), .has(.rating): .rating
    case .comparison(.latitude, _), .has(.latitude), .has(.location), .near: .place
    case .comparison(.title, _), .has(.title): .title
    case .comparison(.description, _), .has(.description): .description
    default: nil
    }
  }

  /// Whether it speaks of nothing but what the table of origins has.
  private var isOfOrigin: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isOfOrigin)
    case .not(let part): part.isOfOrigin
    case .comparison(let attribute, _), .has(let attribute):
      switch attribute {
      case .camera, .make, .model, .lens, .software, .uniformType, .codec: true
      default: false
      }
    default: false
    }
  }

  /// Whether it speaks of nothing but the type and the subtypes.
  var isKind: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isKind)
    case .not(let part): part.isKind
    case .type(let word): word != .duplicates && word != .spareCopies
    default: false
    }
  }

  /// The folders, in or below one of which an asset must be, if that is all it asks.
  var folders: [BytePath]? {
    switch self {
    case .under(let folder): return [folder]
    case .any(let parts):
      let folders = parts.compactMap(\.folders)
      return folders.count == parts.count ? folders.flatMap(\.self) : nil
    default: return nil
    }
  }

  /// Whether an index of words is asked anywhere in it.
  var asksWords: Bool {
    switch self {
    case .all(let parts), .any(let parts): parts.contains(where: \.asksWords)
    case .not(let part): part.asksWords
    case .search: true
    default: false
    }
  }
}
