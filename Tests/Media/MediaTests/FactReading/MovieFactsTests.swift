import LibraryFacts
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats

/// A movie that ffmpeg makes, and the facts that it has by its construction.
struct MadeMovie: Sendable, CustomTestStringConvertible {
  var name: String
  /// ffmpeg's options for the output.
  var options: [String]
  var video: String
  var audio: String?
  var size = PixelSize(width: 320, height: 180)
  var rate: Double? = 30
  var range = DynamicRange.sdr
  var orientation: Orientation?

  var testDescription: String { name + " " + options.joined(separator: " ") }
}

/// Movies are read without FFmpeg's libraries; its results are the second opinion.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg)))
struct MovieFactsTests {
  private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast"]
  /// A second. FFmpeg 7 makes one frame more of 30 frames a second, and then lacks its audio.
  private static let palDV = ["-target", "pal-dv", "-frames:v", "25"]
  private static let hevc = ["-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le"]

  private static func x265(_ transfer: String) -> [String] {
    [
      "-x265-params",
      "log-level=none:colorprim=bt2020:transfer=\(transfer):colormatrix=bt2020nc",
    ]
  }

  static let movies: [MadeMovie] = [
    MadeMovie(name: "a.mp4", options: h264 + ["-c:a", "aac"], video: "h264", audio: "aac"),
    MadeMovie(
      name: "a.mov", options: h264 + ["-c:a", "pcm_s16le"], video: "h264", audio: "pcm_s16le"),
    MadeMovie(name: "a.m4v", options: h264 + ["-c:a", "ac3"], video: "h264", audio: "ac3"),
    MadeMovie(
      name: "a.mp4",
      options: h264 + ["-c:a", "aac", "-movflags", "frag_keyframe+empty_moov", "-g", "15"],
      video: "h264", audio: "aac", rate: nil),
    MadeMovie(
      name: "a.mp4", options: h264 + ["-aspect", "4:3"], video: "h264",
      size: PixelSize(width: 320, height: 240)),
    MadeMovie(
      name: "a.mp4", options: hevc + x265("smpte2084") + ["-tag:v", "hvc1"], video: "hevc",
      range: .pq),
    MadeMovie(
      name: "a.mov", options: hevc + x265("arib-std-b67") + ["-tag:v", "hvc1"], video: "hevc",
      range: .hlg),
    MadeMovie(
      name: "a.mkv", options: hevc + x265("arib-std-b67"), video: "hevc", range: .hlg),
    MadeMovie(name: "b.mp4", options: hevc + ["-x265-params", "log-level=none"], video: "hevc"),
    MadeMovie(
      name: "a.mp4", options: ["-c:v", "mpeg4", "-aspect", "4:3", "-c:a", "libmp3lame"],
      video: "mpeg4", audio: "mp3", size: PixelSize(width: 320, height: 240)),
    MadeMovie(
      name: "a.3gp", options: ["-c:v", "h263", "-s", "176x144", "-c:a", "aac"], video: "h263",
      audio: "aac", size: PixelSize(width: 256, height: 144)),
    MadeMovie(
      name: "a.mov", options: ["-c:v", "prores_ks", "-c:a", "pcm_s24le"], video: "prores",
      audio: "pcm_s24le"),
    MadeMovie(
      name: "a.mkv", options: h264 + ["-c:a", "flac"], video: "h264", audio: "flac"),
    MadeMovie(
      name: "a.webm",
      options: [
        "-c:v", "libvpx-vp9", "-deadline", "realtime", "-cpu-used", "8", "-c:a", "libopus",
      ],
      video: "vp9", audio: "opus"),
    MadeMovie(
      name: "a.avi", options: ["-c:v", "mjpeg", "-c:a", "pcm_s16le"], video: "mjpeg",
      audio: "pcm_s16le"),
    MadeMovie(
      name: "a.avi", options: ["-c:v", "mpeg4", "-aspect", "4:3", "-c:a", "libmp3lame"],
      video: "mpeg4", audio: "mp3", size: PixelSize(width: 320, height: 240)),
    MadeMovie(name: "a.ts", options: h264 + ["-c:a", "aac"], video: "h264", audio: "aac"),
    MadeMovie(
      name: "a.m2ts", options: h264 + ["-c:a", "ac3", "-mpegts_m2ts_mode", "1", "-f", "mpegts"],
      video: "h264", audio: "ac3"),
    MadeMovie(
      name: "a.ts", options: ["-c:v", "mpeg2video", "-c:a", "mp2"], video: "mpeg2video",
      audio: "mp2"),
    MadeMovie(
      name: "a.ts", options: hevc + x265("smpte2084") + ["-c:a", "libmp3lame"], video: "hevc",
      audio: "mp3", range: .pq),
    MadeMovie(name: "a.flv", options: h264 + ["-c:a", "aac"], video: "h264", audio: "aac"),
    MadeMovie(
      name: "a.flv", options: ["-c:v", "flv1", "-c:a", "libmp3lame"], video: "flv1", audio: "mp3"),
    MadeMovie(
      name: "a.flv", options: h264 + ["-c:a", "aac", "-flvflags", "no_metadata"], video: "h264",
      audio: "aac"),
    MadeMovie(
      name: "a.flv", options: ["-c:v", "flashsv", "-c:a", "adpcm_swf"], video: "flashsv",
      audio: "adpcm_swf"),
    MadeMovie(name: "a.flv", options: ["-c:v", "flashsv2"], video: "flashsv2"),
    MadeMovie(
      name: "a.mpg", options: ["-c:v", "mpeg1video", "-c:a", "mp2"], video: "mpeg1video",
      audio: "mp2"),
    MadeMovie(
      name: "a.vob", options: ["-c:v", "mpeg2video", "-bf", "2", "-c:a", "ac3"],
      video: "mpeg2video", audio: "ac3"),
    MadeMovie(
      name: "a.vob",
      options: ["-c:v", "mpeg2video", "-aspect", "4:3", "-c:a", "pcm_dvd", "-ar", "48000"],
      video: "mpeg2video", audio: "pcm_dvd", size: PixelSize(width: 320, height: 240)),
    MadeMovie(
      name: "a.mpg", options: h264 + ["-c:a", "libmp3lame"], video: "h264", audio: "mp3"),
    MadeMovie(
      name: "a.mpg", options: ["-target", "ntsc-vcd", "-aspect", "4:3"], video: "mpeg1video",
      audio: "mp2",
      size: PixelSize(width: 352, height: 263), rate: 30000.0 / 1001),
    MadeMovie(
      name: "a.wmv", options: ["-c:v", "wmv2", "-c:a", "wmav2"], video: "wmv2", audio: "wmav2"),
    MadeMovie(
      name: "a.wmv", options: ["-c:v", "wmv1", "-c:a", "wmav1", "-aspect", "4:3"], video: "wmv1",
      audio: "wmav1", size: PixelSize(width: 320, height: 240)),
    MadeMovie(name: "a.asf", options: h264 + ["-c:a", "aac"], video: "h264", audio: "aac"),
    MadeMovie(
      name: "a.asf", options: ["-c:v", "msmpeg4", "-c:a", "libmp3lame"], video: "msmpeg4v3",
      audio: "mp3"),
    MadeMovie(
      name: "a.dv", options: palDV + ["-aspect", "4:3"], video: "dvvideo",
      audio: "pcm_s16le",
      size: PixelSize(width: 768, height: 576), rate: 25),
    MadeMovie(
      name: "a.dv", options: ["-target", "ntsc-dv", "-aspect", "16:9"], video: "dvvideo",
      audio: "pcm_s16le", size: PixelSize(width: 853, height: 480), rate: 30000.0 / 1001),
  ]

