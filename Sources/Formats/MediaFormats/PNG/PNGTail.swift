import ByteReading

/// The end of a PNG, found without reading the pixels.
///
/// All `IDAT` chunks of a PNG are consecutive (PNG specification, third edition, §5.6). Everything between one of the
/// first and one of the last of them is therefore pixels. Encoders write chunks of 8 to 64 KiB; reading the
/// header of each would read every block of the file.
enum PNGTail {
  /// The number of consecutive `IDAT` chunks that are read one by one before the end of the file is searched.
  static let patience = 8
  private static let smallest = 32 << 10
  private static let largest = 256 << 10
  /// The number of places with the four letters that are tried as chunks.
  private static let maximumCandidates = 64

  /// The offset of the first `IDAT` chunk within the file's last bytes from which chunks lead to `IEND`.
  ///
  /// - Parameters:
  ///   - position: the offset of the next chunk. The result is not lower.
  ///   - chunk: the length of an `IDAT` chunk of this file, in bytes. It decides how much of the end is read.
  /// - Returns: nil if the pixels are too short to skip any, or if no such chunk is found.
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
    while let chunk = tail.pngChunk(at: position) {
      if chunk.type == "IEND" { return chunk.length == 0 }
      position = Int(chunk.end)
    }
    return false
  }
}
