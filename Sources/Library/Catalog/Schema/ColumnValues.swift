import Foundation
package import GRDB
package import MediaModel
import SQLite

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

extension Fingerprint: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { Data(bytes).databaseValue }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Fingerprint? {
    Data.fromDatabaseValue(value).map { Fingerprint(bytes: Array($0)) }
  }
}

extension MediaType {
  /// The type that `assets.is_video` means.
  init(isVideo: Bool) {
    self = isVideo ? .video : .image
  }
}

/// An identifier in a column: the 16 bytes of a UUID in its usual form (RFC 9562, upper case), other texts as they
/// are.
struct StoredIdentifier: DatabaseValueConvertible, Hashable {
  let text: String

  init(_ text: String) {
    self.text = text
  }

  /// The column's value of a random UUID (version 4). One that begins with the time (version 7) would make the first scan
  /// of a million files 1.4 times faster, but people name assets by the first digits of their identifiers.
  static func random() -> DatabaseValue {
    var bytes = Data(randomBytes(16))
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    return bytes.databaseValue
  }

  var databaseValue: DatabaseValue {
    Self.bytes(ofUUID: text).map { Data($0).databaseValue } ?? text.databaseValue
  }

  static func fromDatabaseValue(_ value: DatabaseValue) -> StoredIdentifier? {
    switch value.storage {
    case .string(let text): StoredIdentifier(text)
    case .blob(let data): StoredIdentifier(text(ofUUID: data))
    case .int64, .double, .null: nil
    }
  }

  private static func text(ofUUID bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(36)
    // Not enumerated: the generic type of that costs a short listing 0.04 ms.
    for byte in bytes {
      let count = text.count
      if count == 8 || count == 13 || count == 18 || count == 23 { text.append(UInt8(ascii: "-")) }
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// Nil unless the text is a UUID exactly as it is written again.
  private static func bytes(ofUUID text: String) -> [UInt8]? {
    guard text.utf8.count == 36 else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for (index, character) in text.utf8.enumerated() {
      if [8, 13, 18, 23].contains(index) {
        guard character == UInt8(ascii: "-") else { return nil }
        continue
      }
      let value: UInt8
      switch character {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character - UInt8(ascii: "0")
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = character - UInt8(ascii: "A") + 10
      default: return nil
      }
      if let first = high {
        bytes.append(first << 4 | value)
        high = nil
      } else {
        high = value
      }
    }
    return bytes
  }
}