  private func make(_ movie: MadeMovie, in folder: ScratchFolder) async throws -> ArraySource {
    var inputs = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=1"]
    if movie.audio != nil { inputs += ["-f", "lavfi", "-i", "sine=d=1"] }
    try await Tool.ffmpeg.run(
      ["-nostdin", "-v", "error", "-y"] + inputs + movie.options + [folder.path(movie.name)])
    return ArraySource(try folder.bytes(movie.name))
  }

  private func type(_ source: ArraySource) throws -> UniformType {
    guard case .media(let type) = try ContentType(of: source) else {
      throw ToolFailure(description: "The file is not recognised.")
    }
    return type
  }

  @Test(arguments: movies)
  func areReadWithoutTheCodec(made: MadeMovie) async throws {
    let source = try await make(made, in: try ScratchFolder())
    let type = try type(source)
    let reading = try MovieReading(type, source)
    let facts = try #require(reading.facts(type: type, name: []))
    #expect(facts.video?.codec == made.video)
    #expect(facts.video?.audioCodec == made.audio)
    #expect(facts.video?.dynamicRange == made.range)
    #expect(facts.pixelSize == made.size)
    #expect(facts.orientation == made.orientation)
    let duration = try #require(facts.duration)
    #expect(abs(duration - 1) < 0.2)
    if let rate = made.rate {
      #expect(facts.video?.frameRate.map { abs($0 - rate) < 1e-6 } == true)
    }
    try expectEqual(reading, try CodecReaders.libraries.movie(type, source), type)
  }

