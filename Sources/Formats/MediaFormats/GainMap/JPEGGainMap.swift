package import ByteReading

/// The JPEG after the first one that is its gain map.
package struct JPEGGainMap: Sendable {
  /// The gain map's file, from its start marker on.
  package var bytes: [UInt8]
  package var description: GainMapDescription

  /// The longest gain map in bytes.
  private static let maximumBytes = 64 << 20
  private static let maximumPictures = 16

  /// The gain map of a JPEG, by its index of pictures (CIPA DC-007) or, without one, by the list in its XMP; nil if there
  /// is none.
  package init?(of jpeg: JPEGFile, in source: any ByteSource) throws {
    var ranges = jpeg.pictures.prefix(Self.maximumPictures)
      .filter { $0.offset > 0 && $0.type == MultiPicture.undefinedType }
      .compactMap { picture in picture.offset.adding(picture.length).map { picture.offset..<$0 } }
    if let start = jpeg.xmp.flatMap({ XMPPacket($0) })?.gainMapStart(fileSize: source.count) {
      ranges.append(start..<source.count)
    }
    for range in ranges {
      guard range.upperBound <= source.count,
        let bytes = try source.bytes(in: range, limit: Self.maximumBytes),
        let description = Self.description(bytes, primaryExif: jpeg.exif)
      else { continue }
      self.bytes = bytes
      self.description = description
      return
    }
    return nil
  }

  /// What a further picture's segments say of it as a gain map; nil for other pictures.
  ///
  /// - Parameters:
  ///   - bytes: the further picture's file, from its start marker on.
  ///   - primaryExif: the EXIF block of the first picture.
  package static func description(
    _ bytes: [UInt8], primaryExif: [UInt8]?
  ) -> GainMapDescription? {
    let source = ArraySource(bytes)
    guard let file = try? JPEGMetadata(source) else { return nil }
    for segment in file.segments where segment.marker == JPEGMarker.app2 {
      let payload = source.bytes(at: segment.payload.lowerBound, count: segment.payload.count)
      if payload.hasBytes(ISOGainMap.segmentName) {
        return ISOGainMap.description(payload.bytes(from: ISOGainMap.segmentName.count))
      }
    }
    let packet = file.xmpRange.flatMap {
      XMPPacket(source.bytes(at: $0.lowerBound, count: $0.count))
    }
    guard let packet else { return nil }
    if let description = packet.gainMap { return description }
    guard packet.isAppleGainMap else { return nil }
    return HEIFContainer.appleHeadroom(primaryExif).map { .apple(headroom: $0) }
      ?? .unusable("does not record how bright it is")
  }
}

extension XMPPacket {
  /// The offset of the gain map by the list of the file's parts (Ultra HDR image format 1.1, "GContainer metadata"), for
  /// files without an index of pictures. The lengths of the parts count back from the file's end.
  package func gainMapStart(fileSize: UInt64) -> UInt64? {
    let items = containerItems
    guard let place = items.lastIndex(where: { $0.semantic == "GainMap" }), place > 0
    else { return nil }
    var back: UInt64 = 0
    for item in items[place...] {
      let (sum, isTooLong) = back.addingReportingOverflow(item.length)
      guard !isTooLong, sum < fileSize else { return nil }
      back = sum
    }
    return back > 0 ? fileSize - back : nil
  }
}
