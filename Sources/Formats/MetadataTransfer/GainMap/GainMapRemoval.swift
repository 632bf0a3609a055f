package import ByteReading
package import MediaEdits
import MediaFormats
import MediaModel

/// Removes the gain map of a JPEG whose first picture is SDR. Every byte of the coded first picture stays as it is, and
/// so does all data that is not about the gain map: other pictures, a motion clip, a maker's trailer.
package struct GainMapRemoval {
  private let source: any ByteSource
  private let jpeg: JPEGFile
  /// Both packets of the first picture.
  private let packet: XMPPacket?

  /// How a copy of a JPEG is SDR; nil if its first picture is HDR, or if its gain map cannot be removed.
  ///
  /// - Parameter limit: the longest file in bytes from which a gain map is removed.
  /// - Throws: the errors of the source.
  package static func sdrCopy(of source: any ByteSource, limit: Int) throws -> SDRCopy? {
    do {
      let removal = try GainMapRemoval(WindowedSource(source))
      guard try !removal.isFirstPictureHDR() else { return nil }
      if try removal.maps().isEmpty { return .unchanged }
      guard let bytes = try source.bytes(in: 0..<source.count, limit: limit) else { return nil }
      return try removed(from: bytes) == nil ? nil : .withoutGainMap
    } catch is ContainerError {
      return nil
    }
  }

  /// A JPEG without its gain map; the same bytes if it has none.
  ///
  /// - Returns: nil if the first picture is HDR, and for a file that does not allow it: a damaged one, and one whose
  ///   motion clip would be lost.
  /// - Throws: `ContainerError` for a file that is not a JPEG.
  package static func removed(from bytes: [UInt8]) throws -> [UInt8]? {
    let removal = try GainMapRemoval(ArraySource(bytes))
    guard try !removal.isFirstPictureHDR() else { return nil }
    let maps = try removal.maps()
    return maps.isEmpty ? bytes : try removal.removed(maps, from: bytes)
  }

  private init(_ source: any ByteSource) throws {
    self.source = source
    jpeg = try JPEGFile(source)
    var packet = jpeg.xmp.flatMap { XMPPacket($0) }
    if let second = try jpeg.extendedXMP(from: source).flatMap({ XMPPacket($0) }) {
      packet?.merge(second)
    }
    self.packet = packet
  }

  // MARK: Gain maps

  private static let maximumPictures = 16
  /// The longest gain map in bytes whose parameters are read.
  private static let maximumMap = 64 << 20

  /// Whether the first picture itself is HDR, so that it needs its gain map to become SDR.
  private func isFirstPictureHDR() throws -> Bool {
    if packet?.isBaseHDR == true { return true }
    return try listedMaps().contains { range in
      guard let bytes = try source.bytes(in: range, limit: Self.maximumMap) else { return false }
      if case .standard(let metadata) = JPEGGainMap.description(bytes, primaryExif: jpeg.exif),
        !metadata.brightens
      {
        return true
      }
      return try JPEGFile(ArraySource(bytes)).xmp.flatMap { XMPPacket($0) }?.isBaseHDR == true
    }
  }

  /// The ranges of gain maps by the index of pictures (CIPA DC-007) and by the list in XMP.
  private func listedMaps() throws -> [Range<UInt64>] {
    var ranges = jpeg.pictures.prefix(Self.maximumPictures)
      .filter { $0.offset > 0 && $0.type == MultiPicture.undefinedType }
      .compactMap { picture in picture.offset.adding(picture.length).map { picture.offset..<$0 } }
    ranges += packet?.gainMapItems(fileSize: source.count) ?? []
    return try ranges.filter { range in
      guard !range.isEmpty else { return false }
      do {
        return try JPEGAuxiliary(JPEGFile(source.part(range)))?.isGainMap == true
      } catch is ContainerError {
        return false
      }
    }
  }

  /// The ranges of the gain maps' files, in order, without overlaps.
  private func maps() throws -> [Range<UInt64>] {
    let listed = try listedMaps()
    guard !listed.isEmpty else { return [] }
    let others = try anchors(besides: Set(listed.map(\.lowerBound)))
    var found = ByteRanges()
    for range in listed {
      let limit = others.first { $0 > range.lowerBound } ?? source.count
      found.insert(try extent(of: range, before: limit))
    }
    return found.joined()
  }

  /// Offsets at which other data begins: further pictures, the motion clip, Samsung's trailer.
  private func anchors(besides maps: Set<UInt64>) throws -> [UInt64] {
    // The offsets in the indexes of some files are wrong.
    var anchors = try jpeg.pictures.map(\.offset).filter {
      try $0 > 0 && !maps.contains($0) && source.bytes(at: $0, count: 3) == [0xFF, 0xD8, 0xFF]
    }
    let trailer = try SamsungTrailer(source)
    if let trailer { anchors.append(trailer.start) }
    if let clip = try clip(trailer) { anchors.append(clip.lowerBound) }
    return anchors.sorted()
  }

  /// A gain map's file up to its End Of Image marker, with padding up to its listed end.
  ///
  /// - Parameters:
  ///   - listed: its range by an index, whose length may be wrong.
  ///   - limit: the offset of other data.
  private func extent(
    of listed: Range<UInt64>, before limit: UInt64
  ) throws -> Range<UInt64> {
    let start = listed.lowerBound
    let listedEnd = min(listed.upperBound, limit)
    let rest = source.part(start..<limit)
    guard let scan = try JPEGMetadata(rest).scanOffset,
      let length = try endOfJPEGScans(from: scan, in: rest)
    else { return start..<listedEnd }
    let end = start + length
    guard end < listedEnd,
      let padding = try source.bytes(in: end..<listedEnd, limit: Self.maximumMap),
      padding.allSatisfy({ $0 == 0 }) || padding.allSatisfy({ $0 == 0xFF })
    else { return start..<end }
    return start..<listedEnd
  }

  /// The range of the motion clip.
  private func clip(_ trailer: SamsungTrailer?) throws -> Range<UInt64>? {
    let found = try EmbeddedClipSearch.find(
      in: source, xmp: jpeg.xmp.flatMap { XMPPacket($0) }, trailer: trailer, jpeg: jpeg)
    guard case .clip(let clip) = found else { return nil }
    return clip.offset.adding(clip.length).map { clip.offset..<$0 }
  }

  // MARK: Result

  private func removed(_ maps: [Range<UInt64>], from bytes: [UInt8]) throws -> [UInt8]? {
    guard let end = try jpeg.end(in: source) else { return nil }
    let trailer = try SamsungTrailer(source)
    let clip = try clip(trailer)
    let isApart = maps.allSatisfy { map in
      map.lowerBound >= end && map.upperBound <= trailer?.start ?? source.count
        && clip.map { !$0.overlaps(map) } ?? true
    }
    guard isApart else { return nil }
    var patch = try JPEGPatch(bytes)
    patch.pictureEnd = Int(end)
    for map in maps { patch.remove(Int(map.lowerBound)..<Int(map.upperBound)) }
    patch.removeSegments(JPEGMarker.app2, named: ISOGainMap.segmentName)
    guard try changeXMP(&patch, maps) else { return nil }
    let made = patch.applied()
    let result = try GainMapRemoval(ArraySource(made))
    guard try result.maps().isEmpty else { return nil }
    if let clip {
      guard let new = try result.clip(SamsungTrailer(result.source)),
        bytes[Int(clip.lowerBound)..<Int(clip.upperBound)]
          == made[Int(new.lowerBound)..<Int(new.upperBound)]
      else { return nil }
    }
    return made
  }

  /// - Returns: false for packets that are not well-formed.
  private func changeXMP(_ patch: inout JPEGPatch, _ maps: [Range<UInt64>]) throws -> Bool {
    let metadata = try PictureMetadata.jpeg(source)
    guard let packet = metadata.xmp else { return true }
    guard var first = GainMapXMP.removed(from: packet) else { return false }
    if let offset = microVideoOffset(without: maps) {
      guard let changed = XMPPatch.set([Self.microVideoOffset: String(offset)], in: first)
      else { return false }
      first = changed
    }
    if let second = metadata.extendedXMP {
      guard let changed = GainMapXMP.removed(from: second) else { return false }
      if changed != second {
        patch.set(xmp: first, second: changed)
        return true
      }
    }
    if first != packet {
      XMPPatch.hasProperties(first) ? patch.set(xmp: first) : patch.removePacket()
    }
    return true
  }

  private static let microVideoOffset = XMLName(
    namespace: XMPNamespace.camera, local: "MicroVideoOffset")

  /// The new distance of the clip from the file's end; nil if it stays.
  private func microVideoOffset(without maps: [Range<UInt64>]) -> UInt64? {
    let name = Self.microVideoOffset
    guard let back = packet?.value(name.namespace, name.local).flatMap({ UInt64($0) }),
      back <= source.count
    else { return nil }
    let after = maps.filter { $0.lowerBound >= source.count - back }
      .reduce(0) { $0 + UInt64($1.count) }
    return after > 0 && after < back ? back - after : nil
  }
}

extension XMPPacket {
  /// Whether the packet of a picture or of its gain map declares the picture itself as HDR (Ultra HDR image format 1.1,
  /// "HDR gain map metadata").
  fileprivate var isBaseHDR: Bool {
    value(XMPNamespace.hdrGainMap, "BaseRenditionIsHDR")?.lowercased() == "true"
  }

  /// The ranges of all gain maps in the list of the file's parts, whose lengths count back from the file's end.
  fileprivate func gainMapItems(fileSize: UInt64) -> [Range<UInt64>] {
    var ranges: [Range<UInt64>] = []
    var end = fileSize
    for item in containerItems.dropFirst().reversed() {
      guard item.length <= end else { break }
      let start = end - item.length
      if item.semantic == "GainMap", !(start..<end).isEmpty { ranges.append(start..<end) }
      end = start
    }
    return ranges
  }
}