  /// Compares all facts with those of FFmpeg.
  private func expectEqual(
    _ own: MovieReading, _ codec: MovieReading, _ type: UniformType
  ) throws {
    let (left, right) = (own.facts(type: type, name: []), codec.facts(type: type, name: []))
    #expect(left?.duration.map { abs($0 - (right?.duration ?? 0)) < 1e-6 } == true)
    // FFmpeg measures no rate of ASF if the header has a duration, and rounds the times of FLV to milliseconds.
    if type != .windowsMediaVideo || right?.video?.frameRate != nil {
      let tolerance = type == .flashVideo ? 0.02 : 1e-7
      let (rate, other) = (left?.video?.frameRate ?? 0, right?.video?.frameRate ?? 0)
      #expect(rate > 0 && abs(rate - other) <= tolerance * other, "\(rate), FFmpeg \(other)")
    }
    #expect(left?.pixelSize == right?.pixelSize)
    #expect(left?.captureTime == right?.captureTime)
    #expect(left?.location == right?.location)
    #expect(left?.camera == right?.camera)
    #expect(left?.title == right?.title)
    #expect(left?.caption == right?.caption)
    #expect(left?.clues == right?.clues)
    #expect(own.movie.streams.map(\.kind) == codec.movie.streams.map(\.kind))
    #expect(own.movie.streams.map(\.codec) == codec.movie.streams.map(\.codec))
  }

  @Test(arguments: [(90, Orientation.right), (180, .down), (270, .left)])
  func orientationFollowsFromTheMatrix(degrees: Int, expected: Orientation) async throws {
    let folder = try ScratchFolder()
    _ = try await make(MadeMovie(name: "b.mov", options: Self.h264, video: "h264"), in: folder)
    try await folder.turn("b.mov", by: degrees)
    let source = ArraySource(try folder.bytes("b.mov"))
    let reading = try MovieReading(.quickTimeMovie, source)
    let codec = try CodecReaders.libraries.movie(.quickTimeMovie, source)
    #expect(reading.movie.mainVideo?.orientation == codec.movie.mainVideo?.orientation)
    #expect(reading.movie.mainVideo?.orientation == expected)
  }

