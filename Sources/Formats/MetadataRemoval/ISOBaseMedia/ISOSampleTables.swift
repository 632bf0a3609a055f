import ByteReading
import MediaEdits
import MediaFormats

// Tables about samples, and references between tracks. What follows their fields is cleared.
extension ISORedaction {
  /// Entries of a table that are read one by one.
  private static let maximumEntries: UInt64 = 1 << 20

  /// Clears what follows the fields of a table about samples (ISO/IEC 14496-12 §8.7 and §8.8). A table of another type, or
  /// an incomplete one, stays as it is.
  mutating func clearRest(ofTable table: ISOBox) throws {
    let head = try source.start(of: table, 24)
    guard let flags = head.u32(at: 0) else { return }
    let isWide = flags >> 24 != 0
    let length: UInt64?
    switch table.type {
    case "mehd", "tfdt": length = isWide ? 12 : 8
    case "mfhd": length = 8
    case "trex": length = 24
    case "tfhd":
      let fields = [0x2, 0x8, 0x10, 0x20].count { flags & $0 != 0 }
      length = 8 + (flags & 0x1 != 0 ? 8 : 0) + 4 * UInt64(fields)
    case "trun":
      let fields = [0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 }
      let start: UInt64 = 8 + (flags & 0x1 != 0 ? 4 : 0) + (flags & 0x4 != 0 ? 4 : 0)
      length = head.u32(at: 4).map { start + UInt64($0) * 4 * UInt64(fields) }
    case "saiz":
      let start = flags & 1 != 0 ? 12 : 4
      length = head.u32(at: start + 1).map {
        UInt64(start) + 5 + (head.u8(at: start) == 0 ? UInt64($0) : 0)
      }
    case "saio":
      let start = flags & 1 != 0 ? 12 : 4
      length = head.u32(at: start).map { UInt64(start) + 4 + UInt64($0) * (isWide ? 8 : 4) }
    case "sbgp":
      let start = isWide ? 12 : 8
      length = head.u32(at: start).map { UInt64(start) + 4 + 8 * UInt64($0) }
    case "cslg": length = isWide ? 44 : 24
    case "subs": length = try subsampleLength(table, isWide: isWide)
    default: length = nil
    }
    guard let length else { return try blankPlaces(in: table) }
    redaction.fill(table.payload.dropping(Int(clamping: length)))
  }

  /// The length of a table of subsamples (§8.7.7); nil for an incomplete one.
  private func subsampleLength(_ table: ISOBox, isWide: Bool) throws -> UInt64? {
    guard let count = try source.start(of: table, 8).u32(at: 4), count <= Self.maximumEntries else {
      return nil
    }
    var position: UInt64 = 8
    for _ in 0..<count {
      let entry = try source.header(at: table.payload.lowerBound + position, count: 6)
      guard position < table.payload.count, let parts = entry.u16(at: 4) else { return nil }
      position += 6 + UInt64(parts) * (isWide ? 10 : 8)
    }
    return position
  }

  /// Visits a track's references (§8.3.3): lists of the numbers of other tracks. Other numbers are cleared, as is what
  /// follows the last whole one.
  mutating func visit(references tref: ISOBox) throws {
    for list in try children(of: tref) {
      guard let numbers = try source.bytes(in: list.payload, limit: 1 << 16) else {
        try erase(list)
        continue
      }
      for position in stride(from: 0, to: numbers.count, by: 4) {
        let end = min(position + 4, numbers.count)
        guard numbers.u32(at: position).map(trackNumbers.contains) != true else { continue }
        redaction.fill(
          (list.payload.lowerBound + UInt64(position))..<(list.payload.lowerBound + UInt64(end)))
      }
    }
  }
}
