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
  }
}
