import Foundation
package import GRDB
package import MediaModel

// Values that stand in columns as themselves.

extension MediaType: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { name.databaseValue }

  /// The schema lets nothing but the two words stand there.
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
