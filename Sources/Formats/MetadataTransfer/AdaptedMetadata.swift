import ByteReading
package import MediaEdits
package import MediaFormats
import MediaModel
import MetadataRemoval

extension PictureMetadata {
  /// The metadata of a picture that is made from this one: with orientation `up`, the new size, and regions and the
  /// subject where they are now, and without the thumbnail and the metadata that the policy removes.
  ///
  /// - Parameters:
  ///   - change: how the new picture was made.
  ///   - isSRGB: whether the pixels were converted to sRGB. The profile is dropped then.
  package func adapted(
    to change: PictureChange, _ policy: MetadataPolicy, isSRGB: Bool = false
  ) -> PictureMetadata {
    var result = PictureMetadata(icc: isSRGB ? nil : icc)
    guard policy != .appearanceOnly else {
      result.density = density.flatMap { $0.isUneven ? $0 : nil }
      return result
    }
    result.texts = texts
    result.density = density
    result.notes = notes
    result.exif = exif
    result.xmp = xmp
    result.extendedXMP = extendedXMP
    result.imageResources = imageResources
    if policy != .keep { result.remove(policy) }
    if let block = result.exif {
      result.exif = AdaptedExif.block(block, change, isSRGB: isSRGB)
      if result.exif == nil, !AdaptedExif.isEmpty(block) {
        result.notes.append("Its EXIF is damaged and is left out.")
      }
    }
    result.adaptXMP(to: change, recordedSize: exif.flatMap(AdaptedExif.recordedSize))
    result.imageResources = result.imageResources.flatMap {
      PhotoshopResource.adapted(resources: $0, isCropped: change.crop != nil)
    }
    if change.crop != nil {
      result.texts.removeAll { PNGRawProfile.kind(ofKeyword: $0.keyword) != nil }
    }
    return result
  }

  /// - Parameter recordedSize: the size that EXIF records for the source.
  private mutating func adaptXMP(to change: PictureChange, recordedSize: PixelSize?) {
    let adapted = { (packet: [UInt8]) in
      let kept = XMPPatch.withoutPictures(packet) ?? packet
      return XMPRegions.moved(kept, by: change, recordedSize: recordedSize) ?? kept
    }
    extendedXMP = extendedXMP.map(adapted).flatMap { XMPPatch.hasProperties($0) ? $0 : nil }
    xmp = xmp.map { packet in
      let named = extendedXMP == nil ? XMPPatch.unnaming(packet) : packet
      return XMPPatch.adapted(
        adapted(named), width: change.size.width, height: change.size.height)
    }
  }

  private mutating func remove(_ policy: MetadataPolicy) {
    texts.removeAll(where: policy.removes)
    exif = exif.map { ExifBlockRedaction.removing(policy, from: $0) }
    icc = icc.map { ICCRedaction.removing(policy, from: $0) }
    xmp = xmp.map { XMPRedaction.removing(policy, from: $0) }
    extendedXMP = extendedXMP.map { XMPRedaction.removing(policy, from: $0) }
    imageResources = imageResources.map { IPTCRedaction.removing(policy, fromResources: $0) }
  }
}

extension PhotoshopResource {
  /// The resources that a picture made from another one keeps: without the other's thumbnail and preview, and without the
  /// blocks that JPEG stores elsewhere.
  ///
  /// - Parameter isCropped: whether the picture shows a part of the other. Then resources of any kind with a picture are
  ///   left out.
  fileprivate static func adapted(resources: [UInt8], isCropped: Bool) -> [UInt8]? {
    let unwanted = PhotoshopResource.thumbnails.union([
      PhotoshopResource.exif, PhotoshopResource.moreExif, PhotoshopResource.xmp,
    ])
    let resources = IPTCRedaction.withoutPreviews(inResources: resources)
    let kept = PhotoshopResource.list(resources).filter { resource in
      !unwanted.contains(resource.identifier)
        && !(isCropped && UncroppedPreviews.occur(in: Array(resources[resource.data])))
    }
    return kept.isEmpty ? nil : kept.flatMap { resources[$0.range] }
  }
}
