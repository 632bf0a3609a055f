import Foundation
import Glibc
import MediaTools
import Testing
import Workbench

extension HostAPITests {
  /// Restarts of the server, and changes of the library during a session.
  @Suite struct Durability {
    @Test(arguments: [SIGTERM, SIGKILL])
    func `sessions survive a restart`(signal: Int32) async throws {
      let library = try await PickerLibrary.shared.copy([
        PickerLibrary.photo, PickerLibrary.screenshot, PickerLibrary.markup,
      ])
      let ids = try library.ids([
        PickerLibrary.markup, PickerLibrary.photo, PickerLibrary.screenshot,
      ])
      let first = try await Picker(library.bench)
      let (done, items) = try await first.choose(Array(ids.prefix(2)))
      let open = try await first.session(["maxItemCount": 3, "title": "Kept"])
      let person = try await Person(open, at: first)
      _ = try await person.post("selection", ["add": .list(ids.reversed().map { .text($0) })])
      _ = try await person.post("options", ["includeLocation": false])
      let unopened = try await first.session()
      try await first.end(signal)

      let second = try await Picker(library.bench)
      #expect(second.token == first.token)
      let list = try await second.host("GET", "/v1/mediaItems?sessionId=\(done)")
      #expect(list.json["mediaItems"].list.map { $0["id"] } == items.map { $0["id"] })
      let base = list.json["mediaItems"][1]["mediaFile"]["baseUrl"]
      #expect(try await second.fetch(base).body == library.bytes(PickerLibrary.photo))

      // The page goes on with the cookie that it has.
      let again = person.at(second)
      let session = try await again.get("session")
      #expect(session.json["title"] == "Kept")
      #expect(session.json["selection"].texts == ids.reversed())
      #expect(session.json["metadataOptions"]["includeLocation"] == false)
      #expect(try await again.post("done", [:]).status == 204)
      // Its address stays dead, and that of the other session works.
      let used = try first.target(of: open["pickerUri"])
      #expect(try await second.send("GET", used).status == 410)
      let fresh = try first.target(of: unopened["pickerUri"])
      #expect(try await second.send("GET", fresh).status == 200)
      try await second.end()
    }

