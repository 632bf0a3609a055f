import ByteReading
import MediaModel

/// The masks of a bitmap whose pixels have 16 or 32 bits (Windows, `BITMAPV4HEADER`).
struct BMPMasks {
  /// `BI_BITFIELDS` and `BI_ALPHABITFIELDS`: masks are in a header of at least 52 bytes, or follow one of 40.
  static let (bitFields, alphaBitFields): (UInt32, UInt32) = (3, 6)

  /// Of red, green, blue and transparency. 0: the pixels have no such channel.
  private let masks: [UInt32]
  private let bits: Int
  private let size: PixelSize
  private let isTopDown: Bool
  private let pixels: Int

  /// - Returns: nil if the bitmap has no masks, or those that libavcodec supports.
  init?(_ content: [UInt8]) {
    guard let file = try? BMPFile(ArraySource(content)), [16, 32].contains(file.bitsPerPixel),
      let compression = content.u32(at: 30, .little),
      [Self.bitFields, Self.alphaBitFields].contains(compression),
      let height = content.i32(at: 22, .little), let pixels = content.u32(at: 10, .little),
      let red = content.u32(at: 54, .little), let green = content.u32(at: 58, .little),
      let blue = content.u32(at: 62, .little)
    else { return nil }
    let alpha = Self.alpha(content)
    let colors = [red, green, blue]
    let isKnown =
      file.bitsPerPixel == 32
      ? Self.known32.contains(colors)
      : alpha == 0 && Self.known16.contains(colors)
    if isKnown, compression == Self.bitFields { return nil }
    masks = colors + [alpha]
    bits = file.bitsPerPixel
    size = file.size
    isTopDown = height < 0
    self.pixels = Int(pixels)
  }

  /// The masks of colours that libavcodec supports, in pixels of 32 and of 16 bits.
  private static let known32: Set<[UInt32]> = [
    [0x00FF_0000, 0x0000_FF00, 0x0000_00FF], [0x0000_00FF, 0x0000_FF00, 0x00FF_0000],
    [0xFF00_0000, 0x00FF_0000, 0x0000_FF00], [0x0000_FF00, 0x00FF_0000, 0xFF00_0000],
  ]
  private static let known16: Set<[UInt32]> = [
    [0xF800, 0x07E0, 0x001F], [0x7C00, 0x03E0, 0x001F], [0x0F00, 0x00F0, 0x000F],
  ]

  /// The mask of transparency in the first 70 bytes of a bitmap; 0 if it has none.
  static func alpha(_ head: [UInt8]) -> UInt32 {
    guard let header = head.u32(at: 14, .little), let compression = head.u32(at: 30, .little),
      // OS/2's second header of 64 bytes has other fields there.
      header >= 56 && header != 64 && compression == Self.bitFields
        || compression == Self.alphaBitFields
    else { return 0 }
    return head.u32(at: 66, .little) ?? 0
  }

  /// A bitmap with the same pixels in 32 bits: 8 bits each of blue, green, red and transparency.
  ///
  /// - Returns: nil if pixels are missing.
  func applied(to content: [UInt8]) -> [UInt8]? {
    let row = (size.width * bits + 31) / 32 * 4
    let (bytes, overflow) = row.multipliedReportingOverflow(by: size.height)
    guard !overflow, bytes > 0, pixels <= content.count, bytes <= content.count - pixels else {
      return nil
    }
    let header = 56
    var bitmap = Array("BM".utf8)
    bitmap += encoded(14 + header + size.width * size.height * 4, width: 4, .little)
    bitmap += encoded(0, width: 4, .little) + encoded(14 + header, width: 4, .little)
    bitmap += encoded(header, width: 4, .little) + encoded(size.width, width: 4, .little)
    bitmap += encoded(size.height, width: 4, .little)
    bitmap += encoded(1, width: 2, .little) + encoded(32, width: 2, .little)
    bitmap += encoded(Int(Self.bitFields), width: 4, .little) + [UInt8](repeating: 0, count: 20)
    for mask: UInt32 in [0x00FF_0000, 0x0000_FF00, 0x0000_00FF, masks[3] == 0 ? 0 : 0xFF00_0000] {
      bitmap += encoded(mask, width: 4, .little)
    }
    bitmap.reserveCapacity(bitmap.count + size.width * size.height * 4)
    let channels = [masks[2], masks[1], masks[0], masks[3]].map(Channel.init)
    for line in 0..<size.height {
      let start = pixels + row * (isTopDown ? size.height - 1 - line : line)
      for position in stride(from: start, to: start + size.width * bits / 8, by: bits / 8) {
        var pixel: UInt32 = 0
        for byte in content[position..<position + bits / 8].reversed() {
          pixel = pixel << 8 | UInt32(byte)
        }
        for channel in channels { bitmap.append(channel.value(in: pixel)) }
      }
    }
    return bitmap
  }

  /// One channel of a pixel.
  private struct Channel {
    private let mask: UInt32
    private let shift: Int
    private let largest: UInt64

    init(_ mask: UInt32) {
      self.mask = mask
      shift = mask == 0 ? 0 : mask.trailingZeroBitCount
      largest = UInt64(mask >> UInt32(shift))
    }

    /// From 0 to 255; 0 if there is no such channel.
    func value(in pixel: UInt32) -> UInt8 {
      guard largest > 0 else { return 0 }
      let value = UInt64((pixel & mask) >> UInt32(shift))
      return UInt8(clamping: (value * 255 + largest / 2) / largest)
    }
  }
}
