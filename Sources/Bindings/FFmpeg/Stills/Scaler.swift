import CFFmpeg
import MediaEdits
import MediaModel

/// Pixels in memory, as libswscale reads them: up to four planes.
@unsafe struct PixelSource {
  var planes: [UnsafePointer<UInt8>?]
  var strides: [Int32]
  var size: PixelSize
  var format: AVPixelFormat
  /// True for full range (0–255), false for limited range (16–235).
  var isFullRange: Bool
  /// One of `SWS_CS_…`, which are the numbers of ITU-T H.273.
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

  /// - Parameter planes: the addresses of the raster's planes.
  init(_ raster: borrowing Raster, planes: [UnsafePointer<UInt8>?]) {
    unsafe self.planes = planes
    unsafe strides = raster.planes.map { Int32($0.bytesPerRow) }
    unsafe size = raster.size
    unsafe format = raster.layout.pixelFormat
    unsafe isFullRange = true
    unsafe matrix = SWS_CS_ITU601
  }
}

/// Where a still picture's chroma is, in 256ths of a luma sample from the first one: centred between the two samples that
/// share it, or with its own sample. In video it is at the left instead.
private struct ChromaPosition {
  var across: Int
  var down: Int

  init(_ format: AVPixelFormat) {
    var (shiftAcross, shiftDown): (Int32, Int32) = (0, 0)
    unsafe av_pix_fmt_get_chroma_sub_sample(format, &shiftAcross, &shiftDown)
    across = shiftAcross > 0 ? 128 : 0
    down = shiftDown > 0 ? 128 : 0
  }
}

/// One conversion of libswscale, freed with this value.
@safe struct Scaler: ~Copyable {
  private let context: UnsafeMutableRawPointer

  /// - Parameter filter: `shoebox_bicubic`, `shoebox_lanczos` or `shoebox_area`
  init(
    from source: PixelSource, to size: PixelSize, _ format: AVPixelFormat, filter: Int32
  ) throws(AudioVideoError) {
    guard let context = unsafe shoebox_scaler() else {
      throw AudioVideoError(reason: .outOfMemory, detail: "Cannot allocate memory")
    }
    let flags = filter | shoebox_exact_scaling()
    let (stored, made) = unsafe (ChromaPosition(source.format), ChromaPosition(format))
    let options: [(String, Int)] = unsafe [
      ("srcw", source.size.width), ("srch", source.size.height),
      ("src_format", Int(source.format.rawValue)), ("dstw", size.width), ("dsth", size.height),
      ("dst_format", Int(format.rawValue)), ("sws_flags", Int(flags)),
      ("src_range", source.isFullRange ? 1 : 0), ("dst_range", 1),
      ("src_h_chr_pos", stored.across), ("src_v_chr_pos", stored.down),
      ("dst_h_chr_pos", made.across), ("dst_v_chr_pos", made.down),
    ]
    let isSet = options.allSatisfy { name, value in
      unsafe av_opt_set_int(context, name, Int64(value), 0) >= 0
    }
    guard isSet, unsafe shoebox_scaler_start(context) >= 0 else {
      unsafe shoebox_scaler_free(context)
      throw AudioVideoError(reason: .unsupported, detail: "Pixels of this format")
    }
    unsafe self.context = context
    // Only conversions between YCbCr and RGB use matrices and ranges; for others the call fails harmlessly.
    unsafe shoebox_scaler_set_matrix(context, source.matrix, source.isFullRange ? 1 : 0)
  }

  deinit {
    unsafe shoebox_scaler_free(context)
  }

  func run(
    _ source: PixelSource, into planes: [UnsafeMutablePointer<UInt8>?], strides: [Int32]
  ) throws(AudioVideoError) {
    let result = unsafe shoebox_scaler_run(
      context, source.planes, source.strides, Int32(source.size.height), planes, strides)
    guard result > 0 else { throw AudioVideoError(code: result) }
  }
}

