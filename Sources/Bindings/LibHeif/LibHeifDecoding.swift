import CHeif
package import MediaEdits
import MediaModel

/// A HEIF's decoded primary picture, upright: after the file's own crop and turns.
package struct DecodedHeif: Sendable {
  package var raster: Raster
  /// Whether the colours are stored multiplied by their opacity (`prem`, ISO/IEC 23008-12 §6.10.1.1).
  package var isPremultiplied: Bool
  /// ITU-T H.273 numbers of the colour primaries and the transfer function, if the file has them.
  package var primaries: Int?
  package var transfer: Int?
  /// Whether the file stores chroma in full resolution.
  package var hasFullChroma = false
}

extension LibHeifImage {
  /// Decodes the primary picture.
  ///
  /// 8-bit pictures whose colours are coded as in a JPEG are returned in planes, others in RGB, with 16
  /// bits a sample if the file has more than 8. Grey stays grey.
  ///
  /// - Parameter isTransformed: whether to crop and turn the picture as the file requires.
  package func decode(isTransformed: Bool = true) throws(HeifError) -> DecodedHeif {
    unsafe try Self.decode(primary, isTransformed: isTransformed)
  }

  /// Decodes another picture of the file, such as a gain map.
  ///
  /// - Parameter item: its item ID.
  package func decode(item: UInt32) throws(HeifError) -> DecodedHeif {
    let handle = unsafe try handle(of: item)
    defer { unsafe heif_image_handle_release(handle) }
    return unsafe try Self.decode(handle, isTransformed: true)
  }

  private static func decode(
    _ handle: OpaquePointer, isTransformed: Bool
  ) throws(HeifError) -> DecodedHeif {
    let stored = unsafe PixelSize(
      width: Int(heif_image_handle_get_width(handle)),
      height: Int(heif_image_handle_get_height(handle)))
    guard stored.isDecodable else {
      throw HeifError(.outOfMemory, message: "Too large: \(stored.width) × \(stored.height)")
    }
    let isDeep = unsafe heif_image_handle_get_luma_bits_per_pixel(handle) > 8
    let hasAlpha = unsafe heif_image_handle_has_alpha_channel(handle) != 0
    var (space, chroma) = (heif_colorspace_undefined, heif_chroma_undefined)
    unsafe heif_image_handle_get_preferred_decoding_colorspace(handle, &space, &chroma)
    let isGray = space == heif_colorspace_monochrome && !hasAlpha
    if !isDeep, !hasAlpha, space == heif_colorspace_YCbCr || isGray {
      let image = unsafe try DecodedImage(
        handle, heif_colorspace_undefined, heif_chroma_undefined, isTransformed: isTransformed)
      if let raster = image.planes() { return unsafe described(raster, image, handle) }
    }
    if isGray {
      let image = unsafe try DecodedImage(
        handle, heif_colorspace_monochrome, shoebox_heif_chroma_monochrome(),
        isTransformed: isTransformed)
      let raster = unsafe try image.pixels(
        isDeep ? .gray16 : .gray8, isLimited: isLimited(image, handle))
      return unsafe described(raster, image, handle)
    }
    let (layout, format): (Raster.Layout, heif_chroma) =
      switch (isDeep, hasAlpha) {
      case (false, false): (.rgb8, heif_chroma_interleaved_RGB)
      case (false, true): (.rgba8, heif_chroma_interleaved_RGBA)
      case (true, false): (.rgb16, heif_chroma_interleaved_RRGGBB_LE)
      case (true, true): (.rgba16, heif_chroma_interleaved_RRGGBBAA_LE)
      }
    let image = unsafe try DecodedImage(
      handle, heif_colorspace_RGB, format, isTransformed: isTransformed)
    return unsafe described(try image.pixels(layout), image, handle)
  }

  /// Whether a decoded picture is recorded as having limited range.
  private static func isLimited(
    _ image: borrowing DecodedImage, _ handle: OpaquePointer
  ) -> Bool {
    unsafe (image.codedColor ?? codedColor(handle))?.isFullRange == false
  }

