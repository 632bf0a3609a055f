import Foundation
import MediaTools
import Testing
import Workbench

extension HostAPITests {
  /// Lists of what was chosen.
  @Suite struct Items {
    @Test func `items before the end are a failed precondition`() async throws {
      let picker = try await PickerLibrary.server
      let session = try await picker.session()
      let id = try #require(session["id"].text)
      let photo = try await PickerLibrary.shared.id(PickerLibrary.photo)
      for target in ["/v1/mediaItems?sessionId=\(id)", "/v1/media/\(id)/\(photo)=d"] {
        let reply = try await picker.host("GET", target)
        #expect(reply.status == 400)
        #expect(reply.errorStatus == "FAILED_PRECONDITION")
      }
      // The person who is choosing has not finished either.
      let person = try await Person(session, at: picker)
      #expect(try await person.post("selection", ["add": [.text(photo)]]).status == 200)
      #expect(
        try await picker.host("GET", "/v1/media/\(id)/\(photo)=d").errorStatus
          == "FAILED_PRECONDITION")
    }

    @Test func `the end needs a chosen item`() async throws {
      let picker = try await PickerLibrary.server
      let person = try await Person(try await picker.session(), at: picker)
      let reply = try await person.post("done", [:])
      #expect(reply.status == 409)
      #expect(reply.errorStatus == "FAILED_PRECONDITION")
    }

    @Test func `items are in the order chosen`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let ids = try library.ids([
        PickerLibrary.video, PickerLibrary.photo, PickerLibrary.screenshot, PickerLibrary.heic,
      ])
      let person = try await Person(
        try await picker.session(["maxItemCount": 0, "selection": "ordered"]), at: picker)
      for id in ids { _ = try await person.post("selection", ["add": [.text(id)]]) }
      // What is chosen again comes last.
      _ = try await person.post("selection", ["remove": [.text(ids[0])]])
      _ = try await person.post("selection", ["add": [.text(ids[0])]])
      #expect(try await person.post("done", [:]).status == 204)
      let order = Array(ids.dropFirst()) + [ids[0]]
      let list = try await picker.host("GET", "/v1/mediaItems?sessionId=\(person.session)").json
      #expect(list["mediaItems"].list.compactMap { $0["id"].text } == order)
      #expect(list["nextPageToken"] == nil)
      #expect(
        try await picker.host("GET", "/v1/sessions/\(person.session)").json["mediaItemsSet"] == true
      )
    }

    @Test func `pages have the size asked for and end`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let ids = try library.ids([
        PickerLibrary.video, PickerLibrary.photo, PickerLibrary.screenshot, PickerLibrary.heic,
        PickerLibrary.live,
      ])
      let (session, all) = try await picker.choose(ids)
      #expect(all.compactMap { $0["id"].text } == ids)
      var (found, token, pages): ([String], String?, Int) = ([], nil, 0)
      repeat {
        let suffix = token.map { "&pageToken=\($0)" } ?? ""
        let page = try await picker.host(
          "GET", "/v1/mediaItems?sessionId=\(session)&pageSize=2\(suffix)")
        #expect(page.json["mediaItems"].list.count <= 2)
        found += page.json["mediaItems"].list.compactMap { $0["id"].text }
        token = page.json["nextPageToken"].text
        pages += 1
      } while token != nil && pages < 5
      #expect(found == ids)
      #expect(pages == 3)
      let first = try await picker.host(
        "GET", "/v1/mediaItems?sessionId=\(session)&pageSize=2&pageToken=")
      #expect(first.json["mediaItems"].list.compactMap { $0["id"].text } == Array(ids[..<2]))
      for size in ["0", "100", "100000"] {
        let page = try await picker.host(
          "GET", "/v1/mediaItems?sessionId=\(session)&pageSize=\(size)")
        #expect(page.json["mediaItems"].list.count == 5)
      }
      for (query, field) in [
        ("pageSize=-1", "pageSize"), ("pageSize=x", "pageSize"), ("pageToken=x", "pageToken"),
        ("pageToken=999", "pageToken"), ("pageToken=-1", "pageToken"),
      ] {
        let reply = try await picker.host(
          "GET", "/v1/mediaItems?sessionId=\(session)&\(query)")
        #expect(reply.status == 400)
        #expect(reply.errorFields == [field])
      }
      let without = try await picker.host("GET", "/v1/mediaItems")
      #expect(without.status == 400)
      #expect(without.errorFields == ["sessionId"])
      #expect(try await picker.host("GET", "/v1/mediaItems?sessionId=x").status == 404)
    }

    @Test func `items of one name keep it`() async throws {
      let bench = try Workbench()
      for (index, path) in ["a/one.gif", "b/one.gif", "c/ONE.gif"].enumerated() {
        try bench.addPicture(path, width: 20 + index)
      }
      _ = try await bench.scan([bench.library])
      let ids = try await bench.identifiers()
      let picker = try await Picker(bench)
      let paths = ["b/one.gif", "a/one.gif", "c/ONE.gif"]
      let items = try await picker.choose(try paths.map { try #require(ids[$0]) }).items
      #expect(items.map { $0["mediaFile"]["filename"] } == ["one.gif", "one.gif", "ONE.gif"])
      for (path, item) in zip(paths, items) {
        let reply = try await picker.fetch(item["mediaFile"]["baseUrl"])
        let bytes = try Data(contentsOf: URL(filePath: bench.library + "/" + path))
        #expect(reply.body == Array(bytes), "\(path)")
        let name = item["mediaFile"]["filename"].text?.replacing(".", with: "%2E") ?? ""
        #expect(reply.headers["content-disposition"]?.hasSuffix(name) == true)
      }
      try await picker.end()
    }

    @Test func `an item has the facts of its file`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let ids = try library.ids([PickerLibrary.photo, PickerLibrary.video, PickerLibrary.live])
      let items = try await picker.choose(ids).items
      let photo = items[0]
      #expect(photo["type"] == "PHOTO")
      #expect(photo["createTime"] == "2024-06-01T08:15:00Z")
      #expect(photo["mediaFile"]["filename"] == "IMG_0001.JPG")
      #expect(photo["mediaFile"]["mimeType"] == "image/jpeg")
      let metadata = photo["mediaFile"]["mediaFileMetadata"]
      #expect(
        metadata == ["width": 640, "height": 480, "cameraMake": "Canon", "cameraModel": "EOS R5"])
      #expect(photo["livePhoto"] == nil)
      let video = items[1]
      #expect(video["type"] == "VIDEO")
      #expect(video["createTime"] == "2024-06-02T06:00:00Z")
      #expect(video["mediaFile"]["mimeType"] == "video/mp4")
      #expect(
        video["mediaFile"]["mediaFileMetadata"]["videoMetadata"]["processingStatus"] == "READY")
      #expect(items[2]["type"] == "PHOTO")
      #expect(items[2]["livePhoto"]["motion"].text != nil)
    }
  }
}
