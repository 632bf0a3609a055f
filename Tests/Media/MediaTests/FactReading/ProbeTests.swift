import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Whole files made by ffmpeg, heif-enc and exiftool; the expected values are the ones they were given.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .heifEncoder, .exiftool)))
struct ProbeTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func facts(_ name: String) throws -> MediaFacts {
    guard case .media(let facts, let fingerprint) = probe(BytePath(folder.path(name))) else {
      throw ToolFailure(description: "\(name): \(probe(BytePath(folder.path(name))))")
    }
    #expect(fingerprint.bytes.count == 16)
    return facts
  }

  private func tag(_ name: String, _ tags: [String]) async throws {
    try await Tool.exiftool.run(["-q", "-n", "-overwrite_original"] + tags + [folder.path(name)])
  }

  @Test(arguments: [
    ("a.jpg", "public.jpeg"), ("a.png", "public.png"), ("a.webp", "org.webmproject.webp"),
    ("a.tiff", "public.tiff"),
  ])
  func turnsPicturesUpright(name: String, type: String) async throws {
    try await folder.makePicture(name, size: "64x48")
    try await tag(
      name,
      [
        "-EXIF:Orientation=6", "-EXIF:Make=Acme", "-EXIF:DateTimeOriginal=2022:02:16 12:55:41",
        "-EXIF:SubSecTimeOriginal=5", "-EXIF:OffsetTimeOriginal=+01:00",
        "-EXIF:GPSLatitude=47.36", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=8.54",
        "-EXIF:GPSLongitudeRef=E", "-XMP-dc:Title=Title", "-XMP-dc:Subject=lake",
        "-XMP-xmp:Rating=4",
      ])
    let facts = try facts(name)
    #expect(facts.uniformType.rawValue == type)
    #expect(facts.pixelSize == PixelSize(width: 48, height: 64))
    #expect(facts.orientation == .right)
    #expect(facts.camera.make == "Acme")
    #expect(facts.captureTime?.iso8601 == "2022-02-16T12:55:41.5+01:00")
    #expect(facts.captureTime?.source == "exif:DateTimeOriginal+OffsetTimeOriginal")
    #expect(facts.location.map { abs($0.latitude - 47.36) < 1e-6 } == true)
    #expect(facts.title == "Title")
    #expect(facts.keywords == ["lake"])
    #expect(facts.rating == 4)
  }

  /// A HEIF of a newer form looks like an MP4's until the boxes are read.
  @Test(arguments: [("a.heif", "The picture's header"), ("a.mp4", "The video has no header")])
  func callsAFileAPictureIfItsExtensionIsAPictures(name: String, start: String) throws {
    let boxes =
      [0, 0, 0, 16] + Array("ftypmif3".utf8) + [0, 0, 0, 0] + [0, 0, 0, 24]
      + Array("next".utf8) + [UInt8](repeating: 1, count: 16)
    try folder.write(boxes, to: name)
    guard case .failed(let failure) = probe(BytePath(folder.path(name))) else {
      Issue.record("It should be refused.")
      return
    }
    #expect(failure.reason == .damaged)
    #expect(failure.message.hasPrefix(start), "\(failure.message)")
  }

  /// ISO/IEC 23008-12 §6.5: only the file's own transforms turn a HEIC.
  @Test func doesNotTurnAHEICByItsEXIF() async throws {
    try await folder.makePicture("a.png", size: "96x64")
    try await Tool.heifEncoder.run([folder.path("a.png"), "-o", folder.path("a.heic")])
    try await tag("a.heic", ["-EXIF:Orientation=6"])
    let facts = try facts("a.heic")
    #expect(facts.uniformType == .heic)
    #expect(facts.pixelSize == PixelSize(width: 96, height: 64))
    #expect(facts.orientation == .right)
  }

  @Test func recognisesVideosByContent() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=0.4", "-c:v", "mpeg4",
      "-metadata", "creation_time=2018-01-05T23:02:37Z", "-f", "mp4", folder.path("a.jpg"),
    ])
    let facts = try facts("a.jpg")
    #expect(facts.mediaType == .video)
    #expect(facts.uniformType == .mpeg4)
    #expect(facts.pixelSize == PixelSize(width: 64, height: 48))
    #expect(facts.duration == 0.4)
    #expect(facts.video?.codec == "mpeg4")
    #expect(facts.video?.frameRate == 25)
    #expect(facts.captureTime?.iso8601 == "2018-01-05T23:02:37+00:00")
    #expect(facts.captureTime?.source == "quicktime:mvhd")
  }

  /// As Media3's `SefReader` reads it: a box `sefd` with blocks, their directory, its length and `SEFT`.
  @Test func readsSamsungsTrailerOfVideos() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=0.4", "-c:v", "mpeg4",
      folder.path("a.mp4"),
    ])
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let name = Array("SlowMotion_Data".utf8)
    let block =
      number(0, 2) + number(0x0890, 2) + number(name.count, 4) + name + Array("88:879:2".utf8)
    let directory =
      Array("SEFH".utf8) + number(106, 4) + number(1, 4) + number(0, 2) + number(0x0890, 2)
      + number(block.count, 4) + number(block.count, 4)
    let content = block + directory + number(directory.count, 4) + Array("SEFT".utf8)
    let box = [0, 0, 0, UInt8(content.count + 8)] + Array("sefd".utf8) + content
    try folder.write(try folder.bytes("a.mp4") + box, to: "b.mp4")
    #expect(try facts("b.mp4").clues.contains(Clue(.samsungBlock, "890")))
    #expect(try !facts("a.mp4").clues.contains { $0.key == .samsungBlock })
  }

  @Test func ignoresAudioFiles() async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "sine=d=0.2", folder.path("a.mp4"),
    ])
    #expect(probe(BytePath(folder.path("a.mp4"))) == .other)
  }

  @Test func readsAPictureTruncatedAfterItsHeader() async throws {
    try await folder.makePicture("a.png", size: "64x48")
    try folder.write(Array(try folder.bytes("a.png").prefix(100)), to: "b.png")
    let facts = try facts("b.png")
    #expect(facts.pixelSize == PixelSize(width: 64, height: 48))
    #expect(facts.warnings == ["The file is cut off before its IEND chunk."])
  }

  @Test func recognisesGooglesPortraitsAndDepthPhotos() async throws {
    try await folder.makePicture("a.jpg")
    let type = "com.google.android.apps.camera.gallery.specialtype.SpecialType-PORTRAIT"
    try await tag(
      "a.jpg",
      [
        "-XMP-GCamera:SpecialTypeID=\(type)", "-XMP-GCamera:BurstID=8bafacec",
        "-XMP-GCamera:BurstPrimary=1",
        "-XMP-Device:Profiles=[{Profile={Type=DepthPhoto,CameraIndices=[0]}}]",
      ])
    #expect(
      try facts("a.jpg").clues.map(\.line) == [
        "xmp.BurstPrimary=1", "xmp.SpecialTypeID=\(type)",
        "xmp.DepthPhoto",
      ])
    try await folder.makePicture("b.jpg")
    try await tag("b.jpg", ["-XMP-Device:Profiles=[{Profile={Type=ARPhoto}}]"])
    #expect(try facts("b.jpg").clues.isEmpty)
  }

  @Test func usesANamesDateOnlyIfThereIsNoOther() async throws {
    try await folder.makePicture("IMG_20200101_101112.png")
    #expect(try facts("IMG_20200101_101112.png").captureTime?.source == "name:IMG")
    try await tag("IMG_20200101_101112.png", ["-EXIF:ModifyDate=2021:01:01 00:00:00"])
    #expect(try facts("IMG_20200101_101112.png").captureTime?.source == "exif:DateTime")
  }

  @Test func readsTheTimeOfSamsungsTrailer() async throws {
    try await folder.makePicture("a.jpg")
    try await tag("a.jpg", ["-EXIF:DateTimeOriginal=2020:01:01 13:00:00"])
    // exiftool's Samsung.pm: type, name, payload; the directory counts backwards from itself.
    let block: [UInt8] = [0, 0, 1, 10, 14, 0, 0, 0] + Array("Image_UTC_Data1577880000000".utf8)
    let size: [UInt8] = [UInt8(block.count), 0, 0, 0]
    let directory: [UInt8] =
      Array("SEFH".utf8) + [101, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 10] + size + size
    let trailer: [UInt8] =
      block + directory + [UInt8(directory.count), 0, 0, 0] + Array("SEFT".utf8)
    try folder.write(try folder.bytes("a.jpg") + trailer, to: "a.jpg")
    #expect(
      try await Tool.exiftool.run(["-s3", "-Samsung:TimeStamp", folder.path("a.jpg")])
        .hasPrefix("2020:01:01 "))
    #expect(try facts("a.jpg").captureTime?.iso8601 == "2020-01-01T13:00:00+01:00")
    try await folder.makePicture("b.jpg")
    try folder.write(try folder.bytes("b.jpg") + trailer, to: "b.jpg")
    #expect(try facts("b.jpg").captureTime?.source == "sef:Image_UTC_Data")
  }

  @Test func listsAllTagsForDisplay() async throws {
    try await folder.makePicture("a.jpg")
    try await tag("a.jpg", ["-EXIF:Make=Acme", "-XMP-dc:Title=Title", "-IPTC:Keywords=lake"])
    guard case .tags(let tags) = try inspect(BytePath(folder.path("a.jpg"))) else {
      throw ToolFailure(description: "a.jpg cannot be inspected")
    }
    #expect(tags.contains(MetadataTag(group: "EXIF IFD0", name: "Make", value: "Acme")))
    #expect(tags.contains(MetadataTag(group: "XMP", name: "title[1]", value: "Title")))
    #expect(tags.contains { $0.group == "IPTC" && $0.value == "lake" })
  }
}

