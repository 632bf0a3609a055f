/// One spelling of a place.
package struct PlaceSpelling: Sendable, Hashable, CustomStringConvertible {
  package var name: String
  package var bytes: [UInt8]

  package var description: String { name }

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Spellings to search for, prepared for a search that reads the bytes once.
package struct PlaceNeedles: Sendable {
  /// A spelling, and the offset in it of the two bytes that are searched first.
  private struct Needle: Sendable {
    var spelling: PlaceSpelling
    var anchor: Int
  }

  /// The needles by the two bytes at the anchor, with the first byte low.
  private var byAnchor: [[Needle]] = Array(repeating: [], count: 1 << 16)
  private var isAnchor = [Bool](repeating: false, count: 1 << 16)

  /// - Parameter spellings: those of fewer than two bytes are left out.
  package init(_ spellings: [PlaceSpelling]) {
    for spelling in Set(spellings) where spelling.bytes.count >= 2 {
      let bytes = spelling.bytes
      // Files contain long runs of zeros, so the anchor has two other bytes, or at least one.
      let pairs = bytes.indices.dropLast()
      let anchor =
        pairs.first { bytes[$0] != 0 && bytes[$0 + 1] != 0 }
        ?? pairs.first { bytes[$0] != 0 || bytes[$0 + 1] != 0 } ?? 0
      let pair = Int(bytes[anchor]) | Int(bytes[anchor + 1]) << 8
      isAnchor[pair] = true
      byAnchor[pair].append(Needle(spelling: spelling, anchor: anchor))
    }
  }

  /// The names and offsets of the spellings in some bytes, at most `limit` of them.
  package func traces(in bytes: [UInt8], limit: Int = 16) -> [String] {
    var found: [String] = []
    var index = 1
    while index < bytes.count, found.count < limit {
      let pair = Int(bytes[index - 1]) | Int(bytes[index]) << 8
      if isAnchor[pair] {
        for needle in byAnchor[pair] {
          let start = index - 1 - needle.anchor
          if start >= 0, bytes[start...].starts(with: needle.spelling.bytes) {
            found.append("\(needle.spelling.name) at \(start)")
          }
        }
      }
      index += 1
    }
    return found
  }
}
