import MediaEdits
import MediaModel
import Presets
import Testing
import WorkerProtocol

@testable import Exporter

/// The plans of video presets. Expected values follow from the presets' descriptions and Apple's documentation:
/// nothing is enlarged, and a track that already conforms is not re-encoded.
struct MoviePlanTests {
  func video(
    _ codec: String = "h264", _ size: (Int, Int) = (1920, 1080), format: String = "yuv420p",
    _ change: (inout TrackDescription) -> Void = { _ in }
  ) -> TrackDescription {
    var track = TrackDescription(index: 0, kind: .video)
    track.codec = codec
    track.tag = codec == "h264" ? "avc1" : "hvc1"
    track.isDecodable = true
    track.size = PixelSize(width: size.0, height: size.1)
    track.pixelFormat = format
    track.bitDepth = format.hasSuffix("10le") ? 10 : 8
    track.frameRate = 30
    change(&track)
    return track
  }

  func sound(_ codec: String = "aac", channels: Int = 2, index: Int = 1)
    -> TrackDescription
  {
    var track = TrackDescription(index: index, kind: .audio)
    track.codec = codec
    track.isDecodable = true
    track.channels = channels
    track.sampleRate = 48_000
    return track
  }

  func plan(
    _ container: UniformType, _ tracks: [TrackDescription], _ preset: String,
    _ options: MovieOptions = MovieOptions(), duration: Double = 10
  ) throws -> MovieDecision {
    let movie = MovieDescription(container: container, duration: duration, tracks: tracks)
    return moviePlan(movie, try PresetLibrary().videoPreset(preset), options)
  }

  /// The decision in short: `copy`, `refuse`, or the container and what becomes of each track.
  func summary(_ decision: MovieDecision) -> String {
    switch decision {
    case .copy: return "copy"
    case .refuse: return "refuse"
    case .render(let rendering, _, _):
      let works = rendering.tracks.map { track in
        switch track.work {
        case .copy: "\(track.index)=copy"
        case .encodeVideo(let encoding):
          "\(track.index)=\(encoding.codec) \(encoding.size.width)x\(encoding.size.height)"
            + (encoding.keepsDynamicRange ? " HDR" : "")
        case .encodeAudio(let encoding): "\(track.index)=\(encoding.codec)"
        case .encodeSubtitles: "\(track.index)=subtitles"
        }
      }
      return "\(rendering.container): " + works.joined(separator: ", ")
    }
  }

  /// Its bytes can be copied, but FFmpeg reads only a part of such a track.
  @Test func tracksOfSeveralCodecsAreNotMade() throws {
    let changing = video { ($0.changesCodec, $0.isDecodable) = (true, false) }
    var changingSound = sound(index: 2)
    (changingSound.changesCodec, changingSound.isDecodable) = (true, false)
    for preset in ["compatible", "1920x1080"] {
      #expect(summary(try plan(.quickTimeMovie, [changing, sound()], preset)) == "refuse")
    }
    #expect(summary(try plan(.quickTimeMovie, [changing, sound()], "current")) == "copy")
    let rest = try plan(.quickTimeMovie, [video(), sound(), changingSound], "compatible")
    #expect(summary(rest) == "mp4: 0=copy, 1=copy")
    guard case .render(_, let reasons, _) = rest else { return }
    #expect(reasons.contains("without an audio track that changes its codec"))
  }

