import ByteReading

/// A directory in a maker note, in TIFF's format. Damaged entries are left out.
struct MakerNoteDirectory {
  private let bytes: [UInt8]
  private let order: ByteOrder
  private let start: Int
  private let count: Int

  private static let maximumEntries = 512
  /// The longest value that is read, in bytes.
  private static let maximumValue = 16 << 10

  /// Nil if there is no directory in either byte order. Some cameras write the note in the other one than the block.
  ///
  /// - Parameters:
  ///   - bytes: the bytes from which offsets count.
  ///   - start: the directory's offset.
  init?(_ bytes: [UInt8], at start: Int, _ order: ByteOrder) {
    let other: ByteOrder = order == .big ? .little : .big
    let found = [order, other].lazy.compactMap { order -> (ByteOrder, Int)? in
      guard let count = bytes.u16(at: start, order), (1...UInt16(Self.maximumEntries)) ~= count
      else { return nil }
      return (order, Int(count))
    }.first
    guard start >= 0, let found else { return nil }
    self.bytes = bytes
    self.start = start
    (self.order, count) = found
  }

  /// A directory inside of this one, with offsets from the same position. Its offset is in the entry, whatever the type
  /// of that: some makers write a pointer, others the directory as a value of undefined type.
  func directory(_ tag: UInt16) -> MakerNoteDirectory? {
    for position in positions where bytes.u16(at: position, order) == tag {
      guard let offset = bytes.u32(at: position + 8, order) else { return nil }
      return MakerNoteDirectory(bytes, at: Int(offset), order)
    }
    return nil
  }

  private var positions: LazyMapSequence<Range<Int>, Int> {
    (0..<count).lazy.map { start + 2 + $0 * 12 }
  }

  /// The type and the content of the first entry with a tag.
  private func entry(_ tag: UInt16) -> (type: UInt16, content: [UInt8])? {
    for position in positions where bytes.u16(at: position, order) == tag {
      guard let type = bytes.u16(at: position + 2, order),
        let values = bytes.u32(at: position + 4, order), values <= UInt32(Self.maximumValue),
        let unit = TIFFEntry.unitWidth(of: type), let offset = bytes.u32(at: position + 8, order),
        case let size = Int(values) * unit, size <= Self.maximumValue,
        let content = bytes.bytes(at: size <= 4 ? position + 8 : Int(offset), count: size)
      else { return nil }
      return (type, content)
    }
    return nil
  }

  /// One of an entry's values as a number.
  func number(_ tag: UInt16, at index: Int = 0) -> Double? {
    guard let entry = entry(tag), let width = TIFFEntry.unitWidth(of: entry.type) else {
      return nil
    }
    return tiffNumber(in: entry.content, at: index * width, type: entry.type, order)
  }

  /// One of an entry's values, if it is a whole number above 0.
  func positive(_ tag: UInt16, at index: Int = 0) -> Int? {
    number(tag, at: index).flatMap(wholeNumber).flatMap { $0 > 0 ? $0 : nil }
  }

  /// An entry's bytes as stored.
  func content(_ tag: UInt16) -> [UInt8]? { entry(tag)?.content }

  /// A 16-bit number in a list that is one entry.
  func signed16(_ tag: UInt16, at index: Int) -> Int? {
    entry(tag)?.content.u16(at: index * 2, order).map { Int(Int16(bitPattern: $0)) }
  }

  /// A 32-bit number in a list that is one entry, whether its type has a sign or not.
  func signed32(_ tag: UInt16, at index: Int) -> Int? {
    entry(tag)?.content.u32(at: index * 4, order).map { Int(Int32(bitPattern: $0)) }
  }

  func text(_ tag: UInt16) -> String? {
    guard let entry = entry(tag), [1, 2, 7].contains(entry.type) else { return nil }
    return entry.content.trimmedText
  }
}
