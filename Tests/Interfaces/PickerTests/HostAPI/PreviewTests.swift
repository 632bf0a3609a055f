import Testing
import Workbench

extension HostAPITests {
  /// Videos that a page previews, of which each takes minutes to make.
  @Suite struct Previews {
    /// A library with a photo and more long videos than previews are made at a time.
    private static func library() async throws -> (
      bench: Workbench, picker: Picker, ids: [String: String]
    ) {
      let bench = try Workbench()
      try await bench.bash(
        """
        cd library
        convert -size 64x48 xc:olive photo.jpg
        ffmpeg -v error -f lavfi -i color=teal:size=640x480:rate=25:duration=10 -c:v mpeg4 ../clip.avi
        for number in 1 2 3; do
          ffmpeg -v error -stream_loop $((700 + number)) -i ../clip.avi -c copy $number.avi
        done
        """)
      try await bench.letFilesAge()
      _ = try await bench.scan([bench.library])
      return (bench, try await Picker(bench), try await bench.identifiers())
    }

    @Test func `results do not wait for previews`() async throws {
      let (bench, picker, ids) = try await Self.library()
      // Its folder exists as long as the object.
      defer { withExtendedLifetime(bench) {} }
      // One person looks at videos, and another chooses.
      let viewer = try await Person(try await picker.session(), at: picker)
      let videos = try ["1.avi", "2.avi", "3.avi"].map { try #require(ids[$0]) }
      func expectMaking() async throws {
        for id in videos {
          let reply = try await viewer.get("videos/\(id)")
          #expect(reply.json["state"] == "making", "\(reply.text)")
        }
      }
      try await expectMaking()
      // The page goes on asking, so that the previews are not abandoned.
      let viewing = Task {
        while true {
          try await Task.sleep(for: .milliseconds(500))
          for id in videos { _ = try await viewer.get("videos/\(id)") }
        }
      }
      defer { viewing.cancel() }
      try await Task.sleep(for: .seconds(1))
      let (_, items) = try await picker.choose([try #require(ids["photo.jpg"])])
      let item = try #require(items.first)
      #expect(try await picker.fetch(item["mediaFile"]["baseUrl"]).status == 200)
      try await expectMaking()
    }

    @Test func `a preview that no page asks for is abandoned`() async throws {
      let (bench, picker, ids) = try await Self.library()
      // Its folder exists as long as the object.
      defer { withExtendedLifetime(bench) {} }
      let person = try await Person(try await picker.session(), at: picker)
      for name in ["1.avi", "2.avi"] {
        _ = try await person.get("videos/\(try #require(ids[name]))")
      }
      // The third one begins when an earlier one has been abandoned.
      var reply = Reply(status: 0)
      for _ in 0..<80 {
        reply = try await person.get("videos/\(try #require(ids["3.avi"]))")
        if reply.json["fraction"] != 0 { break }
        try await Task.sleep(for: .milliseconds(500))
      }
      #expect(reply.json["state"] == "making" && reply.json["fraction"] != 0, "\(reply.text)")
    }
  }
}
