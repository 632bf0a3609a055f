package import ByteReading

/// The end of a JPEG, read without its coded pixels.
package enum JPEGTail {
  /// The number of bytes that are read: those that ``Fingerprint`` reads, too.
  private static let length: UInt64 = 16 << 10
  /// That many bytes 0xFF, each of them followed by a zero or the number of a restart marker, are coded pixels. In other
  /// data each of them would be one in thirty.
  private static let minimumStuffing = 8

  /// Whether a file ends within coded pixels, as an interrupted copy does: they come last, and no End Of Image marker
  /// (ITU-T T.81 §B.1.1.3) follows them.
  ///
  /// False proves nothing: data that a program has appended may hide the cut.
  ///
  /// - Parameter scan: the offset of the first Start Of Scan marker.
  /// - Throws: the errors of the source.
  package static func isInCodedPixels(of source: any ByteSource, scan: UInt64) throws -> Bool {
    let start = max(scan, source.count - min(length, source.count))
    let tail = try source.bytes(at: start, count: Int(source.count - start))
    var (stuffing, total) = (0, 0)
    for index in tail.indices.dropLast() where tail[index] == 0xFF {
      let marker = tail[index + 1]
      if marker == JPEGMarker.endOfImage { return false }
      if marker == 0 || (0xD0...0xD7).contains(marker) {
        stuffing += 1
        total += 1
      } else {
        // A segment between scans, or no marker at all. In coded pixels, 0xFF is never followed by another one.
        stuffing = 0
      }
    }
    if start == scan { return true }
    // Encoders distribute the values of bytes evenly; other data may consist of these pairs.
    return stuffing >= minimumStuffing && total * 8 < tail.count
  }
}
