import ByteReading
import MediaEdits
import MediaFormats

// Tables of fragmented and encrypted movies. What follows their fields is cleared.
extension ISORedaction {
  /// Visits a box with tables; false for a box of another type.
  mutating func visit(table box: ISOBox) throws -> Bool {
    switch box.type {
    case "sidx": try clear(box, after: indexLength(box))
    case "pssh": try visit(protection: box)
    case "mfra":
      for child in try children(of: box) {
        switch child.type {
        case "tfra": try clear(child, after: accessLength(child))
        case "mfro": try clear(child, after: 8)
        default: try visitCommon(child)
        }
      }
    default: return false
    }
    return true
  }

  private mutating func clear(_ box: ISOBox, after length: UInt64?) throws {
    guard let length else { return try erase(box) }
    try blankPlaces(in: box)
    redaction.fill(box.payload.dropping(Int(clamping: length)))
  }

  /// The length of a segment index in bytes (ISO/IEC 14496-12 §8.16.3); nil for an incomplete one.
  private func indexLength(_ box: ISOBox) throws -> UInt64? {
    let fields = try source.start(of: box, 32)
    let start = fields.u8(at: 0) == 0 ? 20 : 28
    return fields.u16(at: start + 2).map { UInt64(start) + 4 + 12 * UInt64($0) }
  }

  /// The length of a track's random access points in bytes (§8.8.10); nil for an incomplete box.
  private func accessLength(_ box: ISOBox) throws -> UInt64? {
    let fields = try source.start(of: box, 16)
    guard let widths = fields.u8(at: 11), let count = fields.u32(at: 12) else { return nil }
    let numbers = (widths >> 4 & 3) + (widths >> 2 & 3) + (widths & 3) + 3
    return 16 + UInt64(count) * ((fields.u8(at: 0) == 0 ? 8 : 16) + UInt64(numbers))
  }

  /// Visits what a system of content protection needs (ISO/IEC 23001-7 §8.1): its identifier, keys from version 1 on, and
  /// data in a form of its own.
  private mutating func visit(protection box: ISOBox) throws {
    let head = try source.start(of: box, 24)
    var start: UInt64 = 20
    if head.u8(at: 0) != 0 { start += 4 + 16 * UInt64(head.u32(at: 20) ?? .max) }
    guard start < box.payload.count,
      let size = try source.bytes(at: box.payload.lowerBound + start, count: 4).u32(at: 0)
    else { return try erase(box) }
    let data = box.payload.dropping(Int(start) + 4)
    guard size <= data.count, let content = try source.bytes(in: data, limit: 1 << 20),
      !policy.removes(text: Array(content.prefix(Int(size))))
    else { return try erase(box) }
    try blankPlaces(in: box)
    redaction.fill(data.dropping(Int(size)))
  }
}
