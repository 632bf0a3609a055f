import Foundation
import Hummingbird
import NIOCore
import ServiceLifecycle
import ShoeboxKit

/// What hosts ask of sessions: `/v1/sessions`, as in Google's Photos Picker API.
struct SessionRoutes<Context: RequestContext> {
  let sessions: PickerSessions
  let address: BoundAddress

  func add(to group: RouterGroup<Context>) {
    group.post("sessions", use: create)
    group.get("sessions/:id", use: get)
    group.delete("sessions/:id", use: delete)
    group.get("sessions/:id/events", use: events)
  }

  @Sendable private func create(_ request: Request, _ context: Context) async throws -> Response {
    let body = try await request.object(limit: PickerLimits.hostBody, context)
    // Google's clients send the whole resource back; its other fields are the server's to fill in.
    try body.check([
      "pickingConfig", "id", "pickerUri", "pollingConfig", "expireTime", "mediaItemsSet", "state",
    ])
    let config =
      try body.object("pickingConfig").map { json throws(InvalidField) in
        try PickingConfig(json: json)
      } ?? PickingConfig()
    let (session, entry) = try await sessions.create(config)
    return .json(try json(session, entry: entry))
  }

  @Sendable private func get(_ request: Request, _ context: Context) async throws -> Response {
    .json(try json(try await sessions.session(context.parameters.require("id"))))
  }

  @Sendable private func delete(_ request: Request, _ context: Context) async throws -> Response {
    try await sessions.delete(context.parameters.require("id"))
    return .json([:])
  }

  /// Server-sent events (HTML standard, section 9.2).
  @Sendable private func events(_ request: Request, _ context: Context) async throws -> Response {
    let events = try await sessions.events(of: context.parameters.require("id"))
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store"],
      body: ResponseBody { writer in
        // The end of the connection ends the events at once, so that it does not count as a listener any more.
        try await request.body.consumeWithCancellationOnInboundClose { _ in
          try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
          // A comment now and then shows proxies that the client is still there.
          // The end of the server ends the events; the client then connects to the next one.
          let messages = EventMessages(events, silence: .seconds(15))
          for try await message in messages.cancelOnGracefulShutdown() {
            try await writer.write(ByteBuffer(string: message))
          }
        }
        try await writer.finish(nil)
      })
  }

  /// A session as Google's API returns it, and its state.
  ///
  /// - Parameter entry: the token of its page, which only the first response contains.
  private func json(_ session: PickerSession, entry: Secret? = nil) throws -> [String: any Sendable]
  {
    let left = max(0, session.expires.timeIntervalSinceNow)
    var json: [String: any Sendable] = [
      "id": session.id, "expireTime": Timestamp.text(of: session.expires),
      "pickingConfig": session.config.json, "mediaItemsSet": session.state == .done,
      "state": session.state.rawValue.uppercased(),
    ]
    if let entry { json["pickerUri"] = "\(try address.current.base)/pick/\(entry.text)" }
    if session.isOpen {
      json["pollingConfig"] = ["pollInterval": "2s", "timeoutIn": "\(Int(left))s"]
    }
    return json
  }
}
