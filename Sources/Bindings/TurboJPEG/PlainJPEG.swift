import CTurboJPEG
import MediaEdits
import MediaModel

/// JPEGs by libjpeg's own interface, which decodes all subsamplings.
enum PlainJPEG {
  /// The size and the number of channels.
  static func header(_ bytes: [UInt8]) throws(JPEGError) -> (size: PixelSize, channels: Int) {
    var picture = shoebox_jpeg_picture()
    var message = emptyMessage
    let result = unsafe shoebox_jpeg_decode(
      bytes, UInt(bytes.count), 1, &picture, nil, 0, &message)
    let size = PixelSize(width: Int(picture.width), height: Int(picture.height))
    guard result >= 0, size.width > 0, size.height > 0, [1, 3, 4].contains(picture.channels) else {
      throw error(message)
    }
    return (size, Int(picture.channels))
  }

  /// Decodes a JPEG into a raster of its channels.
  ///
  /// - Parameters:
  ///   - raster: of the full size, or of a half, a quarter or an eighth of it, rounded up.
  ///   - size: the full size.
  /// - Returns: libjpeg's warning if the JPEG is damaged.
  static func decode(
    _ bytes: [UInt8], to raster: inout Raster, of size: PixelSize
  ) throws(JPEGError) -> String? {
    // One side is not enough: that of one pixel is the same at every size.
    let wanted = raster.size
    let divisor =
      [1, 2, 4, 8].first { divisor in
        wanted
          == PixelSize(
            width: (size.width + divisor - 1) / divisor,
            height: (size.height + divisor - 1) / divisor)
      } ?? 1
    var picture = shoebox_jpeg_picture()
    var message = emptyMessage
    let capacity = raster.planes[0].bytes.count
    let result = unsafe shoebox_jpeg_decode(
      bytes, UInt(bytes.count), Int32(divisor), &picture, &raster.planes[0].bytes, capacity,
      &message)
    guard result >= 0 else { throw error(message) }
    return result > 0 ? text(message) : nil
  }

  private static var emptyMessage: [CChar] {
    [CChar](repeating: 0, count: Int(shoebox_jpeg_message_size()))
  }

  private static func text(_ message: [CChar]) -> String {
    String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// libjpeg calls what it cannot decode unsupported.
  private static func error(_ message: [CChar]) -> JPEGError {
    let detail = text(message)
    let isUnsupported = detail.contains("nsupported")
    return JPEGError(
      isUnsupported ? .unsupported : .damaged, detail.isEmpty ? "Unknown error" : detail)
  }
}
