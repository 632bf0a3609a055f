import Foundation
package import GRDB
package import MediaModel

// Paths and names in columns: TEXT where they are valid UTF-8, so that people can read and compare
// them in SQL, and BLOB where they are not, so that no byte is lost. The same bytes always become
// the same value, so equality in SQL is equality of paths.
extension BytePath: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue {
    text?.databaseValue ?? Data(bytes).databaseValue
  }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> BytePath? {
    switch value.storage {
    case .string(let text): BytePath(text)
    case .blob(let data): BytePath(bytes: Array(data))
    case .null, .int64, .double: nil
    }
  }
}

// Values that columns store directly.

extension MediaType: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { name.databaseValue }

  /// The schema allows only the two words.
  package static func fromDatabaseValue(_ value: DatabaseValue) -> MediaType? {
    String.fromDatabaseValue(value).map { $0 == MediaType.video.name ? .video : .image }
  }
}

extension Fingerprint: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { Data(bytes).databaseValue }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Fingerprint? {
    Data.fromDatabaseValue(value).map { Fingerprint(bytes: Array($0)) }
  }
}
