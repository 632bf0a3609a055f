import CTurboJPEG
package import MediaEdits
package import MediaModel

/// An open JPEG, closed with this value.
@safe package struct JPEGDecoder: ~Copyable {
  private let handle: tjhandle
  private let bytes: [UInt8]
  /// As stored, before orientation.
  package let size: PixelSize
  /// Nil for a subsampling that TurboJPEG does not name.
  package let sampling: JPEGSampling?
  package let isCMYK: Bool
  /// The number of channels by libjpeg, if only it can decode the JPEG: TurboJPEG refuses some subsamplings.
  private let plainChannels: Int?

  /// Reads the header.
  ///
  /// - Parameter bytes: the whole JPEG; bytes after its end are ignored.
  package init(_ bytes: [UInt8]) throws(JPEGError) {
    guard let handle = unsafe tjInitDecompress() else {
      throw JPEGError(.outOfMemory, "No memory for the decoder")
    }
    var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
    let result = unsafe tjDecompressHeader3(
      handle, bytes, UInt(bytes.count), &width, &height, &sampling, &space)
    let found = PixelSize(width: Int(width), height: Int(height))
    let isReadable = unsafe result == 0 || tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue)
    guard isReadable else {
      do throws(JPEGError) {
        let plain = try PlainJPEG.header(bytes)
        unsafe self.handle = handle
        self.bytes = bytes
        size = plain.size
        self.sampling = nil
        isCMYK = plain.channels == 4
        plainChannels = plain.channels
        return
      } catch {
        unsafe tjDestroy(handle)
        throw error
      }
    }
    guard width > 0, height > 0 else {
      unsafe tjDestroy(handle)
      throw JPEGError(.damaged, "It has no pixels")
    }
    unsafe self.handle = handle
    self.bytes = bytes
    size = found
    self.sampling = JPEGSampling(code: sampling)
    plainChannels = nil
    isCMYK = space == Int32(TJCS_CMYK.rawValue) || space == Int32(TJCS_YCCK.rawValue)
  }

  deinit {
    unsafe tjDestroy(handle)
  }

  /// The size of the result of ``decode(atLeast:)``.
  ///
  /// - Parameter longerSide: pixels that the longer side must have; nil for the full size.
  package func size(atLeast longerSide: Int?) -> PixelSize {
    guard let longerSide, longerSide > 0 else { return size }
    // A transform of fewer coefficients gives a half, a quarter or an eighth of the size at less cost.
    var best = size
    for divisor in [2, 4, 8] {
      let smaller = PixelSize(
        width: (size.width + divisor - 1) / divisor, height: (size.height + divisor - 1) / divisor)
      if max(smaller.width, smaller.height) >= longerSide { best = smaller }
    }
    return best
  }

  /// The pixels: grey, RGB, or stored CMYK in the layout of RGBA.
  ///
  /// - Parameter longerSide: pixels that the longer side must have; nil for the full size.
  /// - Returns: the picture, and TurboJPEG's warning if the JPEG is damaged.
  package func decode(
    atLeast longerSide: Int? = nil
  ) throws(JPEGError) -> (raster: Raster, complaint: String?) {
    let isGray = plainChannels.map { $0 == 1 } ?? (sampling == .gray)
    let (layout, format): (Raster.Layout, TJPF) =
      isCMYK ? (.rgba8, TJPF_CMYK) : isGray ? (.gray8, TJPF_GRAY) : (.rgb8, TJPF_RGB)
    let size = size(atLeast: longerSide)
    guard var raster = Raster(size: size, layout: layout) else {
      throw JPEGError(.tooLarge, "\(size.width) × \(size.height) pixels")
    }
    if plainChannels != nil {
      let complaint = try PlainJPEG.decode(bytes, to: &raster, of: self.size)
      return (raster, complaint)
    }
    let flags = Int32(TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS)
    let pitch = Int32(raster.planes[0].bytesPerRow)
    let result = unsafe tjDecompress2(
      handle, bytes, UInt(bytes.count), &raster.planes[0].bytes, Int32(size.width), pitch,
      Int32(size.height), Int32(format.rawValue), flags)
    guard result != 0 else { return (raster, nil) }
    let error = unsafe JPEGError(.damaged, handle)
    guard unsafe tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) else { throw error }
    return (raster, error.detail)
  }
}