struct SidecarTests {
  private func reply(_ text: String, as name: String) throws -> ProbeReply {
    let folder = try ScratchFolder()
    try folder.write(Array(text.utf8), to: name)
    return probe(BytePath(folder.path(name)))
  }

  @Test func readsTakeout() throws {
    let text = """
      {"title": "IMG_1.jpg", "description": "At the lake",
       "photoTakenTime": {"timestamp": "1645012541", "formatted": "Feb 16, 2022"},
       "geoData": {"latitude": 0.0, "longitude": 0.0, "altitude": 0.0},
       "geoDataExif": {"latitude": 47.36, "longitude": 8.54, "altitude": 408.0}}
      """
    guard case .sidecar(let facts, _) = try reply(text, as: "IMG_1.jpg.json") else {
      throw ToolFailure(description: "no sidecar")
    }
    #expect(facts.kind == .takeoutJSON)
    // date -u -d @1645012541
    #expect(facts.captureTime?.iso8601 == "2022-02-16T11:55:41+00:00")
    #expect(facts.captureTime?.source == "takeout:photoTakenTime")
    #expect(facts.location == Location(latitude: 47.36, longitude: 8.54, altitude: 408))
    #expect(facts.caption == "At the lake")
  }

  /// Google writes 0 where it knows no altitude.
  @Test func takeoutHasNoAltitudeOfZero() throws {
    let text = """
      {"title": "a", "photoTakenTime": {"timestamp": "1645012541"},
       "geoData": {"latitude": 47.36, "longitude": 8.54, "altitude": 0.0}}
      """
    guard case .sidecar(let facts, _) = try reply(text, as: "IMG_1.jpg.json") else {
      throw ToolFailure(description: "no sidecar")
    }
    #expect(facts.location == Location(latitude: 47.36, longitude: 8.54, altitude: nil))
  }

