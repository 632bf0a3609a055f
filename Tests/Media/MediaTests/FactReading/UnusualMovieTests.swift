import LibraryFacts
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats

/// Movies in unusual or damaged containers, made of those of ffmpeg; ffprobe and exiftool know their facts.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe, .exiftool)))
struct UnusualMovieTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Two seconds of a test picture.
  private func make(_ name: String, _ options: [String], size: String = "320x240") async throws
    -> [UInt8]
  {
    let input = ["-f", "lavfi", "-i", "testsrc2=s=\(size):r=25:d=2"]
    try await Tool.ffmpeg.run(
      ["-nostdin", "-v", "error", "-y"] + input + options + [folder.path(name)])
    return try folder.bytes(name)
  }

  private func read(_ file: [UInt8], readers: CodecReaders? = nil) throws -> MediaFacts {
    let source = ArraySource(file)
    guard case .media(let type) = try ContentType(of: source) else {
      throw ToolFailure(description: "The file is not recognised.")
    }
    let reading = try MovieReading.read(type, source, readers: readers)
    return try #require(reading.facts(type: type, name: []))
  }

  private func probe(_ file: [UInt8], _ name: String, _ entries: String) async throws -> [String] {
    try folder.write(file, to: name)
    return try await Tool.ffprobe.run([
      "-v", "quiet", "-select_streams", "v:0", "-show_entries", entries, "-of", "csv=p=0",
      folder.path(name),
    ]).split { ",\n".contains($0) }.map(String.init)
  }

  private static func little(_ number: Int) -> [UInt8] { bigEndian(number).reversed() }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    Array(type.utf8) + little(content.count) + content + (content.count % 2 == 1 ? [0] : [])
  }

  private func replacing(_ old: String, with new: String, in file: [UInt8]) -> [UInt8] {
    var file = file
    while let found = file.firstRange(of: Array(old.utf8)) {
      file.replaceSubrange(found, with: Array(new.utf8))
    }
    return file
  }

  // MARK: AVI

  /// A stream of DV frames with audio inside (Microsoft, "DV Data in the AVI File Format").
  private static func typeOneAVI(_ dv: [UInt8]) -> [UInt8] {
    let size = 144_000
    let count = dv.count / size
    let main = [40_000, 0, 0, 0x10, count, 0, 1, size, 720, 576, 0, 0, 0, 0].flatMap(little)
    let stream =
      Array("iavsdvsd".utf8)
      + [0, 0, 0, 1, 25, 0, count, size, -1, 0, 0, 720 | 576 << 16].flatMap(little)
    let list =
      Array("strl".utf8) + chunk("strh", stream) + chunk("strf", [UInt8](repeating: 0, count: 32))
    let header = Array("hdrl".utf8) + chunk("avih", main) + chunk("LIST", list)
    let frames = (0..<count).flatMap { chunk("00__", Array(dv[$0 * size..<($0 + 1) * size])) }
    return chunk(
      "RIFF",
      Array("AVI ".utf8) + chunk("LIST", header) + chunk("LIST", Array("movi".utf8) + frames))
  }

  @Test func `DV with audio inside an AVI is read by FFmpeg`() async throws {
    let dv = try await make("a.dv", ["-target", "pal-dv", "-aspect", "4:3"], size: "720x576")
    let file = Self.typeOneAVI(dv)
    #expect(throws: NeedsCodec.self) { try read(file) }
    let facts = try read(file, readers: .libraries)
    #expect(facts.pixelSize == PixelSize(width: 768, height: 576))
    #expect(facts.video?.codec == "dvvideo")
    let seconds = try await probe(file, "b.avi", "format=duration").first.flatMap { Double($0) }
    #expect(facts.duration == seconds)
  }

  @Test(arguments: [
    ("a.avi", ["-c:v", "mpeg4", "-vtag", "XVID", "-aspect", "16:9"], "vprp", "JUNK"),
    ("b.avi", ["-c:v", "dvvideo", "-pix_fmt", "yuv420p", "-aspect", "16:9"], "vprp", "JUNK"),
    ("a.mov", ["-c:v", "dvvideo", "-pix_fmt", "yuv420p", "-aspect", "16:9"], "pasp", "free"),
  ])
  func `the shape of pixels is that of the coded video if the container has none`(
    name: String, options: [String], box: String, other: String
  ) async throws {
    let made = try await make(name, options, size: "720x576")
    let file = replacing(box, with: other, in: made)
    let values = try await probe(
      file, name, "stream=width,height,sample_aspect_ratio,avg_frame_rate")
    try #require(values.prefix(3) == ["720", "576", "64:45"])
    let facts = try read(file, readers: .libraries)
    #expect(facts.pixelSize == PixelSize(width: 1024, height: 576))
    #expect(facts.video?.frameRate == 25)
  }

  // MARK: Transport streams

  enum Damage: String, CaseIterable, Sendable {
    case whole, lostBytes, lostBytesNearStart, badByte, startInPacket, errorCorrection, timestamps

    func apply(to file: [UInt8]) -> [UInt8] {
      var file = file
      switch self {
      case .whole: break
      case .lostBytes: file.removeSubrange(file.count / 3..<file.count / 3 + 57)
      case .lostBytesNearStart: file.removeSubrange(2000..<2057)
      case .badByte: file[5 * 188] = 0
      case .startInPacket: file.removeFirst(100)
      case .errorCorrection, .timestamps:
        let more = [UInt8](repeating: 0x33, count: self == .timestamps ? 4 : 16)
        return stride(from: 0, to: file.count, by: 188).flatMap { start in
          let packet = Array(file[start..<start + 188])
          return self == .timestamps ? more + packet : packet + more
        }
      }
      return file
    }
  }

  @Test(arguments: Damage.allCases)
  func `a damaged transport stream has its whole duration`(damage: Damage) async throws {
    let options = ["-c:v", "libx264", "-preset", "ultrafast", "-f", "mpegts"]
    let file = damage.apply(to: try await make("a.ts", options))
    let values = try await probe(file, "b.ts", "stream=width,height:format=duration")
    let seconds = try #require(values.last.flatMap { Double($0) })
    let facts = try read(file)
    #expect(facts.uniformType == (damage == .timestamps ? .avchd : .mpeg2TransportStream))
    #expect(facts.pixelSize == PixelSize(width: 320, height: 240))
    #expect(facts.duration.map { abs($0 - seconds) < 0.1 } == true, "\(seconds)")
  }

  /// The sync byte is a G.
  @Test func `tables and texts are not transport streams`() throws {
    let files: [[UInt8]] = [
      [UInt8](repeating: 0x47, count: 8000),
      (0..<2000).flatMap { _ in [0x47, 0, 0, 0x10] as [UInt8] },
      (0..<2000).flatMap { [0, 0, UInt8($0 % 251), 0x47] as [UInt8] },
      (0..<500).flatMap { Array("GATTACAGGG \($0)\n".utf8) },
    ]
    for (index, file) in files.enumerated() {
      let type = try ContentType(of: ArraySource([1] + file))
      #expect(type == .unknown, "\(index)")
    }
  }

  // MARK: Matroska

  @Test(arguments: [
    (["DATE_RECORDED=2016-02-03 04:05:06"], "DateTimeOriginal", "2016-02-03T04:05:06"),
    (
      ["DATE_RECORDED=2016-02-03T04:05:06+02:00", "DATE_DIGITIZED=2018-01-01 00:00:00"],
      "DateTimeOriginal", "2016-02-03T04:05:06+02:00"
    ),
    (["DATE_DIGITIZED=2017-02-03 04:05:06"], "CreateDate", "2017-02-03T04:05:06"),
    (["DATE_RECORDED=2016"], "DateUTC", "2020-05-06T07:08:09+00:00"),
  ])
  func `the date of a recording precedes that of the file`(
    tags: [String], source: String, expected: String
  ) async throws {
    let options =
      [
        "-c:v", "libx264", "-preset", "ultrafast", "-metadata",
        "creation_time=2020-05-06T07:08:09Z",
      ]
      + tags.flatMap { ["-metadata", $0] }
    let file = try await make("a.mkv", options)
    let time = try read(file).captureTime
    #expect(time?.iso8601 == expected)
    #expect(time?.source == "matroska:" + source)
    guard source != "DateUTC" else { return }
    let found = try await Tool.exiftool.run(["-s3", "-\(source)", folder.path("a.mkv")])
    #expect(found.replacing(":", with: "-").prefix(10) == expected.prefix(10))
  }

  @Test(arguments: ["a.mkv", "a.webm"])
  func `a track without DefaultDuration has a frame rate`(name: String) async throws {
    let codec =
      name == "a.mkv"
      ? ["-c:v", "libx264", "-preset", "ultrafast"]
      : ["-c:v", "libvpx", "-deadline", "realtime", "-cpu-used", "8"]
    var file = try await make(name, codec)
    let element = try #require(file.firstRange(of: [0x23, 0xE3, 0x83, 0x84]))
    // A void element of the same length.
    file.replaceSubrange(element, with: [0xEC, 0x86, 0, 0])
    let values = try await probe(file, name, "stream=avg_frame_rate")
    try #require(values == ["25/1"])
    #expect(throws: NeedsCodec.self) { try read(file) }
    #expect(try read(file, readers: .libraries).video?.frameRate == 25)
  }
}
