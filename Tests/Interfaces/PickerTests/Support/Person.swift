import Foundation
import Testing
import Workbench

/// A person's browser, reduced to the requests of its page.
struct Person: Sendable {
  /// The session's id.
  let session: String
  /// `shoebox-picker=…`, as the page sends it.
  let cookie: String
  private let picker: Picker

  /// Opens the page of a session.
  init(_ session: JSON, at picker: Picker) async throws {
    try await self.init(opening: session["pickerUri"], at: picker)
  }

  /// Opens an address that a host got.
  init(opening address: JSON, at picker: Picker) async throws {
    let reply = try await picker.send("GET", try picker.target(of: address))
    guard let field = reply.headers["set-cookie"],
      let id = reply.text.firstMatch(of: /\/s\/([0-9a-f-]+)\//)?.output.1
    else { throw WorkbenchError("the page does not open: \(reply.text)") }
    (self.picker, session) = (picker, String(id))
    cookie = String(field.prefix { $0 != ";" })
  }

  private init(_ session: String, _ cookie: String, _ picker: Picker) {
    (self.session, self.cookie, self.picker) = (session, cookie, picker)
  }

  /// The same browser at another server.
  func at(_ picker: Picker) -> Person { Person(session, cookie, picker) }

  /// The same browser with another address or cookie.
  func with(session: String? = nil, cookie: String? = nil) -> Person {
    Person(session ?? self.session, cookie ?? self.cookie, picker)
  }

  /// A request for the page's data, below its `api/`.
  func get(
    _ path: String, headers: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Reply {
    try await picker.send(
      "GET", "/s/\(session)/api/\(path)", headers: ["Cookie": cookie].merging(headers) { $1 },
      sourceLocation: sourceLocation)
  }

  /// What the person does.
  func post(
    _ path: String, _ json: JSON, headers: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Reply {
    let usual = [
      "Cookie": cookie, "Origin": picker.base, "Content-Type": "application/json",
      "Sec-Fetch-Site": "same-origin",
    ]
    return try await picker.send(
      "POST", "/s/\(session)/api/\(path)", headers: usual.merging(headers) { $1 },
      body: Array(try JSONEncoder().encode(json)), sourceLocation: sourceLocation)
  }
}
