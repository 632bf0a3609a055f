import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// Places in less obvious parts of a file: in pictures inside metadata, in comments and in subtitles. exiftool
/// and ffmpeg write them and read the result.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool, .imageMagick)))
struct NestedLocationTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func mustRender(_ name: String, _ work: RenderWork, to target: String) throws {
    try folder.mustRender(name, work, to: target, metadata: .withoutLocation)
  }

  /// A small JPEG with a place in its EXIF and its XMP.
  private func makeThumbnail() async throws {
    try await folder.makeSoftPicture("t.jpg", size: "40x30")
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-GPSLatitude=47.37", "-GPSLatitudeRef=N",
      "-GPSLongitude=8.54", "-GPSLongitudeRef=E", "-XMP-photoshop:City=SecretCity",
      folder.path("t.jpg"),
    ])
  }

  private func exiftool(_ arguments: [String], _ name: String) async throws {
    try await Tool.exiftool.run(["-q", "-overwrite_original"] + arguments + [folder.path(name)])
  }

  /// The places in a block that exiftool extracts from a file.
  private func places(in tag: String, of name: String) async throws -> String {
    let result = folder.path(name + ".block")
    try await Tool.exiftool.run(["-q", "-b", "-w!", "%0f" + result, "-" + tag, folder.path(name)])
    guard FileManager.default.fileExists(atPath: result) else { return "" }
    return try await Tool.exiftool.run(["-s", "-GPS:all", "-XMP-photoshop:City", result])
  }

  @Test func photoshopsThumbnailIsSearched() async throws {
    try await makeThumbnail()
    try await folder.makeSoftPicture("a.jpg")
    try await exiftool(["-PhotoshopThumbnail<=" + folder.path("t.jpg")], "a.jpg")
    try #require(try await places(in: "PhotoshopThumbnail", of: "a.jpg").contains("SecretCity"))
    try mustRender("a.jpg", .copy(.jpeg), to: "b.jpg")
    #expect(try await places(in: "PhotoshopThumbnail", of: "b.jpg") == "")
    // It still is a picture.
    #expect(
      try await Tool.exiftool.run(["-s3", "-PhotoshopThumbnail", folder.path("b.jpg")]) != "")
  }

  @Test(arguments: [("a.jpg", UniformType.jpeg), ("a.png", .png), ("a.webp", .webP)])
  func thumbnailsInXMPAreRemoved(name: String, type: UniformType) async throws {
    try await makeThumbnail()
    try await folder.makeSoftPicture(name)
    try await exiftool(
      ["-XMP-xmp:ThumbnailImage<=" + folder.path("t.jpg"), "-XMP-dc:Title=Lake"], name)
    try #require(try await places(in: "XMP-xmp:ThumbnailImage", of: name).contains("SecretCity"))
    for (work, target) in [
      (RenderWork.copy(type), "b"), (.picture(type, PictureRendering(maxPixels: 32)), "c.jpg"),
    ] {
      try mustRender(name, work, to: target)
      #expect(try await places(in: "XMP-xmp:ThumbnailImage", of: target) == "")
      #expect(try await Tool.exiftool.run(["-s3", "-XMP:Title", folder.path(target)]) == "Lake")
    }
  }

  @Test func lowerCaseNamesAreFound() async throws {
    try await folder.makeSoftPicture("a.jpg")
    try await exiftool(["-XMP-prism:Location=Platz", "-XMP-dc:Title=Lake"], "a.jpg")
    try mustRender("a.jpg", .copy(.jpeg), to: "b.jpg")
    #expect(try await Tool.exiftool.run(["-s3", "-XMP-prism:all", folder.path("b.jpg")]) == "")
    #expect(try await Tool.exiftool.run(["-s3", "-XMP:Title", folder.path("b.jpg")]) == "Lake")
  }

  @Test(arguments: ["lat: 47.37 lon: 8.54", "GPS 47.37 8.54", "at 47.37, 8.54"])
  func exifCommentsWithAPlaceAreRemoved(text: String) async throws {
    try await folder.makeSoftPicture("a.jpg")
    try await exiftool(
      [
        "-UserComment=" + text, "-XPComment=" + text, "-XMP-exif:UserComment=" + text,
        "-ImageDescription=Lake",
      ], "a.jpg")
    for (work, target) in [
      (RenderWork.copy(.jpeg), "b.jpg"),
      (.picture(.jpeg, PictureRendering(maxPixels: 32)), "c.jpg"),
    ] {
      try mustRender("a.jpg", work, to: target)
      let printed = try await Tool.exiftool.run([
        "-a", "-s3", "-EXIF:all", "-XMP:all", folder.path(target),
      ])
      #expect(!printed.contains("47.37"))
      #expect(printed.contains("Lake"))
    }
    try await exiftool(["-UserComment=Lovely", "-XPComment=", "-XMP:all="], "a.jpg")
    try mustRender("a.jpg", .copy(.jpeg), to: "d.jpg")
    let kept = try await Tool.exiftool.run(["-s3", "-UserComment", folder.path("d.jpg")])
    #expect(kept == "Lovely")
  }

  /// libvips writes XMP into compressed texts.
  @Test func compressedXMPIsRead() async throws {
    try await folder.makeSoftPicture("a.png")
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:p="http://ns.adobe.com/photoshop/1.0/" p:City="SecretCity" p:Headline="Lake"/>\
      </rdf:RDF></x:xmpmeta>
      """
    // Keyword, a zero, the method; stored as RFC 1950 allows.
    let chunk = pngChunk("zTXt", Array("XML:com.adobe.xmp\0\0".utf8) + stored(Array(packet.utf8)))
    let bytes = try folder.bytes("a.png")
    try folder.write(bytes[..<33] + chunk + bytes[33...], to: "b.png")
    let printed = try await Tool.exiftool.run(["-s3", "-XMP:City", folder.path("b.png")])
    try #require(printed == "SecretCity")
    for (work, target) in [
      (RenderWork.copy(.png), "c.png"),
      (.picture(.png, PictureRendering(format: .png, maxPixels: 32)), "d.png"),
    ] {
      try mustRender("b.png", work, to: target)
      let left = try await Tool.exiftool.run(["-s3", "-XMP:all", folder.path(target)])
      #expect(left.contains("Lake"))
      #expect(!left.contains("SecretCity"))
    }
  }

  private func stored(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65521
      high = (high + low) % 65521
    }
    let length = [UInt8(bytes.count & 255), UInt8(bytes.count >> 8)]
    return [0x78, 0x01, 1] + length + length.map { ~$0 } + bytes + bigEndian(high << 16 | low)
  }

  @Test func theCoverOfAMovieIsSearched() async throws {
    try await makeThumbnail()
    let clips = try MovieClips()
    try await clips.make(
      "a.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-c:v", "libx264", "-pix_fmt",
        "yuv420p",
      ])
    try folder.write(try clips.folder.bytes("a.mp4"), to: "a.mp4")
    try await exiftool(["-ItemList:CoverArt<=" + folder.path("t.jpg")], "a.mp4")
    try #require(try await places(in: "CoverArt", of: "a.mp4").contains("SecretCity"))
    for (work, target) in [
      (RenderWork.copy(.mpeg4), "b.mp4"), (.movie(.mp4(.h264(160, 120))), "c.mp4"),
    ] {
      try mustRender("a.mp4", work, to: target)
      #expect(try await places(in: "CoverArt", of: target) == "")
    }
  }

  // MARK: Subtitles

  /// The first subtitle contains a place, as a drone writes it; the second is speech.
  private func makeSubtitles(_ name: String, _ codec: String, _ subtitle: String) async throws {
    let text = """
      1
      00:00:00,000 --> 00:00:01,000
      \(subtitle)

      2
      00:00:01,000 --> 00:00:02,000
      Hello world


      """
    try folder.write(Array(text.utf8), to: "text.srt")
    let isWebM = name.hasSuffix("webm")
    try await Tool.ffmpeg.run(
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=2", "-i",
        folder.path("text.srt"), "-map", "0", "-map", "1", "-pix_fmt", "yuv420p", "-c:s", codec,
        "-c:v",
      ] + (isWebM ? ["libvpx", "-deadline", "realtime", "-cpu-used", "8"] : ["libx264"]) + [
        folder.path(name)
      ])
  }

  private static let forms = [
    "[latitude: 47.37111] [longitude: 8.54222]", "GPS (8.5444, 47.3733, 15)",
    "HOME(8.5422,47.3711)", "N47.3733 E8.5444",
  ]

  @Test(
    arguments: [
      ("a.mkv", "subrip", UniformType.matroska), ("a.mkv", "ass", .matroska),
      ("a.webm", "webvtt", .webM), ("a.mp4", "mov_text", .mpeg4),
    ], forms)
  func subtitlesWithAPlaceAreRemoved(
    source: (name: String, codec: String, type: UniformType), subtitle: String
  ) async throws {
    try await makeSubtitles(source.name, source.codec, subtitle)
    let work: TrackRendering.Work = source.codec == "mov_text" ? .copy : .encodeSubtitles
    try mustRender(source.name, .movie(.mp4(.h264(160, 120), work)), to: "b.mp4")
    let text = try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path("b.mp4"), "-map", "0:s", "-f", "srt", "-",
    ])
    #expect(!text.contains(/8\.54/))
    #expect(text.contains("Hello world"))
    guard source.type != .mpeg4 else { return }
    let failure = #expect(throws: ProbeFailure.self) {
      try mustRender(source.name, .copy(source.type), to: "c")
    }
    #expect(failure?.message.contains("subtitles") == true)
  }

  private static let policies: [MetadataPolicy] = [
    .withoutLocation, [.withoutLocation, .withoutCaptions], .appearanceOnly,
  ]

  /// The removal of all metadata keeps no subtitle that the removal of the location does not keep.
  @Test(
    arguments: [
      ("a.mp4", "mov_text", UniformType.mpeg4), ("a.mov", "mov_text", .quickTimeMovie),
      ("a.mkv", "subrip", .matroska), ("a.webm", "webvtt", .webM),
    ], policies)
  func noCopyOrNewMovieHasSubtitlesWithAPlace(
    source: (name: String, codec: String, type: UniformType), policy: MetadataPolicy
  ) async throws {
    try await makeSubtitles(source.name, source.codec, Self.forms[1])
    let original = try Data(contentsOf: URL(filePath: folder.path(source.name)))
    try #require(original.range(of: Data("8.5444".utf8)) != nil)
    if [.mpeg4, .quickTimeMovie].contains(source.type) {
      try folder.mustRender(source.name, .copy(source.type), to: "copy", metadata: policy)
      let copy = try Data(contentsOf: URL(filePath: folder.path("copy")))
      #expect(copy.range(of: Data("8.5444".utf8)) == nil)
    } else {
      #expect(throws: ProbeFailure.self) {
        try folder.mustRender(source.name, .copy(source.type), to: "copy", metadata: policy)
      }
    }
    let work: TrackRendering.Work = source.codec == "mov_text" ? .copy : .encodeSubtitles
    try folder.mustRender(
      source.name, .movie(.mp4(.h264(160, 120), work)), to: "b.mp4", metadata: policy)
    let result = try Data(contentsOf: URL(filePath: folder.path("b.mp4")))
    #expect(result.range(of: Data("8.5444".utf8)) == nil)
    #expect(result.range(of: Data("Hello world".utf8)) != nil)
  }

  @Test(arguments: policies, ["a.mkv", "a.mp4"])
  func otherSubtitlesAreKept(policy: MetadataPolicy, name: String) async throws {
    let isMatroska = name == "a.mkv"
    try await makeSubtitles(
      name, isMatroska ? "subrip" : "mov_text", "It is 12.30 now, see you at 1.45 pm")
    try folder.mustRender(
      name, .copy(isMatroska ? .matroska : .mpeg4), to: "b.mkv", metadata: policy)
    let text = try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path("b.mkv"), "-map", "0:s", "-f", "srt", "-",
    ])
    #expect(text.contains("12.30"))
  }
}
