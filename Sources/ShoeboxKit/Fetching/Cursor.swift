import Catalog
import Foundation

/// A place in a listing, as a text that may be stored or sent, for example as a query parameter of a server.
public struct Cursor: Sendable, Hashable, Codable, CustomStringConvertible,
  LosslessStringConvertible
{
  /// The text: letters, digits, `-` and `_`.
  public let description: String

  /// Reads a cursor; whether it belongs to a listing, ``FetchResult/page(after:size:)`` checks.
  public init?(_ description: String) {
    guard Self.content(of: description) != nil else { return nil }
    self.description = description
  }

  /// Reads the text.
  public init(from decoder: any Decoder) throws {
    let text = try decoder.singleValueContainer().decode(String.self)
    guard let cursor = Cursor(text) else { throw PhotoLibraryError.invalidCursor(text) }
    self = cursor
  }

  /// Writes the text.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  private struct Content: Codable {
    var key: FetchOptions.SortKey
    var order: FetchOptions.Order
    var position: AssetPosition
    /// The assets before it.
    var count: Int
  }

  init(_ options: FetchOptions, _ position: AssetPosition, count: Int) {
    let content = Content(
      key: options.sort, order: options.order, position: position, count: count)
    let bytes = (try? JSONEncoder().encode(content)) ?? Data()
    description = bytes.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
      .replacing("=", with: "")
  }

  private static func content(of text: String) -> Content? {
    guard text.utf8.count <= 4096 else { return nil }
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
    guard let bytes = Data(base64Encoded: base64 + padding) else { return nil }
    return try? JSONDecoder().decode(Content.self, from: bytes)
  }

  /// The assets before the place.
  var count: Int { max(0, Self.content(of: description)?.count ?? 0) }

  func position(in options: FetchOptions) throws(PhotoLibraryError) -> AssetPosition {
    guard let content = Self.content(of: description), content.key == options.sort,
      content.order == options.order
    else { throw .invalidCursor(description) }
    return content.position
  }
}
