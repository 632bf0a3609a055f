import MediaEdits
import MediaModel

/// Roughly what it costs to make a file, for the order of work, the time that is left and the memory.
struct ExpectedCost: Sendable, Hashable {
  /// Seconds of one core. Only their ratio counts: the observed speed gives the factor for this machine.
  var seconds: Double
  /// Bytes of memory at its peak.
  var memory: UInt64
}

extension ExpectedCost {
  /// What a worker needs for anything at all.
  private static let base: UInt64 = 64 << 20
  /// Pixels that one core decodes, scales and encodes in a second, about 1080p at its own speed.
  private static let pixelsPerSecond = 62e6
  /// The longest still in bytes that is in memory while its metadata changes: the source, the result and two in between.
  private static let longestStill: UInt64 = 512 << 20
  /// The share of decoding in that.
  private static let decoding = 0.25

  /// The cost of one file of an item.
  static func of(_ decision: FileDecision, _ part: ExportPart, _ asset: AssetRecord) -> ExpectedCost
  {
    let size = Double(part.size)
    switch decision.work {
    case .keep: return ExpectedCost(seconds: 0, memory: 0)
    case .describe: return ExpectedCost(seconds: 0.002, memory: 0)
    case .copy: return ExpectedCost(seconds: 0.002 + size / 400e6, memory: 0)
    case .render(.copy(let type), let metadata):
      var cost = ExpectedCost(seconds: 0.002 + size / 400e6, memory: Self.base)
      if type.mediaType == .image {
        if decision.facts != nil || decision.livePhoto != nil || decision.removesGainMap {
          cost.memory += min(UInt64(clamping: part.size), Self.longestStill) * 4
        }
        // It is decoded to find data that no pixel needs.
        if metadata != .keep, type == .webP || type == .jpegXL {
          cost.memory += picture(part.pixelSize ?? asset.pixelSize).memory
        }
      }
      return cost
    case .render(.picture, _): return picture(part.pixelSize ?? asset.pixelSize)
    case .render(.movie(let rendering), _):
      guard decision.action == .transcoded else {
        return ExpectedCost(seconds: 0.01 + size / 200e6, memory: Self.base)
      }
      return movie(rendering, part.pixelSize ?? asset.pixelSize, asset)
    }
  }

  /// The cost of examining a picture, if all of its pixels are decoded.
  static func ofExamining(_ part: ExportPart) -> ExpectedCost { picture(part.pixelSize) }

  /// Decoded pixels, those of the result, and the file: at most 20 bytes a pixel.
  private static func picture(_ size: PixelSize?) -> ExpectedCost {
    let pixels = Double((size ?? PixelSize(width: 4000, height: 3000)).clampedArea)
    return ExpectedCost(
      seconds: 0.05 + pixels / 30e6, memory: Self.base + UInt64(pixels) * 20)
  }

  private static func movie(
    _ rendering: MovieRendering, _ size: PixelSize?, _ asset: AssetRecord
  ) -> ExpectedCost {
    let source = (size ?? PixelSize(width: 1920, height: 1080)).clampedArea
    let length = asset.length(rendering.trim)
    var (pixels, memory) = (0.0, Self.base)
    for track in rendering.tracks {
      guard case .encodeVideo(let encoding) = track.work else { continue }
      let area = encoding.size.clampedArea
      pixels += Double(area) + decoding * Double(source)
      memory += UInt64(area) * UInt64(encoding.bytesPerPixel) + UInt64(source) * Self.decodedBytes
    }
    let rate = min(asset.video.frameRate ?? 30, 240)
    return ExpectedCost(
      seconds: 0.2 + length * (0.02 + pixels * rate / pixelsPerSecond), memory: memory)
  }

  /// A decoder's frames with up to 16 bits a sample.
  private static let decodedBytes: UInt64 = 16 * 3
}

extension VideoEncoding {
  /// Bytes of memory for each pixel of the picture, for all frames that an encoder holds; measured at 4K.
  fileprivate var bytesPerPixel: Int {
    switch codec {
    case .h264: 160
    case .hevc: keepsDynamicRange ? 260 : 160
    case .proRes422, .proRes4444: 60
    }
  }
}

extension AssetRecord {
  /// Seconds of the movie that is made of all or a part of this one.
  fileprivate func length(_ part: TimeSpan?) -> Double {
    // Earlier versions recorded any length that a header claims.
    let duration = min(duration ?? 10, 1e9)
    guard let part else { return duration }
    return max(0, min(part.end ?? duration, duration) - part.start)
  }
}

extension PixelSize {
  /// The number of pixels, at most those of the largest picture that is decoded: headers may claim anything.
  fileprivate var clampedArea: Int {
    let (area, isTooLarge) = max(width, 1).multipliedReportingOverflow(by: max(height, 1))
    return isTooLarge ? Self.maximumDecodedPixels : min(area, Self.maximumDecodedPixels)
  }
}

extension ExportPart {
  /// Whether it is a picture of which a small machine has no memory to decode several at once.
  var isLargePicture: Bool {
    guard kind == .picture, let pixelSize else { return false }
    return pixelSize.clampedArea > 16_000_000
  }
}

extension ExportItem {
  /// Seconds of work for all of its files, and for the clips that are appended to them.
  var expectedSeconds: Double {
    guard fate == .make else { return 0 }
    return files.reduce(0) { sum, file in
      let clip = file.clip.map { ExpectedCost.of($0.decision, $0.part, asset).seconds } ?? 0
      return sum + ExpectedCost.of(file.decision, file.part, asset).seconds + clip
    }
  }

  /// Seconds of the longest movie that is made of it, as a file or as a clip that is appended to one; 0 without one.
  var movieSeconds: Double {
    let decisions = files.flatMap { [$0.decision] + [$0.clip?.decision].compactMap(\.self) }
    return decisions.reduce(0) { longest, decision in
      guard case .render(.movie(let rendering), _) = decision.work else { return longest }
      return max(longest, asset.length(rendering.trim))
    }
  }
}
