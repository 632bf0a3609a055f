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
@testable import MetadataTransfer

/// Languages, 360° video and stereo pairs in movies that are made from others. ffprobe and exiftool read them; the boxes are
/// those of the specifications.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool)))
struct TrackPresentationTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  private let h264 = [
    "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac",
  ]

  /// Rewrites a movie whose header is at its end: each box by a function that returns its new bytes, or nil.
  private func rewrite(
    _ name: String, to target: String, _ change: (ISOBox, [UInt8]) -> [UInt8]?
  ) throws {
    let source = ArraySource(try clips.folder.bytes(name))
    let moov = try #require(try source.boxes(in: 0..<source.count).last { $0.type == "moov" })
    func rebuilt(_ box: ISOBox) throws -> [UInt8] {
      var content = source.bytes(at: box.payload.lowerBound, count: box.payload.count)
      switch box.type {
      case "moov", "trak", "mdia", "minf", "stbl":
        content = try source.boxes(inside: box).flatMap(rebuilt)
      case "stsd":
        content = try content.prefix(8) + source.boxes(inside: box, skip: 8).flatMap(rebuilt)
      default: break
      }
      return change(box, content) ?? isoBox(box.type, content)
    }
    try clips.folder.write(
      source.bytes(at: 0, count: Int(moov.offset)) + rebuilt(moov), to: target)
  }

  /// The content of the first box of a type, anywhere in the header.
  private func box(_ type: FourCC, in name: String) throws -> [UInt8]? {
    let bytes = try clips.folder.bytes(name)
    let source = ArraySource(bytes)
    let moov = try #require(try source.boxes(in: 0..<source.count).first { $0.type == "moov" })
    func find(_ box: ISOBox) throws -> [UInt8]? {
      if box.type == type {
        return source.bytes(at: box.payload.lowerBound, count: box.payload.count)
      }
      let skip: UInt64? =
        switch box.type {
        case "moov", "trak", "mdia", "minf", "stbl", "sv3d", "vexu": 0
        case "stsd": 8
        case "avc1", "hvc1": 78
        default: nil
        }
      guard let skip else { return nil }
      for child in try source.boxes(inside: box, skip: skip) {
        if let found = try find(child) { return found }
      }
      return nil
    }
    return try find(moov)
  }

  private func works(_ isCopied: Bool) -> [TrackRendering.Work] {
    isCopied ? [.copy, .copy] : [.h264(160, 120), .aac]
  }

  private func rendering(
    _ isCopied: Bool, _ container: MovieRendering.Container
  ) -> MovieRendering {
    let works = works(isCopied)
    var rendering = MovieRendering.mp4(works[0], works[1])
    rendering.container = container
    return rendering
  }

  // MARK: Languages

  /// Macintosh's numbers, by the list in the QuickTime File Format, and three letters of five bits.
  @Test(arguments: [
    (0, "eng"), (2, "deu"), (5, "swe"), (18, "hrv"), (33, "zho"), (142, "bre"), (0x7FFF, "und"),
    (0x1A41, "fra"), (0x1485, "ede"), (0x1CB2, "ger"),
  ])
  func `the language of a track stays`(field: Int, code: String) async throws {
    try await clips.makeBars("a.mov", h264)
    try rewrite("a.mov", to: "b.mov") { box, content in
      guard box.type == "mdhd" else { return nil }
      var header = content
      header.replaceSubrange(20..<22, with: bigEndian(field, 2))
      return isoBox("mdhd", header)
    }
    let expected = code == "ger" ? "deu" : code
    for isCopied in [true, false] {
      for container in [MovieRendering.Container.mp4, .quickTime] {
        try clips.mustRender("b.mov", to: "c", rendering(isCopied, container))
        for stream in ["v:0", "a:0"] {
          let found = try await clips.probe("c", stream)["TAG:language"]
          #expect(found == expected, "\(stream), \(container), copied: \(isCopied)")
        }
      }
    }
  }

  @Test(arguments: [MovieRendering.Container.mp4, .quickTime])
  func `the language of a Matroska stays`(container: MovieRendering.Container) async throws {
    try await clips.makeBars(
      "a.mkv", h264 + ["-metadata:s:a:0", "language=ger", "-metadata:s:v:0", "language=nor"])
    try clips.mustRender("a.mkv", to: "b", rendering(true, container))
    #expect(try await clips.probe("b", "a:0")["TAG:language"] == "deu")
    #expect(try await clips.probe("b", "v:0")["TAG:language"] == "nor")
  }

  @Test(arguments: [("pt-BR", "pt-BR"), ("a place: 47.3711, 8.5422", nil)] as [(String, String?)])
  func `a language tag stays`(tag: String, expected: String?) async throws {
    try await clips.makeBars("a.mov", h264)
    try rewrite("a.mov", to: "b.mov") { box, content in
      guard box.type == "mdhd" else { return nil }
      return isoBox("mdhd", content) + isoBox("elng", bigEndian(0) + Array(tag.utf8) + [0])
    }
    try clips.mustRender("b.mov", to: "c.mp4", rendering(true, .mp4))
    let found = try box("elng", in: "c.mp4")
    #expect(found == expected.map { bigEndian(0) + Array($0.utf8) + [0] })
  }

  // MARK: 360° and stereo

  private static let program = "Stitcher at 47.3711, 8.5422"
  private static let elements = [
    ("Spherical", "true"), ("Stitched", "true"), ("StitchingSoftware", program),
    ("ProjectionType", "equirectangular"), ("StereoMode", "top-bottom"),
  ]

  private var sphericalEntry: [UInt8] {
    isoBox("st3d", bigEndian(0) + [1])
      + isoBox(
        "sv3d",
        isoBox("svhd", bigEndian(0) + Array(Self.program.utf8) + [0])
          + isoBox(
            "proj",
            isoBox("prhd", bigEndian(0) + bigEndian(0) + bigEndian(0) + bigEndian(0))
              + isoBox("equi", [UInt8](repeating: 0, count: 20))))
  }

  private var sphericalXML: [UInt8] {
    let text =
      #"<?xml version="1.0"?><rdf:SphericalVideo "#
      + #"xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" "#
      + #"xmlns:GSpherical="http://ns.google.com/videos/1.0/spherical/">"#
      + Self.elements.map { "<GSpherical:\($0.0)>\($0.1)</GSpherical:\($0.0)>" }.joined()
      + "</rdf:SphericalVideo>"
    return isoBox("uuid", ISOMovie.sphericalIdentifier + Array(text.utf8))
  }

  private func makeSpherical(_ name: String) async throws {
    try await clips.makeBars("plain.mov", h264)
    var isFirst = true
    try rewrite("plain.mov", to: name) { box, content in
      switch box.type {
      case "avc1": return isoBox("avc1", content + sphericalEntry)
      case "trak" where isFirst:
        isFirst = false
        return isoBox("trak", content + sphericalXML)
      default: return nil
      }
    }
  }

  @Test(arguments: [true, false], [MovieRendering.Container.mp4, .quickTime, .m4v])
  func `360° video stays so`(
    isCopied: Bool, container: MovieRendering.Container
  ) async throws {
    try await makeSpherical("a.mov")
    try clips.mustRender("a.mov", to: "b", rendering(isCopied, container))
    #expect(try box("st3d", in: "b") == bigEndian(0) + [1])
    #expect(try box("equi", in: "b") == nil)
    #expect(try box("svhd", in: "b") == bigEndian(0) + Array(Self.program.utf8) + [0])
    let text = try await Tool.exiftool.run([
      "-s3", "-ProjectionType", "-StereoMode", clips.folder.path("b"),
    ])
    #expect(text == "equirectangular\ntop-bottom")
    let data = try await Tool.ffprobe.run([
      "-v", "error", "-select_streams", "v", "-show_entries", "stream_side_data", "-of", "default",
      clips.folder.path("b"),
    ])
    #expect(data.contains("projection=equirectangular"))
    #expect(data.contains("type=top and bottom"))
    try await clips.mustDecode("b")
  }

  /// The names of programs and what else is in these boxes goes with the metadata; what makes a video look as it does stays.
  @Test(arguments: [MetadataPolicy.withoutLocation, .appearanceOnly], [true, false])
  func `360° video has no places`(policy: MetadataPolicy, isCopied: Bool) async throws {
    try await makeSpherical("a.mov")
    try clips.mustRender("a.mov", to: "b", rendering(isCopied, .mp4), metadata: policy)
    try clips.folder.mustRender("a.mov", .copy(.quickTimeMovie), to: "c", metadata: policy)
    for name in ["b", "c"] {
      let bytes = try clips.folder.bytes(name)
      #expect(bytes.firstRange(of: Array("47.37".utf8)) == nil, "\(name)")
      #expect(bytes.firstRange(of: Array("Stitcher".utf8)) == nil, "\(name)")
      #expect(try box("st3d", in: name) == bigEndian(0) + [1])
      let text = try await Tool.exiftool.run([
        "-s3", "-ProjectionType", "-StereoMode", clips.folder.path(name),
      ])
      #expect(text == "equirectangular\ntop-bottom", "\(name)")
    }
  }

  @Test func `a turned result is not taken for 360° video`() async throws {
    try await makeSpherical("a.mov")
    try await clips.folder.turn("a.mov", by: 90)
    try clips.mustRender("a.mov", to: "b.mp4", .mp4(.h264(120, 160), .aac))
    #expect(try box("st3d", in: "b.mp4") == nil)
    #expect(try box("sv3d", in: "b.mp4") == nil)
    let bytes = try clips.folder.bytes("b.mp4")
    #expect(bytes.firstRange(of: Array("GSpherical".utf8)) == nil)
  }

  /// `vexu` of two eyes in layers, of two eyes in one frame, and of a projection alone.
  @Test(arguments: ["layers", "packed", "wide"])
  func `spatial video is marked as what it is`(kind: String) async throws {
    let eyes = isoBox(
      "eyes", isoBox("stri", bigEndian(0) + [3]) + isoBox("hero", bigEndian(0) + [1]))
    let projection = isoBox("proj", isoBox("prji", bigEndian(0) + Array("rect".utf8)))
    let packing = isoBox("pack", isoBox("pkin", bigEndian(0) + Array("side".utf8)))
    let usage =
      switch kind {
      case "layers": isoBox("vexu", eyes + projection)
      case "packed": isoBox("vexu", eyes + packing)
      default: isoBox("vexu", projection)
      }
    let field = isoBox("hfov", bigEndian(63_500))
    try await clips.makeBars("plain.mov", h264)
    try rewrite("plain.mov", to: "a.mov") { box, content in
      box.type == "avc1" ? isoBox("avc1", content + usage + field) : nil
    }
    for container in [MovieRendering.Container.mp4, .quickTime] {
      try clips.mustRender("a.mov", to: "b", rendering(true, container))
      #expect(try box("vexu", in: "b") == Array(usage.dropFirst(8)))
      #expect(try box("hfov", in: "b") == bigEndian(63_500))
      try clips.mustRender("a.mov", to: "c", rendering(false, container))
      #expect(
        try box("vexu", in: "c") == (kind == "layers" ? projection : Array(usage.dropFirst(8))))
      try await clips.mustDecode("c")
    }
  }
}
