import Foundation
import MediaTools
import Testing
import Workbench

extension HostAPITests {
  /// Workers that end, full disks, and the end of a session's time.
  @Suite struct Accidents {
    @Test func `a worker that dies is a clear error, and the session goes on`() async throws {
      let fatal = "DCIM/CRASH.HEIC"
      let library = try await PickerLibrary.shared.copy(
        [PickerLibrary.photo, PickerLibrary.heic, PickerLibrary.misnamed],
        renaming: [PickerLibrary.heic: fatal])
      let codec = try library.bench.faultyCodec(log: library.bench.folder + "/log")
      let picker = try await Picker(library.bench, environment: ["SHOEBOX_CODEC": codec])
      let ids = try library.ids([fatal, PickerLibrary.misnamed, PickerLibrary.photo])
      let person = try await Person(try await picker.session(["maxItemCount": 0]), at: picker)
      let image = try await person.get("images/\(ids[0])?side=300")
      #expect(image.status == 422, "\(image.text)")
      #expect(try await person.get("images/\(ids[1])?side=300").status == 200)
      _ = try await person.post("selection", ["add": .list(ids.map { .text($0) })])
      #expect(try await person.post("done", [:]).status == 204)
      let media = "/v1/media/\(person.session)/"
      for _ in 0..<2 {
        let reply = try await picker.host("GET", media + ids[0] + "=w300")
        #expect(reply.status == 422, "\(reply.text)")
        #expect(reply.errorStatus == "DATA_LOSS")
        #expect(try await picker.host("GET", media + ids[1] + "=w300").status == 200)
        #expect(try await picker.host("GET", media + ids[1] + "=d").status == 200)
        #expect(try await picker.host("GET", media + ids[2] + "=d").status == 200)
      }
      try await picker.end()
    }

    @Test(.enabled("needs the right to mount", { await Workbench.canMount }))
    func `a full disk is a clear error, and the session goes on`() async throws {
      let library = try await PickerLibrary.shared.copy([
        PickerLibrary.photo, PickerLibrary.large,
      ])
      // The folder for results has room for a photo.
      let lines = """
        mkdir small
        mount -t tmpfs -o size=2m none small
        TMPDIR=$PWD/small exec "$@"
        """
      let picker = try await Picker(
        library.bench,
        prefix: ["unshare", "--mount", "--map-root-user", "--user", "bash", "-euc", lines, "small"])
      let ids = try library.ids([PickerLibrary.large, PickerLibrary.photo])
      let (session, items) = try await picker.choose(
        ids, ["maxItemCount": 0, "preferredAssetRepresentationMode": "current"])
      #expect(items.count == 2)
      for _ in 0..<2 {
        let reply = try await picker.host("GET", "/v1/media/\(session)/\(ids[0])=d")
        #expect(reply.status == 507, "\(reply.text)")
        #expect(reply.errorStatus == "RESOURCE_EXHAUSTED")
        #expect(reply.headers["retry-after"] != nil)
        let other = try await picker.host("GET", "/v1/media/\(session)/\(ids[1])=d")
        #expect(other.body == (try library.bytes(PickerLibrary.photo)))
      }
      // A small picture of it has room.
      #expect(try await picker.host("GET", "/v1/media/\(session)/\(ids[0])=w64").status == 200)
      try await picker.end()
    }

    @Test func `a lost folder for temporary files is a clear error, and the session goes on`()
      async throws
    {
      let bench = try await PickerLibrary.small()
      let ids = try await bench.identifiers()
      try await bench.bash("mkdir temporary")
      let picker = try await Picker(bench, environment: ["TMPDIR": bench.folder + "/temporary"])
      let (session, items) = try await picker.choose(Array(ids.values))
      try await bench.bash("rm -r temporary")
      let id = try #require(ids["one.gif"])
      for target in ["/v1/mediaItems?sessionId=\(session)", "/v1/media/\(session)/\(id)=d"] {
        let reply = try await picker.host("GET", target)
        #expect(reply.status == 507, "\(reply.text)")
        #expect(reply.errorStatus == "RESOURCE_EXHAUSTED")
        #expect(!reply.text.contains(bench.folder))
      }
      try await bench.bash("mkdir temporary")
      let list = try await picker.host("GET", "/v1/mediaItems?sessionId=\(session)")
      #expect(list.json["mediaItems"].list == items)
      let original = try Data(contentsOf: URL(filePath: bench.library + "/one.gif"))
      #expect(try await picker.fetch(items[0]["mediaFile"]["baseUrl"]).body == Array(original))
      // As private as the first one.
      #expect(try await bench.bash("stat -c %a temporary/*") == "700\n")
      try await picker.end()
    }

    @Test func `a result whose temporary file was deleted is made again`() async throws {
      let bench = try await PickerLibrary.small()
      let ids = try await bench.identifiers()
      try await bench.bash("mkdir temporary")
      let picker = try await Picker(bench, environment: ["TMPDIR": bench.folder + "/temporary"])
      let (_, items) = try await picker.choose(Array(ids.values))
      let original = Array(try Data(contentsOf: URL(filePath: bench.library + "/one.gif")))
      let url = items[0]["mediaFile"]["baseUrl"]
      #expect(try await picker.fetch(url).body == original)
      for deletion in [
        "find temporary -type f -delete", "find temporary -mindepth 2 -delete",
        "find temporary -mindepth 1 -delete",
      ] {
        #expect(try await bench.bash("find temporary -type f -print -quit") != "")
        try await bench.bash(deletion)
        for _ in 0..<2 {
          let reply = try await picker.fetch(url)
          #expect(reply.status == 200, "\(deletion): \(reply.text)")
          #expect(reply.body == original, "\(deletion)")
        }
      }
      try await picker.end()
    }

