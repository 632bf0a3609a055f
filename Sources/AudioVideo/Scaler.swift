import CFFmpeg
import MediaModel

/// Pixels in memory as libswscale reads them: up to four planes.
@unsafe struct PixelSource {
  var planes: [UnsafePointer<UInt8>?]
  var strides: [Int32]
  var size: PixelSize
  var format: AVPixelFormat
  /// Full range, as opposed to 16–235.
  var isFullRange: Bool
  /// One of `SWS_CS_…`.
  var matrix: Int32
}

extension PixelSource {
  init(_ frame: UnsafePointer<AVFrame>) {
    let data = unsafe frame.pointee.data
    unsafe planes = [
      UnsafePointer(data.0), UnsafePointer(data.1), UnsafePointer(data.2), UnsafePointer(data.3),
    ]
    let lines = unsafe frame.pointee.linesize
    unsafe strides = [lines.0, lines.1, lines.2, lines.3]
    unsafe size = PixelSize(
      width: Int(frame.pointee.width), height: Int(frame.pointee.height))
    unsafe format = AVPixelFormat(rawValue: frame.pointee.format)
    unsafe isFullRange = frame.pointee.color_range == AVCOL_RANGE_JPEG
    unsafe matrix = Int32(frame.pointee.colorspace.rawValue)
  }
}

/// One conversion of libswscale, freed with this value.
@safe struct Scaler: ~Copyable {
  private let context: OpaquePointer

  /// - Parameter filter: one of `SWS_BICUBIC`, `SWS_LANCZOS` …
  init(
    from source: PixelSource, to size: PixelSize, _ format: AVPixelFormat, filter: Int32
  ) throws(AudioVideoError) {
    let flags = filter | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT | SWS_FULL_CHR_H_INP
    let context = unsafe sws_getContext(
      Int32(source.size.width), Int32(source.size.height), source.format, Int32(size.width),
      Int32(size.height), format, flags, nil, nil, nil)
    guard let context = unsafe context else {
      throw AudioVideoError(reason: .unsupported, detail: "Pixels of this format")
    }
    unsafe self.context = context
    // Only conversions between YCbCr and RGB know of matrices and ranges; others refuse, and need none.
    let neutral: Int32 = 1 << 16
    unsafe sws_setColorspaceDetails(
      context, sws_getCoefficients(source.matrix), source.isFullRange ? 1 : 0,
      sws_getCoefficients(SWS_CS_ITU601), 1, 0, neutral, neutral)
  }

  deinit {
    unsafe sws_freeContext(context)
  }

  func run(_ source: PixelSource, into raster: inout Raster) throws(AudioVideoError) {
    let strides = raster.planes.map { Int32($0.bytesPerRow) }
    let result = unsafe raster.withPlanePointers { planes in
      unsafe sws_scale(
        context, source.planes, source.strides, 0, Int32(source.size.height), planes, strides)
    }
    guard result > 0 else { throw AudioVideoError(code: result) }
  }
}

extension Raster {
  /// Calls `body` with the beginnings of all planes, which stay where they are that long.
  mutating func withPlanePointers<Result>(
    _ body: ([UnsafeMutablePointer<UInt8>?]) -> Result
  ) -> Result {
    unsafe withPlanePointers(from: 0, [], body)
  }

  private mutating func withPlanePointers<Result>(
    from index: Int, _ found: [UnsafeMutablePointer<UInt8>?],
    _ body: ([UnsafeMutablePointer<UInt8>?]) -> Result
  ) -> Result {
    guard index < planes.count else { return unsafe body(found) }
    // Taken out and put back, that no plane is copied while another one is borrowed.
    var bytes: [UInt8] = []
    swap(&bytes, &planes[index].bytes)
    let result = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe withPlanePointers(from: index + 1, found + [buffer.baseAddress], body)
    }
    swap(&bytes, &planes[index].bytes)
    return result
  }
}
