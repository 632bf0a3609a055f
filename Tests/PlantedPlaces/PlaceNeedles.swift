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
  /// By their first two bytes, the first one low.
  private var byStart: [[PlaceSpelling]] = Array(repeating: [], count: 1 << 16)
  private var isStart = [Bool](repeating: false, count: 1 << 16)

  /// - Parameter spellings: those of fewer than two bytes are left out.
  package init(_ spellings: [PlaceSpelling]) {
    for spelling in spellings where spelling.bytes.count >= 2 {
      let start = Int(spelling.bytes[0]) | Int(spelling.bytes[1]) << 8
      isStart[start] = true
      byStart[start].append(spelling)
    }
  }

  /// Where bytes hold one of the spellings: its name and the offset, at most `limit` of them.
  package func traces(in bytes: [UInt8], limit: Int = 16) -> [String] {
    var found: [String] = []
    var index = 1
    while index < bytes.count, found.count < limit {
      let start = Int(bytes[index - 1]) | Int(bytes[index]) << 8
      if isStart[start] {
        for spelling in byStart[start]
        where bytes[(index - 1)...].starts(with: spelling.bytes) {
          found.append("\(spelling.name) at \(index - 1)")
        }
      }
      index += 1
    }
    return found
  }
}
