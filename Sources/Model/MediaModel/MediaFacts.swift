/// All that a media file tells of itself in one look: what the codec process sends for one file and
/// the catalog keeps.
package struct MediaFacts: Sendable, Hashable {
  package var mediaType: MediaType
  /// By content, never by extension.
  package var uniformType: UniformType
  /// As a person sees the picture, after orientation and rotation; nil where the file does not tell.
  package var pixelSize: PixelSize?
  /// The EXIF value stored in the file, 1–8.
  package var orientation: Orientation?
  /// Seconds.
  package var duration: Double?
  package var captureTime: CaptureTime?
  package var location: Location?
  package var camera = Camera()
  package var exposure = Exposure()
  /// Only for videos.
  package var video: VideoProperties?
  package var title: String?
  /// A longer text: the caption.
  package var caption: String?
  package var keywords: [String] = []
  /// 0–5; −1 for rejected.
  package var rating: Int?
  /// Apple's identifier that a live photo's still and clip share.
  package var contentIdentifier: String?
  /// The identifier that all pictures of one burst share.
  package var burstIdentifier: String?
  /// The motion clip inside this file, if there is a whole one.
  package var embeddedClip: EmbeddedClip?
  package var clues: [Clue] = []
  /// What was wrong in the file but did not keep it from being read, a sentence each.
  package var warnings: [String] = []

  package init(mediaType: MediaType, uniformType: UniformType) {
    self.mediaType = mediaType
    self.uniformType = uniformType
  }
}

/// The kinds of companion files that belong to a picture and are no picture.
package enum SidecarKind: UInt8, Sendable {
  /// Apple's edit instructions, `IMG_0001.AAE`.
  case adjustmentData = 1
  /// An XMP packet in a file of its own.
  case xmp = 2
  /// Google Takeout's JSON.
  case takeoutJSON = 3
}

/// What a sidecar file says of its picture.
package struct SidecarFacts: Sendable, Hashable {
  package var kind: SidecarKind
  package var captureTime: CaptureTime?
  package var location: Location?
  package var title: String?
  package var caption: String?
  package var keywords: [String] = []
  package var rating: Int?
  /// The EXIF orientation that the sidecar asks for.
  package var orientation: Orientation?
  /// What edit instructions are of, in Apple's words: ``slowMotionFormat``, `com.apple.photo` …
  package var adjustmentFormat: String?
  /// The name that the described file had where it was exported from; Takeout's files alone have it.
  package var describedName: String?

  /// The format of edit instructions that say which part of a video plays slowly.
  package static let slowMotionFormat = "com.apple.video.slomo"

  package init(kind: SidecarKind) {
    self.kind = kind
  }
}
