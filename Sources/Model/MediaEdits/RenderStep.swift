package import MediaModel

/// A request to make one file from another, which a worker carries out.
package struct RenderStep: Sendable, Hashable {
  /// A worker gets only the last component, and the open file.
  package var source: BytePath
  /// The part of the source to use, for a clip inside a picture; nil for all of it.
  package var range: ByteRange?
  package var work: RenderWork
  package var metadata: MetadataPolicy
  /// Whether a JPEG that is copied loses its gain map.
  package var removesGainMap: Bool
  /// What the file must contain as a part of a live photo; nil for what its source has.
  package var livePhoto: LivePhotoPart?
  /// What the file gets in its metadata if its source does not contain it; nil for nothing.
  package var facts: CatalogFacts?

  package init(
    source: BytePath, range: ByteRange? = nil, work: RenderWork, metadata: MetadataPolicy = .keep,
    removesGainMap: Bool = false, livePhoto: LivePhotoPart? = nil, facts: CatalogFacts? = nil
  ) {
    self.source = source
    self.range = range
    self.work = work
    self.metadata = metadata
    self.removesGainMap = removesGainMap
    self.livePhoto = livePhoto
    self.facts = facts
  }
}

/// What a file must contain, so that programs recognize the live photo that it is a part of.
package enum LivePhotoPart: Sendable, Hashable {
  /// Apple's picture or clip with this identifier, which both have.
  case paired(identifier: String)
  /// A JPEG without its clip, which the caller appends (Motion Photo format 1.0).
  ///
  /// - Parameter moment: of the still in the clip, in microseconds; −1 if it is unknown.
  case motionPhoto(moment: Int64)
}

extension LivePhotoPart {
  /// The length of the clip in the XMP of a motion photo before the clip is appended, with the name of its item
  /// before it. Blanks follow, so that any length fits in its place.
  package static let openLength = #"Item:Semantic="MotionPhoto" Item:Length="0""#

  /// ``openLength`` with the real length.
  package static func length(_ bytes: UInt64) -> String {
    openLength.dropLast(2) + "\(bytes)\""
  }

  /// The number of bytes of either, with the blanks that follow.
  package static let lengthWidth = openLength.utf8.count + 20
}

/// How to make a file.
package enum RenderWork: Sendable, Hashable {
  /// Copy the source's bytes, changed only where the step's other fields require it.
  case copy(UniformType)
  /// Decode and re-encode the picture.
  case picture(UniformType, PictureRendering)
  /// Copy or re-encode each track.
  case movie(MovieRendering)
}

/// The result of a finished request.
package struct RenderResult: Sendable, Hashable {
  /// Bytes.
  package var size: UInt64
  /// The upright size; nil for audio only.
  package var pixelSize: PixelSize?
  /// Notes for the user, a sentence each, as that a clip begins at an earlier key frame.
  package var notes: [String]
  /// Whether a track that was to be copied is re-encoded.
  package var isReencoded: Bool

  package init(
    size: UInt64, pixelSize: PixelSize? = nil, notes: [String] = [], isReencoded: Bool = false
  ) {
    self.size = size
    self.pixelSize = pixelSize
    self.notes = notes
    self.isReencoded = isReencoded
  }
}