  /// The audio of a film from a store, and of a codec that FFmpeg does not know.
  @Test func audioThatCannotBeDecodedIsLeftOut() throws {
    var locked = sound()
    (locked.tag, locked.isDecodable) = ("enca", false)
    var unknown = sound()
    (unknown.codec, unknown.isDecodable) = (nil, false)
    var rare = sound("ac4")
    rare.isDecodable = false
    let cases = [
      (locked, "that is encrypted", "The audio track is encrypted."),
      (unknown, "of unknown kind", "The audio track has a codec that this FFmpeg does not know."),
      (
        rare, "that cannot be decoded (ac4)",
        "The audio track is ac4, which this FFmpeg cannot decode."
      ),
    ]
    for (track, phrase, sentence) in cases {
      let alone = try plan(.mpeg4, [video("hevc"), track], "compatible")
      #expect(summary(alone) == "mp4: 0=h264 1920x1080")
      guard case .render(_, let reasons, let notes) = alone else { throw Unexpected() }
      #expect(reasons.contains("without an audio track " + phrase))
      #expect(notes == ["The result has no audio. " + sentence])
      let other = try plan(.mpeg4, [video("hevc"), track, sound(index: 2)], "compatible")
      #expect(summary(other) == "mp4: 0=h264 1920x1080, 2=copy")
      guard case .render(_, let left, let none) = other else { throw Unexpected() }
      #expect(left.contains("without an audio track " + phrase) && none.isEmpty)
      #expect(try plan(.mpeg4, [video(), track], "AppleM4A") == .refuse(sentence))
    }
    // A copy of the samples without their keys is noise.
    let cut = MovieOptions(trim: TimeSpan(start: 1, end: 2))
    #expect(summary(try plan(.mpeg4, [video(), locked], "current", cut)) == "mp4: 0=copy")
    var locks = video()
    (locks.tag, locks.isDecodable) = ("encv", false)
    #expect(summary(try plan(.mpeg4, [locks, sound()], "current", cut)) == "refuse")
    #expect(summary(try plan(.mpeg4, [locks, locked], "current")) == "copy")
  }

