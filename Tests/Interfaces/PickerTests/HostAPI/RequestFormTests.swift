import Testing
import Workbench

extension HostAPITests {
  /// How requests may be written.
  @Suite struct RequestForms {
    /// The URL standard (section 5.1) and HTML's forms write a space of a query as a plus, and a plus as `%2B`.
    @Test func `a plus in a query is a space`() async throws {
      let album = "Rome + Ostia"
      let library = try await PickerLibrary.shared.copy(
        [PickerLibrary.photo], renaming: [PickerLibrary.photo: "\(album)/IMG_0001.JPG"])
      let picker = try await Picker(library.bench)
      let person = try await Person(try await picker.session(), at: picker)
      for (query, count) in [
        ("album=Rome+%2B+Ostia", 1), ("album=Rome%20%2B%20Ostia", 1), ("album=Rome+++Ostia", 0),
        ("search=our+lake", 1), ("search=our%20lake", 1), ("search=our+sea", 0),
        ("month=2024-06&album=Rome+%2B+Ostia", 1),
      ] {
        let reply = try await person.get("library?\(query)")
        #expect(reply.json["count"].whole == count, "\(query): \(reply.text)")
      }
    }

    /// RFC 9110, section 9.3.2: as GET, without the content.
    @Test func `HEAD answers as GET`() async throws {
      let picker = try await PickerLibrary.server
      let photo = try await PickerLibrary.shared.id(PickerLibrary.photo)
      let session = try await picker.choose([photo])
      let item = "/v1/media/\(session.id)/\(photo)"
      for target in [
        "/openapi.yaml", "/v1/sessions/\(session.id)", "/v1/mediaItems?sessionId=\(session.id)",
        item + "=d", item + "=w64", "/page/picker.js",
      ] {
        let full = try await picker.host("GET", target)
        let head = try await picker.host("HEAD", target)
        #expect(full.status == 200 && head.status == 200, "\(target): \(head.status)")
        #expect(head.body.isEmpty, "\(target)")
        for name in ["content-type", "content-length", "etag", "accept-ranges"] {
          #expect(head.headers[name] == full.headers[name], "\(target): \(name)")
        }
      }
    }

    /// A client would take the content for the next response on the connection.
    @Test func `an error in answer to HEAD has no content`() async throws {
      let picker = try await PickerLibrary.server
      let session = try await picker.session()
      let target = "/v1/sessions/\(session["id"].text ?? "")"
      let foreign = try await picker.send("HEAD", target, headers: ["Host": "evil.example"])
      for (reply, status) in [
        (try await picker.host("HEAD", "/v1/sessions/unknown"), 404),
        (try await picker.host("HEAD", "/v1/unknown"), 404),
        (try await picker.send("HEAD", target), 401), (foreign, 403),
      ] {
        #expect(reply.status == status)
        #expect(reply.body.isEmpty, "\(status): \(reply.text)")
        #expect(reply.headers["content-length"].flatMap { Int($0) } ?? 0 > 0)
      }
    }

    @Test(arguments: ["prefetch", "prefetch;prerender", "prefetch;anonymous-client-ip"])
    func `loading in advance does not use up the address of a page`(purpose: String) async throws {
      let picker = try await PickerLibrary.server
      let session = try await picker.session()
      let target = try picker.target(of: session["pickerUri"])
      let early = try await picker.send("GET", target, headers: ["Sec-Purpose": purpose])
      #expect(early.status == 503)
      #expect(early.headers["set-cookie"] == nil)
      #expect(try await Person(session, at: picker).get("session").status == 200)
    }

    @Test func `HEAD does not use up the address of a page`() async throws {
      let picker = try await PickerLibrary.server
      let session = try await picker.session()
      let target = try picker.target(of: session["pickerUri"])
      for target in [target, target + "/autoclose"] {
        let head = try await picker.send("HEAD", target)
        #expect(head.status == 200 && head.body.isEmpty)
        #expect(head.headers["set-cookie"] == nil)
      }
      let person = try await Person(session, at: picker)
      #expect(try await person.get("session").status == 200)
      #expect(try await picker.send("HEAD", target).status == 410)
    }
  }
}