extension Raster {
  /// Fills the raster by one conversion.
  mutating func fill(
    from source: PixelSource, filter: Int32
  ) throws(AudioVideoError) {
    if unsafe source.size == size, layout.chromaSubsampling == (1, 1),
      let whole = unsafe WholeChroma(source)
    {
      try unsafe fill(from: source, whole, filter: filter)
      return
    }
    let scaler = try unsafe Scaler(from: source, to: size, layout.pixelFormat, filter: filter)
    let strides = planes.map { Int32($0.bytesPerRow) }
    var failure: AudioVideoError?
    unsafe withMutablePlanes { planes in
      do throws(AudioVideoError) {
        try unsafe scaler.run(source, into: planes, strides: strides)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    repeatLumaEdge()
  }

  /// Fills the raster with the part of an extended source that is the picture.
  private mutating func fill(
    from source: PixelSource, _ whole: WholeChroma, filter: Int32
  ) throws(AudioVideoError) {
    guard var extended = Raster(size: whole.size, layout: layout) else {
      throw AudioVideoError(
        reason: .unsupported, detail: "\(whole.size.width) × \(whole.size.height) pixels")
    }
    var failure: AudioVideoError?
    unsafe whole.withSource(like: source) { source in
      do throws(AudioVideoError) {
        try unsafe extended.fill(from: source, filter: filter)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    let part = CropRect(x: 0, y: 0, width: size.width, height: size.height)
    guard let found = extended.cropped(part) else {
      throw AudioVideoError(reason: .unsupported, detail: "Pixels of this format")
    }
    self = found
  }

  /// Fills the column and the row by which a subsampled picture's luma plane exceeds the picture.
  private mutating func repeatLumaEdge() {
    let whole = planes[0].size
    if whole.width > size.width {
      for row in 0..<size.height {
        let end = row * whole.width + size.width
        planes[0].bytes[end] = planes[0].bytes[end - 1]
      }
    }
    if whole.height > size.height {
      let end = size.height * whole.width
      planes[0].bytes.replaceSubrange(
        end..<(end + whole.width), with: Array(planes[0].bytes[(end - whole.width)..<end]))
    }
  }

  /// Calls `body` with the addresses of all planes, which are valid during the call.
  func withPlanes<Result>(_ body: ([UnsafePointer<UInt8>?]) -> Result) -> Result {
    unsafe withPlanes(from: 0, [], body)
  }

  private func withPlanes<Result>(
    from index: Int, _ found: [UnsafePointer<UInt8>?],
    _ body: ([UnsafePointer<UInt8>?]) -> Result
  ) -> Result {
    guard index < planes.count else { return unsafe body(found) }
    return unsafe planes[index].bytes.withUnsafeBufferPointer { buffer in
      unsafe withPlanes(from: index + 1, found + [buffer.baseAddress], body)
    }
  }

  /// Calls `body` with the addresses of new, black planes.
  private mutating func withMutablePlanes<Result>(
    _ body: ([UnsafeMutablePointer<UInt8>?]) -> Result
  ) -> Result {
    unsafe withMutablePlanes(from: 0, [], body)
  }

  private mutating func withMutablePlanes<Result>(
    from index: Int, _ found: [UnsafeMutablePointer<UInt8>?],
    _ body: ([UnsafeMutablePointer<UInt8>?]) -> Result
  ) -> Result {
    guard index < planes.count else { return unsafe body(found) }
    // Taken out and put back, so that no plane is copied while another one is borrowed.
    let count = planes[index].bytes.count
    planes[index].bytes = []
    var bytes = [UInt8](repeating: 0, count: count + Self.scalingMargin)
    let result = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
      unsafe withMutablePlanes(from: index + 1, found + [buffer.baseAddress], body)
    }
    bytes.removeLast(Self.scalingMargin)
    planes[index].bytes = bytes
    return result
  }
}