  private static func described(
    _ raster: Raster, _ image: borrowing DecodedImage, _ handle: OpaquePointer
  ) -> DecodedHeif {
    let color = unsafe codedColor(handle) ?? image.codedColor
    let isPremultiplied = unsafe heif_image_handle_is_premultiplied_alpha(handle) != 0
    return DecodedHeif(
      raster: raster, isPremultiplied: isPremultiplied && raster.layout.hasAlpha,
      primaries: color.map(\.primaries), transfer: color.map(\.transfer),
      hasFullChroma: unsafe hasFullChroma(handle))
  }

  private static func hasFullChroma(_ handle: OpaquePointer) -> Bool {
    var (space, chroma) = (heif_colorspace_undefined, heif_chroma_undefined)
    unsafe heif_image_handle_get_preferred_decoding_colorspace(handle, &space, &chroma)
    return chroma == heif_chroma_444
  }

  /// The container's information on a picture's colours.
  private static func codedColor(_ handle: OpaquePointer) -> CodedColor? {
    var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
    let result = unsafe heif_image_handle_get_nclx_color_profile(handle, &profile)
    guard unsafe result.code == heif_error_Ok, let profile = unsafe profile else { return nil }
    defer { unsafe heif_nclx_color_profile_free(profile) }
    return unsafe CodedColor(profile.pointee)
  }
}

/// The coding of colours, in ITU-T H.273 numbers.
private struct CodedColor {
  var primaries: Int
  var transfer: Int
  var matrix: Int
  var isFullRange: Bool

  init(_ profile: heif_color_profile_nclx) {
    primaries = Int(profile.color_primaries.rawValue)
    transfer = Int(profile.transfer_characteristics.rawValue)
    matrix = Int(profile.matrix_coefficients.rawValue)
    isFullRange = profile.full_range_flag != 0
  }

  /// Whether colours are coded as in a JPEG.
  var isJFIF: Bool { isFullRange && MatrixCoefficients.isJFIF(matrix) }
}

/// Pixels that libheif has decoded, freed with this value.
@safe struct DecodedImage: ~Copyable {
  private let image: OpaquePointer

  init(
    _ handle: OpaquePointer, _ space: heif_colorspace, _ chroma: heif_chroma,
    isTransformed: Bool = true
  ) throws(HeifError) {
    guard let options = unsafe heif_decoding_options_alloc() else {
      throw HeifError(.outOfMemory, message: "No memory for the picture")
    }
    defer { unsafe heif_decoding_options_free(options) }
    unsafe options.pointee.ignore_transformations = isTransformed ? 0 : 1
    var image: OpaquePointer?
    try unsafe LibHeifImage.check(heif_decode_image(handle, &image, space, chroma, options))
    guard let image = unsafe image else { throw HeifError(.damaged, message: "No picture") }
    unsafe self.image = image
  }

  deinit {
    unsafe heif_image_release(image)
  }

  fileprivate var codedColor: CodedColor? {
    var profile: UnsafeMutablePointer<heif_color_profile_nclx>?
    let result = unsafe heif_image_get_nclx_color_profile(image, &profile)
    guard unsafe result.code == heif_error_Ok, let profile = unsafe profile else { return nil }
    defer { unsafe heif_nclx_color_profile_free(profile) }
    return unsafe CodedColor(profile.pointee)
  }

  /// The decoded planes; nil if JFIF does not have their coding.
  func planes() -> Raster? {
    let chroma = unsafe heif_image_get_chroma_format(image)
    let layout: Raster.Layout
    switch chroma {
    case shoebox_heif_chroma_monochrome(): layout = .gray8
    case heif_chroma_420: layout = .yuv420
    case heif_chroma_422: layout = .yuv422
    case heif_chroma_444: layout = .yuv444
    default: return nil
    }
    let channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
    guard codedColor?.isJFIF ?? true,
      unsafe heif_image_get_colorspace(image) != heif_colorspace_RGB,
      unsafe heif_image_get_bits_per_pixel_range(image, heif_channel_Y) == 8,
      var raster = Raster(size: size(of: heif_channel_Y), layout: layout)
    else { return nil }
    for index in raster.planes.indices {
      guard copy(channels[index], into: &raster.planes[index]) else { return nil }
    }
    return raster
  }

