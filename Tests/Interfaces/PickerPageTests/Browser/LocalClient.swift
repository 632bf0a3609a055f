import Foundation
import FoundationNetworking

/// A failure of the tests' own means: a program does not start, or does not answer as its protocol says.
struct PageTestError: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }
}

/// Sends JSON to a program on this machine.
struct LocalClient: Sendable {
  /// Such as `http://127.0.0.1:8437`.
  let base: String
  /// Sent with every request.
  var headers: [String: String] = [:]

  /// - Returns: the status and the body.
  func send(
    _ method: String, _ path: String, _ body: JSON? = nil
  ) async throws -> (status: Int, body: Data) {
    guard let url = URL(string: base + path) else { throw PageTestError("no address: \(path)") }
    var request = URLRequest(url: url, timeoutInterval: 60)
    request.httpMethod = method
    for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
    if let body {
      request.setValue("application/json; charset=utf-8", forHTTPHeaderField: "Content-Type")
      request.httpBody = try JSONEncoder().encode(body)
    }
    let (data, response) = try await URLSession.shared.data(for: request)
    guard let response = response as? HTTPURLResponse else {
      throw PageTestError("\(method) \(path): not an HTTP response")
    }
    return (response.statusCode, data)
  }
}
