import Foundation
import MediaTools
import Testing
import Workbench

extension SecurityTests {
  /// Tokens, cookies, ids and filters.
  @Suite struct Access {
    /// Addresses of the host API, with the methods that they have.
    static let hostCalls = [
      ("POST", "/v1/sessions"), ("GET", "/v1/sessions/SESSION"), ("DELETE", "/v1/sessions/SESSION"),
      ("GET", "/v1/sessions/SESSION/events"), ("GET", "/v1/mediaItems?sessionId=SESSION"),
      ("GET", "/v1/media/SESSION/ITEM=d"), ("GET", "/v1/media/SESSION/ITEM/motion=d"),
    ]

    @Test(arguments: hostCalls)
    func `no token, or a wrong one`(method: String, target: String) async throws {
      let picker = try await PickerLibrary.server
      let photo = try await PickerLibrary.shared.id(PickerLibrary.photo)
      let (session, _) = try await picker.choose([photo])
      let target = target.replacing("SESSION", with: session).replacing("ITEM", with: photo)
      let token = picker.token
      for authorization in [
        "", "Bearer", "Bearer ", "Bearer x", "Bearer \(token)x", "Bearer \(token.dropLast())",
        "Bearer \(String(token.reversed()))", "Basic \(token)", token, "Bearer \(token) x",
      ] {
        // An empty value removes the field.
        let reply = try await picker.send(method, target, headers: ["Authorization": authorization])
        #expect(reply.status == 401, "'\(authorization)'")
        #expect(reply.errorStatus == "UNAUTHENTICATED")
        #expect(reply.headers["www-authenticate"] == "Bearer")
        #expect(!reply.text.contains(photo))
      }
      // Neither the person's cookie nor a parameter replaces the token.
      let person = try await Person(try await picker.session(), at: picker)
      let cookie = try await picker.send(method, target, headers: ["Cookie": person.cookie])
      #expect(cookie.status == 401)
      let sign = target.contains("?") ? "&" : "?"
      let parameter = try await picker.send(method, "\(target)\(sign)access_token=\(token)")
      #expect(parameter.status == 401)
      #expect(try await picker.host("GET", "/v1/sessions/\(session)").status == 200)
    }

    @Test func `the token of hosts does not open the page`() async throws {
      let picker = try await PickerLibrary.server
      let person = try await Person(try await picker.session(), at: picker)
      let stranger = person.with(cookie: "shoebox-picker=\(picker.token)")
      #expect(try await stranger.get("session").status == 403)
      let headers = ["Authorization": "Bearer \(picker.token)"]
      let reply = try await picker.send("GET", "/s/\(person.session)/api/session", headers: headers)
      #expect(reply.status == 403)
      #expect(try await picker.send("GET", "/pick/\(picker.token)").status == 410)
    }

    @Test func `an address opens one page only`() async throws {
      let picker = try await PickerLibrary.server
      let session = try await picker.session()
      let target = try picker.target(of: session["pickerUri"])
      // Other methods do not use it up.
      #expect(try await picker.send("HEAD", target).headers["set-cookie"] == nil)
      #expect(try await picker.send("POST", target, headers: ["Origin": picker.base]).status != 200)
      let first = try await picker.send("GET", target)
      #expect(first.status == 200)
      let cookie = try #require(first.headers["set-cookie"])
      #expect(cookie.contains("HttpOnly"))
      #expect(cookie.contains("SameSite=Strict"))
      #expect(cookie.contains("Path=/s/\(session["id"].text ?? "")"))
      let second = try await picker.send("GET", target)
      #expect(second.status == 410)
      #expect(second.headers["set-cookie"] == nil)
      #expect(second.headers["content-type"]?.hasPrefix("text/html") == true)
      #expect(!second.text.contains("/s/"))
      // An address that never was answers alike, so that nothing is learned.
      let never = try await picker.send("GET", "/pick/" + String(repeating: "A", count: 43))
      #expect(never.status == second.status)
      #expect(never.text == second.text)
      for entry in ["x", "..%2f..", String(repeating: "A", count: 5000), "%00"] {
        #expect(try await picker.send("GET", "/pick/\(entry)").status == 410)
      }
    }

