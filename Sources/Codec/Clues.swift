import Containers
import Exif
import MediaModel

// The clues, in one table. Recognition weighs them; here they are only read off.
//
// | clue | value | where it was read |
// |---|---|---|
// | exif.UserComment | Screenshot | EXIF, as macOS and iOS write it; no other comment is a clue |
// | exif.Software | as written | EXIF IFD0; Android writes its version into screenshots |
// | exif.CustomRendered | 2…8 | EXIF; Apple: 2 and 3 HDR, 4 the original of one, 6 panorama, 7 HDR
//   portrait, 8 portrait |
// | exif.LensModel | | EXIF has a lens: a camera took it |
// | png.Software | as written | PNG's text |
// | png.bitDepth | 16 | PNG's header, where it is not 8 |
// | png.transfer | pq, hlg | PNG's cICP chunk |
// | xmp.UserComment | Screenshot | XMP, as macOS writes it into PNG |
// | xmp.GPano.… | as written | XMP: cropped and full sizes, ProjectionType of a panorama |
// | xmp.MicroVideo, xmp.MotionPhoto, xmp.BurstID, xmp.BurstPrimary, xmp.SpecialTypeID |
// |   | as written | XMP, Google's camera schema |
// | motionPhoto.noClip | why, in a few words | a marker promises a motion clip that is not there |
// | xmp.GDepth | | XMP has Google's depth map |
// | xmp.MiDepth | | Xiaomi's own XML inside XMP names a depth map |
// | xmp.DepthPhoto | | XMP says that a depth map is in the file (Dynamic Depth 1.0) |
// | hdrgm | version | XMP names a gain map (Adobe, ISO 21496-1) |
// | hdrgm.baseIsHDR | | … which leads from HDR to SDR: the picture itself is HDR |
// | apple.HDRImageType, apple.ImageCaptureType, apple.CameraType, apple.LivePhotoVideoIndex |
// |   | number | Apple's MakerNote |
// | heif.aux | URN | an auxiliary picture, each |
// | heif.depth, heif.ster, heif.tmap | | a depth picture, a stereo pair, a tone-mapped picture |
// | heif.bitDepth | 10, 12 | bits of a sample, where there are more than 8 |
// | heif.transfer | pq, hlg | the coded colour of the picture |
// | heif.topLevel | number | pictures that stand on their own, if more than one |
// | jpeg.mpf | number | pictures in a multi-picture file |
// | jpeg.aux | URN, disparity | one that an iPhone put behind the first, each |
// | jpeg.gainMap | | one of them is a gain map (ISO 21496-1, Adobe) |
// | sef | type in hexadecimal | a block in the trailer of Samsung's pictures and videos, each |
// | samsung.CaptureInfo | as written | Samsung's trailer; `Screenshot` |
// | frames | number | an animation |
// | mov.dish, mov.vexu | | a disparity track, a video track for both eyes |
// | mov.stillImageTime | seconds | the moment of the still in a live photo's clip |
// | mov.author | as written | QuickTime; `ReplayKitRecording` records a screen |
// | mov.liveAuto, mov.liveVitalityScore | as written | QuickTime keys of a live photo's clip |
// | mov.fullFrameRate | as written | com.apple.quicktime.full-frame-rate-playback-intent |
// | mov.trackRate | frames a second | samples by time scale, before edits |
// | android.capture.fps | frames a second | com.android.capture.fps |

extension Clue {
  /// What a picture's EXIF and Apple's maker note give away.
  static func list(_ block: ExifBlock?, _ apple: AppleMakerNote?) -> [Clue] {
    var clues: [Clue] = []
    if block?.userComment == "Screenshot" { clues.append(Clue("exif.UserComment", "Screenshot")) }
    if let software = block?.software { clues.append(Clue("exif.Software", software)) }
    if let rendered = block?.customRendered, rendered > 1 {
      clues.append(Clue("exif.CustomRendered", String(rendered)))
    }
    if block?.lensModel != nil { clues.append(Clue("exif.LensModel")) }
    guard let apple else { return clues }
    let numbers = [
      ("apple.HDRImageType", apple.hdrImageType),
      ("apple.ImageCaptureType", apple.imageCaptureType),
      ("apple.CameraType", apple.cameraType),
      ("apple.LivePhotoVideoIndex", apple.livePhotoVideoIndex),
    ]
    return clues + numbers.compactMap { key, value in value.map { Clue(key, String($0)) } }
  }

  /// What Samsung's trailer gives away.
  static func list(_ trailer: SamsungTrailer) -> [Clue] {
    trailer.blocks.map { Clue("sef", String($0.type, radix: 16)) }
  }

  /// What a picture's XMP gives away.
  static func list(_ xmp: XMPPacket) -> [Clue] {
    var clues: [Clue] = []
    if xmp.userComment == "Screenshot" { clues.append(Clue("xmp.UserComment", "Screenshot")) }
    let panorama = [
      "ProjectionType", "CroppedAreaImageWidthPixels", "CroppedAreaImageHeightPixels",
      "FullPanoWidthPixels", "FullPanoHeightPixels", "UsePanoramaViewer",
    ]
    clues += panorama.compactMap { name in
      xmp.value(XMPNamespace.panorama, name).map { Clue("xmp.GPano." + name, $0) }
    }
    clues += ["MicroVideo", "MotionPhoto", "BurstID", "BurstPrimary"].compactMap { name in
      xmp.value(XMPNamespace.camera, name).map { Clue("xmp." + name, $0) }
    }
    clues += xmp.values(XMPNamespace.camera, "SpecialTypeID").prefix(8).map {
      Clue("xmp.SpecialTypeID", $0)
    }
    if xmp.isDepthPhoto { clues.append(Clue("xmp.DepthPhoto")) }
    if xmp.has("http://ns.google.com/photos/1.0/depthmap/") { clues.append(Clue("xmp.GDepth")) }
    if xmp.value(XMPNamespace.xiaomiCamera, "XMPMeta")?.contains("<depthmap") == true {
      clues.append(Clue("xmp.MiDepth"))
    }
    if let version = xmp.value(XMPNamespace.hdrGainMap, "Version") {
      clues.append(Clue("hdrgm", version))
      if xmp.value(XMPNamespace.hdrGainMap, "BaseRenditionIsHDR")?.lowercased() == "true" {
        clues.append(Clue("hdrgm.baseIsHDR"))
      }
    }
    return clues
  }
}

extension XMPPacket {
  /// Whether one of the profiles that the device lists is the depth photo's (Dynamic Depth 1.0).
  fileprivate var isDepthPhoto: Bool {
    properties.contains {
      $0.namespace == XMPNamespace.dynamicDepthDevice && $0.path.hasPrefix("Profiles[")
        && $0.path.hasSuffix("/Type") && $0.value == "DepthPhoto"
    }
  }
}
