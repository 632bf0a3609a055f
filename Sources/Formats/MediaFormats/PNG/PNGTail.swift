import ByteReading

/// The end of a PNG, found without reading the pixels.
///
/// All `IDAT` chunks of a PNG follow each other (PNG specification, third edition, §5.6), so whatever is between
/// one of the first and one of the last of them is pixels. Encoders write chunks of 8 to 64 KiB; reading the
/// header of each would read every block of the file.
enum PNGTail {
  /// How many `IDAT` chunks in a row are read one by one before the end is looked at.
  static let patience = 8
  private static let smallest = 32 << 10
  private static let largest = 256 << 10
  /// Places with the four letters that are tried as chunks.
  private static let maximumCandidates = 64

  /// Where the first `IDAT` chunk within the file's last bytes begins, if its successors lead to `IEND`.
  ///
  /// - Parameters:
  ///   - position: where the next chunk begins; the result is never before it.
  ///   - chunk: the length of an `IDAT` chunk of this file, in bytes, which decides how much of the end is read.
  /// - Returns: nil where nothing would be gained, and where no such chunk is found.
  static func lastPixels(
    of source: any ByteSource, from position: UInt64, chunk: UInt32
  ) throws -> UInt64? {
    let length = UInt64(min(max(Int(clamping: chunk) * 4, smallest), largest))
    guard source.count > length, source.count - length > position else { return nil }
    let start = source.count - length
    let tail = try source.bytes(at: start, count: Int(length))
    var from = 4
    for _ in 0..<maximumCandidates {
      guard let type = tail.firstIndex(of: "IDAT", from: from) else { return nil }
      if leadsToEnd(tail, type - 4) { return start + UInt64(type - 4) }
      from = type + 1
    }
    return nil
  }

  /// Whether the chunks from an offset on end with an empty `IEND`.
  private static func leadsToEnd(_ tail: [UInt8], _ first: Int) -> Bool {
    var position = first
    while let length = tail.u32(at: position), let type = tail.fourCC(at: position + 4) {
      if type == "IEND" { return length == 0 }
      position += 12 + Int(length)
    }
    return false
  }
}
