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

/// Tracks whose coding changes midway: two parts of two seconds, 25 frames each. ffmpeg, which decodes the source, says
/// what must be seen and heard.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .ffprobe)))
struct ChangingTracksTests {
  private let clips: MovieClips

  init() throws {
    clips = try MovieClips()
  }

  private func makeParts(
    _ ending: String, video: [[String]] = [["-preset", "ultrafast"], ["-preset", "veryfast"]],
    codec: String = "libx264", audio: [[String]] = [["-ac", "1"], ["-ac", "2"]]
  ) async throws {
    for (index, size) in ["320x240", "160x120"].enumerated() {
      try await clips.makeBars(
        "\(index).\(ending)", size: size, rate: "25", seconds: "2",
        ["-c:v", codec, "-pix_fmt", "yuv420p", "-g", "25", "-bf", "2"] + video[index]
          + ["-c:a", "aac"] + audio[index])
    }
  }

  /// The tags of a Flash Video later by some milliseconds, without the file's header and metadata.
  private func tags(_ file: [UInt8], later: Int) -> [UInt8] {
    var moved: [UInt8] = []
    var position = 13
    while position + 11 < file.count {
      let size = file[(position + 1)..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
      let time = file[(position + 4)..<(position + 7)].reduce(0) { $0 << 8 | Int($1) } + later
      if file[position] != 18 {
        moved += file[position..<(position + 4)] + bigEndian(time, 3) + [0, 0, 0, 0]
        moved += file[(position + 11)..<(position + 15 + size)]
      }
      position += 15 + size
    }
    return moved
  }

  /// Makes a movie of both parts.
  private func join(_ name: String) async throws {
    let ending = String(name.suffix(3))
    try await makeParts(ending)
    let parts = try ["0", "1"].map { try clips.folder.bytes("\($0).\(ending)") }
    try await clips.make("0.wav", ["-f", "lavfi", "-i", "sine=f=440:r=48000:d=2"])
    switch ending {
    case "mov": try clips.folder.write(try JoinedMovie.bytes(parts), to: name)
    case "flv": try clips.folder.write(parts[0] + tags(parts[1], later: 2000), to: name)
    default: try clips.folder.write(parts[0] + parts[1], to: name)
    }
  }

  private func rendering(_ name: String, trim: TimeSpan? = nil) throws -> MovieRendering {
    let tracks = try clips.describe(name).tracks.map { track in
      TrackRendering(
        index: track.index, work: .copy,
        substitute: track.kind == .video ? .h264(320, 240) : .aac)
    }
    return MovieRendering(container: .mp4, tracks: tracks, trim: trim, threads: 1)
  }

  /// The smallest similarity of a frame of a movie to those of the two parts that it is made of.
  ///
  /// - Parameter start: the number of frames that it leaves out at its start.
  private func similarity(_ name: String, ofParts ending: String, from start: Int = 0)
    async throws -> Double
  {
    var smallest = 1.0
    for part in 0..<2 where start < (part + 1) * 50 {
      let log = clips.folder.path("ssim.txt")
      let skipped = max(0, start - part * 50)
      let first = max(0, part * 50 - start)
      let form = "scale=320:240:flags=bicubic,format=yuv420p,settb=1/25"
      try await Tool.ffmpeg.run([
        "-v", "error", "-i", clips.folder.path("\(part).\(ending)"), "-i", clips.folder.path(name),
        "-lavfi",
        "[0:v]\(form),trim=start_frame=\(skipped),setpts=N[a];"
          + "[1:v]\(form),trim=start_frame=\(first):end_frame=\(first + 50 - skipped),setpts=N[b];"
          + "[a][b]ssim=f=\(log)", "-f", "null", "-",
      ])
      let values = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        .compactMap { $0.firstMatch(of: /All:([0-9.]+)/).flatMap { Double($0.output.1) } }
      #expect(values.count == 50 - skipped, "part \(part)")
      smallest = min(smallest, values.min() ?? 0)
    }
    return smallest
  }

  /// The loudness of each half second of the sound, which is the same in both parts.
  private func loudness(_ name: String) async throws -> [Double] {
    let text = try await Tool.ffmpeg.run([
      "-v", "error", "-i", clips.folder.path(name), "-map", "0:a:0", "-af",
      "aresample=8000,aformat=channel_layouts=mono,asetnsamples=4000,"
        + "astats=metadata=1:reset=1,ametadata=print:key=lavfi.astats.Overall.RMS_level:file=-",
      "-f", "null", "-",
    ])
    return text.matches(of: /RMS_level=(\S+)/).map { Double($0.output.1) ?? -200 }
  }

  @Test(arguments: ["a.mov", "a.flv", "a.ts"])
  func `every part of a copied track plays`(name: String) async throws {
    try await join(name)
    let result = try clips.mustRender(name, to: "b.mp4", try rendering(name))
    #expect(result.notes.contains { $0.contains("changes its coding midway") })
    try await clips.mustDecode("b.mp4")
    #expect(try await similarity("b.mp4", ofParts: String(name.suffix(3))) > 0.9)
    let expected = try #require(try await loudness("0.wav").first)
    let found = try await loudness("b.mp4")
    #expect(found.count >= 8)
    #expect(found.prefix(8).allSatisfy { abs($0 - expected) < 4 }, "\(found), not \(expected)")
  }

  /// ffmpeg's decoder for MPEG-4 reads its configuration only once.
  @Test func `every part of a re-encoded track plays`() async throws {
    try await makeParts("mov", video: [["-q:v", "2"], ["-q:v", "2", "-bf", "0"]], codec: "mpeg4")
    let parts = try ["0.mov", "1.mov"].map { try clips.folder.bytes($0) }
    try clips.folder.write(try JoinedMovie.bytes(parts), to: "a.mov")
    try clips.mustRender("a.mov", to: "b.mp4", .mp4(.h264(320, 240), .aac))
    #expect(try await similarity("b.mp4", ofParts: "mov") > 0.9)
  }

  /// A recording that changes from 4:3 to 16:9, in the size of its frames or in the shape of their pixels: a white frame
  /// then has black bars above and below, and not at its sides.
  @Test(arguments: ["320x180,setsar=1", "320x240,setsar=4/3"])
  func `frames keep their shape`(second: String) async throws {
    for (index, form) in ["320x240,setsar=1", second].enumerated() {
      try await clips.make(
        "\(index).ts",
        [
          "-f", "lavfi", "-i", "color=white:s=320x240:r=25:d=2,scale=\(form)", "-c:v", "libx264",
          "-pix_fmt", "yuv420p",
        ])
    }
    try clips.folder.write(
      try clips.folder.bytes("0.ts") + clips.folder.bytes("1.ts"), to: "a.ts")
    try clips.mustRender("a.ts", to: "b.mp4", .mp4(.h264(320, 240)))
    func luma(_ number: Int, _ crop: String) async throws -> Double {
      try await clips.meanLuma("b.mp4", filters: "select='eq(n,\(number))',crop=\(crop),")
    }
    for (crop, isBar) in [
      ("320:20:0:0", true), ("320:20:0:220", true), ("20:120:0:60", false),
      ("20:120:300:60", false),
    ] {
      #expect(try await luma(10, crop) > 200)
      let later = try await luma(80, crop)
      #expect(isBar ? later < 40 : later > 200, "\(crop): \(later)")
    }
  }

  /// The part begins in the second half, whose configuration a seek does not meet.
  @Test(arguments: ["a.mov", "a.flv", "a.ts"], [true, false])
  func `a part after the change plays`(name: String, isCopied: Bool) async throws {
    try await join(name)
    var rendering = try rendering(name, trim: TimeSpan(start: 3.03, end: nil))
    if !isCopied {
      rendering.tracks = rendering.tracks.map { track in
        TrackRendering(index: track.index, work: track.substitute ?? .copy)
      }
    }
    try clips.mustRender(name, to: "b.mp4", rendering)
    try await clips.mustDecode("b.mp4")
    #expect(try await similarity("b.mp4", ofParts: String(name.suffix(3)), from: 75) > 0.9)
  }

  @Test(arguments: ["a.mov", "a.flv"])
  func `a part before the change is copied`(name: String) async throws {
    try await join(name)
    let rendering = try rendering(name, trim: TimeSpan(start: 0, end: 1.5))
    let result = try clips.mustRender(name, to: "b.mp4", rendering)
    #expect(result.notes.isEmpty)
    // The audio of Flash Video begins a little earlier.
    #expect([37, 38].contains(try await clips.times("b.mp4").count))
    try await clips.mustDecode("b.mp4")
  }

  /// FFmpeg reads the samples of the first codec only, so that a result would lack the others.
  @Test(arguments: [true, false])
  func `a track with several codecs is known`(isUsed: Bool) async throws {
    for (index, codec) in ["libx264", "mpeg4"].enumerated() {
      try await clips.makeBars(
        "\(index).mov", rate: "25", seconds: "1",
        ["-c:v", codec, "-pix_fmt", "yuv420p", "-c:a", "aac"])
    }
    let parts = try (isUsed ? ["0.mov", "1.mov"] : ["0.mov", "0.mov"]).map {
      try clips.folder.bytes($0)
    }
    try clips.folder.write(try JoinedMovie.bytes(parts), to: "a.mov")
    let tracks = try clips.describe("a.mov").tracks
    #expect(tracks.map(\.changesCodec) == [isUsed, false])
    #expect(tracks.map(\.isDecodable) == [!isUsed, true])
  }

  /// Without a substitute there is no result that is wrong.
  @Test func `a track that cannot be copied fails alone`() async throws {
    try await join("a.mov")
    let reply = try clips.render("a.mov", to: "b.mp4", .mp4(.copy, .copy))
    guard case .failed(let failure) = reply else {
      throw ToolFailure(description: "\(reply)")
    }
    #expect(failure.message.contains("changes its coding midway"), "\(failure.message)")
  }

  /// Some writers change the parameter sets of the header only, here the level: the whole movie is coded alike.
  @Test func `sets that differ from the header from the start are copied`() async throws {
    try await clips.makeBars(
      "a.mov", rate: "25", seconds: "2",
      [
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25",
        "-x264-params", "repeat-headers=1", "-c:a", "aac",
      ])
    var bytes = try clips.folder.bytes("a.mov")
    let header = try #require(bytes.firstRange(of: Array("avcC".utf8))).upperBound
    // Six bytes, the length of the sequence parameter set, its type, profile, constraints, level.
    try #require(bytes[header + 8] & 0x1F == 7)
    bytes[header + 11] = 51
    try clips.folder.write(bytes, to: "b.mov")
    let result = try clips.mustRender("b.mov", to: "c.mp4", try rendering("b.mov"))
    #expect(result.notes.isEmpty)
    #expect(!result.isReencoded)
  }

  /// Repeated parameter sets and headers are not changes.
  @Test(arguments: ["ts", "flv", "mov"])
  func `parts of equal coding are copied`(ending: String) async throws {
    try await clips.makeBars(
      "0.\(ending)", rate: "25", seconds: "2",
      ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-c:a", "aac"])
    let part = try clips.folder.bytes("0.\(ending)")
    let joined =
      switch ending {
      case "mov": try JoinedMovie.bytes([part, part])
      case "flv": part + tags(part, later: 2000)
      default: part + part
      }
    try clips.folder.write(joined, to: "a.\(ending)")
    let result = try clips.mustRender("a.\(ending)", to: "b.mp4", try rendering("a.\(ending)"))
    #expect(result.notes.isEmpty)
    #expect(try await clips.times("b.mp4").count == 100)
    try await clips.mustDecode("b.mp4")
  }

  /// AAC of which parts of the transport stream are missing, as after bad reception.
  @Test(arguments: [1, 30])
  func `incomplete frames of AAC are left out`(lost: Int) async throws {
    try await clips.makeBars(
      "0.ts", rate: "25", seconds: "8",
      ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"]
        + ["-b:a", "192k"])
    let bytes = try clips.folder.bytes("0.ts")
    let packets = stride(from: 0, to: bytes.count, by: 188).map { Array(bytes[$0..<$0 + 188]) }
    // Those with neither the track's number of the video nor the start of a packet.
    let inner = packets.indices.filter { packets[$0][1] == 1 && packets[$0][2] == 1 }
    let step = inner.count / (lost + 1)
    let missing = Set((1...lost).map { inner[$0 * step] })
    let kept = packets.indices.filter { !missing.contains($0) }.flatMap { packets[$0] }
    try clips.folder.write(kept, to: "a.ts")
    let rendering = try rendering("a.ts")
    guard lost == 1 else {
      guard case .failed(let failure) = try clips.render("a.ts", to: "b.mp4", rendering) else {
        throw ToolFailure(description: "a damaged movie was made")
      }
      #expect(failure.message.contains("frames cannot be decoded"), "\(failure.message)")
      return
    }
    let result = try clips.mustRender("a.ts", to: "b.mp4", rendering)
    #expect(result.notes.contains { $0.hasPrefix("Audio frames left out") })
    let (whole, found) = (
      try await clips.times("0.ts", "a:0"), try await clips.times("b.mp4", "a:0")
    )
    #expect(found.count > whole.count - 4)
    #expect(abs(try #require(found.last) - (try #require(whole.last) - whole[0])) < 0.05)
  }
}