    @Test func `a file that was deleted after the choice is not called damaged`() async throws {
      let bench = try await PickerLibrary.small()
      try bench.addPicture("damaged.gif")
      _ = try await bench.scan([bench.library])
      let ids = try await bench.identifiers()
      let picker = try await Picker(bench)
      let names = ["one.gif", "damaged.gif"]
      let (_, items) = try await picker.choose(
        try names.map { try #require(ids[$0]) },
        ["maxItemCount": 0, "metadataOptions": ["removeLocation"]])
      try await bench.bash("rm library/one.gif; echo GIF89a >library/damaged.gif")
      let gone = try await picker.fetch(items[0]["mediaFile"]["baseUrl"])
      #expect(gone.status == 422)
      #expect(
        gone.errorMessage == "The file is no longer where the last scan of the library found it.")
      let damaged = try await picker.fetch(items[1]["mediaFile"]["baseUrl"])
      #expect(damaged.status == 422)
      #expect(damaged.errorMessage.contains("may be damaged"), "\(damaged.text)")
      try await picker.end()
    }

    @Test func `files of other users do not change the names of results`() async throws {
      let bench = try await PickerLibrary.small()
      let ids = try await bench.identifiers()
      try await bench.bash(
        "mkdir -p temporary/shoebox-picker-plan; touch temporary/shoebox-picker-plan/one.gif")
      let picker = try await Picker(bench, environment: ["TMPDIR": bench.folder + "/temporary"])
      let (_, items) = try await picker.choose(Array(ids.values))
      #expect(items.map { $0["mediaFile"]["filename"] } == ["one.gif"])
      try await picker.end()
    }

    /// The end of the time is written into the sessions' file, so that the test need not wait for it.
    @Test func `a session ends with its time, and is forgotten later`() async throws {
      let bench = try await PickerLibrary.small()
      let ids = try await bench.identifiers()
      let first = try await Picker(bench)
      let session = try await first.session()
      let id = try #require(session["id"].text)
      let person = try await Person(session, at: first)
      let unopened = try await first.session()
      let (done, _) = try await first.choose(Array(ids.values))
      try await first.end()
      let past = "UPDATE sessions SET content = json_set(content, '$.expires', 1)"
      _ = try await bench.query(past, of: bench.catalog + ".picker")

      let second = try await Picker(bench)
      let expired = try await second.host("GET", "/v1/sessions/\(id)")
      #expect(expired.json["state"] == "EXPIRED")
      #expect(expired.json["pollingConfig"] == nil)
      let items = try await second.host("GET", "/v1/mediaItems?sessionId=\(id)")
      #expect(items.errorStatus == "FAILED_PRECONDITION")
      let page = try await person.at(second).get("session")
      #expect(page.status == 410)
      #expect(page.errorMessage.contains("time"))
      let entry = try first.target(of: unopened["pickerUri"])
      #expect(try await second.send("GET", entry).status == 410)
      let events = try await second.host("GET", "/v1/sessions/\(id)/events")
      #expect(events.text.contains("event: expired"))
      // The results of a finished session are gone.
      #expect(try await second.host("GET", "/v1/mediaItems?sessionId=\(done)").status == 404)
      try await second.end()

      _ = try await bench.query(past, of: bench.catalog + ".picker")
      let third = try await Picker(bench)
      #expect(try await third.host("GET", "/v1/sessions/\(id)").status == 404)
      let left = try await bench.query(
        "SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM selections)",
        of: bench.catalog + ".picker")
      #expect(left == ["0|0"])
      try await third.end()
    }

    @Test func `a damaged file of sessions is named with the remedy`() async throws {
      let bench = try await PickerLibrary.small()
      let said = try await bench.bash(
        """
        echo damaged >'\(bench.catalog).picker'
        serve() {
          timeout "$1" '\(Workbench.programs)/shoebox-picker' serve --catalog '\(bench.catalog)' \
            --listen 127.0.0.1:0 2>&1 || true
        }
        serve 100
        rm '\(bench.catalog).picker'
        serve 5
        """)
      let sentence = ".picker: file is not a database; delete the file, which ends its sessions\n"
      #expect(said.contains(sentence), "\(said)")
      #expect(said.contains("\nAddress: "), "\(said)")
    }

    @Test func `a Unix socket`() async throws {
      let bench = try await PickerLibrary.small()
      let said = try await bench.bash(
        """
        timeout 100 '\(Workbench.programs)/shoebox-picker' serve --catalog '\(bench.catalog)' \
          --listen unix:picker.socket >said 2>&1 &
        until grep -q Address: said; do sleep 0.05; done
        stat -c %a picker.socket
        token=$(cat '\(bench.catalog).picker-token')
        curl -sS --unix-socket picker.socket -H "Authorization: Bearer $token" -d '{}' \
          http://localhost/v1/sessions
        kill $!
        wait $! || true
        """, seconds: 120)
      let lines = said.split(separator: "\n")
      #expect(lines.count == 2, "\(said)")
      // Connecting needs the right to write.
      let mode = try #require(Int(lines.first ?? "", radix: 8))
      #expect(mode & 0o022 == 0)
      #expect(lines.last?.contains(#""pickerUri":"http://127.0.0.1/pick/"#) == true)
    }
  }
}
