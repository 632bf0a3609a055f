import Foundation
import Testing
import Workbench

extension HostAPITests {
  /// Sessions and their configuration.
  @Suite struct Sessions {
    @Test func `a session is created, read and deleted`() async throws {
      let picker = try await PickerLibrary.server
      let created = try await picker.host("POST", "/v1/sessions", [:])
      #expect(created.status == 200)
      let session = created.json
      let id = try #require(session["id"].text)
      #expect(session["mediaItemsSet"] == false)
      #expect(session["state"] == "CREATED")
      #expect(session["pollingConfig"]["pollInterval"] == "2s")
      // The defaults of PHPickerConfiguration.
      #expect(session["pickingConfig"]["selectionLimit"] == 1)
      #expect(session["pickingConfig"]["maxItemCount"] == "1")
      #expect(session["pickingConfig"]["selection"] == "default")
      #expect(session["pickingConfig"]["preferredAssetRepresentationMode"] == "automatic")
      #expect(session["pickerUri"].text?.hasPrefix("\(picker.base)/pick/") == true)
      let expires = try Date(try #require(session["expireTime"].text), strategy: .iso8601)
      #expect((3500...3601).contains(expires.timeIntervalSinceNow))

      let read = try await picker.host("GET", "/v1/sessions/\(id)")
      #expect(read.status == 200)
      #expect(read.json["id"] == session["id"])
      #expect(read.json["pickerUri"] == nil, "the secret is repeated")
      #expect(read.json["pickingConfig"] == session["pickingConfig"])

      let deleted = try await picker.host("DELETE", "/v1/sessions/\(id)")
      #expect(deleted.status == 200)
      #expect(deleted.json == [:])
      for method in ["GET", "DELETE"] {
        let gone = try await picker.host(method, "/v1/sessions/\(id)")
        #expect(gone.status == 404)
        #expect(gone.errorStatus == "NOT_FOUND")
      }
      // The page is over, too.
      #expect(
        try await picker.send("GET", try picker.target(of: session["pickerUri"])).status == 410)
    }

    @Test func `a choice ends once`() async throws {
      let picker = try await PickerLibrary.server
      let photo = try await PickerLibrary.shared.id(PickerLibrary.photo)
      let person = try await Person(try await picker.session(), at: picker)
      #expect(try await person.post("done", [:]).status == 409)
      #expect(try await person.post("selection", ["add": [.text(photo)]]).status == 200)
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for path in ["done", "cancel", "done", "cancel", "done", "cancel"] {
          group.addTask { try await person.post(path, [:]).status }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.sorted() == [204, 410, 410, 410, 410, 410])
    }

    @Test func `a choice ends only as the page shows it`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let ids = try library.ids([PickerLibrary.photo, PickerLibrary.heic])
      let person = try await Person(try await picker.session(["maxItemCount": 0]), at: picker)
      _ = try await person.post("selection", ["add": .list(ids.map { .text($0) })])
      _ = try await person.post("options", ["includeLocation": false])
      let (first, second): (JSON, JSON) = (.text(ids[0]), .text(ids[1]))
      for shown: JSON in [
        ["includeLocation": true], ["includeCaptions": false], ["selection": [first]],
        ["selection": [first, second], "includeLocation": true], ["selection": [first, first]],
      ] {
        let reply = try await person.post("done", shown)
        #expect(reply.status == 409, "\(shown)")
        #expect(reply.errorStatus == "FAILED_PRECONDITION")
      }
      #expect(try await person.post("done", ["selektion": [first]]).status == 400)
      // Without numbers, the page does not show an order.
      let shown: JSON = [
        "selection": [second, first], "includeLocation": false, "includeCaptions": true,
      ]
      #expect(try await person.post("done", shown).status == 204)

      let ordered = try await Person(
        try await picker.session(["maxItemCount": 0, "selection": "ordered"]), at: picker)
      _ = try await ordered.post("selection", ["add": [first, second]])
      #expect(try await ordered.post("done", ["selection": [second, first]]).status == 409)
      #expect(try await ordered.post("done", ["selection": [first, second]]).status == 204)
    }

    @Test func `a request without a body creates a session`() async throws {
      let picker = try await PickerLibrary.server
      let headers = ["Authorization": "Bearer \(picker.token)"]
      #expect(try await picker.send("POST", "/v1/sessions", headers: headers).status == 200)
    }

