package import MediaEdits
package import MediaModel

/// What a look at a file's header tells for planning its export.
package enum ExamineReply: BatchReply, Hashable {
  case picture(PictureDescription)
  case movie(MovieDescription)
  case failed(ProbeFailure)
}

/// How the making of a file goes.
package enum RenderReply: BatchReply, Hashable {
  /// Not there yet. How many seconds of the movie are done; nothing for pictures.
  case working(position: Double)
  case done(RenderResult)
  case failed(ProbeFailure)

  package var isInterim: Bool {
    if case .working = self { true } else { false }
  }
}

/// A file, or a part of one, that is to be examined.
package struct ExamineItem: Sendable, Hashable {
  package var path: BytePath
  /// By content, as the catalog has it.
  package var uniformType: UniformType
  /// The clip inside the file, if that is meant.
  package var range: ByteRange?

  package init(path: BytePath, uniformType: UniformType, range: ByteRange? = nil) {
    self.path = path
    self.uniformType = uniformType
    self.range = range
  }
}
