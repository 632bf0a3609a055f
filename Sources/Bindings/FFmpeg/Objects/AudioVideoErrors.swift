import CFFmpeg

extension AudioVideoError {
  /// The error for one of FFmpeg's negative results.
  init(code: Int32) {
    reason =
      switch code {
      case shoebox_averror_eof(): .cutOff
      case shoebox_averror_no_memory(): .outOfMemory
      case shoebox_averror_patch_welcome(), shoebox_averror_decoder_missing(): .unsupported
      default: .damaged
      }
    detail = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      unsafe buffer.initialize(repeating: 0)
      unsafe av_strerror(code, buffer.baseAddress, buffer.count - 1)
      return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
    }
  }
}
