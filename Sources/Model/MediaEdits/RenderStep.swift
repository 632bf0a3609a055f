package import MediaModel

/// A request to make one file from another, which a worker carries out.
package struct RenderStep: Sendable, Hashable {
  /// A worker gets only the last component, and the open file.
  package var source: BytePath
  /// The part of the source to use, for a clip inside a picture; nil for all of it.
  package var range: ByteRange?
  package var work: RenderWork
  package var metadata: MetadataPolicy

  package init(
    source: BytePath, range: ByteRange? = nil, work: RenderWork, metadata: MetadataPolicy = .keep
  ) {
    self.source = source
    self.range = range
    self.work = work
    self.metadata = metadata
  }
}

/// How to make a file.
package enum RenderWork: Sendable, Hashable {
  /// Copy the source's bytes, changed only where the metadata policy requires it.
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

  package init(size: UInt64, pixelSize: PixelSize? = nil, notes: [String] = []) {
    self.size = size
    self.pixelSize = pixelSize
    self.notes = notes
  }
}
