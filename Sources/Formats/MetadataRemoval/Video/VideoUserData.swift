import ByteReading

/// User data in a stream of H.264 (ITU-T H.264 annex D), HEVC (ITU-T H.265 annex D), AV1 or MPEG: SEI messages in which
/// cameras record positions, units of reserved types, and what ``AV1UserData`` and ``MPEGUserData`` find.
///
/// Messages and units keep their length, so that no size in the stream changes. ``VideoMessages`` decides which
/// messages stay.
package struct VideoUserData: Sendable, Hashable {
  package enum Codec: Sendable, Hashable {
    case h264, hevc, av1
    /// MPEG-1, MPEG-2 and MPEG-4 Visual.
    case mpeg

    /// Compression types of AVI that streams of these codecs have, in capitals.
    private static let compressions: [String: Codec] = [
      "H264": .h264, "X264": .h264, "AVC1": .h264, "DAVC": .h264, "VSSH": .h264,
      "H265": .hevc, "X265": .hevc, "HEVC": .hevc, "HVC1": .hevc, "HEV1": .hevc, "AV01": .av1,
      "FMP4": .mpeg, "DIVX": .mpeg, "DX50": .mpeg, "XVID": .mpeg, "MP4S": .mpeg, "M4S2": .mpeg,
      "MP4V": .mpeg, "3IV2": .mpeg, "XVIX": .mpeg, "RMP4": .mpeg, "MPG1": .mpeg, "MPG2": .mpeg,
    ]

    /// Whether a stream consists of units with SEI messages among them.
    fileprivate var hasUnits: Bool { self == .h264 || self == .hevc }

    /// Reads the compression type of a `BITMAPINFOHEADER`; nil for other codecs.
    init?(bitmapHeader bytes: [UInt8]) {
      guard let name = bytes.bytes(at: 16, count: 4)?.text.uppercased(),
        let codec = Self.compressions[name]
      else { return nil }
      self = codec
    }
  }

  /// Bytes of a `BITMAPINFOHEADER`, which comes before the configuration of a codec of AVI.
  static let bitmapHeaderSize = 40

  /// The byte that replaces others. It needs no emulation prevention.
  package static let filler: UInt8 = 0xFF
  /// SEI units that are longer are overwritten as a whole.
  private static let maximumUnit = 1 << 20
  /// The most units of a movie that are visited: those of a day.
  private static let maximumUnits = 20_000_000
  /// Samples with start codes that are longer are refused.
  private static let maximumSample = 64 << 20
  /// Bytes of a unit's header, which shows its type.
  private static let headerSize = 2

  private let codec: Codec
  /// Bytes of the length field that precedes each unit; nil for start codes (annex B), and for AV1.
  let lengthSize: Int?

  /// Reads the form of a stream from its decoder configuration (ISO/IEC 14496-15 §5.3.3 and §8.3.3). A stream
  /// without one has start codes.
  package init(_ codec: Codec, configuration: [UInt8]) {
    self.codec = codec
    let field = configuration.u8(at: codec == .h264 ? 4 : 21)
    lengthSize =
      codec.hasUnits && configuration.first == 1 ? field.map { Int($0 & 3) + 1 } : nil
  }

  /// The bytes of a sample or packet to overwrite.
  package func erasable(in bytes: [UInt8]) -> [Range<Int>] {
    if codec == .av1 { return AV1UserData.erasable(in: bytes) }
    if codec == .mpeg { return MPEGUserData.erasable(in: bytes) }
    return units(in: bytes).flatMap { unit -> [Range<Int>] in
      switch kind(bytes[unit].first) {
      case .messages:
        return Self.moved(erasable(inUnit: Array(bytes[unit])), by: unit.lowerBound)
      case .reserved:
        return [min(unit.lowerBound + Self.headerSize, unit.upperBound)..<unit.upperBound]
      case .other: return []
      }
    }
  }

  /// The bytes of a decoder configuration to overwrite. Its lists may contain messages.
  ///
  /// - Parameter isLayered: whether it describes further layers of HEVC (`lhvC`, ISO/IEC 14496-15 §9.6.3).
  package func erasable(
    inConfiguration bytes: [UInt8], isLayered: Bool = false
  ) -> [Range<Int>] {
    if codec == .av1 {
      // Units follow four bytes (AV1 Codec ISO Media File Format Binding §2.3.3).
      return Self.moved(AV1UserData.erasable(in: bytes.bytes(from: 4)), by: 4)
    }
    guard codec != .mpeg, bytes.first == 1 else { return erasable(in: bytes) }
    var found: [Range<Int>] = []
    /// Visits units with lengths of 16 bits, and returns where they end.
    func visit(_ count: Int, from start: Int) -> Int {
      var position = start
      for _ in 0..<count {
        guard let length = bytes.u16(at: position).map(Int.init),
          let unit = bytes.bytes(at: position + 2, count: length)
        else { return bytes.count }
        switch kind(unit.first) {
        case .messages: found += Self.moved(erasable(inUnit: unit), by: position + 2)
        case .reserved:
          found.append(
            (position + 2 + min(Self.headerSize, length))..<(position + 2 + length))
        case .other: break
        }
        position += 2 + length
      }
      return position
    }
    if codec == .h264 {
      let next = visit(Int(bytes.u8(at: 5) ?? 0) & 31, from: 6)
      _ = visit(Int(bytes.u8(at: next) ?? 0), from: next + 1)
    } else {
      var position = isLayered ? 6 : 23
      for _ in 0..<Int(bytes.u8(at: position - 1) ?? 0) {
        position = visit(Int(bytes.u16(at: position + 1) ?? 0), from: position + 3)
      }
    }
    return found
  }

  /// Overwrites the user data in a sample.
  ///
  /// - Parameters:
  ///   - sample: its range in the source.
  ///   - stripped: the first bytes of the sample that are not in the source, at most those of a length field or
  ///     start code.
  ///   - count: the units of the movie that were visited.
  /// - Throws: ``RedactionRefusal`` for a sample with start codes that is too long, and for more units than any
  ///   movie has; what the source throws.
  func erase(
    in sample: Range<UInt64>, of source: any ByteSource, stripped: [UInt8] = [],
    count: inout Int, _ redaction: inout Redaction
  ) throws {
    try visit(sample, of: source, stripped: stripped, count: &count) {
      redaction.fill($0, with: Self.filler)
    }
    guard count < Self.maximumUnits else {
      throw RedactionRefusal("The movie's video has too many parts to check.")
    }
  }

  /// Overwrites the user data in a decoder configuration.
  ///
  /// - Parameters:
  ///   - offset: the offset of the configuration in the file.
  ///   - isLayered: as for ``erasable(inConfiguration:isLayered:)``.
  func erase(
    inConfiguration bytes: [UInt8], at offset: UInt64, isLayered: Bool = false,
    _ redaction: inout Redaction
  ) {
    for part in erasable(inConfiguration: bytes, isLayered: isLayered) {
      redaction.fill(
        (offset + UInt64(part.lowerBound))..<(offset + UInt64(part.upperBound)), with: Self.filler)
    }
  }

  /// The changes to a decoder configuration that overwrite user data, and texts with coordinates outside of it.
  ///
  /// - Parameter isLayered: as for ``erasable(inConfiguration:isLayered:)``.
  func withoutTexts(inConfiguration bytes: [UInt8], isLayered: Bool = false) -> Redaction {
    var redaction = Redaction()
    erase(inConfiguration: bytes, at: 0, isLayered: isLayered, &redaction)
    for text in TextsInData.withCoordinates(in: redaction.applied(to: bytes)) {
      redaction.fill(UInt64(text.lowerBound)..<UInt64(text.upperBound))
    }
    return redaction
  }

  /// Calls `erase` with each range of a sample to overwrite. Only the headers of other units are read.
  private func visit(
    _ range: Range<UInt64>, of source: any ByteSource, stripped: [UInt8], count: inout Int,
    _ erase: (Range<UInt64>) -> Void
  ) throws {
    guard let lengthSize else {
      return try visit(whole: range, of: source, stripped, &count, erase)
    }
    var position = range.lowerBound
    var absent = Array(stripped.prefix(lengthSize))
    while position < range.upperBound,
      range.upperBound - position > UInt64(lengthSize - absent.count)
    {
      count += 1
      let head =
        try absent + source.header(at: position, count: lengthSize + 1 - absent.count)
      guard let length = head.unsigned(at: 0, width: lengthSize) else { return }
      let start = position + UInt64(lengthSize - absent.count)
      absent = []
      let end = start + min(length, range.upperBound - start)
      let kind = length > 0 ? kind(head.u8(at: lengthSize)) : .other
      if kind == .messages, let unit = try source.bytes(in: start..<end, limit: Self.maximumUnit) {
        for part in erasable(inUnit: unit) {
          erase((start + UInt64(part.lowerBound))..<(start + UInt64(part.upperBound)))
        }
      } else if kind != .other {
        erase(min(start + UInt64(Self.headerSize), end)..<end)
      }
      position = end
    }
  }

  /// Does the same as ``visit(_:of:stripped:count:_:)`` for a sample with start codes. It reads the whole sample.
  private func visit(
    whole range: Range<UInt64>, of source: any ByteSource, _ stripped: [UInt8], _ count: inout Int,
    _ erase: (Range<UInt64>) -> Void
  ) throws {
    guard range.upperBound <= source.count else { return }
    guard let stored = try source.bytes(in: range, limit: Self.maximumSample) else {
      throw RedactionRefusal("The movie's video has a frame that is too long to check.")
    }
    count += 1
    for part in erasable(in: stripped + stored) where part.upperBound > stripped.count {
      let lower = UInt64(max(0, part.lowerBound - stripped.count))
      erase(
        (range.lowerBound + lower)..<(range.lowerBound + UInt64(part.upperBound - stripped.count)))
    }
  }

  private enum UnitKind {
    /// SEI messages.
    case messages
    /// A reserved or unspecified type, which decoders ignore.
    case reserved
    case other
  }

  /// Types of H.264's units that are reserved or unspecified (table 7-1). 28 and 30 contain Dolby Vision.
  private static let reservedH264: Set<UInt8> = [0, 17, 18, 22, 23, 24, 25, 26, 27, 29, 31]

  /// The kind of a unit with this first byte.
  private func kind(_ first: UInt8?) -> UnitKind {
    guard let first else { return .other }
    switch codec {
    case .h264:
      let type = first & 0x1F
      return type == 6 ? .messages : Self.reservedH264.contains(type) ? .reserved : .other
    case .av1, .mpeg: return .other
    case .hevc:
      // Table 7-1. 62 and 63 contain Dolby Vision.
      switch first >> 1 & 0x3F {
      case 39, 40: return .messages
      case 10...15, 22...31, 41...61: return .reserved
      default: return .other
      }
    }
  }

  private static func moved(_ ranges: [Range<Int>], by offset: Int) -> [Range<Int>] {
    ranges.map { ($0.lowerBound + offset)..<($0.upperBound + offset) }
  }

  /// The ranges of the units in a sample or packet.
  private func units(in bytes: [UInt8]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    guard let lengthSize else {
      var start: Int?
      var position = 0
      while position + 2 < bytes.count {
        // A start code ends with 1.
        if bytes[position + 2] > 1 {
          position += 3
        } else if bytes[position + 2] == 1, bytes[position] == 0, bytes[position + 1] == 0 {
          if let start { found.append(start..<position) }
          position += 3
          start = position
        } else {
          position += 1
        }
      }
      if let start { found.append(start..<bytes.count) }
      return found
    }
    var position = 0
    while let length = bytes.unsigned(at: position, width: lengthSize) {
      let start = position + lengthSize
      let end = start + min(Int(clamping: length), bytes.count - start)
      found.append(start..<end)
      position = end
    }
    return found
  }

  /// The bytes of a unit of SEI messages to overwrite, without emulation prevention and trailing bits (§7.3.2.3 of
  /// both recommendations).
  private func erasable(inUnit unit: [UInt8]) -> [Range<Int>] {
    var (offsets, protected) = Self.content(of: unit)
    // The last byte that is not zero has the bit that ends the content.
    while let last = offsets.last, unit[last] == 0 { offsets.removeLast() }
    if let last = offsets.last, unit[last] == 0x80 { offsets.removeLast() }
    var position = codec == .h264 ? 1 : 2
    func number() -> Int? {
      var value = 0
      while position < offsets.count {
        let byte = unit[offsets[position]]
        position += 1
        value += Int(byte)
        if byte != 0xFF { return value }
      }
      return nil
    }
    var found: [Range<Int>] = []
    while let type = number(), let size = number() {
      let end = position + min(size, offsets.count - position)
      let payload = offsets[position..<end]
      position = end
      guard !VideoMessages.keeps(type, payload.map { unit[$0] }, of: codec) else { continue }
      for offset in payload where !protected.contains(offset) {
        if let last = found.last, last.upperBound == offset {
          found[found.count - 1] = last.lowerBound..<(offset + 1)
        } else {
          found.append(offset..<(offset + 1))
        }
      }
    }
    return found
  }

  /// The offsets of a unit's content: all bytes but those of emulation prevention, a 3 after two zeros (§7.3.1).
  /// The zeros are protected, because they must stay.
  private static func content(of unit: [UInt8]) -> (offsets: [Int], protected: Set<Int>) {
    var offsets: [Int] = []
    offsets.reserveCapacity(unit.count)
    var protected: Set<Int> = []
    var zeros = 0
    for (offset, byte) in unit.enumerated() {
      if zeros >= 2, byte == 3 {
        protected.formUnion([offset - 2, offset - 1])
        zeros = 0
        continue
      }
      zeros = byte == 0 ? zeros + 1 : 0
      offsets.append(offset)
    }
    return (offsets, protected)
  }
}
