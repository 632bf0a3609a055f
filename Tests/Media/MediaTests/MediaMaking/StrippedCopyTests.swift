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

/// Copies without their location, or without any metadata, as exiftool and ffmpeg read them.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .heifEncoder, .exiftool)))
struct StrippedCopyTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Tags with their groups as exiftool reads them, without those of the file and its name.
  private func tags(_ name: String) async throws -> [String: String] {
    let lines = try await Tool.exiftool.run([
      "-a", "-G1", "-s", "-n", "-ee3", "--System:all", "--ExifTool:all", "--Composite:all",
      folder.path(name),
    ])
    var found: [String: String] = [:]
    for line in lines.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let words = parts[0].split(separator: " ", omittingEmptySubsequences: true)
      found[words.joined(separator: " ")] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return found
  }

  private func copy(
    _ name: String, _ type: UniformType, _ policy: MetadataPolicy, to target: String
  ) throws -> RenderResult {
    let step = RenderStep(
      source: BytePath(folder.path(name)), work: .copy(type), metadata: policy)
    let reply = try render(step, to: BytePath(folder.path(target))) { _ in }
    guard case .done(let result) = reply else {
      throw ToolFailure(description: "\(name): \(reply)")
    }
    #expect(result.size == UInt64(try folder.bytes(target).count))
    return result
  }

  /// A digest of the decoded video and audio.
  private func digest(_ name: String) async throws -> String {
    try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path(name), "-map", "0:v?", "-map", "0:a?", "-f", "md5", "-",
    ])
  }

  private func isPlace(_ tag: String) -> Bool {
    ["GPS", "City", "Country", "Location", "State", "Latitude", "Longitude", "CountryCode"]
      .contains { tag.contains($0) }
  }

  private static let place = [
    "-EXIF:GPSLatitude=47.36", "-EXIF:GPSLatitudeRef=N", "-EXIF:GPSLongitude=8.54",
    "-EXIF:GPSLongitudeRef=E", "-EXIF:GPSAltitude=408", "-EXIF:GPSDateStamp=2022:02:16",
    "-XMP-exif:GPSLatitude=47.36", "-XMP-photoshop:City=Z", "-XMP-iptcCore:Location=Platz",
    "-XMP-iptcExt:LocationShownCity=Z", "-IPTC:City=Z", "-IPTC:Country-PrimaryLocationName=CH",
  ]
  private static let rest = [
    "-EXIF:Make=Acme", "-EXIF:Orientation=6", "-EXIF:DateTimeOriginal=2022:02:16 12:55:41",
    "-EXIF:SubSecTimeOriginal=5", "-EXIF:OffsetTimeOriginal=+01:00", "-XMP-dc:Title=Title",
    "-IPTC:Headline=Head",
  ]

  @Test(arguments: [
    ("a.jpg", UniformType.jpeg), ("a.png", .png), ("a.webp", .webP), ("a.tiff", .tiff),
    ("a.heic", .heic), ("a.avif", .avif), ("a.gif", .gif),
  ])
  func losesOnlyTheLocation(name: String, type: UniformType) async throws {
    try await makePicture(name)
    try await Tool.exiftool.run(
      ["-q", "-n", "-overwrite_original"] + Self.place + Self.rest + [folder.path(name)])
    _ = try copy(name, type, .withoutLocation, to: "b")
    let before = try await tags(name)
    let after = try await tags("b")
    #expect(before.keys.contains(where: isPlace))
    #expect(after.keys.filter(isPlace) == [])
    // The IPTC digest is of the remaining data.
    let expected = before.filter { !isPlace($0.key) && !$0.key.hasSuffix("IPTCDigest") }
    #expect(after.filter { !$0.key.hasSuffix("IPTCDigest") } == expected)
    if name != "a.heic", name != "a.avif" {
      #expect(try await digest("b") == digest(name))
    }
  }

  @Test(arguments: [
    ("a.jpg", UniformType.jpeg), ("a.png", .png), ("a.webp", .webP), ("a.tiff", .tiff),
    ("a.heic", .heic), ("a.gif", .gif),
  ])
  func keepsOnlyTheAppearance(name: String, type: UniformType) async throws {
    try await makePicture(name)
    try await Tool.exiftool.run(
      ["-q", "-n", "-overwrite_original"] + Self.place + Self.rest + [folder.path(name)])
    let before = try await tags(name)
    _ = try copy(name, type, .appearanceOnly, to: "b")
    let after = try await tags("b")
    for tag in ["Make", "DateTimeOriginal", "Title", "Headline", "GPSLatitude", "City"] {
      #expect(!after.keys.contains { $0.hasSuffix(tag) }, "\(tag)")
    }
    if name != "a.heic" {
      #expect(after["[IFD0] Orientation"] == before["[IFD0] Orientation"])
      #expect(try await digest("b") == digest(name))
    }
  }

  @Test(arguments: [
    ("a.mov", UniformType.quickTimeMovie), ("a.mp4", .mpeg4), ("a.mkv", .matroska),
    ("a.avi", .avi),
  ])
  func losesTheLocationOfMovies(name: String, type: UniformType) async throws {
    try await Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=0.4", "-f", "lavfi", "-i",
      "sine=d=0.4", "-c:v", "mpeg4", "-c:a", "aac", "-movflags", "use_metadata_tags",
      "-metadata", "com.apple.quicktime.location.ISO6709=+47.3600+008.5400/", "-metadata",
      "location=+47.3600+008.5400/", "-metadata",
      "com.apple.quicktime.content.identifier=7A7D4193", folder.path(name),
    ])
    if name.hasSuffix("mov") || name.hasSuffix("mp4") {
      try await Tool.exiftool.run([
        "-q", "-overwrite_original", "-UserData:GPSCoordinates=47.36, 8.54, 408",
        "-XMP-exif:GPSLatitude=47.36", "-XMP-dc:Title=Title", folder.path(name),
      ])
    }
    let result = try copy(name, type, .withoutLocation, to: "b")
    #expect(result.size == UInt64(try folder.bytes(name).count))
    let copied = try folder.bytes("b")
    #expect(String(decoding: copied, as: Unicode.ASCII.self).contains("47.36") == false)
    #expect(try await digest("b") == digest(name))
    let after = try await tags("b")
    #expect(after.filter { isPlace($0.key) && !$0.value.isEmpty } == [:])
    if name.hasSuffix("mov") { #expect(after.values.contains("7A7D4193")) }
  }

  /// Comments as people and cameras write them: in MP4 in iTunes' list, in MOV in user data, and with the option
  /// in QuickTime's keys. Comments without a place are kept, and so is a title.
  @Test(
    arguments: [
      ("a.mov", UniformType.quickTimeMovie, false), ("a.mov", .quickTimeMovie, true),
      ("a.mp4", .mpeg4, false), ("a.mp4", .mpeg4, true), ("a.mkv", .matroska, false),
    ], [("GPS 48.1000, 11.5000", false), ("location: 48.1000 N 11.5000 E", false), ("Lake", true)])
  func commentsWithAPlaceAreRemoved(
    file: (name: String, type: UniformType, usesKeys: Bool), text: (comment: String, stays: Bool)
  ) async throws {
    try await Tool.ffmpeg.run(
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=0.4", "-c:v", "mpeg4",
        "-metadata", "comment=" + text.comment, "-metadata", "description=" + text.comment,
        "-metadata", "title=Our GPS walk",
      ] + (file.usesKeys ? ["-movflags", "use_metadata_tags"] : []) + [folder.path(file.name)])
    _ = try copy(file.name, file.type, .withoutLocation, to: "copied")
    let rendering = MovieRendering(
      container: .mp4, tracks: [TrackRendering(index: 0, work: .copy)])
    let step = RenderStep(
      source: BytePath(folder.path(file.name)), work: .movie(rendering), metadata: .withoutLocation)
    guard case .done = try render(step, to: BytePath(folder.path("remuxed")), progress: { _ in })
    else {
      throw ToolFailure(description: "\(file.name) was not remuxed")
    }
    for name in ["copied", "remuxed"] {
      let bytes = try folder.bytes(name)
      #expect((bytes.firstRange(of: Array(text.comment.utf8)) != nil) == text.stays, "\(name)")
      if file.type != .matroska {
        #expect(bytes.firstRange(of: Array("Our GPS walk".utf8)) != nil, "\(name)")
      }
      #expect(try await digest(name) == digest(file.name))
    }
  }

  @Test func copiesAClipFromInside() async throws {
    try await folder.makePicture("a.jpg")
    let picture = try folder.bytes("a.jpg")
    try folder.write(zeroBytes(10) + picture + zeroBytes(3), to: "c")
    let range = ByteRange(offset: 10, length: UInt64(picture.count))
    let step = RenderStep(
      source: BytePath(folder.path("c")), range: range, work: .copy(.jpeg))
    guard case .done = try render(step, to: BytePath(folder.path("b")), progress: { _ in }) else {
      throw ToolFailure(description: "not copied")
    }
    #expect(try folder.bytes("b") == picture)
  }

  @Test func failsWithASentence() throws {
    try folder.write(Array("FLV\u{1}".utf8) + zeroBytes(20), to: "a.flv")
    let step = RenderStep(
      source: BytePath(folder.path("a.flv")), work: .copy(.flashVideo), metadata: .withoutLocation)
    let reply = try render(step, to: BytePath(folder.path("b"))) { _ in }
    guard case .failed(let failure) = reply else {
      throw ToolFailure(description: "not refused")
    }
    #expect(failure.reason == .unsupported)
    #expect(failure.message.hasSuffix("."))
    #expect(failure.message.contains("the video preset `compatible`"))
    #expect(try folder.bytes("b") == [])
  }

  private func zeroBytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

  private func makePicture(_ name: String) async throws {
    guard name.hasSuffix("heic") || name.hasSuffix("avif") else {
      return try await folder.makePicture(name)
    }
    try await folder.makePicture("source.png")
    let options = name.hasSuffix("avif") ? ["-A"] : []
    try await Tool.heifEncoder.run(
      options + [folder.path("source.png"), "-o", folder.path(name)])
  }
}
