// MediaMaking: makes files from media: pictures, movies, copies without metadata, thumbnails.
//
// It decodes, changes and encodes pixels and tracks with the libraries under Bindings. The functions here answer the
// requests of WorkerProtocol. Every failure becomes one plain sentence in a reply; none ends the process.
import FFmpeg
import FactReading
package import Linux
package import MediaEdits
import MediaModel
package import WorkerProtocol

/// Describes a file for planning its export.
package func examine(_ item: ExamineItem, _ file: SharedFile) -> ExamineReply {
  withFile(file, name: item.path, failed: ExamineReply.failed) { file throws in
    switch item.uniformType.mediaType {
    case .image where item.range == nil: .picture(try file.pictureDescription(item.uniformType))
    default: .movie(try file.movieDescription(item.range))
    }
  }
}

/// Makes one file.
///
/// - Parameters:
///   - source: the open file that it is made from.
///   - target: an empty file, open for writing.
///   - progress: called regularly with the finished seconds of a movie, so that the pool knows
///     that the process is not hung.
package func render(
  _ step: RenderStep, from source: SharedFile, to target: SharedFile,
  progress: (Double) throws -> Void
) -> RenderReply {
  withFile(source, name: step.source, failed: RenderReply.failed) { file throws in
    let output = try OutputFile(received: target)
    switch step.work {
    case .copy(let type):
      return .done(try file.copy(step, as: type, to: output, progress: { try progress(0) }))
    case .picture(let type, let rendering):
      return .done(try file.render(rendering, of: type, step, to: output))
    case .movie(let rendering):
      return .done(
        try file.render(rendering, step, to: output, progress))
    }
  }
}