    /// The beginning is written into the sessions' file, so that the test need not wait for days.
    @Test func `dates of a filter are relative to the beginning of the session`() async throws {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library
        for days in 3 9 30; do
          convert -size 32x24 xc:red $days.jpg
          exiftool -q -overwrite_original "-DateTimeOriginal=$(date -d "$days days ago" '+%Y:%m:%d %H:%M:%S')" $days.jpg
        done
        """)
      _ = try await bench.scan([bench.library])
      let ids = try await bench.identifiers()
      let (new, old) = (try #require(ids["3.jpg"]), try #require(ids["9.jpg"]))
      let first = try await Picker(bench)
      let session = try await first.session(["maxItemCount": 0, "filter": "captureDate >= 7d"])
      let person = try await Person(session, at: first)
      #expect(try await person.get("ids").json["ids"].texts == [new])
      try await first.end()
      _ = try await bench.query(
        "UPDATE sessions SET content = json_set(content, '$.created', json_extract(content, '$.created') - 4 * 86400)",
        of: bench.catalog + ".picker")

      let second = try await Picker(bench)
      let later = person.at(second)
      #expect(try await later.get("ids").json["ids"].texts == [new, old])
      #expect(try await later.get("library").json["count"] == 2)
      #expect(
        try await later.post("selection", ["add": [.text(old), .text(new)]]).status == 200)
      // Another session with the same text means other assets.
      let other = try await Person(
        try await second.session(["filter": "captureDate >= 7d"]), at: second)
      #expect(try await other.get("library").json["count"] == 1)
      #expect(try await later.post("done", [:]).status == 204)
      let list = try await second.host("GET", "/v1/mediaItems?sessionId=\(person.session)")
      #expect(list.json["mediaItems"].list.compactMap { $0["id"].text } == [old, new])
      let media = "/v1/media/\(person.session)/\(old)"
      #expect(try await second.host("GET", media + "=d").status == 200)
      #expect(try await second.host("GET", media + "=w16").status == 200)
      try await second.end()
    }

    @Test func `a server removes the folder of one that was killed, and no other`() async throws {
      let (bench, other) = (try await PickerLibrary.small(), try await PickerLibrary.small())
      let folder = bench.folder + "/temporary"
      try await bench.bash("mkdir temporary")
      let killed = try await Picker(bench, environment: ["TMPDIR": folder])
      let left = try await bench.bash("ls temporary")
      #expect(left.hasPrefix("shoebox-picker-"), "\(left)")
      let running = try await Picker(other, environment: ["TMPDIR": folder])
      try await killed.end(SIGKILL)
      // One that has just been created stays, and what a person has given such a name.
      let new = "shoebox-picker-00000000-0000-4000-8000-000000000000"
      try await bench.bash(
        """
        mkdir temporary/shoebox-picker-of-my-sister
        touch -d '2 minutes ago' temporary/*
        mkdir temporary/\(new)
        touch temporary/\(new)/lock
        """)
      let next = try await Picker(bench, environment: ["TMPDIR": folder])
      let now = try await bench.bash("ls temporary").split(separator: "\n")
      #expect(now.count == 4 && !now.contains { left.hasPrefix($0) }, "\(now)")
      try await next.end()
      try await running.end()
      #expect(try await bench.bash("ls temporary") == "\(new)\nshoebox-picker-of-my-sister\n")
    }

    @Test func `a library has one server at a time`() async throws {
      let bench = try await PickerLibrary.small()
      let picker = try await Picker(bench)
      await #expect {
        _ = try await Picker(bench)
      } throws: {
        "\($0)".contains("another server already serves this library")
      }
      try await picker.end(SIGKILL)
      try await Picker(bench).end()
    }

    @Test func `an item that vanishes is a clear error, and the session goes on`() async throws {
      let library = try await PickerLibrary.shared.copy([
        PickerLibrary.photo, PickerLibrary.heic, PickerLibrary.screenshot,
      ])
      let ids = try library.ids([
        PickerLibrary.photo, PickerLibrary.heic, PickerLibrary.screenshot,
      ])
      let picker = try await Picker(library.bench)
      let person = try await Person(try await picker.session(["maxItemCount": 0]), at: picker)
      _ = try await person.post("selection", ["add": .list(ids.prefix(2).map { .text($0) })])
      try FileManager.default.removeItem(atPath: library.bench.library + "/" + PickerLibrary.heic)
      // The person's view: a sentence, not a broken page.
      let image = try await person.get("images/\(ids[1])?side=500")
      #expect(image.status == 422)
      #expect(image.errorStatus == "DATA_LOSS")
      #expect(try await person.get("thumbnails/\(ids[0])").status == 200)
      _ = try await person.post("selection", ["add": [.text(ids[2])]])
      #expect(try await person.post("done", [:]).status == 204)

      let list = try await picker.host("GET", "/v1/mediaItems?sessionId=\(person.session)")
      #expect(list.status == 200)
      let media = "/v1/media/\(person.session)/"
      let gone = try await picker.host("GET", media + ids[1] + "=d")
      #expect(gone.status == 422)
      #expect(gone.errorStatus == "DATA_LOSS")
      #expect(!gone.text.contains(library.bench.folder))
      #expect(try await picker.host("GET", media + ids[0] + "=d").status == 200)
      #expect(try await picker.host("GET", media + ids[2] + "=d").status == 200)

      // After the next scan, the library has no such item.
      _ = try await library.bench.scan()
      let after = try await picker.host("GET", "/v1/mediaItems?sessionId=\(person.session)")
      #expect(after.json["mediaItems"].list.compactMap { $0["id"].text } == [ids[0], ids[2]])
      #expect(try await picker.host("GET", media + ids[1] + "=d").status == 404)
      #expect(try await picker.host("GET", media + ids[2] + "=d").status == 200)
      try await picker.end()
    }

    @Test func `a damaged file is a clear error`() async throws {
      let library = try await PickerLibrary.shared.copy([PickerLibrary.photo, PickerLibrary.heic])
      let ids = try library.ids([PickerLibrary.heic, PickerLibrary.photo])
      let picker = try await Picker(library.bench)
      let items = try await picker.choose(ids).items
      let path = library.bench.library + "/" + PickerLibrary.heic
      let half = try library.bytes(PickerLibrary.heic).prefix(600)
      try Data(half).write(to: URL(filePath: path))
      let reply = try await picker.fetch(items[0]["mediaFile"]["baseUrl"])
      #expect(reply.status == 422, "\(reply.text)")
      #expect(try await picker.fetch(items[1]["mediaFile"]["baseUrl"]).status == 200)
      try await picker.end()
    }
  }
}
