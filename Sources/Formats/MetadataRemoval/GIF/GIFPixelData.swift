import ByteReading

/// Finds where the compressed pixels of a picture in a GIF end (GIF89a §22, appendix F).
///
/// The codes are counted but not decoded: an entry of the table is only the number of pixels of its code.
struct GIFPixelData {
  /// Where the pixels end within the chain of data blocks.
  struct End: Hashable {
    /// The offset of the length of the block that contains the last byte of the pixels.
    var block: UInt64
    /// Bytes of that block which belong to the pixels: 0–255.
    var used: UInt8
    /// The offset after these bytes.
    var position: UInt64
  }

  private static let maximumWidth = 12

  private let start: UInt64
  private var bytes: SpannedBytes
  private var end: End
  /// Bytes of the current block that have not been read.
  private var left = 0
  /// Bits that have been read and are not part of a code yet, the next one lowest.
  private var bits: UInt32 = 0
  private var bitCount = 0

  private init(_ source: any ByteSource, _ range: Range<UInt64>) {
    start = range.lowerBound
    bytes = SpannedBytes(source, [range])
    end = End(block: start, used: 0, position: start)
  }

  /// The end of the pixels: after the end code, or after the last pixel of the picture.
  ///
  /// - Parameters:
  ///   - range: the code size and the blocks of data after it.
  ///   - pixels: the number of pixels of the picture.
  /// - Returns: nil for data that is damaged or cut off.
  /// - Throws: what the source throws.
  static func end(
    in source: any ByteSource, _ range: Range<UInt64>, pixels: Int
  ) throws -> End? {
    var data = GIFPixelData(source, range)
    let found = data.walk(pixels: pixels)
    if let failure = data.bytes.failure { throw failure }
    return found
  }

  private mutating func walk(pixels: Int) -> End? {
    guard let size = bytes.next(), (1..<UInt8(Self.maximumWidth)).contains(size) else { return nil }
    let clear = 1 << Int(size)
    // The number of pixels of each code.
    var lengths = [Int](repeating: 1, count: 1 << Self.maximumWidth)
    var count = clear + 2
    var width = Int(size) + 1
    var previous: Int?
    var left = pixels
    while left > 0 {
      guard let code = next(width) else { return nil }
      if code == clear {
        (count, width, previous) = (clear + 2, Int(size) + 1, nil)
        continue
      }
      if code == clear + 1 { return end }
      if let previous, count < lengths.count {
        lengths[count] = lengths[previous] + 1
        count += 1
        if count == 1 << width, width < Self.maximumWidth { width += 1 }
      }
      guard code < count else { return nil }
      left -= lengths[code]
      previous = code
    }
    return endCode(clear: clear, size: Int(size), width: width)
  }

  /// The end after the code that ends the data, which may follow a last clear code; the end of the pixels if
  /// another code follows.
  private mutating func endCode(clear: Int, size: Int, width: Int) -> End {
    let last = end
    var code = next(width)
    if code == clear { code = next(size + 1) }
    return code == clear + 1 ? end : last
  }

  /// The next code; nil after the last block.
  private mutating func next(_ width: Int) -> Int? {
    while bitCount < width {
      guard let byte = nextByte() else { return nil }
      bits |= UInt32(byte) << UInt32(bitCount)
      bitCount += 8
    }
    let code = Int(bits) & (1 << width - 1)
    bits >>= UInt32(width)
    bitCount -= width
    return code
  }

  /// The next byte of data; nil after the last block.
  private mutating func nextByte() -> UInt8? {
    if left == 0 {
      let block = start + bytes.position
      guard let length = bytes.next(), length > 0 else { return nil }
      left = Int(length)
      end = End(block: block, used: 0, position: block + 1)
    }
    guard let byte = bytes.next() else { return nil }
    left -= 1
    end.used += 1
    end.position += 1
    return byte
  }
}
