import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

/// Facts of the catalog as tags of EXIF (Exif 3.0 §4.6).
///
/// Nothing in a block moves, because maker notes contain offsets from its TIFF header. The directories with new tags are
/// written after the block, and the old ones are no longer referred to.
enum CatalogExif {
  /// A block with the facts, or a TIFF file, whose directories are the same.
  ///
  /// - Parameter block: nil to make a new one.
  /// - Parameter further: tags for the main directory besides the facts, such as XMP's of a TIFF file.
  /// - Returns: nil for a block that cannot be read.
  static func block(
    _ block: [UInt8]?, adding facts: CatalogFacts, _ further: [(tag: UInt16, bytes: [UInt8])] = []
  ) -> [UInt8]? {
    let block = block ?? Array("MM\0*".utf8) + encoded(8, width: 4)
    guard let tiff = try? TIFFFile(ArraySource(block)), tiff.magic == 42,
      block.count < 1 << 30
    else { return nil }
    let order = tiff.order
    let start = Int(tiff.firstDirectoryOffset)
    guard var main = start == block.count ? Directory() : Directory(block, at: start, order)
    else { return nil }
    // TIFF offsets are even.
    var result = block + [UInt8](repeating: 0, count: block.count & 1)
    if let time = facts.captureTime {
      guard var exif = main.subdirectory(TIFFTag.exifIFD, block, order) else { return nil }
      if exif.entries.isEmpty { exif.set(0x9000, type: 7, Array("0232".utf8), &result, order) }
      exif.write(time, &result, order)
      let place = exif.append(to: &result, order)
      main.set(TIFFTag.exifIFD, type: 4, encoded(place, width: 4, order), &result, order)
    }
    if let location = facts.location {
      guard var gps = main.subdirectory(TIFFTag.gpsIFD, block, order) else { return nil }
      if gps.entries.isEmpty { gps.set(0, type: 1, [2, 3, 0, 0], &result, order) }
      gps.write(location, &result, order)
      let place = gps.append(to: &result, order)
      main.set(TIFFTag.gpsIFD, type: 4, encoded(place, width: 4, order), &result, order)
    }
    if let caption = facts.caption {
      main.set(TIFFTag.imageDescription, type: 2, Array(caption.utf8) + [0], &result, order)
    }
    // Windows' rating; XMP's is the usual one, so it is not added.
    if let rating = facts.rating, main.has(TIFFTag.rating) {
      main.remove([TIFFTag.ratingPercent])
      main.set(TIFFTag.rating, type: 3, encoded(max(0, rating), width: 2, order), &result, order)
    }
    for (tag, bytes) in further { main.set(tag, type: 1, bytes, &result, order) }
    let place = main.append(to: &result, order)
    result.replaceSubrange(4..<8, with: encoded(place, width: 4, order))
    return result
  }

  /// Whether EXIF has tags for some of the facts.
  static func holds(_ facts: CatalogFacts) -> Bool {
    facts.captureTime != nil || facts.location != nil || facts.caption != nil
      || facts.rating != nil
  }

