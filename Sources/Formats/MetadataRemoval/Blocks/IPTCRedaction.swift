import ByteReading
package import MediaEdits
import MediaFormats

/// Removes locations and captions from IPTC datasets (IIM 4.2) and Photoshop's image resources.
package enum IPTCRedaction {
  /// Datasets of record 2: content location code and name, city, sublocation, province, country code and name.
  private static let locationDatasets: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// Datasets of record 2: object name, headline, caption, and the caption as a picture.
  private static let captionDatasets: Set<UInt8> = [5, 105, 120, 121, 125]

  /// The preview of the object, and the object itself in records 2 and 8.
  private static let pictureDatasets: Set<[UInt8]> = [[2, 202], [8, 10]]

  /// Datasets of record 2 in IIM 4.2, and those that exiftool's IPTC table adds.
  private static let knownDatasets: [ClosedRange<UInt8>] = [
    0...5, 7...8, 10...12, 15...22, 25...27, 30...47, 50...75, 80...85, 90...110, 115...125,
    130...135, 150...154, 184...188, 200...201, 221...231, 255...255,
  ]

  /// The datasets without those that a policy removes, padded with zeros to the old length. Bytes that are
  /// not a dataset are dropped.
  ///
  /// - Parameter depth: the number of files that the datasets are inside of.
  static func removing(
    _ policy: MetadataPolicy, from iim: [UInt8], depth: Int = 1
  ) -> [UInt8] {
    var kept: [UInt8] = []
    var position = 0
    while iim.u8(at: position) == 0x1C, let record = iim.u8(at: position + 1),
      let number = iim.u8(at: position + 2), let range = contentRange(iim, position),
      range.upperBound <= iim.count
    {
      let content = Array(iim[range])
      if pictureDatasets.contains([record, number]) {
        // A preview in another format than JPEG is left out.
        if content.hasBytes([0xFF, 0xD8, 0xFF]) {
          kept += iim[position..<range.lowerBound]
          kept += removing(policy, fromPicture: content, depth: depth)
        }
      } else if !isUnwanted(content, record, number, policy) {
        kept += iim[position..<range.upperBound]
      }
      position = range.upperBound
    }
    return kept + [UInt8](repeating: 0, count: iim.count - kept.count)
  }

  /// The datasets without the preview of the object, and without the object itself.
  private static func withoutPreviews(_ iim: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    var position = 0
    while iim.u8(at: position) == 0x1C, let range = contentRange(iim, position),
      range.upperBound <= iim.count
    {
      if !pictureDatasets.contains(Array(iim[(position + 1)..<(position + 3)])) {
        kept += iim[position..<range.upperBound]
      }
      position = range.upperBound
    }
    return kept + iim[position...]
  }

  /// Photoshop's resources without the previews in IPTC. Nothing else changes.
  package static func withoutPreviews(inResources resources: [UInt8]) -> [UInt8] {
    let list = PhotoshopResource.list(resources)
    var result: [UInt8] = []
    var digest: [UInt8]?
    for resource in list {
      let data = Array(resources[resource.data])
      switch resource.identifier {
      case PhotoshopResource.iptc:
        let changed = withoutPreviews(data)
        guard changed != data else { fallthrough }
        digest = md5(changed)
        result += PhotoshopResource.made(resource.identifier, changed)
      case PhotoshopResource.iptcDigest where digest != nil && data.count == 16:
        result += PhotoshopResource.made(resource.identifier, digest ?? data)
      default: result += resources[resource.range]
      }
    }
    return digest == nil ? resources : result
  }

  /// Whether a policy removes a dataset that is not a picture.
  private static func isUnwanted(
    _ content: [UInt8], _ record: UInt8, _ number: UInt8, _ policy: MetadataPolicy
  ) -> Bool {
    switch record {
    case 2 where knownDatasets.contains { $0.contains(number) }:
      return policy.removesCaptions && captionDatasets.contains(number)
        || policy.removesLocation
          && (locationDatasets.contains(number)
            || number == 25 && LocationDetection.isMachineTag(content))
        || policy.removesLocation && TextsInData.haveCoordinates(content)
    // The envelope, parameters of the picture, and the size of the object.
    case 1, 3, 7, 9: return policy.removes(text: content)
    default:
      // Datasets of unknown meaning stay if they are texts that are neither captions nor record a place.
      return String(validating: content, as: UTF8.self) == nil || policy.removes(caption: content)
    }
  }

  /// The content of the dataset that begins at a position (IIM 4.2 §1.5).
  private static func contentRange(_ iim: [UInt8], _ position: Int) -> Range<Int>? {
    guard let field = iim.u16(at: position + 3) else { return nil }
    let start = position + 5
    guard field & 0x8000 != 0 else { return start..<(start + Int(field)) }
    let width = Int(field & 0x7FFF)
    guard (1...4).contains(width), let length = iim.unsigned(at: start, width: width)
    else { return nil }
    return (start + width)..<(start + width + Int(length))
  }
}

