/// Ranges of another source, one after the other. Offsets count from the start of the first.
package struct JoinedSource: ByteSource {
  private let base: any ByteSource
  private let parts: [Range<UInt64>]
  package let count: UInt64

  /// - Parameter parts: ranges inside the base, in their order in this source.
  package init(_ base: any ByteSource, _ parts: [Range<UInt64>]) {
    self.base = base
    self.parts = parts.map { $0.clamped(to: 0..<base.count) }
    count = self.parts.reduce(0) { $0 + ($1.upperBound - $1.lowerBound) }
  }

  package func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
    guard count > 0 else { return [] }
    var skip = offset
    var found: [UInt8] = []
    for part in parts {
      let length = part.upperBound - part.lowerBound
      guard skip < length else {
        skip -= length
        continue
      }
      let wanted = min(count - found.count, Int(clamping: length - skip))
      found += try base.bytes(at: part.lowerBound + skip, count: wanted)
      if found.count >= count { return found }
      skip = 0
    }
    return found
  }
}
