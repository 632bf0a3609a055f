package import MediaModel

/// One file to be made from another: what the codec process is asked to do for an export.
///
/// The file at `target` exists already, empty, made by whoever asks: the codec process only fills it,
/// and whoever asks gives it its final name when the reply says that it is whole.
package struct RenderStep: Sendable, Hashable {
  package var source: BytePath
  /// The part of the source that is the medium, for a clip inside a picture; nil for all of it.
  package var range: ByteRange?
  package var target: BytePath
  /// The inode of the empty file that is to be filled; nil for any that has the path.
  package var targetInode: UInt64?
  package var work: RenderWork
  package var metadata: MetadataPolicy

  package init(
    source: BytePath, range: ByteRange? = nil, target: BytePath,
    targetInode: UInt64? = nil, work: RenderWork, metadata: MetadataPolicy = .keep
  ) {
    self.source = source
    self.range = range
    self.target = target
    self.targetInode = targetInode
    self.work = work
    self.metadata = metadata
  }
}

/// How a file is made.
package enum RenderWork: Sendable, Hashable {
  /// The medium's own bytes, changed only where the metadata policy asks for it.
  case copy(UniformType)
  /// Decoded and encoded anew.
  case picture(UniformType, PictureRendering)
  /// Track by track, each copied or encoded anew.
  case movie(MovieRendering)
}

/// What of the source's metadata the result has.
package enum MetadataPolicy: UInt8, Sendable, Hashable {
  /// All of it, but for what would be wrong in the result.
  case keep = 1
  /// All but every trace of where it was taken.
  case withoutLocation = 2
  /// Orientation and colour, without which it would look different, and nothing else.
  case appearanceOnly = 3
}

/// What a finished step has made.
package struct RenderResult: Sendable, Hashable {
  /// Bytes.
  package var size: UInt64
  /// Upright; nil for sound alone.
  package var pixelSize: PixelSize?
  /// What a person should know of it, a sentence each, as that a clip begins at an earlier key frame.
  package var notes: [String]

  package init(size: UInt64, pixelSize: PixelSize? = nil, notes: [String] = []) {
    self.size = size
    self.pixelSize = pixelSize
    self.notes = notes
  }
}
