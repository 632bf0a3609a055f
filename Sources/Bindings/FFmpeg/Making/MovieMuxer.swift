import CFFmpeg
import MediaEdits
import MediaModel

/// Puts tracks together into a movie.
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
    // No name of the library in the file, and no times that are not the source's.
    unsafe context.pointee.flags |= AVFMT_FLAG_BITEXACT
    // Else Dolby Vision's and spatial video's own boxes are left out of copies.
    unsafe context.pointee.strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL
  }

  deinit {
    unsafe avformat_free_context(context)
    // The context points at it until here.
    extendLifetime(output)
  }

  /// A new track, of which everything has to be said before ``start(creationTime:)``.
  func addTrack() throws(AudioVideoError) -> UnsafeMutablePointer<AVStream> {
    guard let stream = unsafe avformat_new_stream(context, nil) else { throw .outOfMemory }
    return unsafe stream
  }

  /// The track of a number; its time base is settled by ``start(creationTime:)``.
  func track(_ index: Int32) -> UnsafeMutablePointer<AVStream>? {
    guard index >= 0, unsafe UInt32(index) < context.pointee.nb_streams else { return nil }
    return unsafe context.pointee.streams[Int(index)]
  }

  /// Whether the container has a place for what this codec makes.
  func takes(_ codec: AVCodecID) -> Bool {
    unsafe avformat_query_codec(context.pointee.oformat, codec, FF_COMPLIANCE_UNOFFICIAL) == 1
  }

  /// Whether the container knows a codec by this tag.
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
    // Chapters go into a track of text, which all players know; a second list could say otherwise.
    let options = Options([("write_tmcd", "0"), ("movflags", "disable_chpl")])
    try reported(unsafe avformat_write_header(context, &options.dictionary))
    isOpen = true
  }

  /// Takes a packet whose times count in its track's time base, and leaves it empty.
  func write(_ packet: Packet) throws {
    try reported(unsafe av_interleaved_write_frame(context, packet.pointer))
  }

  func finish() throws {
    guard isOpen else { return }
    isOpen = false
    try reported(unsafe av_write_trailer(context))
    try reported(unsafe context.pointee.pb.pointee.error)
  }

  /// Throws what a negative result stands for; the disk's reason where it is one.
  private func reported(_ code: Int32) throws {
    guard code < 0 else { return }
    if let failure = output.failure { throw MovieMakingError.cannotWrite(errno: failure) }
    throw MovieMakingError.failed("put its tracks together", AudioVideoError(code: code))
  }
}

extension MovieRendering.Container {
  /// FFmpeg's muxer; the one called `ipod` makes `M4V ` and `M4A ` by what it is given.
  fileprivate var muxerName: String {
    switch self {
    case .mp4: "mp4"
    case .quickTime: "mov"
    case .m4v, .m4a: "ipod"
    }
  }
}
