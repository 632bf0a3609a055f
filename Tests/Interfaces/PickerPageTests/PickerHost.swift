import Foundation
import NIOHTTP1
import Workbench

/// A program that lets people choose: the host API, with the field names of docs/picker.md.
struct PickerHost: Sendable {
  let client: LocalClient

  /// A session as the API returns it: the fields that tests read.
  struct Session: Decodable, Sendable {
    var id: String
    var pickerUri: String?
    var mediaItemsSet: Bool
  }

  private struct Items: Decodable {
    struct Item: Decodable {
      struct File: Decodable { var filename: String }
      var mediaFile: File
    }
    var mediaItems: [Item]
  }

  func create(_ config: JSON) async throws -> Session {
    try await call(.POST, "/v1/sessions", ["pickingConfig": config])
  }

  func session(_ id: String) async throws -> Session { try await call(.GET, "/v1/sessions/\(id)") }

  func delete(_ id: String) async throws {
    let status = try await client.send(.DELETE, "/v1/sessions/\(id)").status
    guard (200..<300).contains(status) else { throw PageTestError("DELETE answered \(status)") }
  }

  /// The names of the chosen files, in their order.
  func chosenNames(_ id: String) async throws -> [String] {
    let items: Items = try await call(.GET, "/v1/mediaItems?sessionId=\(id)")
    return items.mediaItems.map(\.mediaFile.filename)
  }

  private func call<Value: Decodable>(
    _ method: HTTPMethod, _ path: String, _ body: JSON? = nil
  ) async throws -> Value {
    let (status, data) = try await client.send(method, path, body)
    guard status == 200 else {
      throw PageTestError("\(method) \(path): \(status) \(String(decoding: data, as: UTF8.self))")
    }
    return try JSONDecoder().decode(Value.self, from: data)
  }
}
