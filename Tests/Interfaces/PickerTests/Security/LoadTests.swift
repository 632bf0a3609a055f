import Foundation
import MediaTools
import Testing
import Workbench

extension SecurityTests {
  /// Floods, and clients that take their time.
  @Suite struct Load {
    /// The server's answer while a client sends a large body, and the bytes that it could send.
    private func flood(
      _ picker: Picker, _ head: String, chunked: Bool = false
    ) async throws -> (reply: Reply?, sent: Int) {
      let connection = try Connection(port: picker.port)
      try await connection.send(head)
      let piece = [UInt8](repeating: 0x20, count: 1 << 20)
      var sent = 0
      // 1 GB, if the server lets it in.
      while sent < 1 << 30 {
        do {
          if chunked { try await connection.send("100000\r\n") }
          try await connection.send(piece)
          if chunked { try await connection.send("\r\n") }
        } catch is Connection.Failure {
          break
        }
        sent += piece.count
      }
      return (try? Reply(try await connection.receiveAll()), sent)
    }

    @Test func `a body of 1 GB is refused early`() async throws {
      let picker = try await Picker(try await PickerLibrary.small())
      let person = try await Person(try await picker.session(), at: picker)
      let before = try picker.memory
      let host = "Host: 127.0.0.1:\(picker.port)\r\nAuthorization: Bearer \(picker.token)\r\n"
      let page =
        "Host: 127.0.0.1:\(picker.port)\r\nCookie: \(person.cookie)\r\nOrigin: \(picker.base)\r\n"
      let length = "Content-Length: 1073741824\r\n\r\n"
      let chunks = "Transfer-Encoding: chunked\r\n\r\n"
      let api = "/s/\(person.session)/api"
      for (head, isChunked) in [
        ("POST /v1/sessions HTTP/1.1\r\n\(host)\(length)", false),
        ("POST /v1/sessions HTTP/1.1\r\n\(host)\(chunks)", true),
        ("POST \(api)/selection HTTP/1.1\r\n\(page)\(length)", false),
        ("POST \(api)/selection HTTP/1.1\r\n\(page)\(chunks)", true),
        // Without rights, not even the first megabyte is of use.
        ("POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:\(picker.port)\r\n\(length)", false),
        ("POST /x HTTP/1.1\r\nHost: 127.0.0.1:\(picker.port)\r\n\(length)", false),
        // Where no body is expected.
        ("GET /openapi.yaml HTTP/1.1\r\nHost: 127.0.0.1:\(picker.port)\r\n\(length)", false),
        ("DELETE /v1/sessions/x HTTP/1.1\r\n\(host)\(length)", false),
        ("POST \(api)/cancel HTTP/1.1\r\n\(page)\(length)", false),
      ] {
        let (reply, sent) = try await flood(picker, head, chunked: isChunked)
        let line = head.prefix { $0 != "\r" } + (isChunked ? ", chunked" : "")
        #expect(sent < 64 << 20, "\(line): the server received \(sent >> 20) MB")
        // The response may be lost when the connection ends while the client sends.
        if let reply, line.hasPrefix("POST /v1/sessions"), head.contains("Bearer") {
          #expect(reply.status == 413, "\(line)")
          #expect(reply.errorStatus == "RESOURCE_EXHAUSTED")
        }
      }
      #expect(try picker.memory - before < 64 << 20)
      #expect(try await picker.host("GET", "/v1/sessions/\(person.session)").status == 200)
      try await picker.end()
    }

    @Test func `a client that sends its head slowly is cut off`() async throws {
      let picker = try await PickerLibrary.server
      let connection = try Connection(port: picker.port)
      let start = ContinuousClock.now
      try await connection.send("GET /openapi.yaml HTTP/1.1\r\n")
      // A byte now and then, so that the connection never is without traffic.
      do {
        while ContinuousClock.now - start < .seconds(60) {
          try await connection.send("X-Slow: x\r\n")
          try await Task.sleep(for: .milliseconds(500))
        }
      } catch is Connection.Failure {}
      // Ten seconds, and what a busy machine adds.
      #expect((.seconds(9)...(.seconds(58))).contains(ContinuousClock.now - start))
    }

