import Foundation
import MediaTools
import Testing
import Workbench

extension HostAPITests {
  /// The bytes of what was chosen.
  @Suite struct Results {
    /// What exiftool calls the content.
    private func fileType(_ reply: Reply) async throws -> String {
      try await PickerLibrary.shared.tag("FileType", of: reply.body)
    }

    /// Media types of the IANA registry by exiftool's names.
    private static let types = [
      "JPEG": ("image/jpeg", ["jpg", "jpeg"]), "PNG": ("image/png", ["png"]),
      "HEIC": ("image/heic", ["heic"]), "MOV": ("video/quicktime", ["mov"]),
      "MP4": ("video/mp4", ["mp4"]),
    ]

    /// Checks that an item's name and media type agree with the content.
    private func expectAgreement(_ item: JSON, _ reply: Reply) async throws {
      let type = try await fileType(reply)
      let (name, extensions) = try #require(Self.types[type], "\(type)")
      let file = item["mediaFile"]
      #expect(file["mimeType"].text == name)
      #expect(reply.headers["content-type"] == name)
      let end = URL(filePath: file["filename"].text ?? "").pathExtension.lowercased()
      #expect(extensions.contains(end), "\(file["filename"]) has \(type) content")
      let disposition = reply.headers["content-disposition"] ?? ""
      #expect(disposition.hasPrefix("attachment; filename*=UTF-8''"))
    }

    static let files = [
      PickerLibrary.photo, PickerLibrary.heic, PickerLibrary.live, PickerLibrary.video,
      PickerLibrary.screenshot, PickerLibrary.misnamed, PickerLibrary.markup,
    ]

    @Test func `current results are the library's bytes`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let items = try await picker.choose(
        try library.ids(Self.files),
        ["maxItemCount": 0, "preferredAssetRepresentationMode": "current"]
      ).items
      for (path, item) in zip(Self.files, items) {
        for form in ["", "=d"] {
          let reply = try await picker.fetch(item["mediaFile"]["baseUrl"], form)
          #expect(reply.status == 200)
          #expect(reply.body == (try library.bytes(path)), "\(path)")
        }
        try await expectAgreement(item, try await picker.fetch(item["mediaFile"]["baseUrl"]))
      }
    }

