import Foundation

/// A JSON value (RFC 8259) of a kind that is not known beforehand, so that each mistake in a person's file
/// can be reported with its remedy; Foundation parses it.
package enum JSONValue: Sendable, Hashable, Decodable {
  case null
  case flag(Bool)
  case number(Double)
  case text(String)
  case array([JSONValue])
  case object([String: JSONValue])

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let flag = try? container.decode(Bool.self) {
      self = .flag(flag)
    } else if let number = try? container.decode(Double.self) {
      self = .number(number)
    } else if let text = try? container.decode(String.self) {
      self = .text(text)
    } else if let array = try? container.decode([JSONValue].self) {
      self = .array(array)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// The one value that `bytes` hold.
  init(json bytes: [UInt8]) throws(JSONError) {
    let data = Data(bytes)
    do {
      self = try JSONDecoder().decode(JSONValue.self, from: data)
    } catch {
      throw JSONError(decoding: data)
    }
  }

  var text: String? {
    if case .text(let text) = self { text } else { nil }
  }

  var number: Double? {
    if case .number(let number) = self { number } else { nil }
  }

  var array: [JSONValue]? {
    if case .array(let values) = self { values } else { nil }
  }
}

// MARK: Repeated keys

extension JSONValue {
  /// A key that one object has twice, of which Foundation's reader takes any (RFC 8259, section 4); nil if no object has.
  ///
  /// - Parameter bytes: a text that was read as JSON. In UTF-16 and UTF-32 nothing is found.
  static func repeatedKey(in bytes: [UInt8]) -> String? {
    guard !bytes.contains(0) else { return nil }
    var objects: [Set<String>] = []
    var place = 0
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "{"), UInt8(ascii: "["): objects.append([])
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = objects.popLast()
      case UInt8(ascii: "\""):
        let start = place
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        let next = bytes.dropFirst(place + 1).first { !" \t\r\n".utf8.contains($0) }
        guard next == UInt8(ascii: ":"), place < bytes.count, !objects.isEmpty else { break }
        let key = text(bytes[start...place])
        if !objects[objects.count - 1].insert(key).inserted { return key }
      default: break
      }
      place += 1
    }
    return nil
  }

  /// The text of a string with its quotation marks.
  private static func text(_ token: ArraySlice<UInt8>) -> String {
    let plain = String(decoding: token.dropFirst().dropLast(), as: UTF8.self)
    guard token.contains(UInt8(ascii: "\\")) else { return plain }
    return (try? JSONDecoder().decode(String.self, from: Data(token))) ?? plain
  }
}

/// A text that is not JSON.
struct JSONError: Error, Sendable, Hashable {
  /// Half a sentence, with the position if Foundation reports one.
  var complaint = "Foundation's JSON reader refuses it"

  /// Why `data` cannot be decoded: outside Apple's systems JSONDecoder does not report it, JSONSerialization does.
  init(decoding data: Data) {
    do {
      _ = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    } catch {
      let detail = (error as NSError).userInfo[NSDebugDescriptionErrorKey] as? String
      guard let detail, let first = detail.first else { return }
      complaint = first.lowercased() + detail.dropFirst()
      if complaint.last == "." { complaint.removeLast() }
    }
  }
}
