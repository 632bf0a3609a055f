import CTurboJPEG
package import MediaEdits
import MediaModel

/// Encodes baseline JPEGs.
package enum JPEGEncoder {
  /// A JPEG without any metadata but its JFIF header.
  ///
  /// - Parameters:
  ///   - raster: with 8 bits a sample and without transparency.
  ///   - quality: 1–100, on libjpeg's scale.
  ///   - sampling: for RGB; planes and grey have their own.
  package static func encode(
    _ raster: Raster, quality: Int, sampling: JPEGSampling
  ) throws(JPEGError) -> [UInt8] {
    guard let handle = unsafe tjInitCompress() else {
      throw JPEGError(.outOfMemory, "No memory for the encoder")
    }
    defer { unsafe tjDestroy(handle) }
    let quality = Int32(min(max(quality, 1), 100))
    var target = unsafe Target()
    defer { unsafe tjFree(target.bytes) }
    let result =
      switch raster.layout {
      case .yuv420: unsafe fromPlanes(raster, .yuv420, quality, handle, &target)
      case .yuv422: unsafe fromPlanes(raster, .yuv422, quality, handle, &target)
      case .yuv444: unsafe fromPlanes(raster, .yuv444, quality, handle, &target)
      case .gray8: unsafe fromPixels(raster, TJPF_GRAY, .gray, quality, handle, &target)
      case .rgb8: unsafe fromPixels(raster, TJPF_RGB, sampling, quality, handle, &target)
      case .gray16, .rgb16, .rgba8, .rgba16:
        throw JPEGError(.unsupported, "A JPEG has 8 bits a sample and no transparency")
      }
    guard result == 0, let bytes = unsafe target.bytes else {
      throw unsafe JPEGError(.unsupported, handle)
    }
    return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: Int(target.count)))
  }

  /// The buffer that TurboJPEG allocates and fills.
  @unsafe private struct Target {
    var bytes: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
  }

  /// The accurate transform costs little where it is vectorised, and the fast one is visibly worse.
  private static let flags = Int32(TJFLAG_ACCURATEDCT)

  private static func fromPixels(
    _ raster: Raster, _ format: TJPF, _ sampling: JPEGSampling, _ quality: Int32,
    _ handle: tjhandle, _ target: inout Target
  ) -> Int32 {
    guard let plane = raster.planes.first else { return -1 }
    return unsafe tjCompress2(
      handle, plane.bytes, Int32(plane.size.width), Int32(plane.bytesPerRow),
      Int32(plane.size.height), Int32(format.rawValue), &target.bytes, &target.count,
      sampling.code, quality, flags)
  }

  private static func fromPlanes(
    _ raster: Raster, _ sampling: JPEGSampling, _ quality: Int32, _ handle: tjhandle,
    _ target: inout Target
  ) -> Int32 {
    guard raster.planes.count == 3 else { return -1 }
    let strides = raster.planes.map { Int32($0.bytesPerRow) }
    let size = raster.size
    return unsafe raster.planes[0].bytes.withUnsafeBufferPointer { luma in
      unsafe raster.planes[1].bytes.withUnsafeBufferPointer { blue in
        unsafe raster.planes[2].bytes.withUnsafeBufferPointer { red in
          var planes = unsafe [luma.baseAddress, blue.baseAddress, red.baseAddress]
          return unsafe tjCompressFromYUVPlanes(
            handle, &planes, Int32(size.width), strides, Int32(size.height), sampling.code,
            &target.bytes, &target.count, quality, flags)
        }
      }
    }
  }
}