    @Test(arguments: ["compatible", "automatic"])
    func `compatible results are of formats that all programs open`(mode: String) async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let items = try await picker.choose(
        try library.ids(Self.files),
        ["maxItemCount": 0, "preferredAssetRepresentationMode": .text(mode)]
      ).items
      let expected = ["JPEG", "JPEG", "JPEG", "MP4", "PNG", "JPEG", "JPEG"]
      for ((path, item), type) in zip(zip(Self.files, items), expected) {
        let reply = try await picker.fetch(item["mediaFile"]["baseUrl"])
        #expect(reply.status == 200, "\(path)")
        #expect(try await fileType(reply) == type, "\(path)")
        try await expectAgreement(item, reply)
      }
      // What is compatible already is not changed.
      #expect(
        try await picker.fetch(items[0]["mediaFile"]["baseUrl"]).body
          == library.bytes(PickerLibrary.photo))
    }

    /// The codecs of the tracks, by ffprobe.
    private func codecs(_ reply: Reply) async throws -> Set<String> {
      let path = try await PickerLibrary.shared.bench.folder + "/probed-\(UUID().uuidString)"
      try Data(reply.body).write(to: URL(filePath: path))
      defer { try? FileManager.default.removeItem(atPath: path) }
      let said = try await Tool.ffprobe.run([
        "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", path,
      ])
      return Set(said.split(separator: "\n").map { String($0.prefix { $0 != "," }) })
    }

    @Test func `a video is H.264 and AAC in both forms`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let ids = try library.ids([PickerLibrary.video, PickerLibrary.photo])
      let items = try await picker.choose(ids).items
      for form in ["=d", "=dv"] {
        let reply = try await picker.fetch(items[0]["mediaFile"]["baseUrl"], form)
        #expect(reply.status == 200)
        #expect(try await codecs(reply) == ["h264", "aac"])
      }
      let refused = try await picker.fetch(items[1]["mediaFile"]["baseUrl"], "=dv")
      #expect(refused.status == 400)
      #expect(refused.errorStatus == "INVALID_ARGUMENT")
      let frame = try await picker.fetch(items[0]["mediaFile"]["baseUrl"], "=w100-h100")
      #expect(try await fileType(frame) == "JPEG")
    }

    @Test(arguments: [
      ("=w64-h64", 64, 48), ("=w320", 320, 240), ("=h120", 160, 120), ("=h120-w100", 100, 75),
      ("=w5000-h5000", 640, 480), ("=w16383", 640, 480), ("=w64-h64-c", 64, 48),
      ("=w320-no", 320, 240), ("=no-h120-c", 160, 120),
    ])
    func `scaled results fit into the box`(form: String, width: Int, height: Int) async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let item = try await picker.choose([try library.id(PickerLibrary.photo)]).items[0]
      let reply = try await picker.fetch(item["mediaFile"]["baseUrl"], form)
      #expect(reply.status == 200)
      #expect(reply.headers["content-type"] == "image/jpeg")
      let tags = try await library.tags(of: reply.body)
      #expect(tags.contains(/FileType +: JPEG/))
      let size = try await library.tag("ImageSize", of: reply.body)
      #expect(size == "\(width)x\(height)")
      #expect(!tags.contains("GPS") && !tags.contains("dusk"))
    }

    @Test(arguments: [
      "=x", "=w0", "=w64-", "=w-h", "=w16384", "=w99999999999999999999", "=d=d", "=w64-h64-x", "=c",
      "=no-c", "=",
    ])
    func `an unknown form is refused`(form: String) async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let item = try await picker.choose([try library.id(PickerLibrary.photo)]).items[0]
      let reply = try await picker.fetch(item["mediaFile"]["baseUrl"], form)
      #expect(reply.status == 400)
      #expect(reply.errorStatus == "INVALID_ARGUMENT")
    }

    @Test func `a live photo has a still and a motion`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let current = try await picker.choose(
        [try library.id(PickerLibrary.live)],
        ["preferredAssetRepresentationMode": "current"]
      ).items[0]
      let parts = current["livePhoto"]
      #expect(
        try await picker.fetch(parts["still"]).body == library.bytes(PickerLibrary.live))
      let clip = try library.bytes("DCIM/IMG_0002.MOV")
      for form in ["", "=d", "=dv"] {
        let motion = try await picker.fetch(parts["motion"], form)
        #expect(motion.body == clip)
        #expect(motion.headers["content-type"] == "video/quicktime")
      }
      // As clients of Google's API ask for the video of a motion photo.
      let video = try await picker.fetch(current["mediaFile"]["baseUrl"], "=dv")
      #expect(video.body == clip)
      #expect(try await picker.fetch(parts["still"], "=dv").status == 400)
      let compatible = try await picker.choose([try library.id(PickerLibrary.live)]).items[0]
      let still = try await picker.fetch(compatible["livePhoto"]["still"])
      #expect(try await fileType(still) == "JPEG")
      let motion = try await picker.fetch(compatible["livePhoto"]["motion"])
      #expect(motion.headers["content-type"] == "video/mp4")
      #expect(try await codecs(motion) == ["h264", "aac"])
      // Other items have no such part.
      let photo = try await picker.choose([try library.id(PickerLibrary.photo)]).items[0]
      let base = try #require(photo["mediaFile"]["baseUrl"].text)
      let missing = try await picker.fetch(.text(base + "/motion"))
      #expect(missing.status == 404)
      #expect(missing.errorStatus == "NOT_FOUND")
      #expect(try await picker.fetch(.text(base + "/other")).status == 404)
    }

    @Test func `ranges of a result`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let item = try await picker.choose([try library.id(PickerLibrary.photo)]).items[0]
      let url = item["mediaFile"]["baseUrl"]
      let bytes = try library.bytes(PickerLibrary.photo)
      let whole = try await picker.fetch(url)
      #expect(whole.body == bytes)
      #expect(whole.headers["accept-ranges"] == "bytes")
      #expect(whole.headers["content-length"] == String(bytes.count))
      let tag = try #require(whole.headers["etag"])
      let size = bytes.count
      for (range, expected) in [
        ("bytes=0-99", 0...99), ("bytes=100-", 100...(size - 1)),
        ("bytes=-100", (size - 100)...(size - 1)),
        ("bytes=10-10", 10...10), ("bytes=50-9999999", 50...(size - 1)),
        ("bytes=-9999999", 0...(size - 1)),
      ] {
        let part = try await picker.fetch(url, headers: ["Range": range])
        #expect(part.status == 206, "\(range)")
        let ends = "\(expected.lowerBound)-\(expected.upperBound)"
        #expect(part.headers["content-range"] == "bytes \(ends)/\(size)")
        #expect(part.body == Array(bytes[expected]), "\(range)")
        #expect(part.headers["content-length"] == String(expected.count))
      }
      for range in ["bytes=\(size)-", "bytes=-0", "bytes=9999999-99999999"] {
        let part = try await picker.fetch(url, headers: ["Range": range])
        #expect(part.status == 416, "\(range)")
        #expect(part.headers["content-range"] == "bytes */\(size)")
        #expect(part.body.isEmpty)
      }
      // RFC 9110: what is not understood is ignored.
      for range in ["bytes=9-1", "lines=1-2", "bytes=x-y", "bytes=0-1,5-6", "bytes=", "bytes=-"] {
        let reply = try await picker.fetch(url, headers: ["Range": range])
        #expect(reply.status == 200, "\(range)")
        #expect(reply.body == bytes)
      }
      let same = try await picker.fetch(url, headers: ["Range": "bytes=0-9", "If-Range": tag])
      #expect(same.status == 206)
      let other = try await picker.fetch(url, headers: ["Range": "bytes=0-9", "If-Range": "\"x\""])
      #expect(other.status == 200)
      #expect(other.body == bytes)
      for condition in [tag, "*", "W/\(tag)", "\"x\", \(tag)", "W/\"x\",W/\(tag)"] {
        let known = try await picker.fetch(url, headers: ["If-None-Match": condition])
        #expect(known.status == 304, "\(condition)")
        #expect(known.body.isEmpty)
      }
      for condition in ["\"x\"", "W/\"x\", \"y\"", tag.replacing("\"", with: "")] {
        let unknown = try await picker.fetch(url, headers: ["If-None-Match": condition])
        #expect(unknown.status == 200, "\(condition)")
      }
    }

    @Test(arguments: ["current", "compatible"], [false, true])
    func `places and captions are removed if asked`(mode: String, isRemoved: Bool) async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let files = [PickerLibrary.photo, PickerLibrary.heic, PickerLibrary.video]
      let options: JSON = isRemoved ? ["removeLocation", "removeCaptions"] : []
      let items = try await picker.choose(
        try library.ids(files),
        [
          "maxItemCount": 0, "preferredAssetRepresentationMode": .text(mode),
          "metadataOptions": options,
        ]
      ).items
      for (path, item) in zip(files, items) {
        let tags = try await library.tags(
          of: try await picker.fetch(item["mediaFile"]["baseUrl"]).body, ["-G1", "-s", "-a", "-ee"])
        let hasPlace = tags.contains("GPSLatitude") || tags.contains("GPSCoordinates")
        #expect(hasPlace == !isRemoved, "\(path): \(tags)")
        guard path == PickerLibrary.photo else { continue }
        #expect(tags.contains("dusk") == !isRemoved, "\(tags)")
        #expect(tags.contains("Our lake") == !isRemoved)
        #expect(tags.contains(/City +: Basel/) == !isRemoved)
        // Other metadata stays.
        #expect(tags.contains("EOS R5"))
      }
    }

    @Test func `the person can remove what the host accepts`() async throws {
      let library = try await PickerLibrary.shared
      let picker = try await PickerLibrary.server
      let photo = [try library.id(PickerLibrary.photo)]
      let item = try await picker.choose(
        photo, options: ["includeLocation": false, "includeCaptions": false]
      ).items[0]
      let reply = try await picker.fetch(item["mediaFile"]["baseUrl"])
      let tags = try await library.tags(of: reply.body)
      #expect(!tags.contains("GPS") && !tags.contains("dusk"))
      #expect(tags.contains("EOS R5"))
      // But the person's page cannot grant what the host refused.
      let kept = try await picker.choose(
        photo, ["metadataOptions": ["removeLocation"]], options: ["includeLocation": true]
      ).items[0]
      let keptTags = try await library.tags(
        of: try await picker.fetch(kept["mediaFile"]["baseUrl"]).body)
      #expect(!keptTags.contains("GPS") && keptTags.contains("dusk"))
    }
  }
}
