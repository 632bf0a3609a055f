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
