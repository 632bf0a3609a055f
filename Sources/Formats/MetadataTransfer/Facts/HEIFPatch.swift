import ByteReading
import MediaFormats

/// Gives a HEIF or AVIF picture other metadata items (ISO/IEC 23008-12 annex A, ISO/IEC 14496-12 §8.11).
///
/// The coded pictures stay as they are. What follows the `meta` box moves towards the end of the file, after a new `mdat`
/// box with the items, and the offsets of all items are adapted.
struct HEIFPatch {
  private let bytes: [UInt8]
  private let source: ArraySource
  private let meta: ISOBox
  private let children: [ISOBox]
  private let container: HEIFContainer
  private let primary: UInt32
  private var locations: [Location]

  /// An item's entry in `iloc`.
  private struct Location {
    var id: UInt32
    /// The construction method: 0 in the file, 1 in `idat`, 2 in another item.
    var method: UInt8
    /// The number of the data reference; 0 for this file.
    var reference: UInt16
    var extents: [(index: UInt64, offset: UInt64, length: UInt64)]
  }

  /// Nil for a file whose structure does not allow it: an image sequence, fragments, items of uncertain identity or place.
  ///
  /// - Throws: `ContainerError` for a damaged file.
  init?(_ bytes: [UInt8]) throws {
    self.bytes = bytes
    source = ArraySource(bytes)
    container = try HEIFContainer(source)
    let top = try source.boxes(in: 0..<source.count, limit: 256)
    guard let meta = top.first(where: { $0.type == "meta" }), !meta.isTruncated,
      top.last?.end == source.count, top.filter({ $0.type == "meta" }).count == 1,
      !top.contains(where: { $0.type == "moov" || $0.type == "moof" }),
      container.isUnambiguous, let primary = container.primaryItem, bytes.count < 1 << 30
    else { return nil }
    self.meta = meta
    self.primary = primary
    children = try source.boxes(inside: meta, skip: 4)
    guard let place = children.first(where: { $0.type == "iloc" }),
      children.filter({ $0.type == "iloc" || $0.type == "iinf" }).count == 2,
      let content = try source.content(of: place, limit: 16 << 20),
      let locations = Self.locations(content)
    else { return nil }
    // An item inside of the `meta` box itself, other than in `idat`, would move in another way.
    let isMovable = locations.allSatisfy { location in
      location.method != 0
        || location.extents.allSatisfy {
          $0.length > 0 && ($0.offset >= meta.end || $0.offset + $0.length <= meta.offset)
        }
    }
    guard isMovable else { return nil }
    self.locations = locations
  }

  /// The picture with a new EXIF block and a new XMP packet; nil for those that stay.
  func setting(exif: [UInt8]?, xmp: [UInt8]?) throws -> [UInt8]? {
    var items: [(id: UInt32, entry: [UInt8]?, content: [UInt8])] = []
    var next = (container.items.map(\.id) + locations.map(\.id)).max() ?? 0
    func add(_ content: [UInt8], _ type: FourCC, _ contentType: String?) {
      let isWanted = { (item: HEIFItem) in
        item.type == type
          && (contentType == nil || item.contentType?.hasPrefix(contentType ?? "") == true)
      }
      if let own = container.describing(isWanted) {
        // A compressed item would have to be compressed again.
        if own.contentEncoding == nil { items.append((own.id, nil, content)) }
      } else if next < 0xFFFF {
        next += 1
        let name: [UInt8] = [0] + (contentType.map { Array($0.utf8) + [0] } ?? [])
        let entry =
          [2, 0, 0, 0] + encoded(next, width: 2) + [0, 0] + type.bytes + name
        items.append((next, isoBox("infe", entry), content))
      }
    }
    if let exif { add(encoded(6, width: 4) + Array("Exif\0\0".utf8) + exif, "Exif", nil) }
    if let xmp { add(xmp, "mime", "application/rdf+xml") }
    guard items.count == [exif, xmp].compactMap(\.self).count else { return nil }
    // The sizes of all boxes are known before the offsets are.
    guard let draft = try metaBox(items, moved: 0, dataStart: 0) else { return nil }
    var data = isoBox("mdat", items.flatMap(\.content))
    // The new `iloc` may be shorter by more than the items have, but offsets only grow.
    let missing = Int(meta.end - meta.offset) - draft.count - data.count
    if missing > 0 { data += isoBox("free", [UInt8](repeating: 0, count: max(0, missing - 8))) }
    let dataStart = meta.offset + UInt64(draft.count) + 8
    let moved = UInt64(draft.count + data.count) - (meta.end - meta.offset)
    guard let made = try metaBox(items, moved: moved, dataStart: dataStart),
      made.count == draft.count
    else { return nil }
    let rest = try withClip(movedBy: moved, Array(bytes[Int(meta.end)...]))
    return rest.map { bytes[..<Int(meta.offset)] + made + data + $0 }
  }

  /// The bytes after the `meta` box, in which Samsung's trailer may have the offset of the clip in the file.
  ///
  /// - Returns: nil for a trailer before the box, or an offset of more than four bytes.
  private func withClip(movedBy distance: UInt64, _ rest: [UInt8]) throws -> [UInt8]? {
    guard let box = container.samsungTrailer, case let content = source.part(box),
      let reference = try SamsungTrailer(content)?.clipReference(in: content),
      reference.offset >= meta.end
    else { return rest }
    let place = box.lowerBound + reference.place
    guard place >= meta.end,
      let offset = UInt32(exactly: reference.offset + distance)
    else { return nil }
    var result = rest
    let start = Int(place - meta.end)
    result.replaceSubrange(start..<(start + 4), with: encoded(offset, width: 4))
    return result
  }

