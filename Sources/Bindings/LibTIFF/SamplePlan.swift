import CTIFF
import MediaEdits

/// Which stored samples make which channels of the raster.
@safe struct SamplePlan {
  /// One channel of the raster.
  struct Channel {
    /// The index of the sample in a stored pixel.
    var sample: Int
    var use: Use
  }

  enum Use: Hashable {
    case level
    /// The file stores the complement.
    case inverted
    /// A number with a sign, whose 0 becomes half of the range.
    case balanced
    /// A floating-point lightness, of which 100 is white.
    case lightness
    /// A floating-point a or b of CIELab, of which -128 becomes 0.
    case opponent
    /// An index into a list of the palette.
    case palette(Int)
  }

  var coding: SampleCoding
  /// Samples of one pixel.
  var samples: Int
  var channels: [Channel]
  var layout: Raster.Layout
  var color: DecodedTIFF.Color = .plain
  var isPremultiplied = false
  /// The transparency of a picture in CMYK, for which its raster has no channel.
  var inkAlpha: Channel?
  /// Red, green and blue of a palette.
  var palette: [[UInt8]] = []

  /// More samples of one pixel are not supported.
  static let maximumSamples = 64
}

extension TIFFImage {
  /// - Parameter space: `PhotometricInterpretation`; negative if the file does not specify it.
  func samplePlan(space: Int) throws(TIFFError) -> SamplePlan {
    let (bits, format) = (field(TIFFTAG_BITSPERSAMPLE, 1), field(TIFFTAG_SAMPLEFORMAT, 1))
    let samples = field(TIFFTAG_SAMPLESPERPIXEL, 1)
    var extraCount: UInt16 = 0
    let kinds = unsafe shoebox_tiff_extra_samples(tiff, &extraCount)
    let extra = (0..<Int(extraCount)).map { unsafe kinds?[$0] ?? 0 }
    let colors = samples - extra.count
    let alpha = extra.firstIndex { $0 == 1 || $0 == 2 }
    let isLab = [8, 9, 10].contains(space)
    // CIELab defines which samples are signed, whatever the file says.
    guard let coding = SampleCoding(bits: bits, format: isLab && format == 2 ? 1 : format) else {
      throw TIFFError(.unsupported, "Its samples have \(bits) bits in format \(format)")
    }
    guard (1...SamplePlan.maximumSamples).contains(samples), colors > 0 else {
      throw TIFFError(.unsupported, "It has \(samples) samples a pixel")
    }
    var plan = SamplePlan(coding: coding, samples: samples, channels: [], layout: .rgb8)
    try setColors(of: &plan, space: space, colors: colors)
    plan.isPremultiplied = alpha.map { extra[$0] == 1 } ?? false
    if plan.color == .cmyk {
      plan.inkAlpha = alpha.map { SamplePlan.Channel(sample: colors + $0, use: .level) }
      return plan
    }
    if let alpha {
      if plan.channels.count == 1 { plan.channels += [plan.channels[0], plan.channels[0]] }
      plan.channels.append(SamplePlan.Channel(sample: colors + alpha, use: .level))
    }
    let isDeep = plan.palette.isEmpty && coding.isDeep
    switch plan.channels.count {
    case 1: plan.layout = isDeep ? .gray16 : .gray8
    case 3: plan.layout = isDeep ? .rgb16 : .rgb8
    default: plan.layout = isDeep ? .rgba16 : .rgba8
    }
    return plan
  }

  private func setColors(
    of plan: inout SamplePlan, space: Int, colors: Int
  ) throws(TIFFError) {
    func channels(_ uses: SamplePlan.Use...) -> [SamplePlan.Channel] {
      uses.enumerated().map { SamplePlan.Channel(sample: $0.offset, use: $0.element) }
    }
    // Fax programs left the colour space out, and mean black on white.
    let isFax = (2...4).contains(field(TIFFTAG_COMPRESSION, 1))
    switch space < 0 ? (colors >= 3 ? 2 : isFax ? 0 : 1) : space {
    case 0: plan.channels = channels(.inverted)
    // 4 is a mask.
    case 1, 4: plan.channels = channels(.level)
    case 2 where colors >= 3: plan.channels = channels(.level, .level, .level)
    case 3:
      plan.palette = try palette(of: plan.coding)
      plan.channels = (0..<3).map { SamplePlan.Channel(sample: 0, use: .palette($0)) }
    case 5 where colors >= 4 && (field(TIFFTAG_INKSET, 1) == 1 || colors == 4):
      plan.channels = channels(.level, .level, .level, .level)
      (plan.layout, plan.color) = (plan.coding.isDeep ? .rgba16 : .rgba8, .cmyk)
    case 8 where colors == 1, 9 where colors == 1: plan.channels = channels(.level)
    case 8 where colors >= 3 && plan.coding.isFloat:
      plan.channels = channels(.lightness, .opponent, .opponent)
      plan.color = .lab(.cie)
    case 8, 9, 10:
      guard case .unsigned(let bits) = plan.coding, bits == 8 || bits == 16, colors >= 3
      else { throw TIFFError(.unsupported, "Its samples do not suit CIELab") }
      plan.channels =
        space == 8 ? channels(.level, .balanced, .balanced) : channels(.level, .level, .level)
      plan.color = .lab(space == 8 ? .cie : space == 9 ? .icc : .itu)
    default:
      throw TIFFError(.unsupported, "Its colour space \(space) with \(colors) channels is unknown")
    }
  }

  /// The lists of a palette in 8 bits.
  private func palette(of coding: SampleCoding) throws(TIFFError) -> [[UInt8]] {
    var (red, green, blue): (UnsafePointer<UInt16>?, UnsafePointer<UInt16>?, UnsafePointer<UInt16>?)
    unsafe (red, green, blue) = (nil, nil, nil)
    guard case .unsigned(let bits) = coding, bits <= 16,
      unsafe shoebox_tiff_color_map(tiff, &red, &green, &blue) != 0,
      let red = unsafe red, let green = unsafe green, let blue = unsafe blue
    else { throw TIFFError(.damaged, "Its palette is missing") }
    let lists = unsafe [red, green, blue].map { list in
      (0..<(1 << bits)).map { unsafe Int(list[$0]) }
    }
    // Some old programs wrote 8 bits.
    let isNarrow = lists.allSatisfy { $0.allSatisfy { $0 < 256 } }
    return lists.map { list in
      list.map { UInt8(clamping: isNarrow ? $0 : ($0 * 255 + 32_767) / 65_535) }
    }
  }
}
