import ByteReading
import MediaFormats

/// Adapts the index of a JPEG's pictures (CIPA DC-007 §5.2.3) to a file in which parts have moved or are gone.
struct PictureIndexPatch {
  private static let (numberOfImages, entries, identifiers): (UInt16, UInt16, UInt16) =
    (0xB001, 0xB002, 0xB003)
  private static let entryWidth = 16
  private static let identifierWidth = 33
  /// The attribute of a picture that others depend on (§5.2.3.3.1).
  private static let isParent: UInt32 = 1 << 31

  /// The index from its TIFF header on, of the old length.
  private(set) var bytes: [UInt8]
  /// The number of pictures, the first among them.
  private(set) var count = 0
  /// Whether pictures were removed from it.
  private(set) var isShorter = false
  private let order: ByteOrder
  private let directory: TIFFDirectory

  /// - Parameters:
  ///   - index: the index from its TIFF header on.
  ///   - length: the new length of the first picture, from the old one.
  ///   - offset: the new offset of another picture from the old one; nil for one that is gone. Offsets count from the
  ///     TIFF header.
  /// - Returns: nil for an index that cannot be read.
  init?(_ index: [UInt8], length: (Int) -> Int, offset: (Int) -> Int?) {
    guard let tiff = try? TIFFFile(ArraySource(index)), !tiff.isBig,
      let directory = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let table = directory[Self.entries]?.content, table.upperBound <= UInt64(index.count)
    else { return nil }
    bytes = index
    order = tiff.order
    self.directory = directory
    var kept: [[UInt8]] = []
    // The new numbers of pictures by their old ones, from 1.
    var numbers: [Int: Int] = [:]
    let starts = stride(
      from: Int(table.lowerBound), to: Int(table.upperBound) - Self.entryWidth + 1,
      by: Self.entryWidth)
    for (number, start) in starts.enumerated() {
      guard var entry = index.bytes(at: start, count: Self.entryWidth),
        let oldLength = entry.u32(at: 4, order), let oldOffset = entry.u32(at: 8, order)
      else { return nil }
      if oldOffset == 0 {
        entry.replaceSubrange(4..<8, with: encoded(length(Int(oldLength)), width: 4, order))
      } else if let new = offset(Int(oldOffset)) {
        entry.replaceSubrange(8..<12, with: encoded(new, width: 4, order))
      } else {
        isShorter = true
        continue
      }
      kept.append(entry)
      numbers[number + 1] = kept.count
    }
    count = kept.count
    if isShorter { kept = kept.map { dependent($0, numbers) } }
    replace(Int(table.lowerBound)..<Int(table.upperBound), with: kept.flatMap(\.self))
    if isShorter { shorten(numbers) }
  }

  /// An entry with the new numbers of the pictures that depend on it.
  private func dependent(_ entry: [UInt8], _ numbers: [Int: Int]) -> [UInt8] {
    var entry = entry
    let old = [12, 14].map { entry.u16(at: $0, order).map(Int.init) ?? 0 }
    let new = old.map { numbers[$0] ?? 0 }
    guard old != new, var attributes = entry.u32(at: 0, order) else { return entry }
    if new == [0, 0] { attributes &= ~Self.isParent }
    entry.replaceSubrange(0..<4, with: encoded(attributes, width: 4, order))
    entry.replaceSubrange(12..<16, with: new.flatMap { encoded($0, width: 2, order) })
    return entry
  }

  /// Adapts the fields that have as many values as there are pictures.
  private mutating func shorten(_ numbers: [Int: Int]) {
    setCount(of: Self.entries, Self.entryWidth * count)
    if let number = directory[Self.numberOfImages], number.type == 4, number.count == 1 {
      replace(
        Int(number.content.lowerBound)..<Int(number.content.upperBound),
        with: encoded(count, width: 4, order))
    }
    guard let list = directory[Self.identifiers]?.content else { return }
    let range = Int(list.lowerBound)..<Int(list.upperBound)
    let kept = numbers.keys.sorted().flatMap { number in
      bytes[range].dropFirst((number - 1) * Self.identifierWidth).prefix(Self.identifierWidth)
    }
    replace(range, with: kept)
    setCount(of: Self.identifiers, kept.count)
  }

  /// Overwrites a range, with zeros after bytes that are fewer.
  private mutating func replace(_ range: Range<Int>, with new: [UInt8]) {
    let zeros = [UInt8](repeating: 0, count: max(0, range.count - new.count))
    bytes.replaceSubrange(range, with: new.prefix(range.count) + zeros)
  }

  /// Sets the number of values of a field, which are more than four bytes, also afterwards.
  private mutating func setCount(of tag: UInt16, _ count: Int) {
    let start = Int(directory.offset)
    guard let fields = bytes.u16(at: start, order) else { return }
    for place in (0..<Int(fields)).lazy.map({ start + 2 + 12 * $0 })
    where bytes.u16(at: place, order) == tag && place + 8 <= bytes.count {
      bytes.replaceSubrange(place + 4..<place + 8, with: encoded(count, width: 4, order))
      return
    }
  }
}
