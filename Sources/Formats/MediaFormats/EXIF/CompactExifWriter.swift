package import ByteReading

/// Writes TIFF directories with their values into one block of bounded size.
package struct CompactExifWriter {
  package typealias Entry = (tag: UInt16, type: UInt16, count: UInt32, value: [UInt8])

  private let order: ByteOrder
  private let limit: Int
  package private(set) var bytes: [UInt8]
  /// The offset of each directory.
  private var directories: [Int] = []
  /// Values longer than four bytes that are not written yet, with the offset of the field that will point to them.
  private var pending: [(tag: UInt16, field: Int, value: [UInt8])] = []
  /// A value that must be written at a fixed offset, until it is.
  private var held: (tag: UInt16, place: Int, value: [UInt8])?
  /// The offset of that value, once it is written.
  private var placed: (tag: UInt16, place: Int)?

  package init(order: ByteOrder, limit: Int) {
    self.order = order
    self.limit = limit
    bytes = order == .little ? [0x49, 0x49, 0x2A, 0] : [0x4D, 0x4D, 0, 0x2A]
    append(8, width: 4)
  }

  private mutating func append(_ value: UInt64, width: Int) {
    bytes += encoded(value, width: width, order)
  }

  /// Reserves a fixed offset for a tag's value. If the offset is out of bounds, the value is placed like any other.
  mutating func hold(_ value: [UInt8], of tag: UInt16, at place: Int) {
    guard place >= bytes.count, place < limit - value.count else { return }
    held = (tag, place, value)
  }

  /// Writes the held value and moves past it if `count` bytes do not fit before it.
  private mutating func makeRoom(_ count: Int) {
    guard let value = held, bytes.count + count > value.place else { return }
    bytes += [UInt8](repeating: 0, count: value.place - bytes.count) + value.value
    placed = (value.tag, value.place)
    held = nil
    if bytes.count % 2 == 1 { bytes.append(0) }
  }

  private mutating func patch(_ value: Int, at field: Int) {
    for index in 0..<4 {
      let shift = (order == .big ? 3 - index : index) * 8
      bytes[field + index] = UInt8(truncatingIfNeeded: value >> shift)
    }
  }

  /// Writes a directory's table. Tags ascend, as TIFF requires; of entries with the same tag, the first is kept. Values
  /// longer than four bytes follow in ``placeValues(last:)``.
  package mutating func reserve(_ entries: [Entry]) {
    var seen: Set<UInt16> = []
    let sorted = entries.filter { seen.insert($0.tag).inserted }.sorted { $0.tag < $1.tag }
    makeRoom(6 + sorted.count * 12)
    if directories.isEmpty { patch(bytes.count, at: 4) }
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

  /// Makes an entry of one directory point at another.
  package mutating func link(_ tag: UInt16, of parent: Int, to index: Int) {
    guard directories.indices.contains(parent), directories.indices.contains(index),
      let count = bytes.u16(at: directories[parent], order)
    else { return }
    let start = directories[parent] + 2
    for entry in 0..<Int(count) where bytes.u16(at: start + entry * 12, order) == tag {
      patch(directories[index], at: start + entry * 12 + 8)
    }
  }

  /// Writes the values that fit, and those of one tag after all others. An entry with a value that does not fit gets
  /// the count 0.
  mutating func placeValues(last tag: UInt16) {
    let heldTag = held?.tag ?? placed?.tag
    let ordered = pending.filter { $0.tag != tag } + pending.filter { $0.tag == tag }
    for (_, field, value) in ordered.filter({ $0.tag != heldTag }) {
      makeRoom(value.count + 1)
      if bytes.count % 2 == 1 { bytes.append(0) }
      if bytes.count + value.count + (held?.value.count ?? 0) <= limit {
        patch(bytes.count, at: field)
        bytes += value
      } else {
        patch(0, at: field - 4)
      }
    }
    makeRoom(limit)
    for (tag, field, _) in pending where tag == placed?.tag {
      patch(placed?.place ?? 0, at: field)
    }
    pending = []
  }
}
