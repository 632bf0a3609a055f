import MediaModel
import MediaTools
import Testing

@testable import FFmpeg

/// ffmpeg makes the movies; ffprobe, or the command that made them, determines the expected values.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct MovieFileTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// Half a second of 64 × 48 at 25 frames a second with a tone.
  private func make(_ name: String, _ options: [String]) async throws {
    try await Tool.ffmpeg.run(
      ["-v", "error", "-f", "lavfi", "-i", "testsrc=s=64x48:r=25:d=0.5"]
        + ["-f", "lavfi", "-i", "sine=d=0.5", "-shortest"] + options + [folder.path(name)])
  }

  private func open(_ demuxer: Demuxer, _ name: String) throws -> Movie {
    try open(demuxer, folder.bytes(name))
  }

  private func open(_ demuxer: Demuxer, _ bytes: [UInt8]) throws(AudioVideoError) -> Movie {
    try MovieFile(demuxer, size: UInt64(bytes.count)) { offset, count in
      Array(bytes.dropFirst(Int(offset)).prefix(count))
    }.movie()
  }

  @Test(
    arguments: [
      (.quickTime, "a.mp4", "mpeg4", "aac"), (.quickTime, "a.mov", "mjpeg", "pcm_s16le"),
      (.matroska, "a.mkv", "mpeg4", "aac"), (.avi, "a.avi", "mpeg4", "mp3"),
      (.mpegTransportStream, "a.ts", "mpeg2video", "mp2"),
      (.mpegProgramStream, "a.mpg", "mpeg1video", "mp2"), (.flashVideo, "a.flv", "flv1", "mp3"),
      (.advancedSystems, "a.wmv", "msmpeg4v3", "wmav2"),
    ] as [(Demuxer, String, String, String)])
  func readsStreamsOfEveryContainer(
    demuxer: Demuxer, name: String, video: String, audio: String
  ) async throws {
    let encoders = ["mp3": "libmp3lame", "flv1": "flv", "msmpeg4v3": "msmpeg4"]
    try await make(
      name, ["-c:v", encoders[video] ?? video, "-c:a", encoders[audio] ?? audio, "-ar", "44100"])
    let movie = try open(demuxer, name)
    #expect(movie.mainVideo?.codec == video)
    #expect(movie.mainAudio?.codec == audio)
    #expect(movie.mainVideo?.size == PixelSize(width: 64, height: 48))
    let printed = try await Tool.ffprobe.run([
      "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", folder.path(name),
    ])
    let duration = try #require(movie.duration)
    #expect(abs(duration - (Double(printed) ?? 0)) < 0.06)
  }

  /// ffprobe prints by how many degrees, anticlockwise, a player turns the movie.
  @Test(arguments: [90, 180, 270])
  func readsOrientation(angle: Int) async throws {
    try await make("b.mp4", ["-c:v", "mpeg4"])
    try await folder.turn("b.mp4", by: angle)
    let rotation = try await Tool.ffprobe.run([
      "-v", "error", "-select_streams", "v", "-show_entries", "stream_side_data=rotation", "-of",
      "default=nk=1:nw=1", folder.path("b.mp4"),
    ])
    let meanings = ["-90": Orientation.right, "90": .left, "180": .down, "-180": .down]
    let expected = try #require(meanings[rotation])
    #expect(try open(.quickTime, "b.mp4").mainVideo?.orientation == expected)
  }

  @Test func returnsTheContainersTags() async throws {
    try await make(
      "a.mov",
      [
        "-c:v", "mpeg4", "-movflags", "use_metadata_tags", "-metadata",
        "com.apple.quicktime.content.identifier=ABC-123",
      ])
    let movie = try open(.quickTime, "a.mov")
    #expect(movie.value("com.apple.quicktime.content.identifier") == "ABC-123")
  }

  @Test func readsTheHeadersTimeAsUTC() async throws {
    try await make("a.mp4", ["-c:v", "mpeg4", "-metadata", "creation_time=2018-01-05T23:02:37Z"])
    let time = try open(.quickTime, "a.mp4").value("creation_time")
    #expect(time == "2018-01-05T23:02:37.000000Z")
  }

  @Test func readsHighDynamicRange() async throws {
    for (transfer, range) in [("arib-std-b67", DynamicRange.hlg), ("smpte2084", .pq)] {
      try await make(
        "\(transfer).mp4",
        [
          "-vf", Tool.tagging(primaries: "bt2020", transfer: transfer, matrix: "bt2020nc"),
          "-c:v", "libx265", "-x265-params", "log-level=none",
        ])
      #expect(try open(.quickTime, "\(transfer).mp4").mainVideo?.dynamicRange == range)
    }
  }

  @Test func opensNothingButTheBytesItIsGiven() throws {
    // A playlist is text that names other files: none of the allowed demuxers accepts it.
    let playlist = Array("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n".utf8)
    for demuxer in Demuxer.allCases {
      let movie = try? open(demuxer, playlist)
      #expect(movie?.mainVideo == nil)
    }
  }

  @Test func refusesTruncatedAndOverwrittenMovies() async throws {
    try await make("a.mp4", ["-c:v", "mpeg4", "-movflags", "faststart"])
    let whole = try folder.bytes("a.mp4")
    #expect(try open(.quickTime, Array(whole.prefix(100))).streams.isEmpty)
    #expect(throws: AudioVideoError.self) { try open(.quickTime, []) }
    for index in stride(from: 0, to: min(whole.count, 1200), by: 7) {
      var changed = whole
      changed[index] ^= 0xFF
      _ = try? open(.quickTime, changed)
    }
  }
}

struct OrientationTests {
  /// EXIF 2.32's eight values as the matrices that turn the stored picture upright.
  @Test(
    arguments: [
      (1, 0, 0, 1, Orientation.up), (-1, 0, 0, 1, .upMirrored), (-1, 0, 0, -1, .down),
      (1, 0, 0, -1, .downMirrored), (0, 1, 1, 0, .leftMirrored), (0, 1, -1, 0, .right),
      (0, -1, -1, 0, .rightMirrored), (0, -1, 1, 0, .left),
    ] as [(Int32, Int32, Int32, Int32, Orientation)])
  func followsFromTheMatrix(a: Int32, b: Int32, c: Int32, d: Int32, expected: Orientation) {
    let one: Int32 = 1 << 16
    #expect(Orientation(a: a * one, b: b * one, c: c * one, d: d * one) == expected)
  }

  @Test func isNilForOtherAngles() {
    #expect(Orientation(a: 1, b: 1, c: -1, d: 1) == nil)
  }
}
