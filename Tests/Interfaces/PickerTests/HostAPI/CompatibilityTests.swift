import Foundation
import MediaTools
import Testing
import Workbench

extension HostAPITests {
  /// The description of the API, and a client of another one.
  @Suite struct Compatibility {
    @Test func `openapi.yaml is valid and served to everyone`() async throws {
      let picker = try await PickerLibrary.server
      let reply = try await picker.send("GET", "/openapi.yaml")
      #expect(reply.status == 200)
      #expect(reply.headers["content-type"] == "application/yaml")
      #expect(Data(reply.body) == (try Data(contentsOf: URL(filePath: ResponseCheck.openAPI))))
      let bench = try await PickerLibrary.shared.bench
      let faults = try await bench.bash(
        "/usr/bin/python3 '\(ResponseCheck.scripts)/check-openapi' '\(ResponseCheck.openAPI)' || true"
      )
      #expect(faults == "")
    }

    /// The check itself finds faults.
    @Test func `a response that is not as described is found`() async throws {
      let check = try ResponseCheck.shared.get()
      var reply = Reply(status: 200)
      reply.headers["content-type"] = "application/json"
      reply.body = Array(#"{"id": "x"}"#.utf8)
      #expect(
        try await check.fault(of: reply, to: "GET", "/v1/sessions/x")?.contains("required") == true)
      reply.status = 418
      #expect(
        try await check.fault(of: reply, to: "GET", "/v1/sessions/x")?.contains("418") == true)
      reply.status = 404
      #expect(try await check.fault(of: reply, to: "GET", "/v1/mediaItems?sessionId=x") != nil)
      reply.body = Array(#"{"error":{"code":404,"status":"NOT_FOUND","message":"No."}}"#.utf8)
      #expect(try await check.fault(of: reply, to: "GET", "/v1/mediaItems?sessionId=x") == nil)
      reply.status = 400
      #expect(try await check.fault(of: reply, to: "GET", "/v1/mediaItems?sessionId=x") != nil)
    }

    @Test func `a client of Google's API needs another base URL only`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let bench = library.bench
      let folder = bench.folder + "/google"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      async let client = bench.bash(
        """
        timeout 120 '\(ResponseCheck.scripts)/google-client' '\(picker.base)' '\(picker.token)' \
          '\(folder)' >google-said
        cat google-said
        """)
      // The person opens the address that the client prints.
      var said = ""
      for _ in 0..<1000 where !said.hasSuffix("\n") {
        try await Task.sleep(for: .milliseconds(20))
        said =
          (try? String(contentsOf: URL(filePath: bench.folder + "/google-said"), encoding: .utf8))
          ?? ""
      }
      let person = try await Person(
        opening: .text(said.trimmingCharacters(in: .newlines)), at: picker)
      let files = [PickerLibrary.video, PickerLibrary.heic, PickerLibrary.photo]
      let ids = try library.ids(files)
      _ = try await person.post("selection", ["add": .list(ids.map { .text($0) })])
      #expect(try await person.post("done", [:]).status == 204)
      let lines = try await client.split(separator: "\n").dropFirst()
      #expect(
        lines.map(String.init) == [
          "\(ids[0])\tVIDEO\t2024-06-02T06:00:00Z\tIMG_0004.mp4",
          "\(ids[1])\tPHOTO\t2024-05-01T10:00:00Z\tIMG_0003.jpg",
          "\(ids[2])\tPHOTO\t2024-06-01T08:15:00Z\tIMG_0001.JPG",
        ])
      #expect(
        Array(try Data(contentsOf: URL(filePath: folder + "/IMG_0001.JPG")))
          == (try library.bytes(PickerLibrary.photo)))
      let types = try await Tool.exiftool.run([
        "-s3", "-FileType", folder + "/IMG_0003.jpg", folder + "/IMG_0004.mp4",
      ])
      #expect(types.contains("JPEG") && types.contains("MP4"))
    }

    /// The script on the page docs/picker.md.
    private static func documentedScript() throws -> String {
      let page = URL(filePath: Workbench.supportFolder)
        .appending(path: "../../docs/picker.md").standardizedFileURL
      let blocks = try String(contentsOf: page, encoding: .utf8).components(separatedBy: "```sh\n")
        .map { $0.components(separatedBy: "```")[0] }
      return try #require(blocks.first { $0.contains("/v1/sessions") })
    }

    @Test(.enabled("jq is installed") { FileManager.default.fileExists(atPath: "/usr/bin/jq") })
    func `the documented script shows its secrets to no other program`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let bench = try Workbench()
      try await bench.bash("mkdir -p bin .local/share/shoebox results")
      for program in ["curl", "jq"] {
        _ = try bench.addProgram(
          "bin/\(program)",
          """
          printf '%s\\n' "$0" "$@" >>'\(bench.folder)/arguments'
          if [ -x /usr/bin/\(program) ]; then exec /usr/bin/\(program) "$@"; fi
          """)
      }
      try await bench.bash(
        """
        (umask 077; echo '\(picker.token)' >.local/share/shoebox/catalog.sqlite.picker-token)
        """)
      let script = try Self.documentedScript().replacing(":8437", with: ":\(picker.port)")
      try Data(script.utf8).write(to: URL(filePath: bench.folder + "/script"))
      async let result = bench.bash(
        """
        export HOME=$PWD PATH=$PWD/bin:$PATH
        cd results
        timeout 100 bash -eu ../script >../said
        """)
      var said = ""
      for _ in 0..<1000 where !said.hasSuffix("\n") {
        try await Task.sleep(for: .milliseconds(20))
        said =
          (try? String(contentsOf: URL(filePath: bench.folder + "/said"), encoding: .utf8)) ?? ""
      }
      let address = try #require(said.split(separator: "\n").first?.split(separator: " ").last)
      let person = try await Person(opening: .text(String(address)), at: picker)
      let ids = try library.ids([PickerLibrary.photo, PickerLibrary.markup])
      _ = try await person.post("selection", ["add": .list(ids.map { .text($0) })])
      #expect(try await person.post("done", [:]).status == 204)
      _ = try await result
      let names = try FileManager.default.contentsOfDirectory(atPath: bench.folder + "/results")
      #expect(names.count == 2 && names.contains("\(ids[0])-IMG_0001.JPG"), "\(names)")
      let arguments = try await bench.bash("cat arguments")
      #expect(arguments.contains("/v1/mediaItems"))
      #expect(!arguments.contains(picker.token))
      #expect(!arguments.contains("/pick/"))
    }
  }
}
