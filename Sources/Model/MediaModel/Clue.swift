/// One piece of evidence in a file for the kind of picture it is.
///
/// A worker collects clues without drawing conclusions; the module Recognition evaluates them. The
/// catalog stores them, so that a verdict can be recomputed and explained without opening the file. They are
/// written as `key` or `key=value`, one a line.
package struct Clue: Sendable, Hashable {
  package var key: Key
  /// The value as text, if it has one.
  package var value: String?

  package init(_ key: Key, _ value: String? = nil) {
    self.key = key
    // Few values have a line break, and the search for one as text is slow.
    self.value = value.map {
      $0.utf8.contains(UInt8(ascii: "\n")) ? $0.replacing("\n", with: " ") : $0
    }
  }

  /// `key=value`.
  package var line: String {
    value.map { "\(key.rawValue)=\($0)" } ?? key.rawValue
  }

  /// Parses the result of ``line``.
  package init(line: some StringProtocol) {
    if let equals = line.utf8.firstIndex(of: UInt8(ascii: "=")) {
      self.init(
        Key(rawValue: String(line[..<equals])), String(line[line.index(after: equals)...]))
    } else {
      self.init(Key(rawValue: String(line)))
    }
  }
}

extension Clue {
  /// The meaning and source of a clue. The catalog stores the raw value, so published names never change.
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

/// Clues from EXIF and Apple's maker note.
extension Clue.Key {
  /// `Screenshot`, as macOS and iOS write it; no other comment is a clue.
  package static let exifUserComment = Self("exif.UserComment")
  /// From IFD0, as written; Android writes its version into screenshots.
  package static let exifSoftware = Self("exif.Software")
  /// 2 to 8. Apple: 2 and 3 HDR, 4 the original of one, 6 panorama, 7 HDR portrait, 8 portrait.
  package static let exifCustomRendered = Self("exif.CustomRendered")
  /// A number.
  package static let appleHDRImageType = Self("apple.HDRImageType")
  /// A number.
  package static let appleImageCaptureType = Self("apple.ImageCaptureType")
}

/// Clues from XMP.
extension Clue.Key {
  /// `Screenshot`, as macOS writes it into PNG.
  package static let xmpUserComment = Self("xmp.UserComment")
  /// In GPano, as written.
  package static let xmpProjectionType = Self("xmp.GPano.ProjectionType")
  /// In GPano, a number.
  package static let xmpFullPanoWidth = Self("xmp.GPano.FullPanoWidthPixels")
  /// In GPano, `True` or `False`.
  package static let xmpUsePanoramaViewer = Self("xmp.GPano.UsePanoramaViewer")
  /// In Google's camera schema, 0 or 1.
  package static let xmpMicroVideo = Self("xmp.MicroVideo")
  /// In Google's camera schema, 0 or 1.
  package static let xmpMotionPhoto = Self("xmp.MotionPhoto")
  /// In Google's camera schema, 0 or 1.
  package static let xmpBurstPrimary = Self("xmp.BurstPrimary")
  /// In Google's camera schema; one clue for each value.
  package static let xmpSpecialType = Self("xmp.SpecialTypeID")
  /// The packet contains Google's depth map.
  package static let xmpDepthMap = Self("xmp.GDepth")
  /// Xiaomi's own XML names a depth map.
  package static let xmpXiaomiDepth = Self("xmp.MiDepth")
  /// The file contains a depth map (Dynamic Depth 1.0).
  package static let xmpDepthPhoto = Self("xmp.DepthPhoto")
  /// The version of the gain map in the packet (Adobe, ISO 21496-1).
  package static let gainMapVersion = Self("hdrgm")
  /// The gain map converts from HDR to SDR: the picture itself is HDR.
  package static let gainMapBaseIsHDR = Self("hdrgm.baseIsHDR")
}

/// Clues from the boxes, segments, chunks and trailers of still pictures.
extension Clue.Key {
  /// An auxiliary picture's URN; one clue for each.
  package static let heifAuxiliary = Self("heif.aux")
  /// The file contains a depth picture.
  package static let heifDepth = Self("heif.depth")
  /// The file contains a stereo pair.
  package static let heifStereoPair = Self("heif.ster")
  /// The file contains a tone-mapped picture.
  package static let heifToneMap = Self("heif.tmap")
  /// `pq` or `hlg`: the picture's transfer function.
  package static let heifTransfer = Self("heif.transfer")
  /// A picture that an iPhone appended to the first: a URN or `disparity`; one clue for each.
  package static let jpegAuxiliary = Self("jpeg.aux")
  /// A picture after the first is a gain map (ISO 21496-1, Adobe).
  package static let jpegGainMap = Self("jpeg.gainMap")
  /// A PNG's text, as written.
  package static let pngSoftware = Self("png.Software")
  /// `pq` or `hlg`: a PNG's `cICP`.
  package static let pngTransfer = Self("png.transfer")
  /// Why a motion clip that a tag announces is missing, in a few words.
  package static let missingClip = Self("motionPhoto.noClip")
  /// A block's type in hexadecimal, in the trailer of Samsung's pictures and videos; one clue for each.
  package static let samsungBlock = Self("sef")
  /// `Screenshot`, in Samsung's trailer.
  package static let samsungCaptureInfo = Self("samsung.CaptureInfo")
}

/// Clues from movies.
extension Clue.Key {
  /// The movie has a disparity track.
  package static let disparityTrack = Self("mov.dish")
  /// A video track is stereoscopic.
  package static let stereoVideo = Self("mov.vexu")
  /// The time of the still in a Live Photo's clip, in seconds.
  package static let stillImageTime = Self("mov.stillImageTime")
  /// QuickTime's author, as written; `ReplayKitRecording` for a screen recording.
  package static let movieAuthor = Self("mov.author")
  /// `com.apple.quicktime.full-frame-rate-playback-intent`, as written.
  package static let fullFrameRateIntent = Self("mov.fullFrameRate")
  /// The first video track's samples a second, before edits.
  package static let trackRate = Self("mov.trackRate")
  /// `com.android.capture.fps`: frames a second.
  package static let androidCaptureRate = Self("android.capture.fps")
}
