import ByteReading
package import MediaEdits
import MediaFormats

/// Removes locations and captions from IPTC datasets (IIM 4.2) and Photoshop's image resources.
package enum IPTCRedaction {
  /// Datasets of record 2: content location code and name, city, sublocation, province, country code and name.
  private static let locationDatasets: Set<UInt8> = [26, 27, 90, 92, 95, 100, 101]

  /// Datasets of record 2: object name, headline, caption, and the caption as a picture.
  private static let captionDatasets: Set<UInt8> = [5, 105, 120, 121, 125]

  /// The datasets without those that a policy removes, padded with zeros to the old length. Bytes that are
  /// not a dataset are dropped.
  static func removing(_ policy: MetadataPolicy, from iim: [UInt8]) -> [UInt8] {
    var kept: [UInt8] = []
    var position = 0
    while iim.u8(at: position) == 0x1C, let record = iim.u8(at: position + 1),
      let number = iim.u8(at: position + 2), let end = datasetEnd(iim, position), end <= iim.count
    {
      let dataset = iim[position..<end]
      if record != 2 || !isUnwanted(dataset, number, policy) { kept += dataset }
      position = end
    }
    return kept + [UInt8](repeating: 0, count: iim.count - kept.count)
  }

  /// Whether a policy removes a dataset of record 2.
  private static func isUnwanted(
    _ dataset: ArraySlice<UInt8>, _ number: UInt8, _ policy: MetadataPolicy
  ) -> Bool {
    policy.removesCaptions && captionDatasets.contains(number)
      || policy.removesLocation
        && (locationDatasets.contains(number) || isMachineTag(dataset, number))
  }

  /// Whether a dataset of record 2 is a keyword that programs add for a position.
  private static func isMachineTag(_ dataset: ArraySlice<UInt8>, _ number: UInt8) -> Bool {
    number == 25 && LocationDetection.isMachineTag(dataset.dropFirst(5))
  }

  /// The end of the dataset that begins at a position (IIM 4.2 §1.5).
  private static func datasetEnd(_ iim: [UInt8], _ position: Int) -> Int? {
    guard let field = iim.u16(at: position + 3) else { return nil }
    guard field & 0x8000 != 0 else { return position + 5 + Int(field) }
    let width = Int(field & 0x7FFF)
    guard (1...4).contains(width), let length = iim.unsigned(at: position + 5, width: width)
    else { return nil }
    return position + 5 + width + Int(length)
  }
}

extension IPTCRedaction {
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
      let data = Array(resources[resource.data])
      let changed: [UInt8]
      switch resource.identifier {
      case PhotoshopResource.iptc:
        changed = removing(policy, from: data)
        if changed != data { digest = md5(changed) }
      case PhotoshopResource.exif, PhotoshopResource.moreExif:
        changed = ExifBlockRedaction.removing(policy, from: data, depth: depth + 1)
      case PhotoshopResource.xmp: changed = XMPRedaction.removing(policy, from: data)
      case let identifier where PhotoshopResource.thumbnails.contains(identifier):
        let start = min(PhotoshopResource.thumbnailStart, data.count)
        changed =
          data[..<start] + removing(policy, fromPicture: data.bytes(from: start), depth: depth)
      case PhotoshopResource.profile: changed = ICCRedaction.removing(policy, from: data)
      case PhotoshopResource.caption where !policy.removesCaptions: continue
      case PhotoshopResource.caption:
        changed = [UInt8](repeating: 0, count: data.count)
      default:
        guard data.count <= 1 << 20, policy.removes(text: data) else { continue }
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
