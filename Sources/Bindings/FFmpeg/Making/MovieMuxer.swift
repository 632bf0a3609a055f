import CFFmpeg
import MediaEdits
import MediaModel

/// Writes tracks into one movie file.
@safe final class MovieMuxer {
  private let output: MovieOutput
  let context: UnsafeMutablePointer<AVFormatContext>
  private var isOpen = false

  init(_ container: MovieRendering.Container, output: MovieOutput) throws(AudioVideoError) {
    self.output = output
    var opened: UnsafeMutablePointer<AVFormatContext>?
    try checked(
      unsafe avformat_alloc_output_context2(&opened, nil, container.muxerName, nil))
    guard let opened = unsafe opened else { throw .outOfMemory }
    unsafe context = opened
    unsafe context.pointee.pb = unsafe output.context
    unsafe context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
    // Do not write the library's name, nor times that are not the source's.
    unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    // Otherwise copies lose the boxes of Dolby Vision and spatial video, and FLAC is refused in MP4.
    unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL
  }

  deinit {
    unsafe avformat_free_context(context)
    // The context points at it until here.
    extendLifetime(output)
  }

  /// A new track, to be described completely before ``start(creationTime:)``.
  func addTrack() throws(AudioVideoError) -> UnsafeMutablePointer<AVStream> {
    guard let stream = unsafe avformat_new_stream(context, nil) else { throw .outOfMemory }
    return unsafe stream
  }

  /// The track with a number; its time base is final after ``start(creationTime:)``.
  func track(_ index: Int32) -> UnsafeMutablePointer<AVStream>? {
    guard index >= 0, unsafe UInt32(index) < context.pointee.nb_streams else { return nil }
    return unsafe context.pointee.streams[Int(index)]
  }

  /// Whether the container supports a codec.
  func takes(_ codec: AVCodecID) -> Bool {
    unsafe avformat_query_codec(context.pointee.oformat, codec, FF_COMPLIANCE_UNOFFICIAL) == 1
  }

  /// Whether the container has this tag for a codec.
  func takes(tag: UInt32, for codec: AVCodecID) -> Bool {
    unsafe av_codec_get_id(context.pointee.oformat.pointee.codec_tag, tag) == codec
  }

  /// Writes the header.
  ///
  /// - Parameter creationTime: when the movie was made, ISO 8601, UTC.
  func start(creationTime: String?) throws {
    if let creationTime {
      unsafe av_dict_set(&context.pointee.metadata, "creation_time", creationTime, 0)
    }
    // Chapters go into a text track, which all players know; a second list could contradict it.
    let options = Options([("write_tmcd", "0"), ("movflags", "disable_chpl")])
    try reported(unsafe avformat_write_header(context, &options.dictionary))
    isOpen = true
  }

  /// Writes a packet whose times are in its track's time base, and leaves it empty.
  func write(_ packet: Packet) throws {
    try reported(unsafe av_interleaved_write_frame(context, packet.pointer))
  }

  func finish() throws {
    guard isOpen else { return }
    isOpen = false
    try reported(unsafe av_write_trailer(context))
    try reported(unsafe context.pointee.pb.pointee.error)
  }

  /// Throws the error for a negative result; a failed write is reported by its `errno`.
  private func reported(_ code: Int32) throws {
    guard code < 0 else { return }
    if let failure = output.failure { throw MovieMakingError.cannotWrite(errno: failure) }
    throw MovieMakingError.failed("put its tracks together", AudioVideoError(code: code))
  }
}

extension MovieRendering.Container {
  /// FFmpeg's muxer; `ipod` writes the brand `M4V ` or `M4A ` depending on its tracks.
  fileprivate var muxerName: String {
    switch self {
    case .mp4: "mp4"
    case .quickTime: "mov"
    case .m4v, .m4a: "ipod"
    }
  }
}
