package import ByteReading
package import MediaEdits
import MediaFormats
import MediaModel

extension CatalogFacts {
  /// The facts under QuickTime's keys (QuickTime File Format, "Metadata Keys").
  fileprivate var quickTimeItems: [(key: String, value: String)] {
    let items: [(key: String, value: String?)] = [
      ("creationdate", captureTime?.iso8601), ("location.ISO6709", location?.iso6709),
      ("title", title), ("description", caption),
      ("keywords", keywords.isEmpty ? nil : keywords.joined(separator: ",")),
      ("rating.user", rating.map { String(max(0, $0)) }),
    ]
    return items.compactMap { key, value in
      value.map { (key: "com.apple.quicktime." + key, value: $0) }
    }
  }

  /// Whether QuickTime has no keys for some of the facts.
  fileprivate var needsXMP: Bool {
    isFavorite || label != nil || pick != nil || !keywordPaths.isEmpty || !people.isEmpty
      || !albums.isEmpty || originalName != nil
      || rating.map { $0 < 0 } ?? false || captureTime?.isZoneUnrecorded ?? false
  }
}

extension MovieMetadataBoxes {
  /// Adds facts of the catalog: under QuickTime's keys, and in XMP if these are not enough or it has XMP already.
  package mutating func add(_ facts: CatalogFacts) {
    for (key, value) in facts.quickTimeItems { set(key, value) }
    if let own = xmp {
      if let merged = CatalogXMP.merged(facts, into: own) { set(xmp: merged) }
    } else if facts.needsXMP {
      set(xmp: CatalogXMP.packet(facts))
    }
  }
}

/// A copy of a QuickTime or MP4 file with facts of the catalog in its metadata. All samples stay as they are.
package struct MovieFacts {
  /// A part of the copy.
  package enum Piece {
    /// A range of the source.
    case source(Range<UInt64>)
    case bytes([UInt8])
    /// Zeros.
    case zeros(UInt64)
  }

  /// The parts of the copy in their order.
  package private(set) var pieces: [Piece] = []

  /// The longest header in bytes that is changed.
  private static let maximumHeader = 256 << 20
  private static let maximumXMP = 4 << 20

  /// Nil for a file whose structure does not allow it: fragments, a compressed header, metadata of another kind.
  ///
  /// - Throws: ``ContainerError`` for a damaged file; the errors of the source.
  package init?(_ facts: CatalogFacts, addedTo source: any ByteSource) throws {
    let top = try source.boxes(in: 0..<source.count, limit: 4096)
    let headers = top.filter { $0.type == "moov" }
    guard headers.count == 1, let old = headers.first, !old.isTruncated,
      top.last?.end == source.count, top.last?.isTruncated == false,
      !top.contains(where: { ["moof", "mfra", "sidx", "meta"].contains($0.type) }),
      let bytes = try source.bytes(in: old.offset..<old.end, limit: Self.maximumHeader),
      var header = try Self.header(bytes, facts)
    else { return nil }
    let media = top.filter { $0.type == "mdat" }
    if media.contains(where: { $0.offset > old.offset }) {
      guard !media.contains(where: { $0.offset < old.offset }) else { return nil }
      // Offsets only grow.
      if header.bytes.count < bytes.count {
        try header.add(movie: [Self.free(atLeast: bytes.count - header.bytes.count)], tracks: [])
      }
      guard try header.shiftChunks(by: UInt64(header.bytes.count - bytes.count)) else {
        return nil
      }
    }
    let xmpBoxes = top.filter { $0.extendedType == ISOMovie.xmpIdentifier }
    guard xmpBoxes.count <= 1 else { return nil }
    var packet = facts.needsXMP ? CatalogXMP.packet(facts) : nil
    if let box = xmpBoxes.first {
      guard let own = try source.bytes(in: box.payload, limit: Self.maximumXMP),
        let merged = CatalogXMP.merged(facts, into: own)
      else { return nil }
      packet = merged
    }
    // A box of size 0 extends to the end of the file, so that nothing can follow it.
    guard let last = top.last,
      try source.bytes(at: last.offset, count: 4).u32(at: 0) != 0 || packet == nil
    else { return nil }
    var position: UInt64 = 0
    for box in (headers + xmpBoxes).sorted(by: { $0.offset < $1.offset }) {
      pieces.append(.source(position..<box.offset))
      if box.type == "moov" {
        pieces.append(.bytes(header.bytes))
      } else {
        let size = box.end - box.offset
        guard size <= UInt64(UInt32.max) else { return nil }
        // The offsets of what follows stay.
        pieces.append(.bytes(encoded(size, width: 4) + Array("free".utf8)))
        pieces.append(.zeros(size - 8))
      }
      position = box.end
    }
    pieces.append(.source(position..<source.count))
    if let packet { pieces.append(.bytes(isoBox("uuid", ISOMovie.xmpIdentifier + packet))) }
  }

  private static func free(atLeast size: Int) -> [UInt8] {
    isoBox("free", [UInt8](repeating: 0, count: max(0, size - 8)))
  }

  /// The header with the facts; nil if its metadata is of another kind.
  private static func header(_ bytes: [UInt8], _ facts: CatalogFacts) throws -> MovieHeader? {
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count) else { return nil }
    let children = try source.boxes(inside: moov)
    guard children.allSatisfy({ $0.hasOwnEnd(in: bytes) }),
      !children.contains(where: { ["cmov", "mvex"].contains($0.type) }),
      children.last?.end == source.count, children.filter({ $0.type == "meta" }).count <= 1
    else { return nil }
    func whole(_ box: ISOBox) -> [UInt8] { Array(bytes[Int(box.offset)..<Int(box.end)]) }
    let own = children.first { $0.type == "meta" }.map(whole)
    let items = facts.quickTimeItems
    guard let meta = items.isEmpty ? own ?? [] : try MovieMetadataBoxes.meta(own, setting: items)
    else { return nil }
    let rest = children.filter { $0.type != "meta" }.flatMap { box in
      box.type == "mvhd" ? movieHeader(whole(box), facts) : whole(box)
    }
    return MovieHeader(isoBox("moov", rest + meta))
  }

  /// `mvhd` with the capture time if it has no time of its own and the zone is known. Times count from 1904, UTC
  /// (ISO/IEC 14496-12 §8.2.2).
  private static func movieHeader(_ box: [UInt8], _ facts: CatalogFacts) -> [UInt8] {
    let epoch: Int64 = 2_082_844_800
    guard let time = facts.captureTime, let offset = time.offsetMinutes, let version = box.u8(at: 8)
    else { return box }
    let width = version == 0 ? 4 : 8
    let seconds = time.wallSeconds - Int64(offset) * 60 + epoch
    guard box.unsigned(at: 12, width: width) == 0, seconds > 0,
      version > 0 || seconds <= Int64(UInt32.max)
    else { return box }
    var changed = box
    changed.replaceSubrange(12..<(12 + width), with: encoded(seconds, width: width))
    return changed
  }
}
