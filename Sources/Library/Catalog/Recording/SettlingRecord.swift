package import MediaModel

/// A picture or video as far as its neighbours matter: what settling kinds of more than one file reads.
package struct SettlingRecord: Sendable, Hashable {
  package let assetID: Int64
  package let folderID: Int64
  /// The folder's full path.
  package let folderPath: BytePath
  package let name: [UInt8]
  package let mediaType: MediaType
  package let uniformType: UniformType
  package let subtypes: MediaSubtypes
  package let contentIdentifier: String?
  package let burstIdentifier: String?
  /// Milliseconds on the wall clock, and minutes east of UTC.
  package let captureWall: Int64?
  package let captureOffset: Int?
  /// Which tags the time came from.
  package let captureSource: String?
  /// The camera's.
  package let model: String?
  /// Seconds; of a video.
  package let duration: Double?
  /// Bytes of the file.
  package let size: Int64
  /// Bytes of the motion clip inside it.
  package let embeddedClipLength: Int64?
  package let clues: [Clue]
  package let isMissing: Bool
  /// The asset that this one has become a resource of, and why.
  package let absorbedBy: Int64?
  package let absorbedWhy: String?
  /// Whether edit instructions lie beside it.
  package let hasAdjustments: Bool
  /// Whether some of them say what plays slowly.
  package let hasSlowMotion: Bool
}