  /// The new `meta` box.
  ///
  /// - Parameters:
  ///   - moved: the distance by which everything after the box moves, in bytes.
  ///   - dataStart: the offset of the content of the first new item; the others follow.
  /// - Returns: nil if an offset has more than four bytes.
  private func metaBox(
    _ items: [(id: UInt32, entry: [UInt8]?, content: [UInt8])], moved: UInt64, dataStart: UInt64
  ) throws -> [UInt8]? {
    var locations = locations
    for index in locations.indices where locations[index].method == 0 {
      for part in locations[index].extents.indices
      where locations[index].extents[part].offset >= meta.end {
        locations[index].extents[part].offset += moved
        guard locations[index].extents[part].offset <= UInt64(UInt32.max) else { return nil }
      }
    }
    var position = dataStart
    for item in items {
      let extent = (index: UInt64(0), offset: position, length: UInt64(item.content.count))
      let location = Location(id: item.id, method: 0, reference: 0, extents: [extent])
      if let own = locations.firstIndex(where: { $0.id == item.id }) {
        locations[own] = location
      } else {
        locations.append(location)
      }
      position += UInt64(item.content.count)
    }
    let new = items.filter { $0.entry != nil }
    var content = Array(bytes[Int(meta.payload.lowerBound)..<Int(meta.payload.lowerBound) + 4])
    var hasReferences = false
    for child in children {
      let body = Array(bytes[Int(child.payload.lowerBound)..<Int(child.end)])
      switch child.type {
      case "iloc": content += isoBox("iloc", Self.table(locations))
      case "iinf":
        let width = body.u8(at: 0) == 0 ? 2 : 4
        guard let count = body.unsigned(at: 4, width: width),
          count + UInt64(new.count) <= 0xFFFF
        else { return nil }
        let total = encoded(count + UInt64(new.count), width: width)
        content += isoBox(
          "iinf", body[..<4] + total + body[(4 + width)...] + new.flatMap { $0.entry ?? [] })
      case "iref":
        hasReferences = true
        guard let version = body.u8(at: 0) else { return nil }
        content += isoBox("iref", body + new.flatMap { reference($0.id, isWide: version > 0) })
      default: content += bytes[Int(child.offset)..<Int(child.end)]
      }
    }
    if !hasReferences, !new.isEmpty {
      content += isoBox(
        "iref", [1, 0, 0, 0] + new.flatMap { reference($0.id, isWide: true) })
    }
    return isoBox("meta", content)
  }

  /// A reference that says that an item describes the primary picture.
  private func reference(_ id: UInt32, isWide: Bool) -> [UInt8] {
    let width = isWide ? 4 : 2
    return isoBox(
      "cdsc",
      encoded(id, width: width) + encoded(1, width: 2)
        + encoded(primary, width: width))
  }

  // MARK: iloc

  /// Reads `iloc` (ISO/IEC 14496-12 §8.11.3); nil for a box that is not as its version requires, or too long.
  private static func locations(_ content: [UInt8]) -> [Location]? {
    guard let version = content.u8(at: 0), version <= 2, let sizes = content.u16(at: 4) else {
      return nil
    }
    let widths = [12, 8, 4, 0].map { Int(sizes >> $0 & 0xF) }
    let indexWidth = version == 0 ? 0 : widths[3]
    guard widths.allSatisfy({ [0, 4, 8].contains($0) }) else { return nil }
    let idWidth = version < 2 ? 2 : 4
    guard let count = content.unsigned(at: 6, width: idWidth), count <= 50_000 else { return nil }
    var position = 6 + idWidth
    /// The next number; 0 for one without bytes, nil at the end.
    func number(_ width: Int) -> UInt64? {
      guard width > 0 else { return 0 }
      defer { position += width }
      return content.unsigned(at: position, width: width)
    }
    var locations: [Location] = []
    var total = 0
    for _ in 0..<count {
      guard let id = number(idWidth), let method = version == 0 ? 0 : number(2),
        let reference = number(2), let base = number(widths[2]), let parts = number(2)
      else { return nil }
      var location = Location(
        id: UInt32(truncatingIfNeeded: id), method: UInt8(method & 0xF),
        reference: UInt16(truncatingIfNeeded: reference), extents: [])
      total += Int(parts)
      guard total <= 1 << 20, reference == 0 else { return nil }
      for _ in 0..<parts {
        guard let index = number(indexWidth), let offset = number(widths[0]),
          let length = number(widths[1]), let start = base.adding(offset),
          start <= UInt64(UInt32.max), length <= UInt64(UInt32.max)
        else { return nil }
        location.extents.append((index, start, length))
      }
      locations.append(location)
    }
    return position == content.count ? locations : nil
  }

  /// `iloc` in version 1, or 2 for large numbers, with offsets and lengths of four bytes.
  private static func table(_ locations: [Location]) -> [UInt8] {
    let isWide = locations.contains { $0.id > 0xFFFF } || locations.count > 0xFFFF
    let hasIndexes = locations.contains { $0.extents.contains { $0.index != 0 } }
    let idWidth = isWide ? 4 : 2
    var content: [UInt8] = [isWide ? 2 : 1, 0, 0, 0, 0x44, hasIndexes ? 4 : 0]
    content += encoded(locations.count, width: idWidth)
    for location in locations {
      content += encoded(location.id, width: idWidth)
      content += [0, location.method]
      content += encoded(location.reference, width: 2)
      content += encoded(location.extents.count, width: 2)
      for extent in location.extents {
        if hasIndexes { content += encoded(extent.index, width: 4) }
        content += encoded(extent.offset, width: 4)
        content += encoded(extent.length, width: 4)
      }
    }
    return content
  }
}