extension IPTCRedaction {
  /// A longer resource of unknown meaning is not searched for a text.
  private static let maximumText = 16 << 20

  /// Resources of the same length without the metadata that a policy removes.
  ///
  /// - Parameter depth: the number of files that the resources are inside of.
  package static func removing(
    _ policy: MetadataPolicy, fromResources resources: [UInt8], depth: Int = 1
  ) -> [UInt8] {
    var result = resources
    let list = PhotoshopResource.list(resources)
    let end = list.last?.range.upperBound ?? 0
    // Readers stop here, so the rest is not needed and could record anything.
    for index in end..<resources.count { result[index] = 0 }
    var digest: [UInt8]?
    for resource in list {
      // A name follows its length.
      let name = resource.range.lowerBound + 7
      let nameEnd = name + Int(resources.u8(at: name - 1) ?? 0)
      if let text = resources.bytes(at: name, count: nameEnd - name), policy.removes(text: text) {
        for index in name..<nameEnd { result[index] = 0 }
      }
      let data = Array(resources[resource.data])
      let changed: [UInt8]
      switch resource.identifier {
      case PhotoshopResource.iptc:
        changed = removing(policy, from: data, depth: depth)
        if changed != data { digest = md5(changed) }
      case PhotoshopResource.exif, PhotoshopResource.moreExif:
        changed = ExifBlockRedaction.removing(policy, from: data, depth: depth + 1)
      case PhotoshopResource.xmp: changed = XMPRedaction.removing(policy, from: data)
      case let identifier where PhotoshopResource.thumbnails.contains(identifier):
        let start = min(PhotoshopResource.thumbnailStart, data.count)
        changed =
          data[..<start] + removing(policy, fromPicture: data.bytes(from: start), depth: depth)
      case PhotoshopResource.profile: changed = ICCRedaction.removing(policy, from: data)
      case PhotoshopResource.caption where !policy.removesCaptions && !policy.removes(title: data):
        continue
      case PhotoshopResource.caption:
        changed = [UInt8](repeating: 0, count: data.count)
      default:
        guard policy.removesLocation, data.count > maximumText || policy.removes(data: data)
        else { continue }
        changed = [UInt8](repeating: 0, count: data.count)
      }
      result.replaceSubrange(resource.data, with: changed)
    }
    // Programs take IPTC and XMP as written together if this digest is right. They still are.
    for resource in list
    where resource.identifier == PhotoshopResource.iptcDigest && resource.data.count == 16 {
      if let digest { result.replaceSubrange(resource.data, with: digest) }
    }
    return result
  }

  /// A JPEG inside of a block, of the same length, without the metadata that a policy removes; zeros if it cannot be
  /// changed or is not a JPEG.
  private static func removing(
    _ policy: MetadataPolicy, fromPicture picture: [UInt8], depth: Int
  ) -> [UInt8] {
    let redaction = try? JPEGRedaction.find(
      policy, in: ArraySource(picture), depth: depth + 1, keepsLength: true)
    return redaction?.applied(to: picture) ?? [UInt8](repeating: 0, count: picture.count)
  }
}
