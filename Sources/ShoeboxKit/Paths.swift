import Foundation
import Linux
import MediaModel
// Programs name files by `FilePath`, without a dependency on swift-system of their own.
@_exported public import struct SystemPackage.FilePath

/// A path in JSON: a text; or, for a path that is not UTF-8, its bytes as `{"base64": "…"}`.
struct CodedPath: Sendable, Hashable, Codable {
  let path: FilePath

  init(_ path: FilePath) { self.path = path }

  private struct Bytes: Codable {
    var base64: Data
  }

  init(from decoder: any Decoder) throws {
    if let text = try? decoder.singleValueContainer().decode(String.self) {
      path = FilePath(text)
    } else {
      path = FilePath(BytePath(bytes: Array(try Bytes(from: decoder).base64)))
    }
  }

  func encode(to encoder: any Encoder) throws {
    let text = path.string
    guard FilePath(text) != path else {
      var container = encoder.singleValueContainer()
      return try container.encode(text)
    }
    try Bytes(base64: Data(BytePath(path).bytes)).encode(to: encoder)
  }
}
