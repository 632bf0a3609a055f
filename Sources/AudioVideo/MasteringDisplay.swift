import CFFmpeg

/// What HDR10 says of the display a video was made on and of its brightest parts (SMPTE ST 2086,
/// CTA-861.3), in the words of libx265.
enum MasteringDisplay {
  static func parameters(of stream: UnsafeMutablePointer<AVStream>) -> [String] {
    var parameters: [String] = []
    var size = 0
    if let data = unsafe av_stream_get_side_data(
      stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, &size),
      size >= MemoryLayout<AVMasteringDisplayMetadata>.size
    {
      let display = unsafe UnsafeRawBufferPointer(start: data, count: size)
        .loadUnaligned(as: AVMasteringDisplayMetadata.self)
      if let text = Self.text(display) { parameters.append("master-display=" + text) }
    }
    if let data = unsafe av_stream_get_side_data(
      stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, &size),
      size >= MemoryLayout<AVContentLightMetadata>.size
    {
      let light = unsafe UnsafeRawBufferPointer(start: data, count: size)
        .loadUnaligned(as: AVContentLightMetadata.self)
      parameters.append("max-cll=\(light.MaxCLL),\(light.MaxFALL)")
    }
    return parameters
  }

  /// Chromaticities in units of 0.00002, luminances in units of 0.0001 cd/m²: green, blue, red, white.
  private static func text(_ display: AVMasteringDisplayMetadata) -> String? {
    guard display.has_primaries != 0, display.has_luminance != 0 else { return nil }
    let units = { (number: AVRational, scale: Double) in
      Int(min(max(0, (number.value ?? 0) * scale + 0.5), 4e9))
    }
    let point = { (x: AVRational, y: AVRational) in "(\(units(x, 50_000)),\(units(y, 50_000)))" }
    let (red, green, blue) = display.display_primaries
    return "G\(point(green.0, green.1))B\(point(blue.0, blue.1))R\(point(red.0, red.1))"
      + "WP\(point(display.white_point.0, display.white_point.1))"
      + "L(\(units(display.max_luminance, 10_000)),\(units(display.min_luminance, 10_000)))"
  }
}
