import Foundation
import MediaTools
import Testing
import Workbench

extension SecurityTests {
  /// What files and responses contain.
  @Suite struct Secrets {
    private func mode(_ path: String) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func `only the owner reads the token and the sessions`() async throws {
      let library = try await PickerLibrary.shared.copy([PickerLibrary.markup])
      let picker = try await Picker(library.bench)
      let session = try await picker.session()
      let person = try await Person(session, at: picker)
      let waiting = try await picker.session()
      let catalog = library.bench.catalog
      #expect(try mode(catalog + ".picker-token") == 0o600)
      var content = Data()
      for suffix in [".picker", ".picker-wal", ".picker-shm"] {
        let path = catalog + suffix
        guard FileManager.default.fileExists(atPath: path) else { continue }
        #expect(try mode(path) == 0o600, "\(suffix)")
        content += try Data(contentsOf: URL(filePath: path))
      }
      #expect(
        content.firstRange(of: Data(person.session.utf8)) != nil, "the sessions are elsewhere")
      let secrets = [
        picker.token, String(person.cookie.dropFirst("shoebox-picker=".count)),
        String(try picker.target(of: session["pickerUri"]).dropFirst("/pick/".count)),
        String(try picker.target(of: waiting["pickerUri"]).dropFirst("/pick/".count)),
      ]
      for secret in secrets {
        #expect(secret.utf8.count == 43)
        #expect(content.firstRange(of: Data(secret.utf8)) == nil)
        #expect(!picker.said.contains(secret), "the log contains a secret")
      }
      #expect(Set(secrets).count == secrets.count)
      try await picker.end()
    }

    @Test func `the log of requests contains routes and no secrets`() async throws {
      let bench = try await PickerLibrary.small()
      let picker = try await Picker(bench, ["--verbose"])
      let session = try await picker.session()
      let person = try await Person(session, at: picker)
      #expect(try await person.get("session").status == 200)
      #expect(try await person.get("items/none").status == 404)
      #expect(try await picker.host("GET", "/v1/sessions/\(person.session)").status == 200)
      #expect(try await picker.host("GET", "/v1/sessions/\(person.session)/x").status == 404)
      try await picker.end()
      for line in [
        "POST /v1/sessions: 200", "GET /pick/{entry}: 200", "GET /s/{session}/api/session: 200",
        "GET /s/{session}/api/items/{asset}: 404", "GET /v1/sessions/{id}: 200", ": 404",
      ] { #expect(picker.said.contains(line), "\(line): \(picker.said)") }
      for secret in [
        picker.token, String(person.cookie.dropFirst("shoebox-picker=".count)), person.session,
        String(try picker.target(of: session["pickerUri"]).dropFirst("/pick/".count)),
      ] { #expect(!picker.said.contains(secret)) }
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o666, 0o700 | 0o001])
    func `a token file that others can use is refused`(permissions: Int) async throws {
      let bench = try await PickerLibrary.small()
      let path = bench.catalog + ".picker-token"
      try Data((String(repeating: "A", count: 43) + "\n").utf8).write(to: URL(filePath: path))
      try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: path)
      let said = try await bench.bash(
        """
        status=0
        timeout 100 '\(Workbench.programs)/shoebox-picker' serve --catalog '\(bench.catalog)' \
          --listen 127.0.0.1:0 2>&1 || status=$?
        echo "status $status"
        """)
      #expect(said.contains("delete the file"), "\(said)")
      #expect(!said.contains("status 0") && !said.contains("status 124"))
      #expect(!said.contains("Address:"))
      #expect(!said.contains("AAAA"), "the message contains the token")
    }

    @Test func `a token file without a token is refused`() async throws {
      let bench = try await PickerLibrary.small()
      let said = try await bench.bash(
        """
        umask 077
        : >'\(bench.catalog).picker-token'
        status=0
        timeout 100 '\(Workbench.programs)/shoebox-picker' serve --catalog '\(bench.catalog)' \
          --listen 127.0.0.1:0 2>&1 || status=$?
        echo "status $status"
        """)
      #expect(said.contains("does not contain a host token"), "\(said)")
      #expect(!said.contains("Address:"))
    }