  /// A directory's entries as stored, 12 bytes each.
  fileprivate struct Directory {
    var entries: [[UInt8]] = []
    /// The offset of the next directory, as stored.
    private var next: [UInt8] = [0, 0, 0, 0]
    private var order = ByteOrder.big

    init() {}

    /// A higher count is damage.
    private static let maximumEntries = 4096

    /// Nil if it is not completely inside the block.
    init?(_ block: [UInt8], at offset: Int, _ order: ByteOrder) {
      guard let count = block.u16(at: offset, order), count <= Self.maximumEntries,
        let table = block.bytes(at: offset + 2, count: Int(count) * 12),
        let next = block.bytes(at: offset + 2 + Int(count) * 12, count: 4)
      else { return nil }
      entries = stride(from: 0, to: table.count, by: 12).map { Array(table[$0..<($0 + 12)]) }
      (self.next, self.order) = (next, order)
    }

    func has(_ tag: UInt16) -> Bool { entries.contains { $0.u16(at: 0, order) == tag } }

    /// The directory that an entry refers to; an empty one without such an entry, nil if it cannot be read.
    func subdirectory(_ tag: UInt16, _ block: [UInt8], _ order: ByteOrder) -> Directory? {
      guard let entry = entries.first(where: { $0.u16(at: 0, order) == tag }) else {
        return Directory()
      }
      return entry.u32(at: 8, order).flatMap { Directory(block, at: Int($0), order) }
    }

    mutating func remove(_ tags: Set<UInt16>) {
      let order = order
      entries.removeAll { $0.u16(at: 0, order).map(tags.contains) ?? false }
    }

    /// Gives a tag a value in place of another one. A value of more than 4 bytes is appended to the block.
    mutating func set(
      _ tag: UInt16, type: UInt16, _ value: [UInt8], _ block: inout [UInt8], _ order: ByteOrder
    ) {
      self.order = order
      remove([tag])
      let unit = TIFFEntry.unitWidth(of: type) ?? 1
      var stored = value + [UInt8](repeating: 0, count: max(0, 4 - value.count))
      if value.count > 4 {
        stored = encoded(block.count, width: 4, order)
        block += value + [UInt8](repeating: 0, count: value.count & 1)
      }
      let entry =
        encoded(tag, width: 2, order) + encoded(type, width: 2, order)
        + encoded(value.count / unit, width: 4, order) + stored
      let place = entries.firstIndex { ($0.u16(at: 0, order) ?? 0) > tag } ?? entries.count
      entries.insert(entry, at: place)
    }

    /// Appends the directory to the block.
    ///
    /// - Returns: its offset.
    func append(to block: inout [UInt8], _ order: ByteOrder) -> Int {
      let place = block.count
      block += encoded(entries.count, width: 2, order) + entries.flatMap { $0 } + next
      return place
    }
  }
}

extension CatalogExif.Directory {
  /// The date, its fraction and its offset (Exif 3.0 §4.6.5.2). Those of another time are removed.
  fileprivate mutating func write(
    _ time: CaptureTime, _ block: inout [UInt8], _ order: ByteOrder
  ) {
    remove([TIFFTag.offsetTimeOriginal, TIFFTag.subSecTimeOriginal])
    let civil = Array(CivilTime(secondsSince1970: time.wallSeconds).iso8601.utf8)
    let date = civil.enumerated().map { index, byte in
      byte == UInt8(ascii: "-") ? UInt8(ascii: ":") : index == 10 ? UInt8(ascii: " ") : byte
    }
    set(TIFFTag.dateTimeOriginal, type: 2, date + [0], &block, order)
    if !time.fraction.isEmpty {
      set(TIFFTag.subSecTimeOriginal, type: 2, Array(time.fraction.utf8) + [0], &block, order)
    }
    if let offset = time.offsetText {
      set(TIFFTag.offsetTimeOriginal, type: 2, Array(offset.utf8) + [0], &block, order)
    }
  }

  /// The coordinates in degrees, minutes and millionths of a second, the altitude in millimetres (Exif 3.0 §4.6.7).
  fileprivate mutating func write(
    _ location: Location, _ block: inout [UInt8], _ order: ByteOrder
  ) {
    func rational(_ numerator: Int, _ denominator: Int) -> [UInt8] {
      encoded(numerator, width: 4, order) + encoded(denominator, width: 4, order)
    }
    func degrees(_ value: Double) -> [UInt8] {
      // Places of the catalog are within ±180 degrees.
      let all = Int((min(value.magnitude, 180) * 3_600_000_000).rounded())
      return rational(all / 3_600_000_000, 1) + rational(all / 60_000_000 % 60, 1)
        + rational(all % 60_000_000, 1_000_000)
    }
    let (north, east) = (location.latitude >= 0, location.longitude >= 0)
    set(1, type: 2, Array((north ? "N" : "S").utf8) + [0], &block, order)
    set(TIFFTag.gpsLatitude, type: 5, degrees(location.latitude), &block, order)
    set(3, type: 2, Array((east ? "E" : "W").utf8) + [0], &block, order)
    set(TIFFTag.gpsLongitude, type: 5, degrees(location.longitude), &block, order)
    remove([5, 6])
    guard let altitude = location.altitude,
      let millimetres = UInt32(exactly: (altitude.magnitude * 1000).rounded())
    else { return }
    set(5, type: 1, [altitude < 0 ? 1 : 0], &block, order)
    set(6, type: 5, rational(Int(millimetres), 1000), &block, order)
  }
}
