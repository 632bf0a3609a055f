import FFmpeg
import FactReading
import Linux
import MediaModel
import WorkerProtocol

extension ProbeFailure {
  /// Why a movie could not be made, as one sentence.
  init(_ error: MovieMakingError) {
    switch error {
    case .endsEarly(let end, let whole):
      self.init(
        .damaged, "The video is truncated: it ends at \(end.tenths) s of \(whole.tenths) s.")
    case .damaged(let frames, let count):
      self.init(.damaged, "The video is damaged: \(frames) of \(count) frames cannot be decoded.")
    case .empty:
      self.init(.damaged, "The video has an empty track.")
    case .noPicture:
      self.init(.damaged, "The video has no frame in the selected part.")
    case .noAudio:
      self.init(.damaged, "The video has no audio in the selected part.")
    case .noSuchTrack(let index):
      self.init(.damaged, "The video has no track \(index).")
    case .undecodable(let codec):
      self.init(.damaged, "The video is damaged: nothing of its \(codec) track can be decoded.")
    case .cannotCopy(let track, let fault):
      self.init(
        .unsupported, "Track \(track) \(fault.phrase), and it cannot be re-encoded here.")
    case .noDecoder(let codec):
      self.init(.unsupported, "FFmpeg here cannot decode \(codec).")
    case .noEncoder(let name):
      self.init(.unsupported, "FFmpeg here has no encoder \(name).")
    case .noBaseLayer:
      self.init(
        .unsupported,
        "The video is Dolby Vision without a base layer that other decoders can show.")
    case .notForContainer(let codec):
      self.init(.unsupported, "The target container does not support \(codec).")
    case .cannotWrite(let code):
      self.init(SystemError(code: code, operation: "write"))
    case .failed(let action, let cause):
      let reason: Reason =
        switch cause.reason {
        case .damaged, .cutOff: .damaged
        case .unsupported: .unsupported
        case .outOfMemory: .outOfMemory
        }
      self.init(reason, "FFmpeg cannot \(action): \(cause.detail.asPartOfSentence).")
    }
  }
}

extension CopyFault {
  /// The reason as the end of a sentence on the track.
  var phrase: String {
    switch self {
    case .changesConfiguration:
      "changes its coding midway, so that a copy would not play to the end"
    case .hidesFrames: "has frames in its middle that an edit list hides and a copy would show"
    case .lacksTimes: "has frames of which the file does not record when they are shown"
    }
  }
}
