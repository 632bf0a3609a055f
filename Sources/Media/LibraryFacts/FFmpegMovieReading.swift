package import ByteReading
package import FFmpeg
package import FactReading
import MediaFormats
package import MediaModel
package import WorkerProtocol

extension MovieReading {
  /// Reads a video with FFmpeg. If FFmpeg refuses a QuickTime or MP4 file whose boxes can be read, the boxes alone are
  /// used, with a warning.
  ///
  /// - Throws: ``ProbeFailure``; the errors of the source.
  package init(ffmpeg source: any ByteSource, _ type: UniformType) throws {
    guard let demuxer = Demuxer(type) else {
      throw ProbeFailure(.unsupported, "The video's format is not supported.")
    }
    try demuxer.checkHeader(of: source)
    let boxes = demuxer == .quickTime ? try? ISOMovie(source) : nil
    do throws(AudioVideoError) {
      let file = try MovieFile(demuxer, size: source.count, read: source.bytes(at:count:))
      self.init(type, file.movie(), boxes, source)
    } catch {
      guard let boxes, !boxes.tracks.isEmpty else { throw ProbeFailure(error) }
      self.init(type, try boxes.movie(in: source), boxes, source)
      warnings.insert(
        "The video's streams cannot be opened; only its description was read.", at: 0)
    }
  }
}

extension ProbeFailure {
  package init(_ error: AudioVideoError) {
    switch error.reason {
    case .damaged: self.init(.damaged, "The video's header cannot be read: it is damaged.")
    case .cutOff: self.init(.damaged, "The video is truncated: it ends within its header.")
    case .unsupported:
      self.init(.unsupported, "The video cannot be opened: \(error.detail.asPartOfSentence).")
    case .outOfMemory:
      self.init(.outOfMemory, "The video needs more memory than the limit for one file.")
    }
  }
}
