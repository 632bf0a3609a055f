import ByteReading
import MediaModel

/// What a video stream's own header records about its pictures: a sequence parameter set, or a sequence header.
struct VideoParameters: Hashable {
  /// After cropping.
  var size: PixelSize?
  /// Width over height of one pixel; nil if it is not recorded.
  var pixelAspect: Double?
  /// The transfer function's number in ITU-T H.273 §8.2; nil if it is not recorded.
  var transfer: Int?
  /// Whether black is 0 rather than 16, in samples of 8 bits; nil if it is not recorded.
  var isFullRange: Bool?
  /// Frames a second; nil if it is not recorded.
  var frameRate: Double?
  /// Whether pictures may be coded as two fields.
  var mayHaveFields = false
}

extension VideoParameters {
  /// The pixel aspect ratios of `aspect_ratio_idc` 1 to 16 (ITU-T H.264 table E-1). MPEG-4 Visual has the first five.
  private static let aspects: [(width: Int, height: Int)] = [
    (1, 1), (12, 11), (10, 11), (16, 11), (40, 33), (24, 11), (20, 11), (32, 11), (80, 33),
    (18, 11), (15, 11), (64, 33), (160, 99), (4, 3), (3, 2), (2, 1),
  ]

  static func aspect(_ number: Int) -> Double? {
    guard number >= 1, number <= aspects.count else { return nil }
    return Double(aspects[number - 1].width) / Double(aspects[number - 1].height)
  }

  /// Whether the coded pictures of a codec record the shape of a pixel, which counts if the container does not record it.
  ///
  /// - Parameter codec: FFmpeg's name.
  static func hasPixelAspect(codec: String?) -> Bool {
    guard let codec else { return false }
    return ["dvvideo", "mpeg1video", "mpeg2video", "mpeg4", "h264", "hevc", "vc1"].contains(codec)
  }

  /// Reads the first part of the video usability information, which is the same in H.264 and HEVC (annex E).
  mutating func readUsability(_ bits: inout BitstreamReader) {
    if bits.flag() {
      let number = bits.read(8)
      if number == 255 {
        let (width, height) = (bits.read(16), bits.read(16))
        pixelAspect = width > 0 && height > 0 ? Double(width) / Double(height) : nil
      } else {
        pixelAspect = Self.aspect(number)
      }
    }
    // Overscan.
    if bits.flag() { bits.skip(1) }
    if bits.flag() {
      bits.skip(3)
      isFullRange = bits.flag()
      if bits.flag() {
        bits.skip(8)
        let number = bits.read(8)
        // 2 means unspecified, 0 is reserved.
        transfer = number == 2 || number == 0 ? nil : number
        bits.skip(8)
      }
    }
    // The location of chroma samples.
    if bits.flag() { for _ in 0..<2 { _ = bits.exponential() } }
  }

  /// Reads `num_units_in_tick` and `time_scale`.
  ///
  /// - Parameter ticks: the ticks of one frame.
  mutating func readTiming(_ bits: inout BitstreamReader, ticks: Int) {
    let (units, scale) = (bits.read(32), bits.read(32))
    guard !bits.isAtEnd, units > 0, scale > 0 else { return }
    frameRate = Double(scale) / (Double(units) * Double(ticks))
  }
}

extension DynamicRange {
  /// The range by the container's transfer function, or else by the video's own header.
  ///
  /// - Parameters:
  ///   - codec: FFmpeg's name.
  ///   - container: the transfer function's number in ITU-T H.273 §8.2.
  ///   - parameters: the video's own header.
  /// - Returns: nil if neither is known, for codecs that cameras record HDR with.
  init?(codec: String?, container: Int?, _ parameters: VideoParameters?) {
    let isOpen = container == nil && parameters == nil
    if isOpen, codec == "hevc" || codec == "av1" { return nil }
    self.init(transfer: container ?? parameters?.transfer)
  }
}
