package import ByteReading
package import MediaModel

/// One item of a HEIF file: a coded picture, a derived picture such as a grid, or metadata.
package struct HEIFItem: Sendable, Hashable {
  package var id: UInt32
  /// `hvc1`, `av01`, `grid`, `Exif`, `mime`, `tmap` …
  package var type: FourCC
  package var name: String
  /// The MIME type of a `mime` item.
  package var contentType: String?
  /// The compression of a `mime` item: `deflate`, `compress_zlib` or `br`; nil if it is not compressed.
  package var contentEncoding: String?
  /// The ranges of its bytes in the file.
  package var extents: [Range<UInt64>] = []
  /// The indexes of its properties, from 1, in the order of association.
  package var properties: [Int] = []
}

/// A typed link between items (`iref`): `thmb`, `auxl`, `cdsc`, `dimg` …
package struct HEIFReference: Sendable, Hashable {
  package var type: FourCC
  package var from: UInt32
  package var to: [UInt32]
}

/// A group of items or tracks (`grpl`): `altr`, `ster` …
package struct HEIFEntityGroup: Sendable, Hashable {
  package var type: FourCC
  package var id: UInt32
  package var entities: [UInt32]
}

/// One item property. The accessors return nil for a property of another type.
package struct HEIFProperty: Sendable, Hashable {
  package var type: FourCC
  package var content: [UInt8]

  /// `ispe`.
  package var spatialExtents: PixelSize? {
    guard type == "ispe", let width = content.u32(at: 4), let height = content.u32(at: 8)
    else { return nil }
    return PixelSize(width: Int(width), height: Int(height))
  }

  /// `irot`: anti-clockwise quarter turns.
  package var rotation: Int? {
    type == "irot" ? content.u8(at: 0).map { Int($0 & 3) } : nil
  }

  /// `imir`: 0 exchanges top and bottom, 1 left and right (ISO/IEC 23008-12:2022 §6.5.12; the edition of
  /// 2017 could be read the other way).
  package var mirrorAxis: Int? {
    type == "imir" ? content.u8(at: 0).map { Int($0 & 1) } : nil
  }

  /// `clap`: the size of the clean aperture, rounded to whole pixels as libheif rounds it.
  package var cleanAperture: PixelSize? {
    guard type == "clap", let width = content.u32(at: 0), let widthUnit = content.u32(at: 4),
      let height = content.u32(at: 8), let heightUnit = content.u32(at: 12),
      widthUnit > 0, heightUnit > 0, width >= widthUnit, height >= heightUnit
    else { return nil }
    func rounded(_ value: UInt32, _ unit: UInt32) -> Int {
      (Int(value) + Int(unit / 2)) / Int(unit)
    }
    return PixelSize(width: rounded(width, widthUnit), height: rounded(height, heightUnit))
  }

  /// `pixi`.
  package var bitsPerChannel: [Int]? {
    guard type == "pixi", let count = content.u8(at: 4) else { return nil }
    return content.bytes(at: 5, count: Int(count))?.map(Int.init)
  }

  /// `colr` of kind `nclx`.
  package var codedColor: (primaries: Int, transfer: Int, matrix: Int)? {
    guard type == "colr", content.hasText("nclx"), let primaries = content.u16(at: 4),
      let transfer = content.u16(at: 6), let matrix = content.u16(at: 8)
    else { return nil }
    return (Int(primaries), Int(transfer), Int(matrix))
  }

  /// Whether `cmpd` or the profile in `uncC` has an alpha channel: uncompressed pixels (ISO/IEC 23001-17 §5.1, §5.3).
  package var hasAlphaChannel: Bool {
    switch type {
    case "cmpd":
      let count = content.u32(at: 0).flatMap(Int.init(exactly:)) ?? 0
      var position = 4
      for _ in 0..<min(count, content.count / 2) {
        guard let kind = content.u16(at: position) else { return false }
        // 7 is alpha. From 0x8000 on, a URI with a final 0 follows.
        if kind == 7 { return true }
        position += 2
        if kind >= 0x8000 {
          guard position < content.count, let end = content[position...].firstIndex(of: 0)
          else { return false }
          position = end + 1
        }
      }
      return false
    // Version 1 has a profile in place of the components.
    case "uncC":
      return content.u8(at: 0) == 1
        && (content.hasText("rgba", at: 4) || content.hasText("abgr", at: 4))
    default: return false
    }
  }

  /// `auxC`.
  package var auxiliaryType: String? {
    type == "auxC" ? content.bytes(from: 4).trimmedText : nil
  }
}

/// The maximum number of items, references or groups.
private let maximumItems = 50_000

/// `iinf`: item information entries of versions 2 and 3. Earlier versions have no type.
func heifItems(_ content: [UInt8]) throws -> [HEIFItem] {
  let source = ArraySource(content)
  let skip: UInt64 = content.u8(at: 0) == 0 ? 6 : 8
  var items: [HEIFItem] = []
  for box in try source.boxes(in: skip..<max(skip, source.count), limit: maximumItems) {
    guard box.type == "infe", let entry = try source.content(of: box),
      let version = entry.u8(at: 0),
      version >= 2
    else { continue }
    let wide = version >= 3
    let afterID = wide ? 8 : 6
    guard let id = wide ? entry.u32(at: 4) : entry.u16(at: 4).map(UInt32.init),
      let type = entry.fourCC(at: afterID + 2)
    else { continue }
    let strings = entry.bytes(from: afterID + 6).split(
      separator: 0, omittingEmptySubsequences: false
    )
    .map { Array($0).text }
    var item = HEIFItem(id: id, type: type, name: strings.first ?? "")
    if type == "mime" {
      item.contentType = strings.count > 1 ? strings[1] : nil
      item.contentEncoding = strings.count > 2 && !strings[2].isEmpty ? strings[2] : nil
    }
    items.append(item)
  }
  return items
}

/// `iref`.
func heifReferences(_ content: [UInt8]) throws -> [HEIFReference] {
  let source = ArraySource(content)
  let width = content.u8(at: 0) == 0 ? 2 : 4
  var found: [HEIFReference] = []
  for box in try source.boxes(in: 4..<max(4, source.count), limit: maximumItems) {
    guard let link = try source.content(of: box),
      let from = link.unsigned(at: 0, width: width), let count = link.u16(at: width)
    else { continue }
    let targets = (0..<min(Int(count), link.count / width)).compactMap { index in
      link.unsigned(at: width + 2 + index * width, width: width)
    }
    found.append(
      HEIFReference(
        type: box.type, from: UInt32(truncatingIfNeeded: from),
        to: targets.map { UInt32(truncatingIfNeeded: $0) }))
  }
  return found
}

/// `grpl`.
func heifEntityGroups(_ content: [UInt8]) throws -> [HEIFEntityGroup] {
  let source = ArraySource(content)
  return try source.boxes(in: 0..<source.count, limit: maximumItems).compactMap { box in
    guard let group = try source.content(of: box), let id = group.u32(at: 4),
      let count = group.u32(at: 8)
    else { return nil }
    let listed = min(Int(count), group.count / 4)
    return HEIFEntityGroup(
      type: box.type, id: id, entities: (0..<listed).compactMap { group.u32(at: 12 + $0 * 4) })
  }
}