    @Test func `two browsers of which one is faster`() async throws {
      let picker = try await PickerLibrary.server
      let target = try picker.target(of: try await picker.session()["pickerUri"])
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<8 { group.addTask { try await picker.send("GET", target).status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [200] + Array(repeating: 410, count: 7))
    }

    @Test func `another session's cookie and id`() async throws {
      let picker = try await PickerLibrary.server
      let photo = try await PickerLibrary.shared.id(PickerLibrary.photo)
      let one = try await Person(try await picker.session(), at: picker)
      let other = try await Person(try await picker.session(["filter": "videos"]), at: picker)
      for stranger in [
        one.with(cookie: other.cookie), other.with(cookie: one.cookie), one.with(cookie: ""),
        one.with(cookie: "shoebox-picker="), one.with(cookie: "shoebox-picker=\(one.session)"),
      ] {
        for path in [
          "session", "albums", "filters", "library", "items", "ids", "items/\(photo)",
          "thumbnails/\(photo)", "images/\(photo)", "videos/\(photo)", "videos/\(photo)/file",
          "details/\(photo)",
        ] {
          let reply = try await stranger.get(path)
          #expect(reply.status == 403, "\(path)")
          #expect(reply.errorStatus == "PERMISSION_DENIED")
        }
        for path in ["selection", "options", "done", "cancel"] {
          #expect(try await stranger.post(path, [:]).status == 403, "\(path)")
        }
        let page = try await picker.send(
          "GET", "/s/\(stranger.session)/", headers: ["Cookie": stranger.cookie])
        #expect(page.status == 403)
        #expect(page.headers["content-type"]?.hasPrefix("text/html") == true)
      }
      // The sessions are as they were.
      #expect(try await one.get("session").json["selection"] == [])
      #expect(try await other.get("session").status == 200)
      // Two cookies, as one browser with two sessions sends them.
      let both = one.with(cookie: "\(one.cookie); other=1")
      #expect(try await both.get("session").status == 200)
    }

    @Test func `an item outside the filter`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let (photo, video) = (
        try library.id(PickerLibrary.photo), try library.id(PickerLibrary.video)
      )
      let person = try await Person(
        try await picker.session(["filter": "videos", "maxItemCount": 0]), at: picker)
      #expect(try await person.get("items/\(video)").status == 200)
      for path in [
        "items/\(photo)", "thumbnails/\(photo)", "thumbnails/\(photo)?side=64&v=1",
        "images/\(photo)", "details/\(photo)", "videos/\(photo)", "videos/\(photo)/file",
      ] {
        let reply = try await person.get(path)
        #expect(reply.status == 404, "\(path)")
        #expect(reply.errorStatus == "NOT_FOUND")
      }
      // The live photo's clip belongs to a photo.
      let live = try library.id(PickerLibrary.live)
      #expect(try await person.get("videos/\(live)/file").status == 404)
      let refused = try await person.post("selection", ["add": [.text(video), .text(photo)]])
      #expect(refused.status == 404)
      #expect(try await person.get("session").json["selection"] == [])
      // Searches, chips and albums stay inside the filter.
      for query in [
        "", "?kinds=images", "?search=images%20or%20videos", "?search=IMG", "?album=DCIM",
      ] {
        let found = try await person.get("ids\(query)").json["ids"].texts
        #expect(Set(found).isSubset(of: [video]), "\(query)")
      }
      let token = try #require(try await person.get("library").json["token"].text)
      func range(_ ends: (String, String)) async throws -> Reply {
        try await person.get("ids?from=\(ends.0)&through=\(ends.1)&token=\(token)")
      }
      #expect(try await range((video, video)).json["ids"].texts == [video])
      for ends in [(video, photo), (photo, video), (photo, photo), (video, "x"), ("", "")] {
        let reply = try await range(ends)
        #expect(reply.status == 409 && reply.json["ids"] == nil, "\(ends)")
      }
      #expect(try await person.get("ids?from=\(video)&through=\(video)").errorFields == ["token"])
      let kinds = try await person.get("filters").json["kinds"].list.compactMap { $0["name"].text }
      #expect(kinds == ["videos"])
      #expect(try await person.get("albums").json["albums"] == [["name": "DCIM", "count": 1]])
      #expect(try await person.get("library").json["count"] == 1)
      _ = try await person.post("selection", ["add": [.text(video)]])
      #expect(try await person.post("done", [:]).status == 204)
      // Only what was chosen leaves, also for the host.
      for form in ["", "=d", "=w64-h64", "/still=d", "/motion=d"] {
        let reply = try await picker.host("GET", "/v1/media/\(person.session)/\(photo)\(form)")
        #expect(reply.status == 404, "\(form)")
      }
      #expect(
        try await picker.host("GET", "/v1/media/\(person.session)/\(video)=d").status == 200)
    }

