/// Writes TIFF directories with their values into one block of bounded size.
struct CompactExifWriter {
  private let order: ByteOrder
  private let limit: Int
  private(set) var bytes: [UInt8]
  /// Where each directory begins.
  private var directories: [Int] = []
  /// Values longer than four bytes that wait for their place, with the field that will point to them.
  private var pending: [(tag: UInt16, field: Int, value: [UInt8])] = []

  init(order: ByteOrder, limit: Int) {
    self.order = order
    self.limit = limit
    bytes = order == .little ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]
    append(8, width: 4)
  }

  private mutating func append(_ value: UInt64, width: Int) {
    for index in 0..<width {
      let shift = UInt64(order == .big ? width - 1 - index : index) * 8
      bytes.append(UInt8(truncatingIfNeeded: value >> shift))
    }
  }

  private mutating func patch(_ value: Int, at field: Int) {
    for index in 0..<4 {
      let shift = (order == .big ? 3 - index : index) * 8
      bytes[field + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }

  /// Writes a directory's table, by ascending tag as TIFF asks, the first entry of each tag alone;
  /// longer values follow later.
  mutating func reserve(_ entries: [(tag: UInt16, type: UInt16, count: UInt32, value: [UInt8])]) {
    var seen: Set<UInt16> = []
    let sorted = entries.filter { seen.insert($0.tag).inserted }.sorted { $0.tag < $1.tag }
    directories.append(bytes.count)
    append(UInt64(sorted.count), width: 2)
    for entry in sorted {
      append(UInt64(entry.tag), width: 2)
      append(UInt64(entry.type), width: 2)
      append(UInt64(entry.count), width: 4)
      if entry.value.count > 4 {
        pending.append((entry.tag, bytes.count, entry.value))
        append(0, width: 4)
      } else {
        bytes += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      }
    }
    append(0, width: 4)
  }

  /// Makes an entry of the first directory point at another directory.
  mutating func link(_ tag: UInt16, toDirectory index: Int) {
    guard let start = directories.first, let count = bytes.u16(at: start, order),
      directories.indices.contains(index)
    else { return }
    for entry in 0..<Int(count) where bytes.u16(at: start + 2 + entry * 12, order) == tag {
      patch(directories[index], at: start + 2 + entry * 12 + 8)
    }
  }

  /// Places the values as long as they fit, those of one tag behind all others; an entry whose value
  /// does not fit is left with no values.
  mutating func placeValues(last tag: UInt16) {
    for (_, field, value) in pending.filter({ $0.tag != tag }) + pending.filter({ $0.tag == tag }) {
      if bytes.count % 2 == 1 { bytes.append(0) }
      if bytes.count + value.count <= limit {
        patch(bytes.count, at: field)
        bytes += value
      } else {
        patch(0, at: field - 4)
      }
    }
    pending = []
  }
}
