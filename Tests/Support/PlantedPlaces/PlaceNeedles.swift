/// One way to write a place.
package struct PlaceSpelling: Sendable, Hashable, CustomStringConvertible {
  package var name: String
  package var bytes: [UInt8]

  package var description: String { name }

  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }
}

/// Spellings to look for, ready for a search that reads any bytes once.
package struct PlaceNeedles: Sendable {
  /// A spelling and where in it the two bytes are that the search looks for first.
  private struct Needle: Sendable {
    var spelling: PlaceSpelling
    var anchor: Int
  }

  /// By the two bytes at the anchor, the first one low.
  private var byAnchor: [[Needle]] = Array(repeating: [], count: 1 << 16)
  private var isAnchor = [Bool](repeating: false, count: 1 << 16)

  /// - Parameter spellings: those of fewer than two bytes are left out.
  package init(_ spellings: [PlaceSpelling]) {
    for spelling in Set(spellings) where spelling.bytes.count >= 2 {
      let bytes = spelling.bytes
      // Files have long runs of zeros: the search starts at two other bytes, or at least at one.
      let pairs = bytes.indices.dropLast()
      let anchor =
        pairs.first { bytes[$0] != 0 && bytes[$0 + 1] != 0 }
        ?? pairs.first { bytes[$0] != 0 || bytes[$0 + 1] != 0 } ?? 0
      let pair = Int(bytes[anchor]) | Int(bytes[anchor + 1]) << 8
      isAnchor[pair] = true
      byAnchor[pair].append(Needle(spelling: spelling, anchor: anchor))
    }
  }

  /// Where bytes hold one of the spellings: its name and the offset, at most `limit` of them.
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