  @Test(arguments: ["a.mp4", "a.3gp", "a.mkv", "a.avi", "a.flv"])
  func tagsEqualFFmpegs(name: String) async throws {
    let options = [
      "-metadata", "title=A title", "-metadata", "comment=A comment",
      "-metadata", "creation_time=2020-05-06T07:08:09Z",
      "-metadata", "location=+47.3600+008.5400/",
    ]
    let codec = name == "a.avi" ? ["-c:v", "mjpeg"] : Self.h264
    let source = try await make(
      MadeMovie(name: name, options: codec + options, video: "h264"), in: try ScratchFolder())
    let type = try type(source)
    let reading = try MovieReading(type, source)
    try expectEqual(reading, try CodecReaders.libraries.movie(type, source), type)
    // FFmpeg does not read 3GPP's own titles.
    if name != "a.3gp" { #expect(reading.facts(type: type, name: [])?.title == "A title") }
  }

  /// Codec 12 is HEVC in files of programs that extended FLV; FFmpeg knows it or not.
  @Test func unknownCodecsNeedTheCodec() async throws {
    let source = try await make(
      MadeMovie(name: "a.flv", options: ["-c:v", "flv1"], video: ""), in: try ScratchFolder())
    var bytes = source.bytes(at: 0, count: Int(source.count))
    let file = ArraySource(bytes)
    #expect(try MovieReading(.flashVideo, file).movie.mainVideo?.codec == "flv1")
    // The content of the first tag of kind 9 begins with the types of the frame and the codec.
    let script = 13 + 11 + Int(try #require(bytes.u24(at: 14))) + 4
    try #require(bytes[script] == 9)
    bytes[script + 11] = 0x1C
    let changed = ArraySource(bytes)
    #expect(throws: NeedsCodec.self) { try MovieReading(.flashVideo, changed) }
  }

  @Test func bareVideoIsRefused() async throws {
    let options = ["-c:v", "mpeg2video", "-f", "mpeg2video"]
    let source = try await make(
      MadeMovie(name: "a.m2v", options: options, video: ""), in: try ScratchFolder())
    let failure = #expect(throws: ProbeFailure.self) { try MovieReading(.mpeg, source) }
    #expect(failure?.reason == .unsupported)
  }

  /// FFmpeg does not report these dates; exiftool does.
  @Test(
    .enabled(if: Tool.areInstalled(.exiftool)),
    arguments: [
      ("a.wmv", ["-c:v", "wmv2"], "CreationDate"),
      ("a.dv", palDV, "DateTimeOriginal"),
    ])
  func datesEqualExiftools(name: String, options: [String], tag: String) async throws {
    let folder = try ScratchFolder()
    let date = ["-metadata", "creation_time=2020-05-06T07:08:09Z", "-metadata", "title=A title"]
    let source = try await make(
      MadeMovie(name: name, options: options + date, video: "", audio: ""), in: folder)
    let expected = try await Tool.exiftool.run(["-s3", "-\(tag)", folder.path(name)])
    let type = try type(source)
    let facts = try #require(try MovieReading(type, source).facts(type: type, name: []))
    let isUTC = name == "a.wmv"
    #expect(expected == "2020:05:06 07:08:09" + (isUTC ? "Z" : ""))
    #expect(facts.captureTime?.iso8601 == "2020-05-06T07:08:09" + (isUTC ? "+00:00" : ""))
    #expect(facts.title == (isUTC ? "A title" : nil))
  }

  /// ffprobe reads the packets and measures the rate; FFmpeg's library does not with the header only.
  @Test(.enabled(if: Tool.areInstalled(.ffprobe)), arguments: ["24", "30000/1001", "12.5"])
  func ratesOfWindowsMediaEqualFFprobes(rate: String) async throws {
    let folder = try ScratchFolder()
    let source = try await make(
      MadeMovie(name: "a.wmv", options: ["-c:v", "wmv2", "-r", rate], video: "", audio: ""),
      in: folder)
    let probed = try await Tool.ffprobe.run([
      "-v", "error", "-select_streams", "v", "-show_entries", "stream=r_frame_rate", "-of",
      "csv=p=0", folder.path("a.wmv"),
    ])
    let numbers = probed.split(separator: "/").compactMap { Double($0) }
    try #require(numbers.count == 2)
    let own = try #require(try MovieReading(.windowsMediaVideo, source).movie.mainVideo?.frameRate)
    #expect(abs(own - numbers[0] / numbers[1]) / own < 0.01, "\(probed)")
  }

  /// A camera lost power: half of the file is missing. What is left is shown, with its own duration.
  @Test(.enabled(if: Tool.areInstalled(.ffprobe)), arguments: ["a.wmv", "a.mpg", "a.dv", "b.flv"])
  func truncatedMoviesHaveTheDurationOfTheirPackets(name: String) async throws {
    let options: [String: [String]] = [
      "a.wmv": ["-c:v", "wmv2"], "a.mpg": ["-c:v", "mpeg2video"], "a.dv": Self.palDV,
      "b.flv": ["-c:v", "flv1", "-flvflags", "no_metadata"],
    ]
    let folder = try ScratchFolder()
    let whole = try await make(
      MadeMovie(name: name, options: options[name] ?? [], video: "", audio: ""), in: folder)
    let half = whole.bytes(at: 0, count: Int(whole.count) / 2)
    try folder.write(half, to: "half-" + name)
    let times = try await Tool.ffprobe.run([
      "-v", "error", "-show_entries", "packet=pts_time", "-of", "csv=p=0",
      folder.path("half-" + name),
    ])
    let seconds = times.split { ",\n".contains($0) }.compactMap { Double($0) }
    let last = try #require(seconds.max()) - (seconds.min() ?? 0)
    let source = ArraySource(half)
    let own = try #require(try MovieReading(try type(source), source).movie.duration)
    #expect(abs(own - last) < 0.15, "\(own), ffprobe \(last)")
  }

  /// A movie's header is at its end; the media data before it is not read.
  @Test func readingAMovieCostsFewReads() async throws {
    let options = ["-c:v", "rawvideo", "-pix_fmt", "uyvy422", "-c:a", "pcm_s16le"]
    let source = try await make(
      MadeMovie(name: "a.mov", options: options, video: "", audio: ""), in: try ScratchFolder())
    #expect(source.count > 3_000_000)
    let windows = WindowedSource(source)
    let reading = try MovieReading(.quickTimeMovie, windows)
    #expect(reading.movie.mainVideo?.codec == "rawvideo")
    #expect(windows.reads <= 4)
  }

  /// A movie of which any part is missing or changed is refused or read, quickly.
  @Test(arguments: ["a.mp4", "a.mkv", "a.avi", "a.ts", "a.flv", "a.wmv", "a.mpg", "a.dv"])
  func damagedMoviesAreRefusedOrRead(name: String) async throws {
    let options: [String: [String]] = [
      "a.avi": ["-c:v", "mjpeg"], "a.wmv": ["-c:v", "wmv2"], "a.mpg": ["-c:v", "mpeg2video"],
      "a.dv": Self.palDV,
    ]
    let source = try await make(
      MadeMovie(name: name, options: options[name] ?? Self.h264, video: "", audio: "aac"),
      in: try ScratchFolder())
    let type = try type(source)
    let bytes = source.bytes(at: 0, count: Int(source.count))
    for step in 0..<400 {
      var damaged = bytes
      let place = (step &* 7919) % min(4096, bytes.count)
      damaged[place] = UInt8(truncatingIfNeeded: step &* 31)
      if step % 4 == 0 { damaged = Array(damaged[..<place]) }
      _ = try? MovieReading(type, ArraySource(damaged))
    }
  }
}
