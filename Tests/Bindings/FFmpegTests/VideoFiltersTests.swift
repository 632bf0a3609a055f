import CFFmpeg
import MediaEdits
import MediaModel
import Testing

@testable import FFmpeg

/// The filter chain for video in a format and its encoding.
struct VideoFiltersTests {
  private func filters(
    _ size: PixelSize = PixelSize(width: 1920, height: 1080),
    to target: PixelSize = PixelSize(width: 1920, height: 1080),
    keepsDynamicRange: Bool = false, color: VideoColor = .bt709,
    _ change: (inout VideoFilters) -> Void = { _ in }
  ) -> VideoFilters {
    var filters = VideoFilters(
      size: size, orientation: .up, color: color,
      encoding: VideoEncoding(codec: .h264, size: target, keepsDynamicRange: keepsDynamicRange),
      pixelFormat: "yuv420p")
    change(&filters)
    return filters
  }

  @Test func sdrVideoNeedsNoFilters() {
    #expect(filters().chain == ["format=yuv420p", "setsar=1"])
    #expect(filters().resultColor == .bt709)
  }

  /// EXIF 2.32 §4.6.4 A: 5 is the transpose, 7 the transverse.
  @Test(
    arguments: [
      (.upMirrored, ["hflip"]), (.down, ["hflip", "vflip"]), (.downMirrored, ["vflip"]),
      (.leftMirrored, ["transpose=cclock_flip"]), (.right, ["transpose=clock"]),
      (.rightMirrored, ["transpose=clock_flip"]), (.left, ["transpose=cclock"]),
    ] as [(Orientation, [String])])
  func turnedPicturesAreTurnedBack(orientation: Orientation, expected: [String]) {
    let target = orientation.upright(PixelSize(width: 960, height: 540))
    let chain = filters(to: target) { $0.orientation = orientation }.chain
    #expect(
      chain == ["scale=w=960:h=540:flags=bicubic"] + expected + ["format=yuv420p", "setsar=1"])
  }

  @Test func fullRangeIsNarrowedOnce() {
    var color = VideoColor.bt709
    color.isFullRange = true
    #expect(
      filters(color: color).chain.first == "scale=in_range=full:out_range=limited:flags=bicubic")
    #expect(!filters(color: color).resultColor.isFullRange)
  }

  @Test func highDynamicRangeIsMappedUnlessItIsKept() {
    var hlg = VideoColor.bt709
    hlg.transfer = .init(rawValue: 18)
    hlg.primaries = .init(rawValue: 9)
    hlg.matrix = .init(rawValue: 9)
    let mapped = filters(to: PixelSize(width: 1280, height: 720), color: hlg)
    #expect(mapped.resultColor == .bt709)
    #expect(mapped.chain.first == "scale=w=1280:h=720:flags=bicubic")
    #expect(mapped.chain.contains { $0.contains("tin=arib-std-b67") && $0.contains("pin=bt2020") })
    let kept = filters(keepsDynamicRange: true, color: hlg)
    #expect(kept.resultColor == hlg)
    #expect(kept.chain == ["format=yuv420p", "setsar=1"])
  }

  /// Players distinguish BT.709 and BT.601 by height if there are no tags.
  @Test func untaggedVideoKeepsItsMeaningWhenReduced() {
    var untagged = VideoColor.bt709
    untagged.transfer = .init(rawValue: 2)
    untagged.primaries = .init(rawValue: 2)
    untagged.matrix = .init(rawValue: 2)
    #expect(filters(to: PixelSize(width: 640, height: 360), color: untagged).resultColor == .bt709)
    #expect(filters(color: untagged).resultColor == untagged)
  }

  @Test func frameRateIsLimitedOnlyIfHigher() {
    let slow = filters { $0.frameRate = 24 }
    #expect(slow.chain.count == 2)
    var fast = filters { $0.frameRate = 60 }
    fast.encoding.maxFrameRate = 30
    #expect(fast.chain.first == "fps=30.0")
  }

  @Test func partsAreCutBeforeTheyAreScaled() {
    let cut = filters(to: PixelSize(width: 960, height: 540)) {
      $0.length = TimeSpan(start: 0, end: 2.5)
      $0.isInterlaced = true
    }
    #expect(
      cut.chain.prefix(3) == [
        "bwdif=mode=send_frame:deint=interlaced", "trim=start=0.0:end=2.5",
        "scale=w=960:h=540:flags=bicubic",
      ])
  }
}
