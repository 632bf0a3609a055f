import Foundation
import MediaTools
import PlantedPlaces
import Testing
import Workbench

/// Exports of movies with the planted place in user data inside of coded video (SEI messages, annex D of
/// ITU-T H.264 and H.265).
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .exiftool)), .timeLimit(.minutes(5)))
struct VideoUserDataTests {
  /// Camcorders' user data: 17EE8C60-F84D-11D9-8CD6-0800200C9A66.
  private static let camcorder: [UInt8] = [
    0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A, 0x66,
  ]

  /// Three tags of camcorders' user data: 47°, 7′, 24.44″.
  private static let latitude: [UInt8] = [
    0xB2, 0, 47, 0, 1, 0xB3, 0, 7, 0, 1, 0xB4, 0x09, 0x8C, 0x00, 0x64,
  ]

  private static func message(_ type: UInt8, _ payload: [UInt8]) -> [UInt8] {
    [type] + [UInt8](repeating: 0xFF, count: payload.count / 255) + [UInt8(payload.count % 255)]
      + payload
  }

  /// A unit of messages of types 5 and 4, with emulation prevention (§7.3.1).
  private static func unit(_ header: [UInt8]) -> [UInt8] {
    let place = PlantedPlace.planted
    let spellings: [UInt8] = place.plantable.flatMap { $0.bytes + [0] }
    // Tags of exiftool's H264 module: B0 to B5 are the version, the hemisphere and the degrees.
    let tags: [[UInt8]] = [
      [0xB0, 2, 2, 0, 0], [0xB1] + Array("N".utf8) + [0, 0, 0], latitude,
    ]
    let content =
      // exiftool reads the first message of this type only.
      message(5, camcorder + Array("MDPM".utf8) + [UInt8(tags.count + 2)] + tags.joined())
      + message(5, [UInt8](repeating: 0x5A, count: 16) + spellings)
      + message(4, [0xB5, 0x7F, 0x7F] + spellings) + [0x80]
    var escaped: [UInt8] = []
    var zeros = 0
    for byte in content {
      if zeros >= 2, byte <= 3 {
        escaped.append(3)
        zeros = 0
      }
      escaped.append(byte)
      zeros = byte == 0 ? zeros + 1 : 0
    }
    return [0, 0, 0, 1] + header + escaped
  }

  /// Inserts user data before each picture that is one unit.
  private static func plant(_ stream: [UInt8], isHEVC: Bool) -> [UInt8] {
    let user = unit(isHEVC ? [39 << 1, 1] : [6])
    var result: [UInt8] = []
    var position = 0
    while position < stream.count {
      if position + 4 < stream.count, stream[position..<(position + 3)].elementsEqual([0, 0, 1]) {
        let first = stream[position + 3]
        let isPicture = isHEVC ? first >> 1 & 0x3F < 32 : [1, 5].contains(first & 0x1F)
        if isPicture { result += user }
      }
      result.append(stream[position])
      position += 1
    }
    return result
  }

  /// Makes a movie of a codec in a container.
  private func make(_ name: String, codec: String, in bench: Workbench) async throws {
    let stream = bench.folder + "/stream." + codec
    let isHEVC = codec == "hevc"
    try await Tool.ffmpeg.run(
      [
        "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=s=160x120:r=25:d=1", "-pix_fmt",
        "yuv420p", "-bf", "0", "-c:v", isHEVC ? "libx265" : "libx264",
      ] + (isHEVC ? ["-x265-params", "log-level=none:bframes=0:slices=1"] : ["-threads", "1"]) + [
        "-f", codec, stream,
      ])
    let planted = Self.plant([UInt8](try Data(contentsOf: URL(filePath: stream))), isHEVC: isHEVC)
    try Data(planted).write(to: URL(filePath: stream))
    // A raw stream does not have the times that a transport stream needs.
    let timed = bench.folder + "/timed.mp4"
    try await Tool.ffmpeg.run([
      "-v", "error", "-y", "-r", "25", "-f", codec, "-i", stream, "-c", "copy", timed,
    ])
    try await Tool.ffmpeg.run(
      ["-v", "error", "-y", "-i", timed, "-c", "copy"]
        + (name.hasPrefix("fragments") ? ["-movflags", "frag_keyframe+empty_moov"] : [])
        // Clusters without sizes.
        + (name.hasPrefix("live") ? ["-live", "1"] : [])
        + [bench.library + "/" + name])
  }

  private static func contains(_ bytes: [UInt8], _ needle: [UInt8]) -> Bool {
    Data(bytes).range(of: Data(needle)) != nil
  }

  private func frames(_ path: String) async throws -> [String] {
    try await Tool.ffmpeg.run(["-v", "fatal", "-i", path, "-map", "0:v", "-f", "framemd5", "-"])
      .split(separator: "\n").filter { !$0.hasPrefix("#") }
      .compactMap { $0.split(separator: " ").last.map(String.init) }
  }

  @Test(arguments: [
    (
      "current", "--strip-location",
      [
        "a.mov h264", "b.mp4 hevc", "fragments.mp4 h264", "d.mkv h264", "e.mkv hevc",
        "live.mkv h264", "f.avi h264",
      ]
    ),
    ("current", "--strip-metadata", ["b.mp4 hevc", "d.mkv h264", "e.mkv hevc"]),
    ("Passthrough", "--strip-location", ["a.mov h264", "b.mp4 hevc"]),
    ("compatible", "--strip-location", ["b.mov hevc", "c.mts h264"]),
  ])
  func `an exported video does not contain the place`(
    preset: String, policy: String, movies: [String]
  ) async throws {
    let bench = try Workbench()
    let target = bench.folder + "/out"
    for movie in movies {
      let parts = movie.split(separator: " ").map(String.init)
      try await make(parts[0], codec: parts[1], in: bench)
      let bytes = [UInt8](
        try Data(contentsOf: URL(filePath: bench.library + "/" + parts[0])))
      try #require(PlantedPlace.planted.needles.traces(in: bytes) != [], "\(movie)")
      if parts[0].hasSuffix(".mts") {
        // Transport streams split units into packets. exiftool reads user data in these streams.
        let tags = try await Tool.exiftool.run([
          "-ee", "-a", "-n", "-s3", "-GPSLatitude", bench.library + "/" + parts[0],
        ])
        try #require(tags.contains("47.123"), "\(movie)")
      } else {
        try #require(Self.contains(bytes, Self.latitude), "\(movie)")
      }
    }
    _ = try await bench.scan([bench.library])
    let outcome = try await bench.shoebox([
      "export", "--video-preset", preset, policy, "--to", target,
    ])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let results = try FileManager.default.contentsOfDirectory(atPath: target)
      .filter { !$0.hasPrefix(".") }
    #expect(results.count == movies.count)
    for result in results {
      let path = target + "/" + result
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      #expect(PlantedPlace.planted.needles.traces(in: bytes) == [], "\(preset): \(result)")
      #expect(!Self.contains(bytes, Self.latitude), "\(preset): \(result)")
      #expect(!Self.contains(bytes, Self.camcorder), "\(preset): \(result)")
      let tags = try await Tool.exiftool.run(["-ee", "-a", "-G3", "-GPS*", path])
      #expect(tags == "", "\(preset): \(result)")
      guard preset != "compatible" else { continue }
      let name = result.split(separator: ".")[0]
      let source = try #require(
        movies.first { $0.hasPrefix(name + ".") }?.split(separator: " ").first)
      let expected = try await frames(bench.library + "/" + source)
      #expect(expected.count == 25)
      #expect(try await frames(path) == expected, "\(result) has other frames")
    }
  }
}
