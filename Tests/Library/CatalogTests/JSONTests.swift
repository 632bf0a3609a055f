import Foundation
import GRDB
import MediaModel
import Testing

@testable import Catalog
@testable import Query

struct JSONTests {
  private func parsed(_ bytes: [UInt8]) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }

  private func json(_ asset: AssetRecord) -> String {
    var writer = JSONWriter()
    writer.value(asset)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The contract's own example, as far as a catalog knows it.
  private var livePhoto: AssetRecord {
    var asset = AssetRecord(
      rowID: 1, identifier: "6F9C1A2B-0000-4000-8000-000000000001", mediaType: .image,
      subtypes: [.livePhoto, .hdr], uniformType: .heic,
      path: BytePath("/photos/2022/IMG_0001.HEIC"), size: 2_182_707,
      modified: 1_645_016_163_999_000_000, pixelSize: PixelSize(width: 3024, height: 4032),
      orientation: 6, duration: 1.85,
      captureTime: CaptureTime(
        wallSeconds: 1_645_016_141, fraction: "123", offsetMinutes: 60,
        source: "exif:DateTimeOriginal+OffsetTimeOriginal"),
      location: Location(latitude: 47.36, longitude: 8.54, altitude: 408),
      camera: Camera(make: "Apple", model: "iPhone 13 Pro Max", lens: "…", software: "15.2.1"),
      exposure: Exposure(
        time: 0.0166667, fNumber: 1.5, iso: 250, focalLength: 5.7, focalLengthIn35mm: 26),
      video: VideoProperties(
        codec: "hevc", frameRate: 30, dynamicRange: .hlg, audioCodec: "aac"),
      contentIdentifier: "…", burstIdentifier: "…", status: .present, warnings: [],
      added: 1_645_016_164_500)
    asset.resources = [
      ResourceRecord(type: .photo, path: asset.path, uniformType: .heic, size: 2_182_707),
      ResourceRecord(
        type: .pairedVideo, path: BytePath("/photos/2022/IMG_0001.MOV"),
        uniformType: .quickTimeMovie, size: 3_040_000),
    ]
    asset.labels = [
      Label(.livePhoto, isGiven: true, score: 100, evidence: ["contentIdentifier"]),
      Label(.screenshot, isGiven: true, score: 120, evidence: ["userComment", "screenSize:1x2"]),
      Label(.panorama, isGiven: false, evidence: ["half a sphere"]),
      Label(.hdr, isGiven: true, evidence: ["gainMap"]),
    ]
    return asset
  }

  @Test func anAssetIsWrittenAsTheContractDrawsIt() {
    let expected = """
      {"id":"6F9C1A2B-0000-4000-8000-000000000001","mediaType":"image",\
      "subtypes":["livePhoto","hdr"],"uniformType":"public.heic",\
      "path":"/photos/2022/IMG_0001.HEIC","size":2182707,"modifiedDate":"2022-02-16T12:56:03Z",\
      "pixelWidth":3024,"pixelHeight":4032,"orientation":6,"duration":1.85,\
      "captureDate":"2022-02-16T12:55:41.123+01:00",\
      "captureDateSource":"exif:DateTimeOriginal+OffsetTimeOriginal",\
      "location":{"latitude":47.36,"longitude":8.54,"altitude":408.0},\
      "camera":{"make":"Apple","model":"iPhone 13 Pro Max","lens":"…","software":"15.2.1"},\
      "exposure":{"time":0.0166667,"fNumber":1.5,"iso":250,"focalLength":5.7,\
      "focalLengthIn35mm":26},\
      "video":{"codec":"hevc","frameRate":30.0,"dynamicRange":"hlg","audioCodec":"aac"},\
      "livePhoto":{"contentIdentifier":"…","evidence":"contentIdentifier","confidence":1.0,\
      "motionPath":"/photos/2022/IMG_0001.MOV"},\
      "screenshot":{"score":120,"evidence":["userComment","screenSize:1x2"]},\
      "burstIdentifier":"…","labels":[{"subtype":"hdr","evidence":["gainMap"]}],\
      "nearMisses":[{"subtype":"panorama","reason":["half a sphere"]}],\
      "status":"present","addedDate":"2022-02-16T12:56:04Z",\
      "resources":[{"type":"photo","path":"/photos/2022/IMG_0001.HEIC",\
      "uniformType":"public.heic","size":2182707},{"type":"pairedVideo",\
      "path":"/photos/2022/IMG_0001.MOV","uniformType":"com.apple.quicktime-movie",\
      "size":3040000}]}
      """
    #expect(json(livePhoto) == expected)
  }

  @Test func whatIsNotKnownIsLeftOut() {
    let bare = AssetRecord(
      rowID: 1, identifier: "A", mediaType: .video, subtypes: [], uniformType: .mpeg4,
      path: BytePath("/a.mp4"), size: 0, modified: -1_000_000, camera: Camera(),
      exposure: Exposure(), video: VideoProperties(), status: .unreadable,
      error: "the file is empty", warnings: [], added: 0)
    #expect(
      json(bare) == """
        {"id":"A","mediaType":"video","uniformType":"public.mpeg-4","path":"/a.mp4","size":0,\
        "modifiedDate":"1969-12-31T23:59:59Z","status":"unreadable","error":"the file is empty",\
        "addedDate":"1970-01-01T00:00:00Z"}
        """)
  }

  @Test func aClipInsideTheFileIsARangeOfIt() throws {
    var asset = livePhoto
    asset.clipEvidence = "sef"
    asset.labels = [Label(.motionPhoto, isGiven: true, evidence: ["sef"])]
    asset.resources[1] = ResourceRecord(
      type: .pairedVideo, path: asset.path, uniformType: .mpeg4, size: 300,
      range: ResourceRange(offset: 4000, length: 300))
    let object = try #require(try parsed(Array(json(asset).utf8)) as? [String: Any])
    let live = try #require(object["livePhoto"] as? [String: String])
    #expect(live == ["contentIdentifier": "…", "evidence": "sef"])
    let clip = try #require((object["resources"] as? [[String: Any]])?.last)
    #expect(clip["offset"] as? Int == 4000)
    #expect(clip["length"] as? Int == 300)
    #expect(clip["size"] as? Int == 300)
  }

  @Test func aPathThatIsNotUTF8CarriesItsBytes() throws {
    var asset = livePhoto
    asset.path = BytePath(bytes: [0x2F, 0x61, 0xFF, 0x62])
    let object = try #require(try parsed(Array(json(asset).utf8)) as? [String: Any])
    #expect(object["path"] as? String == "/a\u{FFFD}b")
    #expect(Data(base64Encoded: object["pathBytes"] as? String ?? "") == Data(asset.path.bytes))
  }

  @Test(arguments: [
    "plain", "\"quoted\" \\ /", "\u{0}\u{1}\u{8}\u{B}\u{C}\u{1F}\n\r\t", "é ü 日本語 😀 👨‍👩‍👧",
    "line\u{2028}separator\u{2029}", "\u{7F}\u{80}\u{FFFD}\u{FEFF}", "€ ✓ “…”",
  ])
  func anyTextComesBack(text: String) throws {
    var writer = JSONWriter()
    writer.value(text)
    #expect(try parsed(writer.bytes) as? String == text)
    #expect(!writer.bytes.contains { $0 < 0x20 })
    #expect(!String(decoding: writer.bytes, as: UTF8.self).contains("\u{2028}"))
  }

  /// Every control and every character with Unicode's property Bidi_Control, as RFC 8259 escapes them.
  @Test func nothingInJSONSteersATerminal() throws {
    let controls = (0..<0xA0).filter { $0 < 0x20 || $0 >= 0x7F }
    let turning = [0x61C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069)
    for value in controls + turning {
      let scalar = try #require(Unicode.Scalar(UInt32(value)))
      var writer = JSONWriter()
      writer.value("a\(scalar)é ى “")
      #expect(try parsed(writer.bytes) as? String == "a\(scalar)é ى “")
      let written = String(decoding: writer.bytes, as: UTF8.self).unicodeScalars
      #expect(!written.contains(scalar), "U+\(String(value, radix: 16))")
      #expect(written.contains("ى") && written.contains("“"))
    }
  }

  @Test(arguments: [
    0.0166667, 1e-7, Double.leastNonzeroMagnitude, 1.7976931348623157e308, -0.0, 47.36, 1.0 / 3,
  ])
  func anyNumberComesBack(number: Double) throws {
    var writer = JSONWriter()
    writer.value(number)
    #expect((try parsed(writer.bytes) as? NSNumber)?.doubleValue == number)
  }

  @Test func whatIsNoNumberIsLeftOut() {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("a", Double.nan)
      writer.member("b", Double.infinity)
      writer.member("c", 1)
    }
    #expect(String(decoding: writer.bytes, as: UTF8.self) == "{\"c\":1}")
  }

  @Test func everyListedAssetIsAnObjectOfItsOwn() throws {
    let library = try SampleLibrary(count: 300)
    var writer = JSONWriter()
    try writer.array { writer in
      try library.catalog.forEachAsset(matching: AssetFilter()) { writer.value($0) }
    }
    let objects = try #require(try parsed(writer.bytes) as? [[String: Any]])
    #expect(objects.count == (try library.listed(AssetFilter()).count))
    for object in objects where (object["subtypes"] as? [String])?.contains("livePhoto") == true {
      let live = try #require(object["livePhoto"] as? [String: Any])
      #expect((live["motionPath"] as? String)?.hasSuffix(".MOV") == true)
      #expect(live["evidence"] as? String == "contentIdentifier")
      #expect(live["confidence"] as? Double == 1)
      let types = (object["resources"] as? [[String: Any]])?.compactMap { $0["type"] as? String }
      #expect(types == ["photo", "pairedVideo"])
    }
  }
}
