import ByteReading

/// The strings and data in the outermost dictionary of a binary property list (CFBinaryPList.c in Core Foundation).
///
/// Nothing inside other values is read, so the cost is bounded by the number of the dictionary's entries.
struct BinaryPropertyList {
  /// What a file begins with; a digit follows.
  static let header = "bplist0"
  /// Dictionaries with more entries are not read.
  private static let mostEntries = 1024

  private let bytes: [UInt8]
  /// Of each object, from the start of the file.
  private let offsets: Table
  /// The dictionary's keys, then its values: numbers of objects.
  private let references: Table
  private let entryCount: Int

  /// Big-endian numbers of one size, one after the other.
  private struct Table {
    var start: Int
    /// Bytes of a number: 1 to 8.
    var size: Int
    var count: Int
  }

  /// Nil for a damaged list, and for one that is not a dictionary.
  init?(_ bytes: [UInt8]) {
    // The trailer: 6 bytes, the sizes of offsets and references, then the number of objects, the outermost one, and
    // the position of the offsets.
    let trailer = bytes.count - 32
    guard bytes.hasText(Self.header), trailer >= 8, let offsetSize = bytes.u8(at: trailer + 6),
      let referenceSize = bytes.u8(at: trailer + 7), (1...8).contains(offsetSize),
      (1...8).contains(referenceSize), let count = Self.number(bytes, at: trailer + 8, size: 8),
      let top = Self.number(bytes, at: trailer + 16, size: 8),
      let start = Self.number(bytes, at: trailer + 24, size: 8), start < trailer,
      count <= trailer - start
    else { return nil }
    self.bytes = bytes
    offsets = Table(start: start, size: Int(offsetSize), count: count)
    guard let position = Self.entry(top, of: offsets, in: bytes),
      let dictionary = Self.object(at: position, in: bytes), dictionary.kind == 0xD,
      dictionary.count <= Self.mostEntries
    else { return nil }
    entryCount = dictionary.count
    references = Table(
      start: dictionary.start, size: Int(referenceSize), count: dictionary.count * 2)
  }

  /// The string with a key; nil if there is none, or a value of another type.
  func string(_ key: String) -> String? { value(key).flatMap(text) }

  /// The data with a key; nil if there is none, or a value of another type.
  func data(_ key: String) -> [UInt8]? {
    value(key).flatMap { $0.kind == 0x4 ? content(of: $0, unit: 1) : nil }
  }

  /// - Parameter key: ASCII.
  private func value(_ key: String) -> Object? {
    for index in 0..<entryCount {
      // Many keys may refer to one long string, which is not copied for each.
      guard let name = object(index), name.count == key.utf8.count, text(name) == key else {
        continue
      }
      return object(index + entryCount)
    }
    return nil
  }

  /// The object of a key or value of the dictionary.
  private func object(_ index: Int) -> Object? {
    Self.entry(index, of: references, in: bytes)
      .flatMap { Self.entry($0, of: offsets, in: bytes) }
      .flatMap { Self.object(at: $0, in: bytes) }
  }

  /// ASCII or UTF-16.
  private func text(_ object: Object) -> String? {
    switch object.kind {
    case 0x5: content(of: object, unit: 1).flatMap { String(validating: $0, as: UTF8.self) }
    case 0x6: content(of: object, unit: 2).map { utf16Text($0, .big) }
    default: nil
    }
  }

  /// - Parameter unit: bytes of each of the object's units.
  private func content(of object: Object, unit: Int) -> [UInt8]? {
    let (length, overflows) = object.count.multipliedReportingOverflow(by: unit)
    return overflows ? nil : bytes.bytes(at: object.start, count: length)
  }

  // MARK: Bytes

  private struct Object {
    /// The upper half of its first byte: 0x4 data, 0x5 ASCII, 0x6 UTF-16, 0xD a dictionary.
    var kind: UInt8
    /// Its units or entries.
    var count: Int
    /// The position of its content, not after the end of the file.
    var start: Int
  }

  private static func object(at position: Int, in bytes: [UInt8]) -> Object? {
    guard let marker = bytes.u8(at: position) else { return nil }
    let (kind, low) = (marker >> 4, marker & 0xF)
    guard low == 0xF else { return Object(kind: kind, count: Int(low), start: position + 1) }
    // An integer with the count follows.
    guard let sizeMarker = bytes.u8(at: position + 1), sizeMarker & 0xFC == 0x10 else { return nil }
    let size = 1 << Int(sizeMarker & 3)
    guard let count = number(bytes, at: position + 2, size: size) else { return nil }
    return Object(kind: kind, count: count, start: position + 2 + size)
  }

  private static func entry(_ index: Int, of table: Table, in bytes: [UInt8]) -> Int? {
    guard index >= 0, index < table.count else { return nil }
    let (distance, overflows) = index.multipliedReportingOverflow(by: table.size)
    guard !overflows, distance <= bytes.count else { return nil }
    return number(bytes, at: table.start + distance, size: table.size)
  }

  /// A big-endian number; nil if it is not inside the file, or too large for `Int`.
  private static func number(_ bytes: [UInt8], at position: Int, size: Int) -> Int? {
    bytes.unsigned(at: position, width: size).flatMap { Int(exactly: $0) }
  }
}