  /// The picture in interleaved pixels, or grey.
  ///
  /// - Parameter isLimited: whether black is 16 and white 235, in samples of 8 bits: libheif does not stretch grey.
  func pixels(
    _ layout: Raster.Layout, isLimited: Bool = false
  ) throws(HeifError) -> Raster {
    let channel = layout.isGray ? heif_channel_Y : heif_channel_interleaved
    guard var raster = Raster(size: size(of: channel), layout: layout),
      copy(channel, into: &raster.planes[0])
    else { throw HeifError(.unsupported, message: "Pixels of this format") }
    let bits = Int(unsafe heif_image_get_bits_per_pixel_range(image, channel))
    if isLimited { raster.planes[0].stretch(bits: bits) }
    if layout.isDeep { raster.planes[0].widen(bits: bits) }
    return raster
  }

  private func size(of channel: heif_channel) -> PixelSize {
    PixelSize(
      width: Int(unsafe heif_image_get_width(image, channel)),
      height: Int(unsafe heif_image_get_height(image, channel)))
  }

  /// Copies the rows of a channel; if the plane is wider or higher, the edge pixels are repeated.
  private func copy(_ channel: heif_channel, into plane: inout Raster.Plane) -> Bool {
    let found = size(of: channel)
    var stride: Int32 = 0
    guard let source = unsafe heif_image_get_plane_readonly(image, channel, &stride),
      found.width > 0, found.height > 0, found.width <= plane.size.width,
      found.height <= plane.size.height
    else { return false }
    let row = found.width * plane.bytesPerPixel
    guard Int(stride) >= row else { return false }
    let (size, bytesPerRow) = (plane.size, plane.bytesPerRow)
    unsafe plane.bytes.withUnsafeMutableBytes { target in
      guard let target = target.baseAddress else { return }
      for y in 0..<size.height {
        let line = unsafe target + y * bytesPerRow
        let from = unsafe source + min(y, found.height - 1) * Int(stride)
        unsafe line.copyMemory(from: from, byteCount: row)
        for x in found.width..<max(size.width, found.width) {
          unsafe line.storeBytes(of: from[found.width - 1], toByteOffset: x, as: UInt8.self)
        }
      }
    }
    return true
  }
}

extension Raster.Plane {
  /// Stretches luma of limited range to full range (ITU-T H.273 §8.3): from 16–235, in samples of 8 bits.
  fileprivate mutating func stretch(bits: Int) {
    guard (8...16).contains(bits) else { return }
    let (width, largest, unit) = (bits > 8 ? 2 : 1, 1 << bits - 1, 1 << (bits - 8))
    let table = (0...largest).map { sample in
      let value = ((sample - 16 * unit) * largest * 2 + 219 * unit) / (2 * 219 * unit)
      return min(max(value, 0), largest)
    }
    for index in 0..<(bytes.count / width) {
      if width == 1 {
        bytes[index] = UInt8(table[Int(bytes[index])])
      } else {
        let stored = Int(bytes[index * 2]) | Int(bytes[index * 2 + 1]) << 8
        let value = table[min(stored, largest)]
        (bytes[index * 2], bytes[index * 2 + 1]) = (UInt8(value & 0xFF), UInt8(value >> 8))
      }
    }
  }

  /// Spreads samples of `bits` bits, little-endian, over 16.
  fileprivate mutating func widen(bits: Int) {
    guard (9...16).contains(bits) else { return }
    unsafe bytes.withUnsafeMutableBytes { buffer in
      let samples = unsafe buffer.assumingMemoryBound(to: UInt16.self)
      for index in samples.indices {
        let value = UInt32(UInt16(littleEndian: unsafe samples[index]))
        unsafe samples[index] =
          UInt16(truncatingIfNeeded: value << (16 - bits) | value >> (2 * bits - 16)).littleEndian
      }
    }
  }
}