  /// Google documents no member: one of another form costs itself only.
  @Test(arguments: [
    (#"{"photoTakenTime": {"timestamp": "-86400"}}"#, "1969-12-31T00:00:00+00:00"),
    (#"{"photoTakenTime": {"timestamp": 1645012541}}"#, "2022-02-16T11:55:41+00:00"),
    (
      #"{"people": "x", "geoData": 1, "title": [], "photoTakenTime": {"timestamp": "1645012541"}}"#,
      "2022-02-16T11:55:41+00:00"
    ),
    (
      #"{"title":"a","creationTime":{"timestamp":1645012541},"modificationTime":{"timestamp":5}}"#,
      "2022-02-16T11:55:41+00:00"
    ),
    (
      #"{"title":"a","creationTime":"2022-02-16T11:55:41.123456Z","modificationTime":"x"}"#,
      "2022-02-16T11:55:41+00:00"
    ),
    // That of the upload.
    (
      #"{"photoTakenTime": {"timestamp": "1645012541"}, "creationTime": {"timestamp": "1700000000"}}"#,
      "2022-02-16T11:55:41+00:00"
    ),
    (#"{"photoTakenTime": {"timestamp": "0"}, "description": "x"}"#, nil),
  ])
  func readsFormsOfTimes(text: String, time: String?) throws {
    guard case .sidecar(let facts, _) = try reply(text, as: "a.jpg.json") else {
      throw ToolFailure(description: "no sidecar")
    }
    #expect(facts.captureTime?.iso8601 == time)
  }

  @Test func readsPeopleAndFavorites() throws {
    let text = #"""
      {"photoTakenTime": {"timestamp": "1645012541"}, "favorited": true, "archived": true,
       "people": [{"name": "Zoë"}, {}, {"name": ""}, {"name": "Bob \"B\""}]}
      """#
    guard case .sidecar(let facts, _) = try reply(text, as: "a.jpg.json") else {
      throw ToolFailure(description: "no sidecar")
    }
    #expect(facts.people == ["Zoë", "Bob \"B\""])
    #expect(facts.isFavorite)
  }

  @Test(arguments: [
    #"{"title": "Trip", "description": "", "access": "protected", "date": {"timestamp": "0"}}"#,
    #"{"albumData": {"title": "Trip", "access": "x", "date": {"timestamp": "0"}}, "media": []}"#,
  ])
  func readsAlbums(text: String) throws {
    guard case .sidecar(let facts, _) = try reply(text, as: "metadata.json") else {
      throw ToolFailure(description: "no sidecar")
    }
    #expect(facts.kind == .albumJSON)
    #expect(facts.title == "Trip")
  }

  @Test func readsAnXMPFile() throws {
    let text = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
       xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description
       xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
       xmp:CreateDate="2018-11-17T20:27:31+01:00" xmp:Rating="3" tiff:Orientation="8"/>
      </rdf:RDF></x:xmpmeta>
      """
    guard case .sidecar(let facts, _) = try reply(text, as: "IMG_1.xmp") else {
      throw ToolFailure(description: "no sidecar")
    }
    #expect(facts.kind == .xmp)
    #expect(facts.captureTime?.iso8601 == "2018-11-17T20:27:31+01:00")
    #expect(facts.rating == 3)
    #expect(facts.orientation == .left)
  }

  @Test(arguments: [
    "{\"a\": 1}", "[]", "{", "", #"{"title": "x", "access": "public", "date": "2020-01-01"}"#,
    #"{"sharedAlbumComments": [{"creationTime": {"timestamp": "1"}}]}"#,
  ])
  func ignoresOtherJSON(text: String) throws {
    #expect(try reply(text, as: "settings.json") == .other)
  }
}