    /// A client of Google's API may send the whole resource.
    @Test func `read-only fields of a session are ignored`() async throws {
      let reply = try await PickerLibrary.server.host(
        "POST", "/v1/sessions",
        [
          "id": "mine", "pickerUri": "x", "mediaItemsSet": true, "expireTime": "x",
          "pollingConfig": [:], "state": "DONE",
        ])
      #expect(reply.status == 200)
      #expect(reply.json["id"] != "mine")
      #expect(reply.json["mediaItemsSet"] == false)
    }

    @Test func `every option of a configuration is accepted and repeated`() async throws {
      let picker = try await PickerLibrary.server
      let photo = try await PickerLibrary.shared.id(PickerLibrary.photo)
      let config: JSON = [
        "maxItemCount": "3", "selectionLimit": 3, "filter": "images", "selection": "ordered",
        "preselectedAssetIdentifiers": [.text(photo)],
        "preferredAssetRepresentationMode": "current",
        "metadataOptions": ["removeCaptions", "removeLocation"], "searchText": "lake",
        "disabledCapabilities": ["search", "selectionActions"], "title": "Für Ärzte 🩺",
      ]
      let session = try await picker.session(config)
      for field in [
        "maxItemCount", "selectionLimit", "filter", "selection", "preselectedAssetIdentifiers",
        "preferredAssetRepresentationMode", "metadataOptions", "searchText",
        "disabledCapabilities", "title",
      ] { #expect(session["pickingConfig"][field] == config[field], "\(field)") }
      let page = try await Person(session, at: picker).get("session")
      #expect(page.json["selection"] == [.text(photo)])
      #expect(page.json["ordered"] == true)
      #expect(page.json["title"] == "Für Ärzte 🩺")
      // Without a search field, the page does not search.
      #expect(page.json["searchText"] == nil)
      let searching = try await picker.session(["searchText": "lake"])
      let other = try await Person(searching, at: picker).get("session")
      #expect(other.json["searchText"] == "lake")
      #expect(page.json["metadataOptions"]["mayIncludeLocation"] == false)
    }

    @Test(arguments: [
      ("maxItemCount", 5 as JSON, 5), ("maxItemCount", "5", 5), ("selectionLimit", 7, 7),
      ("selectionLimit", "7", 7), ("maxItemCount", 0, 0), ("maxItemCount", "0", 0),
    ])
    func `limits are numbers or texts`(field: String, value: JSON, limit: Int) async throws {
      let config = try await PickerLibrary.server.session([field: value])["pickingConfig"]
      #expect(config["selectionLimit"].whole == limit)
      #expect(config["maxItemCount"].text == String(limit))
    }

    @Test func `options in the form of an object`() async throws {
      let config = try await PickerLibrary.server.session([
        "metadataOptions": ["removeLocation": true, "removeCaptions": false],
        "disabledCapabilities": ["collectionNavigation": true],
      ])["pickingConfig"]
      #expect(config["metadataOptions"] == ["removeLocation"])
      #expect(config["disabledCapabilities"] == ["collectionNavigation"])
    }

    /// A configuration with a mistake, and the field that the error names.
    struct Mistake: Sendable, CustomTestStringConvertible {
      var config: JSON
      var field: String
      var testDescription: String { field }

      init(_ config: JSON, _ field: String) { (self.config, self.field) = (config, field) }
    }

    static let mistakes = [
      Mistake(["colour": "red"], "pickingConfig.colour"),
      Mistake(["filter": "images and ("], "pickingConfig.filter"),
      Mistake(["filter": "colour = 'red'"], "pickingConfig.filter"),
      Mistake(["filter": "missing"], "pickingConfig.filter"),
      Mistake(["filter": "images and missing"], "pickingConfig.filter"),
      Mistake(["filter": 7], "pickingConfig.filter"),
      Mistake(["filter": .text(String(repeating: "x", count: 5000))], "pickingConfig.filter"),
      Mistake(["maxItemCount": -1], "pickingConfig.maxItemCount"),
      Mistake(["maxItemCount": "many"], "pickingConfig.maxItemCount"),
      Mistake(["maxItemCount": true], "pickingConfig.maxItemCount"),
      Mistake(["maxItemCount": .number(1.5)], "pickingConfig.maxItemCount"),
      Mistake(["maxItemCount": 2, "selectionLimit": 3], "pickingConfig.maxItemCount"),
      Mistake(["selectionLimit": []], "pickingConfig.selectionLimit"),
      Mistake(["selection": "random"], "pickingConfig.selection"),
      Mistake(
        ["preselectedAssetIdentifiers": "x"], "pickingConfig.preselectedAssetIdentifiers"),
      Mistake(
        ["preselectedAssetIdentifiers": ["../../etc/passwd"]],
        "pickingConfig.preselectedAssetIdentifiers"),
      Mistake(
        ["preselectedAssetIdentifiers": ["a", "b"], "maxItemCount": 1],
        "pickingConfig.preselectedAssetIdentifiers"),
      Mistake(
        ["preselectedAssetIdentifiers": ["a", "a"], "maxItemCount": 5],
        "pickingConfig.preselectedAssetIdentifiers"),
      Mistake(
        ["preferredAssetRepresentationMode": "original"],
        "pickingConfig.preferredAssetRepresentationMode"),
      Mistake(["metadataOptions": ["removeEverything"]], "pickingConfig.metadataOptions"),
      Mistake(
        ["metadataOptions": ["removeLocation": 1]],
        "pickingConfig.metadataOptions.removeLocation"),
      Mistake(["disabledCapabilities": "search"], "pickingConfig.disabledCapabilities"),
      Mistake(["title": ["x": "y"]], "pickingConfig.title"),
      Mistake(["searchText": false], "pickingConfig.searchText"),
    ]

    @Test(arguments: mistakes)
    func `a mistake is refused by the field's name`(mistake: Mistake) async throws {
      let reply = try await PickerLibrary.server.host(
        "POST", "/v1/sessions", ["pickingConfig": mistake.config])
      #expect(reply.status == 400)
      #expect(reply.errorStatus == "INVALID_ARGUMENT")
      #expect(reply.errorFields == [mistake.field])
      #expect(reply.errorMessage.hasPrefix(mistake.field))
    }

    @Test func `an unknown field of the request is refused by its name`() async throws {
      let reply = try await PickerLibrary.server.host("POST", "/v1/sessions", ["picker": [:]])
      #expect(reply.status == 400)
      #expect(reply.errorFields == ["picker"])
    }

    @Test(arguments: ["{", "[]", "null", "\"text\"", "{\"pickingConfig\":", "\u{1}"])
    func `a body that is not an object is refused`(body: String) async throws {
      let picker = try await PickerLibrary.server
      let reply = try await picker.send(
        "POST", "/v1/sessions", headers: ["Authorization": "Bearer \(picker.token)"],
        body: Array(body.utf8))
      #expect(reply.status == 400)
      #expect(reply.errorStatus == "INVALID_ARGUMENT")
    }

    @Test func `an item outside the filter cannot be preselected`() async throws {
      let photo = try await PickerLibrary.shared.id(PickerLibrary.photo)
      let reply = try await PickerLibrary.server.host(
        "POST", "/v1/sessions",
        ["pickingConfig": ["filter": "videos", "preselectedAssetIdentifiers": [.text(photo)]]])
      #expect(reply.status == 400)
      #expect(reply.errorFields == ["pickingConfig.preselectedAssetIdentifiers"])
    }

    @Test func `the limit holds, and the rest stays chosen`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let person = try await Person(try await picker.session(["maxItemCount": 2]), at: picker)
      let ids = try library.ids([PickerLibrary.photo, PickerLibrary.heic, PickerLibrary.video])
      #expect(
        try await person.post("selection", ["add": .list(ids.prefix(2).map { .text($0) })]).status
          == 200)
      let third = try await person.post("selection", ["add": [.text(ids[2])]])
      #expect(third.status == 409)
      #expect(third.errorStatus == "FAILED_PRECONDITION")
      #expect(third.errorMessage == "You can choose up to 2 items.")
      #expect(try await person.get("session").json["selection"].texts == Array(ids.prefix(2)))
    }

    @Test func `a session that is cancelled has no items`() async throws {
      let picker = try await PickerLibrary.server
      let person = try await Person(try await picker.session(), at: picker)
      #expect(try await person.post("cancel", [:]).status == 204)
      let session = try await picker.host("GET", "/v1/sessions/\(person.session)").json
      #expect(session["state"] == "CANCELLED")
      #expect(session["mediaItemsSet"] == false)
      #expect(session["pollingConfig"] == nil)
      let items = try await picker.host("GET", "/v1/mediaItems?sessionId=\(person.session)")
      #expect(items.status == 400)
      #expect(items.errorStatus == "FAILED_PRECONDITION")
      #expect(try await person.get("session").status == 410)
      #expect(try await person.post("selection", ["add": []]).status == 410)
    }

    @Test(arguments: ["/v1", "/v1/", "/v1/session", "/v1/sessions/x/y", "/v2/sessions", "/x"])
    func `an unknown address is a clear error`(target: String) async throws {
      let reply = try await PickerLibrary.server.host("GET", target)
      #expect(reply.status == 404)
      #expect(reply.errorStatus == "NOT_FOUND")
    }
  }
}
