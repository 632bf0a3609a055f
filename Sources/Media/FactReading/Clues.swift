import LibExif
import MediaFormats
import MediaModel

// The clues in EXIF, XMP and Samsung's trailer. They are only collected here; Recognition evaluates them.

extension Clue {
  /// The clues in a picture's EXIF and Apple's maker note.
  static func list(_ block: ExifBlock?, _ apple: AppleMakerNote?) -> [Clue] {
    var clues: [Clue] = []
    if block?.userComment == "Screenshot" { clues.append(Clue(.exifUserComment, "Screenshot")) }
    if let software = block?.software { clues.append(Clue(.exifSoftware, software)) }
    if let rendered = block?.customRendered, rendered > 1 {
      clues.append(Clue(.exifCustomRendered, String(rendered)))
    }
    if let type = apple?.hdrImageType { clues.append(Clue(.appleHDRImageType, String(type))) }
    if let type = apple?.imageCaptureType {
      clues.append(Clue(.appleImageCaptureType, String(type)))
    }
    return clues
  }

  /// The clues in Samsung's trailer.
  static func list(_ trailer: SamsungTrailer) -> [Clue] {
    trailer.blocks.map { Clue(.samsungBlock, String($0.type, radix: 16)) }
  }

  /// The clues in a picture's XMP.
  static func list(_ xmp: XMPPacket) -> [Clue] {
    var clues: [Clue] = []
    if xmp.userComment == "Screenshot" { clues.append(Clue(.xmpUserComment, "Screenshot")) }
    let written: [(Key, namespace: String, name: String)] = [
      (.xmpProjectionType, XMPNamespace.panorama, "ProjectionType"),
      (.xmpFullPanoWidth, XMPNamespace.panorama, "FullPanoWidthPixels"),
      (.xmpUsePanoramaViewer, XMPNamespace.panorama, "UsePanoramaViewer"),
      (.xmpMicroVideo, XMPNamespace.camera, "MicroVideo"),
      (.xmpMotionPhoto, XMPNamespace.camera, "MotionPhoto"),
      (.xmpBurstPrimary, XMPNamespace.camera, "BurstPrimary"),
    ]
    clues += written.compactMap { key, namespace, name in
      xmp.value(namespace, name).map { Clue(key, $0) }
    }
    clues += xmp.values(XMPNamespace.camera, "SpecialTypeID").prefix(8).map {
      Clue(.xmpSpecialType, $0)
    }
    if xmp.isDepthPhoto { clues.append(Clue(.xmpDepthPhoto)) }
    if xmp.has("http://ns.google.com/photos/1.0/depthmap/") { clues.append(Clue(.xmpDepthMap)) }
    if xmp.value(XMPNamespace.xiaomiCamera, "XMPMeta")?.contains("<depthmap") == true {
      clues.append(Clue(.xmpXiaomiDepth))
    }
    if let version = xmp.value(XMPNamespace.hdrGainMap, "Version") {
      clues.append(Clue(.gainMapVersion, version))
      if xmp.value(XMPNamespace.hdrGainMap, "BaseRenditionIsHDR")?.lowercased() == "true" {
        clues.append(Clue(.gainMapBaseIsHDR))
      }
    }
    return clues
  }
}

extension XMPPacket {
  /// Whether one of the device's profiles is that of a depth photo (Dynamic Depth 1.0).
  fileprivate var isDepthPhoto: Bool {
    properties.contains {
      $0.namespace == XMPNamespace.dynamicDepthDevice && $0.path.hasPrefix("Profiles[")
        && $0.path.hasSuffix("/Type") && $0.value == "DepthPhoto"
    }
  }
}