    @Test func `no response contains a path of the library`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let person = try await Person(try await picker.session(["maxItemCount": 0]), at: picker)
      var said: [(String, Reply)] = []
      var paths = ["session", "albums", "filters", "library", "items?limit=500", "ids", "nothing"]
      for id in library.ids.values {
        paths += [
          "items/\(id)", "details/\(id)", "thumbnails/\(id)", "images/\(id)?side=64",
          "videos/\(id)",
        ]
      }
      for path in paths { said.append((path, try await person.get(path))) }
      for search in ["%28", "path%3D%22x", "captureDate%3E%3E", "%22", "a%00b"] {
        let path = "library?search=\(search)"
        said.append((path, try await person.get(path)))
      }
      let ids = library.ids.values.map { JSON.text($0) }
      said.append(("selection", try await person.post("selection", ["add": .list(ids)])))
      said.append(("done", try await person.post("done", [:])))
      let list = try await picker.host("GET", "/v1/mediaItems?sessionId=\(person.session)")
      said.append(("mediaItems", list))
      for item in list.json["mediaItems"].list where item["type"] == "PHOTO" {
        said.append(("media", try await picker.fetch(item["mediaFile"]["baseUrl"], "=w64-h64")))
      }
      // Folders by their names alone are albums; the rest of a path is the server's.
      let secrets = [
        library.bench.folder, library.bench.library, "/library", "/DCIM/", "catalog.sqlite",
      ]
      for (path, reply) in said {
        for secret in secrets {
          #expect(
            reply.body.firstRange(of: Array(secret.utf8)) == nil, "\(path) contains \(secret)")
          #expect(!reply.headers.values.contains { $0.contains(secret) })
        }
      }
    }

    /// Other people may use the browser after the session.
    @Test func `a browser keeps pictures no longer than the session`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let photo = try library.id(PickerLibrary.photo)
      for end in ["done", "cancel"] {
        let person = try await Person(try await picker.session(), at: picker)
        for path in ["thumbnails/\(photo)?side=64&v=1", "images/\(photo)?side=64&v=1"] {
          let policy = try #require(try await person.get(path).headers["cache-control"])
          let age = policy.wholeMatch(of: /private, max-age=(\d+), immutable/)
            .flatMap { Int($0.output.1) }
          #expect(age.map { (3500...3600).contains($0) } == true, "\(policy)")
        }
        _ = try await person.post("selection", ["add": [.text(photo)]])
        let last = try await person.post(end, [:])
        #expect(last.status == 204 && last.headers["clear-site-data"] == "\"cache\"")
        let refused = try await person.get("session")
        #expect(refused.status == 410 && refused.headers["clear-site-data"] == "\"cache\"")
      }
    }

    @Test func `names and titles with markup stay text`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let id = try library.id(PickerLibrary.markup)
      let name = URL(filePath: PickerLibrary.markup).lastPathComponent
      let title = "</title><script>alert(4)</script>"
      let session = try await picker.session(["title": .text(title), "maxItemCount": 0])
      let person = try await Person(session, at: picker)
      let page = try await picker.send(
        "GET", "/s/\(person.session)/", headers: ["Cookie": person.cookie])
      #expect(!page.text.contains("alert("))
      // They are values of JSON, which no browser shows as a page.
      let item = try await person.get("items/\(id)")
      #expect(item.headers["content-type"] == "application/json; charset=utf-8")
      #expect(item.json["name"].text == name)
      #expect(item.json["title"] == "<script>alert(2)</script>")
      let details = try await person.get("details/\(id)")
      #expect(details.headers["content-type"] == "application/json; charset=utf-8")
      #expect(try await person.get("session").json["title"].text == title)
      // Pages for people repeat nothing of the request.
      for target in [
        "/pick/%3Cscript%3Ealert(5)%3C/script%3E", "/s/%3Cscript%3Ealert(5)%3C%2Fscript%3E",
      ] {
        #expect(!(try await picker.send("GET", target).text.contains("<script>alert")))
      }
      // A download has a name that every file system accepts, and that breaks no field.
      let (_, items) = try await picker.choose([id])
      let portable = "_img src=x onerror=alert(1)_&amp;_quote'.jpg"
      #expect(items[0]["mediaFile"]["filename"].text == portable)
      let file = try await picker.fetch(items[0]["mediaFile"]["baseUrl"])
      let disposition = try #require(file.headers["content-disposition"])
      #expect(disposition.wholeMatch(of: /attachment; filename\*=UTF-8''[A-Za-z0-9%._~-]+/) != nil)
      #expect(
        disposition.components(separatedBy: "''").last?.removingPercentEncoding == portable)
    }
  }
}