  /// What replaces a copy, if only the packets show that it would not play.
  @Test func copiesHaveSubstitutes() throws {
    guard
      case .render(let rendering, _, _) = try plan(.matroska, [video(), sound()], "compatible")
    else { return #expect(Bool(false)) }
    let substitutes = rendering.tracks.map(\.substitute)
    guard case .encodeVideo(let encoding) = substitutes[0] else { return #expect(Bool(false)) }
    #expect(encoding.codec == .h264)
    #expect(encoding.size == PixelSize(width: 1920, height: 1080))
    guard case .encodeAudio(let audio) = substitutes[1] else { return #expect(Bool(false)) }
    #expect(audio.codec == .aac)
  }

  @Test func whatIsRightIsCopied() throws {
    let right = [video(), sound()]
    #expect(summary(try plan(.mpeg4, right, "compatible")) == "copy")
    #expect(summary(try plan(.quickTimeMovie, right, "compatible")) == "mp4: 0=copy, 1=copy")
    #expect(summary(try plan(.matroska, right, "compatible")) == "mp4: 0=copy, 1=copy")
    #expect(summary(try plan(.mpeg4, right, "1920x1080")) == "copy")
    #expect(summary(try plan(.mpeg4, [video()], "compatible")) == "copy")
    #expect(summary(try plan(.quickTimeMovie, right, "current")) == "copy")
    #expect(summary(try plan(.avi, [video("mpeg4"), sound("mp3")], "Passthrough")) == "copy")
  }

  @Test func onlyWhatIsWrongIsMadeAnew() throws {
    #expect(
      summary(try plan(.quickTimeMovie, [video(), sound("pcm_s16le")], "compatible"))
        == "mp4: 0=copy, 1=aac")
    #expect(
      summary(try plan(.mpeg4, [video("hevc"), sound()], "compatible"))
        == "mp4: 0=h264 1920x1080, 1=copy")
    #expect(
      summary(try plan(.avi, [video("mjpeg"), sound("pcm_u8")], "compatible"))
        == "mp4: 0=h264 1920x1080, 1=aac")
    #expect(
      summary(
        try plan(.matroska, [video(), sound("ac3", channels: 6), sound(index: 2)], "compatible"))
        == "mp4: 0=copy, 1=aac, 2=copy")
    // AVI does not say when a frame is shown.
    #expect(summary(try plan(.avi, [video()], "compatible")) == "mp4: 0=h264 1920x1080")
  }

  /// A copy would show the frames between the parts.
  @Test func joinedPartsAreNotCopied() throws {
    let joined = [video { $0.joinsParts = true }, sound()]
    let whole = MovieOptions()
    let part = MovieOptions(trim: TimeSpan(start: 1, end: 3))
    for (container, preset, options, expected) in [
      (UniformType.quickTimeMovie, "compatible", whole, "mp4: 0=h264 1920x1080, 1=copy"),
      (.quickTimeMovie, "current", whole, "copy"),
      (.quickTimeMovie, "current", part, "quickTime: 0=h264 1920x1080, 1=copy"),
      (.mpeg4, "HEVCHighestQuality", part, "mp4: 0=hevc 1920x1080, 1=copy"),
    ] {
      #expect(summary(try plan(container, joined, preset, options)) == expected)
    }
  }

  /// What is shown in another order than it is stored needs times, which AVI does not have.
  @Test func partsOfAVIsAreCopiedInOrderOnly() throws {
    let part = MovieOptions(trim: TimeSpan(start: 1, end: 3))
    let camera = [video("mjpeg"), sound("pcm_u8")]
    #expect(summary(try plan(.avi, camera, "current", part)).contains("0=copy"))
    for codec in ["mpeg4", "h264"] {
      #expect(
        summary(try plan(.avi, [video(codec), sound("mp3")], "current", part)).contains("0=h264"))
    }
  }

  /// Codecs that libavformat's muxers for MP4 and MOV have no tag for (`codec_mp4_tags`, `ff_codec_movvideo_tags`).
  @Test(arguments: [
    (UniformType.windowsMediaVideo, "wmv2", "wmav2", "mp4: 0=h264 1920x1080, 1=aac"),
    (.flashVideo, "flv1", "mp3", "mp4: 0=h264 1920x1080, 1=copy"),
    (.webM, "vp8", "vorbis", "mp4: 0=h264 1920x1080, 1=copy"),
    (.webM, "vp9", "vorbis", "mp4: 0=copy, 1=copy"),
    (.matroska, "vp9", "pcm_s16le", "refuse"),
    (.avchd, "h264", "pcm_bluray", "mp4: 0=copy, 1=aac"),
    (.mpeg, "mpeg2video", "pcm_dvd", "mp4: 0=copy, 1=aac"),
  ])
  func `a part has its tracks encoded that have no place as they are`(
    container: UniformType, picture: String, voice: String, expected: String
  ) throws {
    let part = MovieOptions(trim: TimeSpan(start: 1, end: 3))
    let tracks = [video(picture), sound(voice)]
    #expect(summary(try plan(container, tracks, "current", part)) == expected)
    #expect(summary(try plan(container, tracks, "current")) == "copy")
  }

  /// 10 bits, 4:4:4, HDR, interlaced: coded as H.264 and still not what any program shows.
  @Test func compatibleIsMoreThanTheCodec() throws {
    for track in [
      video(format: "yuv420p10le"), video(format: "yuv444p"), video { $0.dynamicRange = .hlg },
      video { $0.isInterlaced = true },
    ] {
      #expect(summary(try plan(.mpeg4, [track], "compatible")) == "mp4: 0=h264 1920x1080")
    }
    #expect(summary(try plan(.mpeg4, [video(format: "yuvj420p")], "compatible")) == "copy")
  }

  @Test(arguments: [
    ("1280x720", (1920, 1080), "h264 1280x720"), ("1280x720", (1080, 1920), "h264 720x1280"),
    ("1280x720", (1440, 1080), "h264 960x720"), ("640x480", (1920, 1080), "h264 640x360"),
    ("MediumQuality", (3840, 2160), "h264 568x320"), ("typeLow", (1920, 1080), "h264 224x126"),
    ("AVAssetExportPreset960x540", (1999, 1001), "h264 960x480"),
    ("HEVC1920x1080", (3840, 2160), "hevc 1920x1080"),
    ("HEVC3840x2160", (641, 361), "hevc 640x360"),
    ("AppleProRes422LPCM", (1280, 720), "proRes422 1280x720"),
  ])
  func sizesFitTheBoxAndAreEvenAndNeverLarger(
    preset: String, size: (Int, Int), expected: String
  ) throws {
    let decision = try plan(.mpeg4, [video("vp9", size)], preset)
    #expect(summary(decision).hasSuffix("0=" + expected))
  }

  @Test func pixelsBecomeSquareAndPicturesUpright() throws {
    let anamorphic = video("dvvideo", (720, 576)) { $0.pixelAspect = 16.0 / 15 }
    #expect(summary(try plan(.dv, [anamorphic], "compatible")) == "mp4: 0=h264 768x576")
    let standing = video("hevc") { $0.orientation = .right }
    #expect(summary(try plan(.mpeg4, [standing], "1280x720")) == "mp4: 0=h264 720x1280")
  }

  @Test func dynamicRangeIsKeptWhereThePresetAndTheCodecCan() throws {
    let hdr = video("hevc", (3840, 2160), format: "yuv420p10le") { $0.dynamicRange = .hlg }
    #expect(
      summary(try plan(.quickTimeMovie, [hdr], "HEVC1920x1080")) == "mp4: 0=hevc 1920x1080 HDR")
    #expect(summary(try plan(.quickTimeMovie, [hdr], "HEVC3840x2160")) == "mp4: 0=copy")
    #expect(summary(try plan(.mpeg4, [hdr], "1920x1080")) == "mp4: 0=h264 1920x1080")
    let vp9 = video("vp9", format: "yuv420p10le") { $0.dynamicRange = .pq }
    #expect(
      summary(try plan(.webM, [vp9], "HEVCHighestQuality")) == "mp4: 0=hevc 1920x1080 HDR")
  }

  @Test(arguments: [
    ("compatible", DynamicRangeChoice?.none, "0=h264 1920x1080"), ("compatible", .keep, "copy"),
    ("compatible", .drop, "0=h264 1920x1080"), ("current", nil, "copy"), ("current", .keep, "copy"),
    ("current", .drop, "0=hevc 1920x1080"), ("HEVC1920x1080", .drop, "0=hevc 1920x1080"),
    ("1280x720", .keep, "0=hevc 1280x720 HDR"),
  ])
  func dynamicRangeIsWhatTheRequestSays(
    preset: String, choice: DynamicRangeChoice?, result: String
  ) throws {
    let hdr = video("hevc", format: "yuv420p10le") { $0.dynamicRange = .hlg }
    let asset = sample("/l/a.mp4", type: .mpeg4, duration: 10, subtypes: [.hdr])
    var request = try request(video: preset)
    request.dynamicRange = choice
    let movie = MovieDescription(container: .mpeg4, duration: 10, tracks: [hdr])
    let item = planned(asset, request, examined: .movie(movie))
    let work = try #require(item?.files.first?.decision.work)
    switch work {
    case .render(.movie(let rendering), _):
      #expect(summary(.render(rendering, reasons: [])) == "mp4: \(result)")
    default: #expect(work == .copy && result == "copy")
    }
  }

  /// UIImagePickerController's videoQuality transcodes only what is of higher quality.
  @Test func qualityPresetsLeaveLowerQualityAlone() throws {
    let small = video("h264", (480, 270)) { $0.bitRate = 400_000 }
    #expect(summary(try plan(.mpeg4, [small, sound()], "typeMedium")) == "copy")
    let busy = video("h264", (480, 270)) { $0.bitRate = 4_000_000 }
    #expect(summary(try plan(.mpeg4, [busy], "MediumQuality")) == "mp4: 0=h264 480x270")
    let fast = video("h264", (480, 270)) { $0.frameRate = 60 }
    #expect(summary(try plan(.mpeg4, [fast], "MediumQuality")) == "mp4: 0=h264 480x270")
    #expect(summary(try plan(.mpeg4, [video()], "typeIFrame1280x720")).contains("1280x720"))
  }

  @Test func soundAloneAndNone() throws {
    #expect(summary(try plan(.mpeg4, [video(), sound("ac3")], "AppleM4A")) == "m4a: 1=aac")
    #expect(summary(try plan(.quickTimeMovie, [video(), sound()], "AppleM4A")) == "m4a: 1=copy")
    #expect(try plan(.mpeg4, [video()], "AppleM4A") == .refuse("The video has no audio track."))
  }

  @Test func cutsOfRightTracksAreRemuxed() throws {
    let right = [video(), sound()]
    let trim = MovieOptions(trim: TimeSpan(start: 2, end: 4))
    guard case .render(let rendering, let reasons, _) = try plan(.mpeg4, right, "compatible", trim)
    else { throw Unexpected() }
    #expect(rendering.trim == TimeSpan(start: 2, end: 4))
    #expect(rendering.tracks.allSatisfy { $0.work == .copy })
    #expect(reasons.contains("from 2.00 s to 4.00 s"))
    #expect(
      summary(try plan(.quickTimeMovie, right, "Passthrough", trim)).hasPrefix("quickTime: 0=copy"))
    #expect(summary(try plan(.mpeg4, right, "compatible", MovieOptions(maxDuration: 20))) == "copy")
    guard
      case .render(let cut, _, _) = try plan(
        .mpeg4, right, "compatible",
        MovieOptions(trim: TimeSpan(start: 1, end: 9), maxDuration: 3))
    else { throw Unexpected() }
    #expect(cut.trim == TimeSpan(start: 1, end: 4))
    #expect(
      summary(try plan(.mpeg4, right, "compatible", MovieOptions(trim: TimeSpan(start: 10))))
        == "refuse")
  }

  /// Without a container in the preset the nearest one that can be written is taken, and named.
  @Test(arguments: [
    (UniformType.matroska, "h264", "from Matroska to MP4"), (.webM, "vp9", "from WebM to MP4"),
    (.avi, "mjpeg", "from AVI to MP4"),
    (.mpeg2TransportStream, "h264", "from an MPEG transport stream to MP4"),
    (.threeGPP, "h263", "from 3GPP to QuickTime"),
  ])
  func aCutNamesItsContainer(source: UniformType, codec: String, change: String) throws {
    let options = MovieOptions(trim: TimeSpan(start: 2, end: 4))
    guard case .render(_, let reasons, _) = try plan(source, [video(codec)], "current", options)
    else { throw Unexpected() }
    #expect(reasons == ["the tracks are copied", change, "from 2.00 s to 4.00 s"])
    for same in [UniformType.mpeg4, .quickTimeMovie] {
      guard case .render(_, let reasons, _) = try plan(same, [video()], "current", options)
      else { throw Unexpected() }
      #expect(reasons == ["the tracks are copied", "from 2.00 s to 4.00 s"])
    }
  }

  private struct Unexpected: Error {}

  @Test func refusalsNameTheReason() throws {
    let unknown = video("hevc") {
      $0.isDecodable = false
      $0.dynamicRange = .dolbyVision
    }
    guard case .refuse(let sentence) = try plan(.mpeg4, [unknown], "compatible") else {
      throw Unexpected()
    }
    #expect(sentence.contains("Dolby Vision"))
    #expect(summary(try plan(.mpeg4, [], "compatible")) == "refuse")
    let locked = video {
      $0.tag = "encv"; $0.isDecodable = false
    }
    #expect(try plan(.mpeg4, [locked], "compatible") == .refuse("The video track is encrypted."))
    #expect(summary(try plan(.mpeg4, [locked], "Passthrough")) == "copy")
    // A recording that is cut off before its first frame.
    let empty = video("mpeg2video") { $0.size = nil }
    guard case .refuse(let sentence) = try plan(.mpeg2TransportStream, [empty], "compatible") else {
      throw Unexpected()
    }
    #expect(sentence.hasPrefix("The video is damaged: "))
  }

  /// The plan reports what is omitted, and why a track is re-encoded.
  @Test func reasonsAreTold() throws {
    var metadata = TrackDescription(index: 2, kind: .other)
    metadata.tag = "mebx"
    guard
      case .render(_, let reasons, _) = try plan(
        .quickTimeMovie, [video("hevc"), sound("pcm_s16le"), metadata], "1280x720")
    else { throw Unexpected() }
    #expect(
      reasons == [
        "the video track is HEVC, at most 1280 × 720: to H.264, 1280 × 720",
        "the audio track is PCM: to AAC", "without timed metadata",
      ])
  }
}
