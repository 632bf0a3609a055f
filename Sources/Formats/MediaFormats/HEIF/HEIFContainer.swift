package import ByteReading
import MediaModel

/// The boxes of a HEIF or AVIF file (ISO/IEC 23008-12, ISO/IEC 14496-12 §8.11).
///
/// They contain facts that libheif's API does not return, and all metadata.
package struct HEIFContainer {
  package private(set) var brands: ISOBrands?
  package private(set) var primaryItem: UInt32?
  /// The items in the order of the file.
  package private(set) var items: [HEIFItem] = []
  /// The properties in the order of the `ipco` box. Associations count them from 1.
  package private(set) var properties: [HEIFProperty] = []
  package private(set) var references: [HEIFReference] = []
  package private(set) var groups: [HEIFEntityGroup] = []
  /// The content of the `mpvd` box: the clip of a Google motion photo.
  package private(set) var motionVideo: Range<UInt64>?
  /// The content of the `sefd` box: Samsung's trailer.
  package private(set) var samsungTrailer: Range<UInt64>?
  /// Whether there is a `moov` box: an image sequence.
  package private(set) var hasSequence = false
  package private(set) var warnings: [String] = []
  /// False if several items share an ID, or if the boxes exceed a limit. Then only the first items are read, and other
  /// programs may read other ones.
  package private(set) var isUnambiguous = true

  /// Where the boxes end. Programs append bytes that are no boxes, and libheif 1.23 takes them for one of any size.
  package private(set) var end: UInt64

  /// The boxes that a picture is made of. If one of them ends after the file, the file is cut off.
  private static let essentialBoxes: Set<FourCC> = ["ftyp", "meta", "mdat", "moov", "moof"]
  private static let maximumBoxes = 256
  /// Further properties are not read.
  package static let maximumProperties = 4096
  /// The longest `meta` box in bytes.
  private static let maximumMetaSize = 16 << 20
  /// Properties of one item. An entry of `ipma` has at most 255.
  private static let maximumAssociations = 256

  /// - Throws: ``ContainerError`` if `ftyp` or `meta` is missing; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let top = try source.boxes(in: 0..<source.count, limit: Self.maximumBoxes)
    end = source.count
    if top.count < Self.maximumBoxes, let last = top.last {
      let isStray = last.isTruncated && !Self.essentialBoxes.contains(last.type)
      end = isStray ? last.offset : last.end
    }
    guard let ftyp = top.first(where: { $0.type == "ftyp" }) else {
      throw ContainerError.notThisFormat("HEIF file")
    }
    brands = ISOBrands(payload: try source.start(of: ftyp, 512))
    motionVideo = top.first { $0.type == "mpvd" }?.payload
    samsungTrailer = top.first { $0.type == "sefd" }?.payload
    hasSequence = top.contains { $0.type == "moov" }
    if let cut = top.last, cut.isTruncated {
      warnings.append("The file is cut off in its \(cut.type) box.")
    }
    guard let meta = top.first(where: { $0.type == "meta" }) else {
      guard hasSequence else { throw ContainerError.damaged("has no meta box") }
      return
    }
    guard let content = try source.content(of: meta, limit: Self.maximumMetaSize) else {
      throw ContainerError.damaged("has a meta box of more than 16 MiB")
    }
    try read(meta: ArraySource(content), at: meta.payload.lowerBound, fileSize: source.count)
    // Items can be anywhere in the file.
    end = min(source.count, items.lazy.flatMap(\.extents).map(\.upperBound).reduce(end, max))
  }

  private mutating func read(meta: ArraySource, at base: UInt64, fileSize: UInt64) throws {
    let boxes = try meta.boxes(in: 4..<max(4, meta.count))
    for box in boxes {
      guard let content = try meta.content(of: box, limit: Self.maximumMetaSize) else { continue }
      switch box.type {
      case "pitm":
        primaryItem =
          content.u8(at: 0) == 0 ? content.u16(at: 4).map(UInt32.init) : content.u32(at: 4)
      case "iinf":
        let listed = try heifItems(content)
        var seen: Set<UInt32> = []
        items = listed.filter { seen.insert($0.id).inserted }
        if items.count < listed.count { isUnambiguous = false }
      case "iref": references = try heifReferences(content)
      case "iprp": try read(properties: content)
      case "grpl": groups = try heifEntityGroups(content)
      default: break
      }
    }
    // Locations and associations refer to items, so they are read after the items, in any order of the boxes.
    var locations: [UInt32: [HEIFExtent]] = [:]
    for box in boxes where box.type == "iloc" {
      guard let content = try meta.content(of: box, limit: Self.maximumMetaSize) else { continue }
      locations = heifLocations(content)
      if locations.values.reduce(0, { $0 + $1.count }) >= maximumExtents { isUnambiguous = false }
    }
    let data = boxes.first { $0.type == "idat" }.map {
      (base + $0.payload.lowerBound)..<(base + $0.payload.upperBound)
    }
    for index in items.indices {
      items[index].extents = (locations[items[index].id] ?? []).compactMap {
        $0.range(data: data, fileSize: fileSize)
      }
    }
  }

  private mutating func read(properties content: [UInt8]) throws {
    let source = ArraySource(content)
    for box in try source.boxes(in: 0..<source.count) {
      if box.type == "ipco" {
        properties = try source.boxes(inside: box, limit: Self.maximumProperties).map {
          HEIFProperty(type: $0.type, content: try source.content(of: $0) ?? [])
        }
      }
    }
    let associations = try source.boxes(in: 0..<source.count).lazy.filter { $0.type == "ipma" }
    for box in associations.prefix(16) {
      guard let content = try source.content(of: box, limit: Self.maximumMetaSize)
      else { continue }
      let indexes = heifAssociations(content)
      for index in items.indices {
        let left = Self.maximumAssociations - items[index].properties.count
        items[index].properties += (indexes[items[index].id] ?? []).prefix(left)
      }
    }
  }
}

extension HEIFContainer {
  package func item(_ id: UInt32) -> HEIFItem? {
    items.first { $0.id == id }
  }

  /// The properties of an item in the order in which transformations apply.
  package func properties(of id: UInt32?) -> [HEIFProperty] {
    guard let id, let item = item(id) else { return [] }
    return item.properties.compactMap { index in
      index >= 1 && index <= properties.count ? properties[index - 1] : nil
    }
  }

  /// Whether there is a derived HDR picture (`tmap`, ISO 21496-1).
  package var hasToneMap: Bool { items.contains { $0.type == "tmap" } }

  /// Whether two pictures are a stereo pair, as in spatial photos.
  package var hasStereoPair: Bool { groups.contains { $0.type == "ster" } }

  /// An item's bytes, joined from its extents; nil if an extent is missing or the limit is exceeded.
  package func content(
    of item: HEIFItem, from source: any ByteSource, limit: Int = 4 << 20
  ) throws -> [UInt8]? {
    var content: [UInt8] = []
    for extent in item.extents {
      guard let bytes = try source.bytes(in: extent, limit: limit - content.count)
      else { return nil }
      content += bytes
    }
    return content.isEmpty ? nil : content
  }
}
