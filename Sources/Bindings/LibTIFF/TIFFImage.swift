import CTIFF
import MediaEdits
package import MediaModel

/// An open TIFF at one of its pictures, closed with this value.
@safe package struct TIFFImage: ~Copyable {
  let reader: TIFFReader
  let tiff: OpaquePointer
  /// As stored, before orientation.
  package let size: PixelSize

  /// The largest block of memory that a hostile file can make libtiff allocate.
  private static let maximumMemory = 512 << 20

  /// Opens a file of `size` bytes. `read` returns as many of the requested bytes as there are.
  ///
  /// - Parameter directory: the offset of the picture's directory; nil for the first one.
  package init(
    size: UInt64, directory: UInt64?, read: @escaping (_ offset: UInt64, _ count: Int) -> [UInt8]
  ) throws(TIFFError) {
    let reader = TIFFReader(size: size, read: read)
    guard let tiff = unsafe reader.open(memory: Self.maximumMemory) else {
      throw TIFFError(.damaged, reader.complaint ?? "Its structure cannot be read")
    }
    if let directory, unsafe TIFFSetSubDirectory(tiff, directory) == 0 {
      unsafe TIFFClose(tiff)
      throw TIFFError(.damaged, reader.complaint ?? "Its page cannot be read")
    }
    let width = unsafe shoebox_tiff_u32(tiff, UInt32(TIFFTAG_IMAGEWIDTH))
    let height = unsafe shoebox_tiff_u32(tiff, UInt32(TIFFTAG_IMAGELENGTH))
    let found = PixelSize(width: Int(width), height: Int(height))
    guard found.isDecodable else {
      unsafe TIFFClose(tiff)
      throw found.width > 0 && found.height > 0
        ? TIFFError(.tooLarge, "\(width) × \(height) pixels")
        : TIFFError(.damaged, "It has no pixels")
    }
    unsafe shoebox_tiff_ignore_orientation(tiff)
    self.reader = reader
    unsafe self.tiff = tiff
    self.size = found
  }

  deinit {
    unsafe TIFFClose(tiff)
    // libtiff reads through it until here.
    extendLifetime(reader)
  }

  /// Decodes the picture.
  ///
  /// Grey and colours are returned in 8 bits a sample, or in 16 if the file has more than 8. Parts that cannot be
  /// decoded stay black.
  package func decode() throws(TIFFError) -> DecodedTIFF {
    let compression = field(TIFFTAG_COMPRESSION, 1)
    guard TIFFLibrary.canDecode(compression: compression) else {
      throw TIFFError(.unsupported, "libtiff has no decoder for compression \(compression)")
    }
    var found = try rows()
    if field(TIFFTAG_PHOTOMETRIC, 0) == Int(PHOTOMETRIC_YCBCR) {
      found.chromaSubsampling = chromaSubsampling
    }
    found.whitePoint = whitePoint
    return found
  }

  private func rows() throws(TIFFError) -> DecodedTIFF {
    let space = field(TIFFTAG_PHOTOMETRIC, -1)
    let isContiguous = field(TIFFTAG_PLANARCONFIG, 1) == Int(PLANARCONFIG_CONTIG)
    switch space {
    case Int(PHOTOMETRIC_YCBCR):
      guard field(TIFFTAG_COMPRESSION, 1) == Int(COMPRESSION_JPEG), isContiguous,
        unsafe shoebox_tiff_use_rgb(tiff) != 0
      else { return try decodeYCbCr() }
      return try decodeSamples(space: Int(PHOTOMETRIC_RGB))
    case Int(PHOTOMETRIC_LOGL), Int(PHOTOMETRIC_LOGLUV): return try decodeSimply()
    default: return try decodeSamples(space: space)
    }
  }

  /// A field of 16 bits.
  func field(_ tag: Int32, _ missing: Int) -> Int {
    let none = UInt16.max
    let value = unsafe shoebox_tiff_u16(tiff, UInt32(tag), none)
    return value == none ? missing : Int(value)
  }

  /// Strips or tiles: how many rows of pixels one has.
  var rowsPerPart: Int {
    let tag = unsafe TIFFIsTiled(tiff) != 0 ? TIFFTAG_TILELENGTH : TIFFTAG_ROWSPERSTRIP
    let rows = unsafe shoebox_tiff_u32(tiff, UInt32(tag))
    return rows == 0 ? size.height : min(Int(rows), size.height)
  }

  /// libtiff's conversion refuses some tiles without compression.
  private func decodeYCbCr() throws(TIFFError) -> DecodedTIFF {
    do throws(TIFFError) {
      return try decodeSimply()
    } catch {
      guard chromaSubsampling == SIMD2(1, 1), field(TIFFTAG_BITSPERSAMPLE, 1) == 8 else {
        throw error
      }
      var found = try decodeSamples(space: Int(PHOTOMETRIC_RGB))
      guard found.raster.layout == .rgb8, var planes = Raster(size: size, layout: .yuv444) else {
        throw error
      }
      for (index, byte) in found.raster.planes[0].bytes.enumerated() {
        planes.planes[index % 3].bytes[index / 3] = byte
      }
      found.raster = planes
      return found
    }
  }

  private var whitePoint: SIMD2<Float>? {
    var (x, y) = (Float(0), Float(0))
    return unsafe shoebox_tiff_white_point(tiff, &x, &y) != 0 ? SIMD2(x, y) : nil
  }

  private var chromaSubsampling: SIMD2<Int> {
    var (across, down) = (UInt16(2), UInt16(2))
    unsafe shoebox_tiff_subsampling(tiff, &across, &down)
    return SIMD2(Int(across), Int(down))
  }

  /// Decodes with libtiff's own conversion to RGB, without transparency.
  private func decodeSimply() throws(TIFFError) -> DecodedTIFF {
    let step = rowsPerPart
    guard size.width * step * 4 <= Self.maximumMemory,
      var raster = Raster(size: size, layout: .rgb8)
    else { throw TIFFError(.tooLarge, "\(size.width) × \(size.height) pixels") }
    var progress = Progress()
    var band = [UInt32](repeating: 0, count: size.width * step)
    for row in stride(from: 0, to: size.height, by: step) {
      let count = min(step, size.height - row)
      let result = unsafe shoebox_tiff_rgba(
        tiff, UInt32(row), UInt32(count), &band, reader.message)
      progress.add(result != 0)
      guard result != 0 else { continue }
      let start = row * size.width
      unsafe raster.planes[0].bytes.withUnsafeMutableBufferPointer { bytes in
        for pixel in 0..<(count * size.width) {
          for channel in 0..<3 {
            unsafe bytes[(start + pixel) * 3 + channel] =
              UInt8(truncatingIfNeeded: band[pixel] >> UInt32(channel * 8))
          }
        }
      }
    }
    return DecodedTIFF(raster: raster, color: .plain, complaint: try complaint(progress))
  }

  /// How many parts of the picture could be decoded.
  struct Progress {
    private(set) var decoded = 0
    private(set) var failed = 0

    mutating func add(_ isDecoded: Bool) {
      if isDecoded { decoded += 1 } else { failed += 1 }
    }
  }

  /// Nil if the whole picture was decoded.
  ///
  /// - Throws: ``TIFFError`` if no part was.
  func complaint(_ progress: Progress) throws(TIFFError) -> String? {
    guard progress.failed > 0 else { return nil }
    let text = reader.complaint ?? "Its pixels cannot be decoded"
    guard progress.decoded > 0 else { throw TIFFError(.damaged, text) }
    return text
  }
}
