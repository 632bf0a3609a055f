import ByteReading

/// One of Photoshop's image resources (Adobe Photoshop File Formats, "Image Resource Blocks"). JPEG (APP13), TIFF (tag
/// 34377) and PSD files contain them.
package struct PhotoshopResource {
  package var identifier: UInt16
  /// The range of the whole resource with its padding.
  package var range: Range<Int>
  package var data: Range<Int>

  package static let iptc: UInt16 = 0x0404
  package static let iptcDigest: UInt16 = 0x0425
  package static let exif: UInt16 = 0x0422
  package static let moreExif: UInt16 = 0x0423
  package static let xmp: UInt16 = 0x0424
  package static let profile: UInt16 = 0x040F
  package static let caption: UInt16 = 0x03F0
  package static let thumbnails: Set<UInt16> = [0x0409, 0x040C]
  /// The number of bytes before a thumbnail's JPEG: format, sizes and depth.
  package static let thumbnailStart = 28

  /// All resources up to the first bytes that are not a resource.
  package static func list(_ bytes: [UInt8]) -> [PhotoshopResource] {
    var found: [PhotoshopResource] = []
    var position = 0
    while found.count < 1000, let identifier = bytes.u16(at: position + 4),
      let nameLength = bytes.u8(at: position + 6),
      ["8BIM", "MeSa", "AgHg", "PHUT", "DCSR"].contains(where: { bytes.hasText($0, at: position) })
    {
      // A Pascal string, padded to an even length including its length byte.
      let sizeOffset = position + 6 + (Int(nameLength) + 2) / 2 * 2
      guard let size = bytes.u32(at: sizeOffset), Int(size) <= bytes.count - sizeOffset - 4
      else { break }
      let start = sizeOffset + 4
      let end = min(start + (Int(size) + 1) / 2 * 2, bytes.count)
      found.append(
        PhotoshopResource(
          identifier: identifier, range: position..<end, data: start..<(start + Int(size))))
      position = end
    }
    return found
  }

  /// The data of the first resource with an identifier.
  static func data(_ wanted: UInt16, in resources: [UInt8]) -> [UInt8]? {
    list(resources).first { $0.identifier == wanted }.map { Array(resources[$0.data]) }
  }

  /// A resource without a name.
  package static func made(_ identifier: UInt16, _ data: [UInt8]) -> [UInt8] {
    Array("8BIM".utf8) + encoded(identifier, width: 2) + [0, 0] + encoded(data.count, width: 4)
      + data + (data.count % 2 == 1 ? [0] : [])
  }
}
