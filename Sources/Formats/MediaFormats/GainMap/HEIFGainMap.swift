package import ByteReading

/// The item of a HEIF file that contains its primary picture's gain map.
package struct HEIFGainMap: Sendable {
  package var item: UInt32
  package var description: GainMapDescription
  /// The profile of the alternate picture's colours, if the file has one.
  package var alternateProfile: [UInt8]?
}

extension HEIFContainer {
  package static let appleGainMap = "urn:com:apple:photo:2020:aux:hdrgainmap"

  /// Whether the primary picture has a gain map, usable or not.
  package var hasGainMap: Bool {
    references.contains { link in
      link.type == "dimg" && link.to.first == primaryItem && item(link.from)?.type == "tmap"
    } || appleGainMapItem != nil
  }

  /// Apple's auxiliary picture.
  private var appleGainMapItem: UInt32? {
    guard let primaryItem else { return nil }
    return references.first { link in
      link.type == "auxl" && link.to.contains(primaryItem)
        && properties(of: link.from).contains { $0.auxiliaryType == Self.appleGainMap }
    }?.from
  }

  /// The primary picture's gain map: by a derived picture (`tmap`, ISO 21496-1 and ISO/IEC 23008-12 amendment 1), as
  /// Samsung's and newer iPhones' files have it, otherwise Apple's auxiliary picture. Nil if there is none.
  package func gainMap(
    from source: any ByteSource, _ exif: [UInt8]?
  ) throws -> HEIFGainMap? {
    if let derived = try toneMappedGainMap(from: source) { return derived }
    guard let map = appleGainMapItem else { return nil }
    let headroom = try appleHeadroom(of: map, from: source) ?? Self.appleHeadroom(exif)
    return HEIFGainMap(
      item: map,
      description: headroom.map { .apple(headroom: $0) }
        ?? .unusable("does not record how bright it is"))
  }

  /// A `tmap` item is derived from the base picture and the gain map, in this order.
  private func toneMappedGainMap(from source: any ByteSource) throws -> HEIFGainMap? {
    for item in items where item.type == "tmap" {
      guard let parts = references.first(where: { $0.type == "dimg" && $0.from == item.id })?.to,
        parts.count == 2, parts[0] == primaryItem,
        let content = try content(of: item, from: source, limit: 4096)
      else { continue }
      let profile = properties(of: item.id).lazy.compactMap(\.profile).first
      return HEIFGainMap(
        item: parts[1], description: ISOGainMap.toneMap(content), alternateProfile: profile)
    }
    return nil
  }

  private func appleHeadroom(of map: UInt32, from source: any ByteSource) throws -> Double? {
    let describing = references.lazy.filter { $0.type == "cdsc" && $0.to.contains(map) }
    for link in describing.prefix(4) {
      if let item = item(link.from), item.type == "mime",
        let packet = try content(of: item, from: source, limit: 1 << 20).flatMap({ XMPPacket($0) }),
        let headroom = packet.appleHeadroom
      {
        return headroom
      }
    }
    return nil
  }

  /// The headroom that a picture's MakerNote records.
  static func appleHeadroom(_ exif: [UInt8]?) -> Double? {
    guard let exif, let tiff = try? TIFFFile(ArraySource(exif)),
      let main = try? tiff.directory(at: tiff.firstDirectoryOffset),
      let directory = try? tiff.directory(TIFFTag.exifIFD, of: main),
      let entry = directory[TIFFTag.makerNote],
      let note = try? tiff.bytes(of: entry, limit: 1 << 20)
    else { return nil }
    return AppleMakerNote(note)?.gainMapHeadroom
  }
}

extension HEIFProperty {
  /// `colr` with an ICC profile; nil for other properties.
  var profile: [UInt8]? {
    guard type == "colr", content.hasText("prof") || content.hasText("rICC") else { return nil }
    return content.bytes(from: 4)
  }
}
