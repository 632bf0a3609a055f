import ByteReading
import MediaEdits

/// Counts the bytes of a file's parts. In a small file whose parts overlap they can add up to gigabytes.
struct UseCount {
  private let size: UInt64
  /// How often a byte of the file may be in a part, on average.
  private let maximum: UInt64
  private var bytes: UInt64 = 0

  /// - Parameter depth: the number of files that this one is inside of. The work grows with the product of all uses, so
  ///   a file inside of another one has fewer.
  init(of source: any ByteSource, depth: Int) {
    size = source.count
    maximum = depth == 0 ? 8 : 4
  }

  /// Adds a part that is visited. What is outside of the file does not count.
  ///
  /// - Throws: ``RedactionRefusal`` if the parts overlap many times.
  mutating func add(_ part: Range<UInt64>, _ policy: MetadataPolicy) throws {
    bytes += UInt64(part.clamped(to: 0..<size).count)
    guard bytes / maximum <= size else {
      throw RedactionRefusal(
        "The picture is damaged: its parts overlap, so \(policy.removedText) in them cannot be found."
      )
    }
  }
}
