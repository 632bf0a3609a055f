import ByteReading

/// The location of one part of an item, as stored in `iloc`.
struct HEIFExtent {
  /// The construction method: 0 in the file, 1 in the `idat` box. 2, in another item, is not supported.
  var method: UInt8
  var offset: UInt64
  /// The length in bytes; 0 for all bytes up to the end.
  var length: UInt64

  /// The extent's range in the file; nil if it is not inside the file.
  ///
  /// - Parameters:
  ///   - data: the `idat` box's content.
  ///   - fileSize: the size of the file in bytes. An extent of length 0 ends there (ISO/IEC 14496-12 §8.11.3.1).
  func range(data: Range<UInt64>?, fileSize: UInt64) -> Range<UInt64>? {
    switch method {
    case 0:
      guard length > 0 else { return offset < fileSize ? offset..<fileSize : nil }
      return offset.adding(length).map { offset..<$0 }
    case 1:
      guard let data, let start = data.lowerBound.adding(offset), start <= data.upperBound
      else { return nil }
      guard length > 0 else { return start..<data.upperBound }
      guard length <= data.upperBound - start else { return nil }
      return start..<(start + length)
    default: return nil
    }
  }
}

/// The maximum number of extents of all items.
let maximumExtents = 1 << 20

/// `iloc` (ISO/IEC 14496-12 §8.11.3), versions 0–2: the extents of each item.
func heifLocations(_ content: [UInt8]) -> [UInt32: [HEIFExtent]] {
  guard let version = content.u8(at: 0), version <= 2, let sizes = content.u16(at: 4) else {
    return [:]
  }
  let offsetWidth = Int(sizes >> 12)
  let lengthWidth = Int(sizes >> 8 & 0xF)
  let baseWidth = Int(sizes >> 4 & 0xF)
  let indexWidth = version == 0 ? 0 : Int(sizes & 0xF)
  guard [offsetWidth, lengthWidth, baseWidth, indexWidth].allSatisfy({ $0 <= 8 }) else {
    return [:]
  }
  let idWidth = version < 2 ? 2 : 4
  var position = 6 + idWidth
  var locations: [UInt32: [HEIFExtent]] = [:]
  var extentCount = 0
  while let id = content.unsigned(at: position, width: idWidth) {
    position += idWidth
    var method: UInt8 = 0
    if version > 0 {
      method = (content.u8(at: position + 1) ?? 0) & 0xF
      position += 2
    }
    position += 2
    guard let base = content.unsigned(at: position, width: baseWidth),
      let count = content.u16(at: position + baseWidth)
    else { break }
    position += baseWidth + 2
    let key = UInt32(truncatingIfNeeded: id)
    // A file could declare any number of extents without fields. They are all equal, so one is read.
    let isWide = indexWidth + offsetWidth + lengthWidth > 0
    for _ in 0..<(isWide ? count : min(count, 1)) {
      position += indexWidth
      guard let offset = content.unsigned(at: position, width: offsetWidth),
        let length = content.unsigned(at: position + offsetWidth, width: lengthWidth)
      else { return locations }
      position += offsetWidth + lengthWidth
      guard let start = base.adding(offset) else { continue }
      guard extentCount < maximumExtents else { return locations }
      extentCount += 1
      locations[key, default: []].append(
        HEIFExtent(method: method, offset: start, length: length))
    }
  }
  return locations
}

/// The maximum number of associations of all items.
private let maximumAssociations = 1 << 20

/// `ipma` (ISO/IEC 14496-12 §8.11.14): the property indexes, from 1, of each item.
func heifAssociations(_ content: [UInt8]) -> [UInt32: [Int]] {
  guard let version = content.u8(at: 0), let flags = content.u8(at: 3) else { return [:] }
  let idWidth = version < 1 ? 2 : 4
  let wide = flags & 1 == 1
  var position = 8
  var found: [UInt32: [Int]] = [:]
  var associationCount = 0
  while let id = content.unsigned(at: position, width: idWidth),
    let count = content.u8(at: position + idWidth)
  {
    position += idWidth + 1
    associationCount += Int(count)
    guard associationCount <= maximumAssociations else { return found }
    for _ in 0..<count {
      let index =
        wide
        ? content.u16(at: position).map { Int($0 & 0x7FFF) }
        : content.u8(at: position).map { Int($0 & 0x7F) }
      guard let index else { return found }
      position += wide ? 2 : 1
      if index > 0 { found[UInt32(truncatingIfNeeded: id), default: []].append(index) }
    }
  }
  return found
}
