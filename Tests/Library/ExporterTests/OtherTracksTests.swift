import MediaEdits
import MediaModel
import Presets
import Testing

@testable import Exporter

/// What becomes of tracks beside the picture and the sound.
extension MoviePlanTests {
  private func other(
    _ kind: TrackDescription.Kind, _ codec: String? = nil, index: Int, tag: String? = nil
  ) -> TrackDescription {
    var track = TrackDescription(index: index, kind: kind)
    track.codec = codec
    track.tag = tag
    track.isDecodable = codec != nil
    return track
  }

  @Test(arguments: ["subrip", "ass", "webvtt", "text"])
  func writtenSubtitlesBecomeMP4s(codec: String) throws {
    let tracks = [video(), sound(), other(.subtitle, codec, index: 2)]
    #expect(
      summary(try plan(.matroska, tracks, "compatible"))
        == "mp4: 0=copy, 1=copy, 2=subtitles")
    // The file as it is has them as they are.
    #expect(summary(try plan(.matroska, tracks, "current")) == "copy")
    #expect(summary(try plan(.matroska, tracks, "AppleM4A")) == "m4a: 1=copy")
    let cut = MovieOptions(maxDuration: 3)
    guard case .render(_, let reasons, _) = try plan(.matroska, tracks, "current", cut) else {
      Issue.record("not cut")
      return
    }
    #expect(reasons.contains("from Matroska to MP4"))
    #expect(reasons.contains { $0.hasPrefix("the subtitles are") })
  }

  @Test func whatIsLeftOutIsSaid() throws {
    var foreign = other(.other, "mp2", index: 2)
    foreign.channels = 2
    let left: [(TrackDescription, String)] = [
      (foreign, "without the audio of other programs"),
      (other(.subtitle, "hdmv_pgs_subtitle", index: 2), "without subtitles (PGS)"),
      (other(.other, index: 2, tag: "mebx"), "without timed metadata"),
      (other(.other, index: 2, tag: "tmcd"), "without time codes"),
      (other(.attachment, "ttf", index: 2), "without attached files"),
      (other(.attachedPicture, "mjpeg", index: 2), "without its cover"),
      (other(.video, "h264", index: 2), "without further video tracks"),
    ]
    for (track, reason) in left {
      guard
        case .render(let rendering, let reasons, _) = try plan(
          .matroska, [video(), sound(), track], "compatible")
      else {
        Issue.record("\(reason): not rendered")
        continue
      }
      #expect(rendering.tracks.map(\.index) == [0, 1])
      #expect(reasons.contains(reason), "\(reasons)")
    }
  }

  /// Chapters and the moment of a still are not among the tracks of the plan.
  @Test func whatIsKeptApartIsNotSaid() throws {
    for track in [
      other(.chapters, "bin_data", index: 2), other(.stillImageTime, index: 2, tag: "mebx"),
    ] {
      let tracks = [video(), sound(), track]
      guard case .render(_, let reasons, _) = try plan(.quickTimeMovie, tracks, "compatible") else {
        Issue.record("\(track.kind): not rendered")
        continue
      }
      #expect(!reasons.contains { $0.hasPrefix("without") })
    }
    // Without a video track there is no such moment.
    let tracks = [video(), sound(), other(.stillImageTime, index: 2, tag: "mebx")]
    guard case .render(_, let reasons, _) = try plan(.quickTimeMovie, tracks, "AppleM4A") else {
      Issue.record("not rendered")
      return
    }
    #expect(reasons.contains("without timed metadata"))
  }

  /// The result has the timed metadata of a video track that stays as it is, and of one that only an exact cut re-encodes.
  @Test(arguments: [
    ("current", UniformType.mpeg4, false, true), ("compatible", .mpeg4, false, true),
    ("compatible", .quickTimeMovie, false, true), ("current", .mpeg4, true, true),
    ("compatible", .mpeg4, true, false), ("1280x720", .mpeg4, false, false),
    ("AppleM4A", .mpeg4, false, false),
  ])
  func timedMetadataStaysWithItsVideo(
    preset: String, source: UniformType, isExact: Bool, isKept: Bool
  ) throws {
    let tracks = [video(), sound(), other(.timedMetadata, index: 2, tag: "gpmd")]
    let options = MovieOptions(trim: TimeSpan(start: 2, end: 4), isExact: isExact)
    guard
      case .render(let rendering, let reasons, _) = try plan(source, tracks, preset, options)
    else {
      Issue.record("not cut")
      return
    }
    #expect(rendering.keepsTimedMetadata == isKept)
    #expect(reasons.contains("without timed metadata") == !isKept)
  }

  /// The clip that is made for a live photo has the tracks of one.
  @Test func aClipForALivePhotoHasNoOtherMetadata() throws {
    let tracks = [video(), sound(), other(.timedMetadata, index: 2, tag: "mett")]
    let decision = try plan(.mpeg4, tracks, "current", MovieOptions(isRewritten: true))
    guard case .render(let rendering, let reasons, _) = decision else {
      Issue.record("not rendered")
      return
    }
    #expect(!rendering.keepsTimedMetadata)
    #expect(reasons.contains("without timed metadata"))
  }

  /// GoPro's description of a file is for the repair of that file.
  @Test func aDescriptionOfTheFileIsNotMissed() throws {
    let tracks = [
      video(), sound(), other(.timedMetadata, index: 2, tag: "gpmd"),
      other(.other, index: 3, tag: "fdsc"),
    ]
    let options = MovieOptions(trim: TimeSpan(start: 2, end: 4))
    guard case .render(_, let reasons, _) = try plan(.mpeg4, tracks, "current", options) else {
      Issue.record("not cut")
      return
    }
    #expect(!reasons.contains { $0.hasPrefix("without") })
  }

  /// libavformat has a place for Dolby Vision's description in MP4 alone.
  @Test func aCutNamesTheDolbyVisionThatItLoses() throws {
    let vision = video("hevc", format: "yuv420p10le") { $0.dynamicRange = .dolbyVision }
    let options = MovieOptions(maxDuration: 3)
    for (source, isLost) in [(UniformType.quickTimeMovie, true), (.mpeg4, false)] {
      guard case .render(_, let reasons, _) = try plan(source, [vision], "current", options)
      else {
        Issue.record("not cut")
        continue
      }
      #expect(reasons.contains("without Dolby Vision") == isLost)
    }
    #expect(summary(try plan(.quickTimeMovie, [vision], "current")) == "copy")
  }

  /// Of what is encoded here only ProRes 4444 has a channel for transparency.
  @Test(arguments: [
    ("compatible", "vp9", "yuva420p", true), ("HEVCHighestQuality", "qtrle", "argb", true),
    ("AppleProRes422LPCM", "png", "rgba", true), ("AppleProRes4444LPCM", "vp9", "yuva420p", false),
    ("AppleProRes4444LPCM", "qtrle", "argb", false), ("compatible", "vp9", "yuv420p", false),
  ])
  func transparencyThatIsLostIsSaid(
    preset: String, codec: String, format: String, isLost: Bool
  ) throws {
    let decision = try plan(.quickTimeMovie, [video(codec, format: format)], preset)
    guard case .render(_, let reasons, _) = decision else {
      Issue.record("not rendered")
      return
    }
    #expect(reasons.contains("without transparency") == isLost)
  }

  @Test func picturesTooSmallForHEVCAreRefused() throws {
    let tiny = video("h264", (2, 2))
    guard case .refuse(let sentence) = try plan(.mpeg4, [tiny], "HEVC1920x1080") else {
      Issue.record("planned")
      return
    }
    #expect(sentence.contains("too small for HEVC"))
    #expect(summary(try plan(.mpeg4, [video("h264", (16, 16))], "HEVC1920x1080")).hasPrefix("mp4"))
  }
}
