import CLCMS
package import MediaEdits
import MediaModel

/// An open ICC profile, closed with this value.
@safe package struct ColorProfile: ~Copyable {
  /// The colour space of the pixels that a profile describes.
  package enum Space: String, Sendable {
    case gray = "GRAY"
    case rgb = "RGB "
    case cmyk = "CMYK"

    /// Nil for other spaces, and for bytes that are too few for a profile.
    ///
    /// - Parameter bytes: of a profile; they are not checked further.
    package init?(of bytes: [UInt8]) {
      guard bytes.count >= 128 else { return nil }
      self.init(rawValue: String(decoding: bytes[16..<20], as: UTF8.self))
    }
  }

  package let space: Space
  private let context: ColorContext
  private let profile: cmsHPROFILE

  /// The largest profiles of printers have a few megabytes.
  private static let maximumBytes = 16 << 20
  /// Profiles of scanners and cameras, displays, printers, and whole colour spaces. Others describe no pixels.
  private static let classes = [
    cmsSigInputClass, cmsSigDisplayClass, cmsSigOutputClass, cmsSigColorSpaceClass,
  ]

  /// The number of pixels from which a table of colours saves time.
  private static let sufficientPixels = 200_000

  /// Opens a profile for grey, RGB or CMYK.
  package init(_ bytes: [UInt8]) throws(ColorProfileError) {
    guard bytes.count <= Self.maximumBytes else {
      throw ColorProfileError(detail: "it has \(bytes.count) bytes")
    }
    guard let space = Space(of: bytes) else {
      throw ColorProfileError(detail: "its colour space is not supported")
    }
    let context = try ColorContext()
    let count = UInt32(bytes.count)
    guard let profile = unsafe cmsOpenProfileFromMemTHR(context.pointer, bytes, count) else {
      throw context.error("it cannot be read")
    }
    guard unsafe Self.classes.contains(cmsGetDeviceClass(profile)) else {
      unsafe cmsCloseProfile(profile)
      throw ColorProfileError(detail: "it describes no pixels")
    }
    self.space = space
    self.context = context
    unsafe self.profile = profile
  }

  /// The bytes of a profile for RGB that numbers describe (ICC.1:2022, version 4).
  ///
  /// - Parameters:
  ///   - chromaticities: CIE x and y of white, red, green and blue.
  ///   - exponent: from stored values to light; nil for the curve of sRGB.
  ///   - name: what programs show; ASCII.
  package static func rgb(
    chromaticities: [Double], exponent: Double?, name: String
  ) throws(ColorProfileError) -> [UInt8] {
    let context = try ColorContext()
    defer { extendLifetime(context) }
    guard chromaticities.count == 8,
      let profile = unsafe shoebox_lcms_rgb(context.pointer, chromaticities, exponent ?? 0, name)
    else { throw context.error("it cannot be made") }
    defer { unsafe cmsCloseProfile(profile) }
    var count: UInt32 = 0
    guard unsafe cmsSaveProfileToMem(profile, nil, &count) != 0, count <= Self.maximumBytes else {
      throw context.error("it cannot be made")
    }
    var bytes = [UInt8](repeating: 0, count: Int(count))
    guard unsafe cmsSaveProfileToMem(profile, &bytes, &count) != 0 else {
      throw context.error("it cannot be made")
    }
    // The time of its making (§7.2.8) would make results of the same picture differ.
    bytes.replaceSubrange(24..<36, with: Self.date)
    return bytes
  }

  /// 2020-01-01 00:00:00 as six 16-bit numbers.
  private static let date: [UInt8] = [0x07, 0xE4, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]

  deinit {
    unsafe cmsCloseProfile(profile)
    extendLifetime(context)
  }

  /// The picture in sRGB.
  ///
  /// Colours that sRGB has keep their appearance relative to white, and others become the nearest that it has
  /// (relative colorimetric). The profile's black becomes sRGB's black, so that the shadows of a print do not become
  /// grey and keep their detail (black point compensation). Photoshop and ImageMagick convert in the same way by
  /// default. Transparency is unchanged.
  ///
  /// - Parameters:
  ///   - raster: grey in a grey layout, or in an RGB one with equal channels; RGB; CMYK in the layout `rgba8` or
  ///     `rgba16`.
  ///   - isInverted: whether the largest value means no ink, as in JPEGs by Adobe's convention.
  /// - Returns: the same layout, without the last channel for CMYK.
  package func convert(
    _ raster: Raster, isInverted: Bool = false
  ) throws(ColorProfileError) -> Raster {
    let layout = raster.layout
    let isSuitable =
      switch space {
      case .gray: raster.planes.count == 1
      case .rgb: raster.planes.count == 1 && !layout.isGray
      case .cmyk: layout.hasAlpha
      }
    guard isSuitable else { throw ColorProfileError(detail: "it does not describe these pixels") }
    let conversion = unsafe try conversion(
      layout, isInverted: isInverted, pixels: raster.size.width * raster.size.height)
    defer { unsafe cmsDeleteTransform(conversion) }
    var target = raster
    if space == .cmyk {
      guard let colors = Raster(size: raster.size, layout: layout.isDeep ? .rgb16 : .rgb8) else {
        throw ColorProfileError(detail: "the picture is too large")
      }
      target = colors
    }
    let (step, result) = (layout.bytesPerPixel, target.layout.bytesPerPixel)
    let width = raster.size.width
    unsafe raster.planes[0].bytes.withUnsafeBufferPointer { source in
      unsafe target.planes[0].bytes.withUnsafeMutableBufferPointer { target in
        guard let source = source.baseAddress, let target = target.baseAddress else { return }
        for row in 0..<raster.size.height {
          unsafe cmsDoTransform(
            conversion, source + row * width * step, target + row * width * result,
            UInt32(width))
        }
      }
    }
    return target
  }

  /// Whether the colour space is sRGB, within the precision of 8 bits.
  package func isSRGB() throws(ColorProfileError) -> Bool {
    guard space != .cmyk else { return false }
    let levels = stride(from: 0, through: 255, by: 15).map { UInt8($0) }
    let pixels =
      space == .gray
      ? levels
      : levels.flatMap { red in levels.flatMap { green in levels.flatMap { [red, green, $0] } } }
    let size = PixelSize(width: pixels.count / (space == .gray ? 1 : 3), height: 1)
    guard var sample = Raster(size: size, layout: space == .gray ? .gray8 : .rgb8) else {
      return false
    }
    sample.planes[0].bytes = pixels
    let converted = try convert(sample).planes[0].bytes
    return zip(converted, pixels).allSatisfy { abs(Int($0) - Int($1)) <= 1 }
  }

  private func conversion(
    _ layout: Raster.Layout, isInverted: Bool, pixels: Int
  ) throws(ColorProfileError) -> cmsHTRANSFORM {
    let bytes: UInt32 = layout.isDeep ? 2 : 1
    let channels = UInt32(layout.bytesPerPixel) / bytes
    let alpha: UInt32 = layout.hasAlpha ? 1 : 0
    let source =
      switch space {
      case .gray: shoebox_lcms_format(UInt32(PT_GRAY), 1, channels - 1, bytes, 0)
      case .rgb: shoebox_lcms_format(UInt32(PT_RGB), 3, alpha, bytes, 0)
      case .cmyk: shoebox_lcms_format(UInt32(PT_CMYK), 4, 0, bytes, isInverted ? 1 : 0)
      }
    let target =
      layout.isGray
      ? shoebox_lcms_format(UInt32(PT_GRAY), 1, 0, bytes, 0)
      : shoebox_lcms_format(UInt32(PT_RGB), 3, space == .cmyk ? 0 : alpha, bytes, 0)
    let made =
      unsafe layout.isGray
      ? shoebox_lcms_srgb_gray(context.pointer) : cmsCreate_sRGBProfileTHR(context.pointer)
    guard let sRGB = unsafe made else { throw context.error("no memory") }
    defer { unsafe cmsCloseProfile(sRGB) }
    // For 8 bits, Little CMS may replace the exact computation by a table of 49³ or 23⁴ colours. That is too coarse for 16
    // bits, and takes longer than a small picture does.
    let isExact = layout.isDeep || pixels < Self.sufficientPixels
    let precision = isExact ? cmsFLAGS_NOOPTIMIZE : cmsFLAGS_HIGHRESPRECALC
    let conversion =
      unsafe cmsCreateTransformTHR(
        context.pointer, profile, source, sRGB, target, UInt32(INTENT_RELATIVE_COLORIMETRIC),
        UInt32(cmsFLAGS_BLACKPOINTCOMPENSATION | precision))
    guard let conversion = unsafe conversion else { throw context.error("it is incomplete") }
    return unsafe conversion
  }
}