    @Test func `a connection serves several requests`() async throws {
      let picker = try await PickerLibrary.server
      let connection = try Connection(port: picker.port, seconds: 5)
      let host = "Host: 127.0.0.1:\(picker.port)\r\n"
      var bytes: [UInt8] = []
      for count in 1...3 {
        // The body follows in a packet of its own.
        try await connection.send(
          "POST /v1/sessions HTTP/1.1\r\n\(host)Authorization: Bearer \(picker.token)\r\n"
            + "Content-Length: 2\r\n\r\n")
        try await Task.sleep(for: .milliseconds(50))
        try await connection.send("{}")
        while String(decoding: bytes, as: UTF8.self).matches(of: /"state":"CREATED"}/).count < count
        {
          let more = try await connection.receive()
          try #require(!more.isEmpty)
          bytes += more
        }
      }
      #expect(!String(decoding: bytes, as: UTF8.self).contains("connection: close"))
    }

    @Test func `a body that is announced too large is refused before it comes`() async throws {
      let picker = try await PickerLibrary.server
      let connection = try Connection(port: picker.port)
      try await connection.send(
        "POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:\(picker.port)\r\n"
          + "Authorization: Bearer \(picker.token)\r\nContent-Length: 1073741824\r\n\r\n")
      let reply = try Reply(try await connection.receiveAll())
      try await picker.check(reply, to: "POST", "/v1/sessions")
      #expect(reply.status == 413)
      #expect(reply.errorStatus == "RESOURCE_EXHAUSTED")
    }

    @Test func `a large body with every byte in use`() async throws {
      let picker = try await PickerLibrary.server
      let headers = ["Authorization": "Bearer \(picker.token)"]
      // A nested list, which a recursive parser would follow to the end of its stack.
      let nested = String(repeating: "[", count: 500_000)
      let deep = try await picker.send(
        "POST", "/v1/sessions", headers: headers, body: Array("{\"pickingConfig\":\(nested)".utf8))
      #expect(deep.status == 400)
      let flat = String(repeating: "\"x\",", count: 20_000)
      let long = try await picker.send(
        "POST", "/v1/sessions", headers: headers,
        body: Array("{\"pickingConfig\":{\"preselectedAssetIdentifiers\":[\(flat)\"x\"]}}".utf8))
      #expect(long.status == 400)
      #expect(long.errorFields == ["pickingConfig.preselectedAssetIdentifiers"])
      let header = try await picker.send(
        "GET", "/openapi.yaml", headers: ["X-Long": String(repeating: "x", count: 20_000)])
      #expect([200, 400, 431].contains(header.status))
    }

    @Test func `a body of many values is refused at the first wrong one`() async throws {
      let picker = try await Picker(try await PickerLibrary.small())
      let person = try await Person(try await picker.session(), at: picker)
      let many = String(repeating: "{},", count: 340_000) + "{}"
      let headers = ["Cookie": person.cookie, "Origin": picker.base]
      let before = try picker.processorTime
      let page = try await picker.send(
        "POST", "/s/\(person.session)/api/selection", headers: headers,
        body: Array("{\"add\":[\(many)]}".utf8))
      #expect(page.status == 400)
      #expect(page.errorFields == ["add"])
      let host = try await picker.send(
        "POST", "/v1/sessions", headers: ["Authorization": "Bearer \(picker.token)"],
        body: Array("{\"pickingConfig\":{\"title\":[\(many)]}}".utf8))
      #expect(host.errorFields == ["pickingConfig.title"])
      // Reading each value as a value of any type takes more than three seconds a body.
      #expect(try picker.processorTime - before < 2)
      try await picker.end()
    }

    /// Requests on one connection, one after the other without waiting.
    private func create(_ count: Int, at picker: Picker) async throws -> [Int: Int] {
      let body = #"{"pickingConfig":{}}"#
      let request =
        "POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:\(picker.port)\r\n"
        + "Authorization: Bearer \(picker.token)\r\nContent-Length: \(body.utf8.count)\r\n"
      var statuses: [Int: Int] = [:]
      var left = count
      while left > 0 {
        let batch = min(left, 100)
        let connection = try Connection(port: picker.port)
        let requests = String(repeating: request + "\r\n" + body, count: batch - 1)
        try await connection.send(requests + request + "Connection: close\r\n\r\n" + body)
        let bytes = try await connection.receiveAll()
        let replies = String(decoding: bytes, as: UTF8.self).matches(of: /HTTP\/1\.1 (\d{3})/)
        guard !replies.isEmpty else { throw WorkbenchError("no responses") }
        for reply in replies { statuses[Int(reply.output.1) ?? 0, default: 0] += 1 }
        left -= replies.count
      }
      return statuses
    }

