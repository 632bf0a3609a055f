import Foundation
import GRDB
import MediaModel

/// The columns of `assets` that a sidecar may set.
enum SidecarColumn: String, CaseIterable {
  case captureWall = "capture_wall"
  case captureUTC = "capture_utc"
  case captureOffset = "capture_offset"
  case captureDate = "capture_date"
  case captureSource = "capture_source"
  case latitude, longitude, altitude, title, caption, rating

  /// All of them, for a SELECT.
  static let list = allCases.map(\.rawValue).joined(separator: ", ")

  /// What a sidecar changes in an asset's row.
  static func changes(
    by facts: SidecarFacts, to row: Row
  ) -> [(column: SidecarColumn, value: DatabaseValue)] {
    var changes: [(SidecarColumn, (any DatabaseValueConvertible)?)] = []
    if let time = facts.captureTime, row.hasNull(atIndex: 0) {
      changes += [
        (.captureWall, time.wallMilliseconds), (.captureUTC, time.utcMilliseconds),
        (.captureOffset, time.offsetMinutes), (.captureDate, time.iso8601),
        (.captureSource, time.source),
      ]
    }
    if let place = facts.location, row.hasNull(atIndex: 5) {
      changes += [
        (.latitude, place.latitude), (.longitude, place.longitude), (.altitude, place.altitude),
      ]
    }
    let mayReplace = facts.kind == .xmp
    if let title = facts.title, mayReplace || row.hasNull(atIndex: 8) {
      changes.append((.title, title))
    }
    if let caption = facts.caption, mayReplace || row.hasNull(atIndex: 9) {
      changes.append((.caption, caption))
    }
    if let rating = facts.rating, mayReplace || row.hasNull(atIndex: 10) {
      changes.append((.rating, rating))
    }
    return changes.map { ($0.0, $0.1?.databaseValue ?? .null) }
  }
}

/// What an asset's own file says in the places where its sidecars have spoken, kept as JSON so that it
/// can be given back when they go.
struct EmbeddedValues {
  var columns: [SidecarColumn: DatabaseValue] = [:]
  var keywords: [String]?

  init() {}

  init?(json: String) {
    guard let object = try? JSONSerialization.jsonObject(with: Data(json.utf8)),
      let fields = object as? [String: Any]
    else { return nil }
    for (name, value) in fields {
      if let column = SidecarColumn(rawValue: name) {
        columns[column] = DatabaseValue(value: value) ?? .null
      } else if let list = value as? [String] {
        keywords = list
      }
    }
  }

  /// Nil if there is nothing to keep.
  var json: String? {
    var fields: [String: Any] = [:]
    for (column, value) in columns { fields[column.rawValue] = value.json }
    if let keywords { fields["keywords"] = keywords }
    guard !fields.isEmpty,
      let data = try? JSONSerialization.data(withJSONObject: fields, options: .sortedKeys)
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }
}

extension DatabaseValue {
  fileprivate var json: Any {
    switch storage {
    case .null: NSNull()
    case .int64(let number): number
    case .double(let number): number
    case .string(let text): text
    case .blob: NSNull()
    }
  }
}
