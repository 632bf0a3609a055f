package import ByteReading
import MediaModel

// Decoders support a part of what bitmaps may contain: Windows' headers, palettes that the offset of the pixels leaves
// room for, and the usual masks. Other bitmaps are brought into such a form before they are decoded.

extension BMPFile {
  private static let windowsHeader = 40
  private static let fileHeader = 14

  /// The file in a form that libavcodec decodes; a file that has one already is returned unchanged.
  package static func decodable(_ content: [UInt8]) -> [UInt8] {
    let content = withWiderPixels(withRoomForPalette(withKnownHeader(content)))
    return BMPMasks(content)?.applied(to: content) ?? content
  }

  /// The file with a header that every decoder supports.
  ///
  /// OS/2's second header may end after any of its fields (OS/2 Presentation Manager, `BITMAPINFOHEADER2`). The fields
  /// that Windows has too are at the same offsets, and missing ones count as 0. The result has Windows' first header of
  /// 40 bytes. Other files are returned unchanged.
  static func withKnownHeader(_ content: [UInt8]) -> [UInt8] {
    guard let stored = content.u32(at: fileHeader, .little),
      let pixels = content.u32(at: 10, .little), (16..<64).contains(stored),
      stored != 40, stored != 56, content.count > fileHeader + Int(stored)
    else { return content }
    let size = Int(stored)
    let hasMasks = size > windowsHeader && content.u32(at: 30, .little) == BMPMasks.bitFields
    var header = Array(content[fileHeader..<(fileHeader + min(size, windowsHeader))])
    header += [UInt8](repeating: 0, count: windowsHeader - header.count)
    header.replaceSubrange(0..<4, with: encoded(windowsHeader, width: 4, .little))
    // Masks that were part of the header now follow it, at the same offset.
    let rest = content[(fileHeader + (hasMasks ? windowsHeader : size))...]
    let moved = hasMasks ? 0 : windowsHeader - size
    let start = max(0, Int(pixels) + moved)
    return content[..<10] + encoded(start, width: 4, .little) + header + rest
  }

  /// The file with an offset of the pixels after the palette.
  ///
  /// Some programs write the offset of the palette. As pictures of at most 8 bits have one, their pixels follow it.
  private static func withRoomForPalette(_ content: [UInt8]) -> [UInt8] {
    guard let header = content.u32(at: fileHeader, .little), header >= windowsHeader,
      let pixels = content.u32(at: 10, .little), Int(pixels) == fileHeader + Int(header),
      let bits = content.u16(at: 28, .little), (1...8).contains(bits),
      let used = content.u32(at: 46, .little), used <= 256
    else { return content }
    let colors = used == 0 ? 1 << Int(bits) : Int(used)
    return content[..<10] + encoded(Int(pixels) + 4 * colors, width: 4, .little) + content[14...]
  }

  /// The file with 4 bits a pixel in place of 2 (Windows CE), which libavcodec does not support.
  private static func withWiderPixels(_ content: [UInt8]) -> [UInt8] {
    guard let header = content.u32(at: fileHeader, .little), header >= windowsHeader,
      content.u16(at: 28, .little) == 2, content.u32(at: 30, .little) == 0,
      let pixels = content.u32(at: 10, .little).map({ Int($0) }), pixels >= 54,
      let size = try? BMPFile(ArraySource(content)).size, size.width > 0
    else { return content }
    let row = (size.width * 2 + 31) / 32 * 4
    let (bytes, overflow) = row.multipliedReportingOverflow(by: size.height)
    guard !overflow, pixels <= content.count, bytes <= content.count - pixels else {
      return content
    }
    let padding = (size.width * 4 + 31) / 32 * 4 - (size.width + 1) / 2
    // The palette has four colours, even where the header leaves their number to the bits of a pixel.
    let used = content.u32(at: 46, .little).flatMap { $0 == 0 ? nil : Int($0) } ?? 4
    var result = content[..<28] + encoded(4, width: 2, .little) + content[30..<46]
    result += encoded(used, width: 4, .little) + content[50..<pixels]
    for start in stride(from: pixels, to: pixels + bytes, by: row) {
      for pair in 0..<(size.width + 1) / 2 {
        let four = content[start + pair / 2]
        let two = pair % 2 == 0 ? four >> 4 : four & 0xF
        result.append((two >> 2) << 4 | two & 3)
      }
      result += repeatElement(0, count: padding)
    }
    return Array(result)
  }

  /// The JPEG or PNG in a bitmap that is only a frame for it (`BI_JPEG` and `BI_PNG` of Windows); nil in other bitmaps.
  package static func embeddedPicture(_ content: [UInt8]) -> (isJPEG: Bool, bytes: [UInt8])? {
    guard let header = content.u32(at: fileHeader, .little),
      header == windowsHeader || header >= 108,
      let compression = content.u32(at: 30, .little), let pixels = content.u32(at: 10, .little),
      compression == 4 || compression == 5, Int(pixels) < content.count
    else { return nil }
    return (compression == 4, content.bytes(from: Int(pixels)))
  }

  /// Whether the file contains a mask for transparency that counts (`BITMAPV3INFOHEADER` and later). Without masks,
  /// the fourth byte of a pixel has no meaning (`BI_RGB` in Windows' `BITMAPINFOHEADER`).
  package static func hasAlphaMask(_ source: any ByteSource) throws -> Bool {
    BMPMasks.alpha(try source.bytes(at: 0, count: 70)) != 0
  }
}
