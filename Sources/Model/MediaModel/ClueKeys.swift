extension Clue {
  /// What a clue tells, and where it was read. Its raw value is what the catalog keeps, so a name that has
  /// been given stays.
  package struct Key: RawRepresentable, Sendable, Hashable {
    package let rawValue: String

    package init(rawValue: String) {
      self.rawValue = rawValue
    }

    private init(_ rawValue: String) {
      self.rawValue = rawValue
    }
  }
}

/// Of EXIF and Apple's maker note.
extension Clue.Key {
  /// `Screenshot`, as macOS and iOS write it; no other comment is a clue.
  package static let exifUserComment = Self("exif.UserComment")
  /// IFD0's, as written; Android writes its version into screenshots.
  package static let exifSoftware = Self("exif.Software")
  /// 2 to 8. Apple: 2 and 3 HDR, 4 the original of one, 6 panorama, 7 HDR portrait, 8 portrait.
  package static let exifCustomRendered = Self("exif.CustomRendered")
  /// A number.
  package static let appleHDRImageType = Self("apple.HDRImageType")
  /// A number.
  package static let appleImageCaptureType = Self("apple.ImageCaptureType")
}

/// Of XMP.
extension Clue.Key {
  /// `Screenshot`, as macOS writes it into PNG.
  package static let xmpUserComment = Self("xmp.UserComment")
  /// GPano's, as written.
  package static let xmpProjectionType = Self("xmp.GPano.ProjectionType")
  /// GPano's, a number.
  package static let xmpFullPanoWidth = Self("xmp.GPano.FullPanoWidthPixels")
  /// GPano's, `True` or `False`.
  package static let xmpUsePanoramaViewer = Self("xmp.GPano.UsePanoramaViewer")
  /// Of Google's camera schema, 0 or 1.
  package static let xmpMicroVideo = Self("xmp.MicroVideo")
  /// Of Google's camera schema, 0 or 1.
  package static let xmpMotionPhoto = Self("xmp.MotionPhoto")
  /// Of Google's camera schema, 0 or 1.
  package static let xmpBurstPrimary = Self("xmp.BurstPrimary")
  /// Of Google's camera schema, each.
  package static let xmpSpecialType = Self("xmp.SpecialTypeID")
  /// Google's depth map is in the packet.
  package static let xmpDepthMap = Self("xmp.GDepth")
  /// Xiaomi's own XML names a depth map.
  package static let xmpXiaomiDepth = Self("xmp.MiDepth")
  /// A depth map is in the file (Dynamic Depth 1.0).
  package static let xmpDepthPhoto = Self("xmp.DepthPhoto")
  /// The version of a gain map that the packet names (Adobe, ISO 21496-1).
  package static let gainMapVersion = Self("hdrgm")
  /// … which leads from HDR to SDR: the picture itself is HDR.
  package static let gainMapBaseIsHDR = Self("hdrgm.baseIsHDR")
}

/// Of the boxes, segments, chunks and trailers of still pictures.
extension Clue.Key {
  /// An auxiliary picture's URN, each.
  package static let heifAuxiliary = Self("heif.aux")
  /// A depth picture is there.
  package static let heifDepth = Self("heif.depth")
  /// A stereo pair is there.
  package static let heifStereoPair = Self("heif.ster")
  /// A tone-mapped picture is there.
  package static let heifToneMap = Self("heif.tmap")
  /// `pq` or `hlg`: the coded colour of the picture.
  package static let heifTransfer = Self("heif.transfer")
  /// A picture that an iPhone put behind the first, each: an URN or `disparity`.
  package static let jpegAuxiliary = Self("jpeg.aux")
  /// A picture behind the first is a gain map (ISO 21496-1, Adobe).
  package static let jpegGainMap = Self("jpeg.gainMap")
  /// A PNG's text, as written.
  package static let pngSoftware = Self("png.Software")
  /// `pq` or `hlg`: a PNG's `cICP`.
  package static let pngTransfer = Self("png.transfer")
  /// Why a marker promises a motion clip that is not there, in a few words.
  package static let missingClip = Self("motionPhoto.noClip")
  /// A block's type in hexadecimal, each, in the trailer of Samsung's pictures and videos.
  package static let samsungBlock = Self("sef")
  /// Samsung's trailer, as written; `Screenshot`.
  package static let samsungCaptureInfo = Self("samsung.CaptureInfo")
}

/// Of movies.
extension Clue.Key {
  /// A disparity track is there.
  package static let disparityTrack = Self("mov.dish")
  /// A video track is for both eyes.
  package static let stereoVideo = Self("mov.vexu")
  /// The moment of the still in a live photo's clip, in seconds.
  package static let stillImageTime = Self("mov.stillImageTime")
  /// QuickTime's, as written; `ReplayKitRecording` records a screen.
  package static let movieAuthor = Self("mov.author")
  /// `com.apple.quicktime.full-frame-rate-playback-intent`, as written.
  package static let fullFrameRateIntent = Self("mov.fullFrameRate")
  /// Samples of the first video track by its time scale, before edits: frames a second.
  package static let trackRate = Self("mov.trackRate")
  /// `com.android.capture.fps`: frames a second.
  package static let androidCaptureRate = Self("android.capture.fps")
}
