import ByteReading
import FactReading
import FFmpeg
import MediaEdits
import MediaFormats
import MediaModel

/// Finds bytes at the end of a picture's coded pixels that its decoder does not use.
///
/// WebP and JPEG XL record the length of the coded data, but not where the last coded pixel ends. Bytes after it
/// could contain a place. If other values in these bytes leave every pixel as it was, they are not needed.
struct UnusedPixelData {
  /// A picture that is decoded on its own: a file, or one frame of an animation with a header of its own.
  struct Image {
    var bytes: [UInt8]
    /// Where ``bytes`` come from in the file, by the difference of the offsets.
    var offset: Int
    /// The coded data, as ranges of ``bytes``.
    var codedData: [Range<Int>]
  }

  /// Bytes of a file or frame that is checked. A larger one stays as it is.
  static let maximumBytes = 128 << 20
  static let maximumFrames = 10_000
  /// Fewer bytes cannot contain a place and stay: many encoders leave up to 4.
  private static let minimumCount = 6

  private let format: StillFormat
  private let progress: () throws -> Void

  /// The bytes that are not needed; empty for other types and for pictures that cannot be decoded.
  ///
  /// - Parameter progress: is called after each picture that was decoded.
  /// - Throws: what the source and `progress` throw.
  static func find(
    _ type: UniformType, in source: any ByteSource, progress: () throws -> Void
  ) throws -> [Range<UInt64>] {
    guard let format = type.format as? any StillPicture.Type else { return [] }
    var found: [Range<UInt64>] = []
    try withoutActuallyEscaping(progress) { progress in
      let search = UnusedPixelData(format: format.stillFormat, progress: progress)
      try format.readCodedImages(source) { found += try search.unused(in: $0) }
    }
    return found
  }

  private func unused(in image: Image) throws -> [Range<UInt64>] {
    guard let wanted = try decode(image.bytes) else { return [] }
    var found: [Range<UInt64>] = []
    for range in image.codedData where range.upperBound <= image.bytes.count {
      let count = try unusedCount(range, image.bytes, wanted)
      guard count >= Self.minimumCount else { continue }
      // The first of them may still need one of two values.
      for start in (range.upperBound - count..<range.upperBound).prefix(16) {
        let rest = start..<range.upperBound
        guard image.bytes[rest].contains(where: { $0 != 0 }) else { break }
        guard try isEqual(wanted, image.bytes, rest, { _ in 0 }) else { continue }
        if let lower = UInt64(exactly: start + image.offset) {
          found.append(lower..<(lower + UInt64(rest.count)))
        }
        break
      }
    }
    return found
  }

  /// How many bytes at the end of a range may have any value.
  private func unusedCount(
    _ range: Range<Int>, _ bytes: [UInt8], _ wanted: Raster
  ) throws -> Int {
    func isUnused(_ count: Int) throws -> Bool {
      try isEqual(wanted, bytes, (range.upperBound - count)..<range.upperBound) { ~$0 }
    }
    // Encoders leave few such bytes, or none: the number is doubled until it is too large.
    var (unused, used) = (0, 1)
    while used < range.count, try isUnused(used) { (unused, used) = (used, used * 2) }
    used = min(used, range.count)
    while used - unused > 1 {
      let middle = (unused + used) / 2
      if try isUnused(middle) { unused = middle } else { used = middle }
    }
    return unused
  }

  private func isEqual(
    _ wanted: Raster, _ bytes: [UInt8], _ range: Range<Int>, _ change: (UInt8) -> UInt8
  ) throws -> Bool {
    var changed = bytes
    for index in range { changed[index] = change(changed[index]) }
    guard let raster = try decode(changed) else { return false }
    return raster.hasSamePixels(as: wanted)
  }

  private func decode(_ bytes: [UInt8]) throws -> Raster? {
    let raster = try? format.decode(bytes).raster
    try progress()
    return raster
  }
}

extension Range<UInt64> {
  /// Nil if a bound is negative or too large afterwards.
  func moved(by distance: Int) -> Range<Int>? {
    guard let lower = Int(exactly: lowerBound), let upper = Int(exactly: upperBound),
      lower + distance >= 0
    else { return nil }
    return (lower + distance)..<(upper + distance)
  }
}

extension Raster {
  fileprivate func hasSamePixels(as other: Raster) -> Bool {
    size == other.size && layout == other.layout
      && planes.elementsEqual(other.planes) { $0.bytes == $1.bytes }
  }
}