    @Test func `10,000 sessions`() async throws {
      let picker = try await Picker(try await PickerLibrary.small())
      let person = try await Person(try await picker.session(), at: picker)
      let statuses = try await withThrowingTaskGroup(of: [Int: Int].self) { group in
        for _ in 0..<4 { group.addTask { try await create(2_500, at: picker) } }
        return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
      }
      #expect(statuses == [200: 999, 429: 9_001])
      let refused = try await picker.host("POST", "/v1/sessions", [:])
      #expect(refused.status == 429)
      #expect(refused.errorStatus == "RESOURCE_EXHAUSTED")
      #expect(refused.headers["retry-after"] != nil)
      // The earlier one works, and its end makes room.
      #expect(try await person.get("session").status == 200)
      #expect(try await picker.host("DELETE", "/v1/sessions/\(person.session)").status == 200)
      #expect(try await picker.host("POST", "/v1/sessions", [:]).status == 200)
      #expect(try picker.memory < 400 << 20)
      try await picker.end()
    }

    @Test func `slow readers do not delay others`() async throws {
      let library = try await PickerLibrary.shared.copy([PickerLibrary.large])
      let picker = try await Picker(library.bench)
      let item = try await picker.choose(
        [try library.id(PickerLibrary.large)], ["preferredAssetRepresentationMode": "current"]
      ).items[0]
      let url = item["mediaFile"]["baseUrl"]
      #expect(try await picker.fetch(url).body.count == library.bytes(PickerLibrary.large).count)
      let before = try picker.memory
      var readers: [Connection] = []
      for index in 0..<100 {
        let connection = try Connection(port: picker.port, receiveBuffer: 4096)
        try await connection.send(
          "GET \(try picker.target(of: url)) HTTP/1.1\r\nHost: 127.0.0.1:\(picker.port)\r\n"
            + "Authorization: Bearer \(picker.token)\r\n\r\n")
        // 32 files are sent at a time.
        let head = String(decoding: try await connection.receive(most: 512), as: UTF8.self)
        #expect(head.hasPrefix(index < 32 ? "HTTP/1.1 200" : "HTTP/1.1 503"), "\(index): \(head)")
        readers.append(connection)
      }
      // 24 MB are asked for by each and not received: they are not in memory. Up to 3.5 MB of each are.
      let growth = try picker.memory - before
      #expect(growth < 200 << 20, "\(growth >> 20) MB")
      let start = ContinuousClock.now
      for _ in 0..<5 { #expect(try await picker.host("POST", "/v1/sessions", [:]).status == 200) }
      #expect(try await picker.fetch(url, headers: ["Range": "bytes=0-99"]).body.count == 100)
      #expect(ContinuousClock.now - start < .seconds(15))
      // A reader that goes on gets the rest.
      var received = 0
      while received < 1 << 20 { received += try await readers[0].receive().count }
      readers = []
      try await picker.end()
    }

    @Test func `clients that send slowly do not delay others`() async throws {
      let picker = try await Picker(try await PickerLibrary.small())
      var writers: [Connection] = []
      for index in 0..<200 {
        let connection = try Connection(port: picker.port)
        try await connection.send(
          index % 2 == 0
            ? "GET /openapi.yaml HT"
            : "POST /v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:\(picker.port)\r\n"
              + "Authorization: Bearer \(picker.token)\r\nContent-Length: 20\r\n\r\n{")
        writers.append(connection)
      }
      let start = ContinuousClock.now
      for writer in writers.prefix(20) { try await writer.send("T") }
      for _ in 0..<5 { #expect(try await picker.host("POST", "/v1/sessions", [:]).status == 200) }
      #expect(ContinuousClock.now - start < .seconds(15))
      writers = []
      try await picker.end()
    }
  }
}
