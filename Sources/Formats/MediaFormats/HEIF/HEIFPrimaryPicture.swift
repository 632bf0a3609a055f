package import ByteReading
package import MediaModel

// The primary picture of a HEIF file: what its item, its properties and the references to it record.

extension HEIFContainer {
  /// The properties of the primary item.
  package var primaryProperties: [HEIFProperty] { properties(of: primaryItem) }

  /// The stored size of the primary picture (`ispe`), before crop and rotation.
  package var storedSize: PixelSize? {
    primaryProperties.lazy.compactMap(\.spatialExtents).first
  }

  /// The displayed size of the primary picture: after crop (`clap`) and rotation (`irot`) in the order of association
  /// (ISO/IEC 23008-12 §6.3). Mirroring (`imir`) does not change it. Grids, overlays and identity pictures have an
  /// `ispe` property of their own, too.
  package var displaySize: PixelSize? {
    guard var size = storedSize else { return nil }
    for property in primaryProperties {
      if let cropped = property.cleanAperture, cropped.width <= size.width,
        cropped.height <= size.height
      {
        size = cropped
      }
      if let quarters = property.rotation, quarters % 2 == 1 { size = size.transposed }
    }
    return size
  }

  /// Bits of each channel of the primary picture.
  package var bitsPerChannel: [Int] {
    primaryProperties.lazy.compactMap(\.bitsPerChannel).first ?? []
  }

  /// The colour primaries, transfer function and matrix (ITU-T H.273) of the primary picture; of a grid's first tile if
  /// the grid does not record them.
  package var codedColor: (primaries: Int, transfer: Int, matrix: Int)? {
    primaryProperties.lazy.compactMap(\.codedColor).first
      ?? properties(of: primaryParts.first).lazy.compactMap(\.codedColor).first
  }

  /// The pictures from which the primary one is derived, such as the tiles of a grid.
  var primaryParts: [UInt32] {
    references.first { $0.type == "dimg" && $0.from == primaryItem }?.to ?? []
  }

  // MARK: Auxiliary pictures

  /// The URNs of the primary picture's auxiliary pictures, in the order of their item IDs: gain maps, depth, mattes,
  /// transparency.
  package var auxiliaryTypes: [String] {
    guard let primaryItem else { return [] }
    let auxiliaries = references.filter { $0.type == "auxl" && $0.to.contains(primaryItem) }
    return auxiliaries.map(\.from).sorted().prefix(Self.maximumAuxiliaries).compactMap {
      properties(of: $0).lazy.compactMap(\.auxiliaryType).first
    }
  }

  private static let maximumAuxiliaries = 256

  /// Whether one of the auxiliary pictures is a depth map (ISO/IEC 23008-12 annex B.2.2, ISO/IEC 23000-22 §7.3.5.2).
  package var hasDepthImage: Bool {
    auxiliaryTypes.contains {
      $0 == "urn:mpeg:hevc:2015:auxid:2" || $0 == "urn:mpeg:mpegB:cicp:systems:auxiliary:depth"
    }
  }

  // MARK: Metadata

  /// The EXIF block of the primary picture from its TIFF header on (ISO/IEC 23008-12 annex A.2.1).
  package func exif(from source: any ByteSource) throws -> [UInt8]? {
    for item in primaryMetadata(where: { $0.type == "Exif" }) {
      if let found = try metadata(in: item, from: source).flatMap(tiffBlock(inExifItem:)) {
        return found
      }
    }
    return nil
  }

  /// The XMP packet of the primary picture.
  package func xmp(from source: any ByteSource) throws -> [UInt8]? {
    for packet in primaryPackets {
      if let found = try metadata(in: packet, from: source) { return found }
    }
    return nil
  }

  /// Whether an item with XMP describes the primary picture.
  var hasXMP: Bool { !primaryPackets.isEmpty }

  private var primaryPackets: [HEIFItem] {
    primaryMetadata {
      $0.type == "mime" && $0.contentType?.hasPrefix("application/rdf+xml") == true
    }
  }

  /// The first metadata item of a kind that describes the primary picture.
  package func describing(_ isWanted: (HEIFItem) -> Bool) -> HEIFItem? {
    primaryMetadata(where: isWanted).first
  }

  private static let maximumMetadataItems = 16

  /// The metadata items that describe (`cdsc`) the primary picture, then those that do not record what they describe or
  /// name items that do not exist.
  /// Metadata of other pictures, such as the other ones of a burst, is left out.
  private func primaryMetadata(where isWanted: (HEIFItem) -> Bool) -> [HEIFItem] {
    let described = Dictionary(
      grouping: references.lazy.filter { $0.type == "cdsc" }, by: \.from)
    let primary = Set(primaryParts + [primaryItem].compactMap(\.self))
    let wanted = items.filter(isWanted).prefix(Self.maximumMetadataItems)
    let own = wanted.filter { item in
      described[item.id]?.contains { $0.to.contains(where: primary.contains) } == true
    }
    let existing = Set(items.map(\.id))
    return own
      + wanted.filter { item in
        !(described[item.id] ?? []).contains { $0.to.contains(where: existing.contains) }
      }
  }
}
