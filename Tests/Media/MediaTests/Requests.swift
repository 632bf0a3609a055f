import LibraryFacts
import Linux
import MediaEdits
import MediaMaking
import MediaModel
import WorkerProtocol

@testable import FactReading

// The requests to a worker by the paths of files, which these functions open as `shoebox` does.

private func opened<Reply: BatchReply>(
  _ path: BytePath, _ body: (SharedFile) -> Reply
) -> Reply {
  do {
    return body(try SharedFile.source(path, below: nil))
  } catch {
    return .failed(ProbeFailure(error))
  }
}

func probe(_ path: BytePath, readers: CodecReaders? = .libraries) -> ProbeReply {
  opened(path) { probe($0, name: BytePath(bytes: path.lastComponent), readers: readers) }
}

func inspect(_ path: BytePath) throws -> InspectReply {
  inspect(
    try .source(path, below: nil), name: BytePath(bytes: path.lastComponent),
    readers: .libraries)
}

func digest(_ path: BytePath, progress: () throws -> Void) -> DigestReply {
  opened(path) { digest($0, name: BytePath(bytes: path.lastComponent), progress: progress) }
}

func examine(_ item: ExamineItem) -> ExamineReply {
  opened(item.path) { examine(item, $0) }
}

func thumbnail(_ item: ThumbnailItem, longerSide: Int) -> ThumbnailReply {
  opened(item.path) { thumbnail(item, $0, longerSide: longerSide) }
}

/// Makes a file, which is created or emptied first.
func render(
  _ step: RenderStep, to target: BytePath, progress: (Double) throws -> Void
) throws -> RenderReply {
  let folder = try OpenFolder(target.parent)
  try folder.removeFile(target.lastComponent)
  let output = try OutputFile.create(target.lastComponent, in: folder)
  return opened(step.source) { source in
    do {
      return render(step, from: source, to: try SharedFile(emptying: output), progress: progress)
    } catch {
      return .failed(ProbeFailure(error))
    }
  }
}

extension MediaFile {
  convenience init(at path: BytePath) throws {
    try self.init(.source(path, below: nil), name: BytePath(bytes: path.lastComponent))
  }
}
