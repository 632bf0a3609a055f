import Foundation
import GRDB
import MediaModel

/// The columns of `assets` that a sidecar may set.
enum SidecarColumn: String, CaseIterable {
  case captureWall = "capture_wall"
  case captureOffset = "capture_offset"
  case captureFraction = "capture_fraction"
  case captureSource = "capture_source_id"
  case latitude, longitude, altitude, title, caption, rating, label, pick
  case isFavorite = "is_favorite"

  /// All of them, for a SELECT.
  static let list = allCases.map(\.rawValue).joined(separator: ", ")

  /// What a sidecar changes in an asset's row.
  ///
  /// - Parameters:
  ///   - set: columns that other sidecars have set: they are not replaced.
  ///   - source: the name of the row's capture source.
  ///   - sourceID: gives the row of a capture source.
  static func changes(
    by facts: SidecarFacts, to row: Row, besides set: Set<SidecarColumn>, source: String?,
    sourceID: (String) throws -> Int64
  ) rethrows -> [(column: SidecarColumn, value: DatabaseValue)] {
    var changes: [(SidecarColumn, (any DatabaseValueConvertible)?)] = []
    // A value from the file's name has lower priority than one from a sidecar.
    let isNameTime = source?.hasPrefix("name:") == true
    if var time = facts.captureTime, row.isNull(.captureWall) || isNameTime {
      if facts.kind == .takeoutJSON, row.isNull(.captureOffset),
        let local: Int64 = row[SidecarColumn.captureWall.rawValue]
      {
        // Takeout knows UTC only, the name the local time.
        time =
          time.inferringOffset(
            fromLocal: local / 1000, longitude: facts.location?.longitude, from: "name") ?? time
      }
      changes += [
        (.captureWall, time.wallMilliseconds), (.captureOffset, time.offsetMinutes),
        (.captureFraction, CaptureTimeColumns.fraction(of: time)),
        (.captureSource, try sourceID(time.source)),
      ]
    }
    if let place = facts.location, row.isNull(.latitude) {
      changes += [
        (.latitude, place.latitude), (.longitude, place.longitude), (.altitude, place.altitude),
      ]
    }
    func isFree(_ column: SidecarColumn) -> Bool {
      row.isNull(column) || facts.kind == .xmp && !set.contains(column)
    }
    if let title = facts.title, isFree(.title) {
      changes.append((.title, title))
    }
    if let caption = facts.caption, isFree(.caption) {
      changes.append((.caption, caption))
    }
    if let rating = facts.rating, isFree(.rating) {
      changes.append((.rating, rating))
    }
    if let label = facts.label, isFree(.label) {
      changes.append((.label, label))
    }
    if let pick = facts.pick, isFree(.pick) {
      changes.append((.pick, pick.rawValue))
    }
    if facts.isFavorite { changes.append((.isFavorite, true)) }
    return changes.map { ($0.0, $0.1?.databaseValue ?? .null) }
  }
}

extension Row {
  fileprivate func isNull(_ column: SidecarColumn) -> Bool {
    (self[column.rawValue] as DatabaseValue).isNull
  }
}

/// What an asset's own file says in the places where its sidecars have spoken, kept as JSON so that it
/// can be given back when they go.
struct EmbeddedValues {
  private static let keywordsName = "keywords"
  private static let peopleName = "people"
  private static let keywordPathsName = "keywordPaths"

  var columns: [SidecarColumn: DatabaseValue] = [:]
  var keywords: [String]?
  var people: [String]?
  var keywordPaths: [String]?

  init() {}

  /// Reads what ``json()`` has written.
  ///
  /// - Throws: `DecodingError` for anything else: what is lost here is lost for good.
  init(json: String) throws {
    let fields = try JSONDecoder().decode([String: EmbeddedValue].self, from: Data(json.utf8))
    for (name, value) in fields {
      switch (SidecarColumn(rawValue: name), value) {
      case (let column?, .column(let value)): columns[column] = value
      case (nil, .list(let words)) where name == Self.keywordsName: keywords = words
      case (nil, .list(let names)) where name == Self.peopleName: people = names
      case (nil, .list(let paths)) where name == Self.keywordPathsName: keywordPaths = paths
      default:
        throw DecodingError.dataCorrupted(
          .init(codingPath: [], debugDescription: "\(name) is not such a value"))
      }
    }
  }

  /// Nil if there is nothing to keep.
  func json() throws -> String? {
    var fields: [String: EmbeddedValue] = [:]
    for (column, value) in columns { fields[column.rawValue] = .column(value) }
    if let keywords { fields[Self.keywordsName] = .list(keywords) }
    if let people { fields[Self.peopleName] = .list(people) }
    if let keywordPaths { fields[Self.keywordPathsName] = .list(keywordPaths) }
    guard !fields.isEmpty else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(fields), as: UTF8.self)
  }
}

extension EmbeddedValues {
  /// The values that sidecars have set in place of these.
  var sidecarValues: SidecarValues {
    var values: SidecarValues = []
    func add(
      _ column: SidecarColumn, _ value: SidecarValues, replaced: SidecarValues = []
    ) {
      guard let own = columns[column] else { return }
      values.formUnion(own.isNull ? value : [value, replaced])
    }
    add(.captureWall, .captureTime)
    add(.latitude, .location)
    add(.title, .title, replaced: .replacedTitle)
    add(.caption, .caption, replaced: .replacedCaption)
    add(.rating, .rating, replaced: .replacedRating)
    add(.isFavorite, .favorite)
    add(.label, .label, replaced: .replacedLabel)
    add(.pick, .pick, replaced: .replacedPick)
    if keywords != nil { values.insert(.keywords) }
    if people != nil { values.insert(.people) }
    if keywordPaths != nil { values.insert(.keywordPaths) }
    return values
  }
}

/// A stored value: a column's previous value, or a list of keywords.
private enum EmbeddedValue: Codable {
  case column(DatabaseValue)
  case list([String])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .column(.null)
    } else if let number = try? container.decode(Int64.self) {
      self = .column(number.databaseValue)
    } else if let number = try? container.decode(Double.self) {
      self = .column(number.databaseValue)
    } else if let text = try? container.decode(String.self) {
      self = .column(text.databaseValue)
    } else {
      self = .list(try container.decode([String].self))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    switch self {
    case .list(let words): try container.encode(words)
    case .column(let value):
      switch value.storage {
      case .int64(let number): try container.encode(number)
      case .double(let number): try container.encode(number)
      case .string(let text): try container.encode(text)
      // The schema does not allow blobs in these columns.
      case .null, .blob: try container.encodeNil()
      }
    }
  }
}
