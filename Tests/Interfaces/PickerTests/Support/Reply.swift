import Foundation
import Workbench

/// A response as its bytes were received.
struct Reply: Sendable {
  /// The status.
  var status: Int
  /// The fields, by their names in lower case; several of a name are separated by commas.
  var headers: [String: String] = [:]
  /// The content, without the chunks of its transfer.
  var body: [UInt8] = []

  /// The content as text.
  var text: String { String(decoding: body, as: UTF8.self) }
  /// The content as JSON; null if it is none.
  var json: JSON { (try? JSONDecoder().decode(JSON.self, from: Data(body))) ?? .null }
  /// The status in the error, such as `NOT_FOUND`.
  var errorStatus: String? { json["error"]["status"].text }
  /// The error's sentence.
  var errorMessage: String { json["error"]["message"].text ?? "" }
  /// The fields that the error names.
  var errorFields: [String] {
    json["error"]["details"][0]["fieldViolations"].list.compactMap { $0["field"].text }
  }

  init(status: Int) { self.status = status }

  /// - Parameter bytes: all that was received on a connection with one request.
  init(_ bytes: [UInt8]) throws {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else {
      throw Connection.Failure(
        description: "no response: \(String(decoding: bytes.prefix(200), as: UTF8.self))")
    }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .components(separatedBy: "\r\n")
    let words = (lines.first ?? "").split(separator: " ")
    guard words.count >= 2, let status = Int(words[1]) else {
      throw Connection.Failure(description: "no status: \(lines.first ?? "")")
    }
    self.status = status
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let (name, value) = (parts[0].lowercased(), parts[1].trimmingCharacters(in: .whitespaces))
      headers[name] = headers[name].map { "\($0), \(value)" } ?? value
    }
    let content = Array(bytes[end.upperBound...])
    body = headers["transfer-encoding"] == "chunked" ? Self.joined(content) : content
  }

  /// The content of chunks (RFC 9112, section 7.1).
  private static func joined(_ bytes: [UInt8]) -> [UInt8] {
    var (content, rest): ([UInt8], ArraySlice<UInt8>) = ([], bytes[...])
    while let end = rest.firstRange(of: Array("\r\n".utf8)),
      let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), size > 0
    {
      content += rest[end.upperBound...].prefix(size)
      rest = rest[end.upperBound...].dropFirst(size + 2)
    }
    return content
  }
}