    @Test func `an item that was not chosen does not leave`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let (session, _) = try await picker.choose([try library.id(PickerLibrary.photo)])
      let other = try library.id(PickerLibrary.screenshot)
      #expect(try await picker.host("GET", "/v1/media/\(session)/\(other)=d").status == 404)
      // Nor does one that another session chose.
      let (second, _) = try await picker.choose([other])
      #expect(try await picker.host("GET", "/v1/media/\(second)/\(other)=d").status == 200)
      #expect(try await picker.host("GET", "/v1/media/\(session)/\(other)=d").status == 404)
    }

    @Test func `nothing changes after the end`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let ids = try library.ids([PickerLibrary.photo, PickerLibrary.video])
      let person = try await Person(try await picker.session(["maxItemCount": 0]), at: picker)
      _ = try await person.post("selection", ["add": [.text(ids[0])]])
      _ = try await person.post("done", [:])
      #expect(try await person.post("selection", ["add": [.text(ids[1])]]).status == 410)
      #expect(try await person.post("options", ["includeLocation": false]).status == 410)
      #expect(try await person.post("done", [:]).status == 410)
      #expect(try await person.post("cancel", [:]).status == 410)
      #expect(try await person.get("items").status == 410)
      #expect(try await person.get("thumbnails/\(ids[0])").status == 410)
      let list = try await picker.host("GET", "/v1/mediaItems?sessionId=\(person.session)")
      #expect(list.json["mediaItems"].list.count == 1)
    }

    static let paths = [
      "..", "../", "../../etc/passwd", "..%2F..%2Fetc%2Fpasswd", "%2e%2e", "%2e%2e%2f%2e%2e%2fetc",
      "/etc/passwd", "%2Fetc%2Fpasswd", "....//", "..%5c..%5c", "%00", "x%00.jpg", "%", "%zz",
      "'%20or%201=1%20--", "%F0%28%8C%28", "*", "",
    ]

    @Test(arguments: paths)
    func `a path in an id`(path: String) async throws {
      let picker = try await PickerLibrary.server
      let library = try await PickerLibrary.shared
      let person = try await Person(try await picker.session(), at: picker)
      let (session, _) = try await picker.choose([try library.id(PickerLibrary.photo)])
      let isFound: (Reply) -> Bool = { $0.status < 400 }
      for place in ["items", "thumbnails", "images", "videos", "details"] where !path.isEmpty {
        let reply = try await person.get("\(place)/\(path)")
        #expect(!isFound(reply) || place == "items" && reply.json["items"] != nil, "\(place)")
        #expect(!reply.text.contains("root:"))
      }
      for target in [
        "/v1/media/\(session)/\(path)", "/v1/media/\(session)/\(path)=d", "/v1/media/\(path)/x",
        "/v1/sessions/\(path)x", "/page/\(path)", "/s/\(path)/", "/\(path)x",
      ] {
        let reply = try await picker.host("GET", target)
        #expect(!isFound(reply), "\(target): \(reply.status)")
        #expect(!reply.text.contains("root:"))
      }
      let selection = try await person.post(
        "selection", ["add": [.text(path.removingPercentEncoding ?? path)]])
      #expect(selection.status == 404)
    }
  }
}
