import Foundation
import Testing
import Workbench

extension HostAPITests {
  /// Server-sent events.
  @Suite struct Events {
    /// A connection that receives the events of a session.
    private final class Listener: Sendable {
      private let connection: Connection

      init(_ picker: Picker, _ session: String) async throws {
        connection = try Connection(port: picker.port)
        try await connection.send(
          "GET /v1/sessions/\(session)/events HTTP/1.1\r\nHost: 127.0.0.1:\(picker.port)\r\n"
            + "Authorization: Bearer \(picker.token)\r\nConnection: close\r\n\r\n")
      }

      /// Receives until the bytes contain a text, so that the next step comes after the event.
      func receive(until text: String, in bytes: inout [UInt8]) async throws {
        while !String(decoding: bytes, as: UTF8.self).contains(text) {
          let more = try await connection.receive()
          guard !more.isEmpty else { throw WorkbenchError("the events end before \(text)") }
          bytes += more
        }
      }

      /// All events, with their data, after the server has closed the connection.
      func events(after bytes: [UInt8]) async throws -> (reply: Reply, events: [String]) {
        let reply = try Reply(bytes + (try await connection.receiveAll()))
        let events = reply.text.components(separatedBy: "\n\n").compactMap { message -> String? in
          let lines = message.components(separatedBy: "\n")
          guard let name = lines.first(where: { $0.hasPrefix("event: ") }) else { return nil }
          let data = lines.first { $0.hasPrefix("data: ") } ?? ""
          return name.dropFirst("event: ".count) + " " + data.dropFirst("data: ".count)
        }
        return (reply, events)
      }
    }

    @Test func `events come in order, at once, and end`() async throws {
      let picker = try await PickerLibrary.server
      let ids = try await PickerLibrary.shared.ids([PickerLibrary.photo, PickerLibrary.video])
      let session = try await picker.session(["maxItemCount": 2])
      let id = try #require(session["id"].text)
      let listener = try await Listener(picker, id)
      var bytes: [UInt8] = []
      try await listener.receive(until: "retry: ", in: &bytes)
      let person = try await Person(session, at: picker)
      try await listener.receive(until: "event: selection", in: &bytes)
      _ = try await person.post("selection", ["add": [.text(ids[0])]])
      try await listener.receive(until: "\"count\":1", in: &bytes)
      _ = try await person.post("selection", ["add": [.text(ids[1])]])
      _ = try await person.post("selection", ["remove": [.text(ids[0])]])
      _ = try await person.post("done", [:])
      let (reply, events) = try await listener.events(after: bytes)
      try await picker.check(reply, to: "GET", "/v1/sessions/\(id)/events")
      #expect(reply.headers["content-type"]?.hasPrefix("text/event-stream") == true)
      #expect(
        events == [
          "opened {}", #"selection {"count":0}"#, #"selection {"count":1}"#,
          #"selection {"count":2}"#, #"selection {"count":1}"#, "done {}",
        ])
      // Who comes later learns the end.
      let late = try await Listener(picker, id).events(after: [])
      #expect(late.events == ["done {}"])
    }

    @Test(arguments: ["cancelled", "expired"])
    func `the last event says how the choice ended`(event: String) async throws {
      let picker = try await PickerLibrary.server
      let session = try await picker.session()
      let id = try #require(session["id"].text)
      let person = try await Person(session, at: picker)
      let listener = try await Listener(picker, id)
      var bytes: [UInt8] = []
      try await listener.receive(until: "event: selection", in: &bytes)
      if event == "cancelled" {
        _ = try await person.post("cancel", [:])
      } else {
        _ = try await picker.host("DELETE", "/v1/sessions/\(id)")
      }
      #expect(
        try await listener.events(after: bytes).events
          == ["opened {}", #"selection {"count":0}"#, "\(event) {}"])
    }

    @Test func `a server that ends does not wait for listeners`() async throws {
      let picker = try await Picker(try await PickerLibrary.small())
      let id = try #require(try await picker.session()["id"].text)
      let listener = try await Listener(picker, id)
      var bytes: [UInt8] = []
      try await listener.receive(until: "retry: ", in: &bytes)
      // `end` waits for 10 seconds.
      try await picker.end()
      #expect(try await listener.events(after: bytes).events == [])
    }

    @Test func `a session has a limited number of listeners`() async throws {
      let picker = try await PickerLibrary.server
      let id = try #require(try await picker.session()["id"].text)
      var listeners: [Listener] = []
      for _ in 0..<16 {
        let listener = try await Listener(picker, id)
        var bytes: [UInt8] = []
        try await listener.receive(until: "retry: ", in: &bytes)
        listeners.append(listener)
      }
      let refused = try await picker.host("GET", "/v1/sessions/\(id)/events")
      #expect(refused.status == 429)
      #expect(refused.errorStatus == "RESOURCE_EXHAUSTED")
      #expect(try await picker.host("GET", "/v1/sessions/unknown/events").status == 404)
      // One that closes its connection makes place at once, which a host that reconnects needs.
      listeners.removeAll()
      let start = ContinuousClock.now
      var isAccepted = false
      while !isAccepted, ContinuousClock.now - start < .seconds(20) {
        try await Task.sleep(for: .milliseconds(100))
        let listener = try await Listener(picker, id)
        var bytes: [UInt8] = []
        try await listener.receive(until: "\r\n\r\n", in: &bytes)
        isAccepted = String(decoding: bytes, as: UTF8.self).hasPrefix("HTTP/1.1 200")
      }
      #expect(isAccepted && ContinuousClock.now - start < .seconds(10))
    }
  }
}
