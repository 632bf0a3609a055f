/// All facts about a media file that one reading gives: a worker sends them, and the catalog
/// stores them.
package struct MediaFacts: Sendable, Hashable {
  package var mediaType: MediaType
  /// By content, never by extension.
  package var uniformType: UniformType
  /// The size of the picture as a person sees it, after orientation and rotation; nil if unknown.
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
  /// A longer text.
  package var caption: String?
  package var keywords: [String] = []
  /// Hierarchical keywords, as ``KeywordPath``.
  package var keywordPaths: [String] = []
  /// The names of the people in the picture.
  package var people: [String] = []
  /// 0–5; −1 for rejected.
  package var rating: Int?
  /// Whether the user has marked it as a favorite.
  package var isFavorite = false
  /// The word of a color label, such as `Red`.
  package var label: String?
  package var pick: Pick?
  /// Apple's identifier, which a Live Photo's still and clip share.
  package var contentIdentifier: String?
  /// The identifier that all pictures of one burst share.
  package var burstIdentifier: String?
  /// The motion clip inside this file, if it is complete.
  package var embeddedClip: EmbeddedClip?
  package var clues: [Clue] = []
  /// Problems in the file that did not prevent reading it, a sentence each.
  package var warnings: [String] = []

  package init(mediaType: MediaType, uniformType: UniformType) {
    self.mediaType = mediaType
    self.uniformType = uniformType
  }
}

/// The kinds of files that accompany a picture.
package enum SidecarKind: UInt8, Sendable {
  /// Apple's edit instructions, `IMG_0001.AAE`.
  case adjustmentData = 1
  /// An XMP packet in its own file.
  case xmp = 2
  /// Google Takeout's JSON about a picture, or Ente's.
  case takeoutJSON = 3
  /// Google Takeout's JSON about the album that its folder is. It describes no picture.
  case albumJSON = 4
}

/// A sidecar file's information about its picture.
package struct SidecarFacts: Sendable, Hashable {
  package var kind: SidecarKind
  package var captureTime: CaptureTime?
  package var location: Location?
  package var title: String?
  package var caption: String?
  package var keywords: [String] = []
  /// Hierarchical keywords, as ``KeywordPath``.
  package var keywordPaths: [String] = []
  /// The names of the people in the picture.
  package var people: [String] = []
  package var rating: Int?
  /// Whether the user has marked it as a favorite.
  package var isFavorite = false
  /// The word of a color label, such as `Red`.
  package var label: String?
  package var pick: Pick?
  /// The EXIF orientation in the sidecar. In edit instructions it is the one in which the edited picture is shown.
  package var orientation: Orientation?
  /// The format of edit instructions, in Apple's words: ``slowMotionFormat``, `com.apple.photo` …
  package var adjustmentFormat: String?
  /// What edit instructions do.
  package var adjustments = AdjustmentList()
  /// The original name of the described file; only Takeout's files contain it.
  package var describedName: String?

  /// The format of edit instructions that mark which part of a video plays slowly.
  package static let slowMotionFormat = "com.apple.video.slomo"

  package init(kind: SidecarKind) {
    self.kind = kind
  }
}
