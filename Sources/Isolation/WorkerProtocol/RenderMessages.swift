package import MediaEdits
package import MediaModel

/// A file's description for planning its export, from its header.
package enum ExamineReply: BatchReply, Hashable {
  case picture(PictureDescription)
  case movie(MovieDescription)
  case failed(ProbeFailure)
}

/// The progress or result of making a file.
package enum RenderReply: BatchReply, Hashable {
  /// Not finished: the finished seconds of a movie; 0 for pictures.
  case working(position: Double)
  case done(RenderResult)
  case failed(ProbeFailure)

  package var isInterim: Bool {
    if case .working = self { true } else { false }
  }
}

/// A file, or a part of one, to be examined.
package struct ExamineItem: Sendable, Hashable {
  package var path: BytePath
  /// By content, as the catalog has it.
  package var uniformType: UniformType
  /// The clip inside the file; nil for the whole file.
  package var range: ByteRange?

  package init(path: BytePath, uniformType: UniformType, range: ByteRange? = nil) {
    self.path = path
    self.uniformType = uniformType
    self.range = range
  }
}
