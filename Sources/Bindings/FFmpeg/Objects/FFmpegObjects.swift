import CFFmpeg

// FFmpeg's small structures as Swift objects that free what they hold, and its results as errors.

/// Throws what a negative result stands for.
@discardableResult
func checked(_ code: Int32) throws(AudioVideoError) -> Int32 {
  guard code >= 0 else { throw AudioVideoError(code: code) }
  return code
}

extension AudioVideoError {
  static let outOfMemory = AudioVideoError(reason: .outOfMemory, detail: "Cannot allocate memory")
}

/// What a call that gives one thing after another has given.
enum Delivery {
  case one
  /// It wants more before it gives.
  case later
  case end

  /// - Throws: what any other result stands for.
  init(code: Int32) throws(AudioVideoError) {
    switch code {
    case shoebox_averror_again(): self = .later
    case shoebox_averror_eof(): self = .end
    default:
      try checked(code)
      self = .one
    }
  }
}

/// A packet of coded data.
@safe final class Packet {
  let pointer: UnsafeMutablePointer<AVPacket>

  init() throws(AudioVideoError) {
    guard let packet = unsafe av_packet_alloc() else { throw .outOfMemory }
    unsafe pointer = packet
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
    unsafe av_packet_free(&packet)
  }

  /// What it holds.
  var bytes: [UInt8] {
    unsafe [UInt8](
      UnsafeBufferPointer(start: pointer.pointee.data, count: max(0, Int(pointer.pointee.size))))
  }
  var track: Int { unsafe Int(pointer.pointee.stream_index) }
  var isKeyFrame: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Whether the edit list leaves it out.
  var isNotShown: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
  /// Presentation time; nil if unknown.
  var time: Int64? { unsafe known(pointer.pointee.pts) }
  /// Decoding time; nil if unknown.
  var decodingTime: Int64? { unsafe known(pointer.pointee.dts) }

  /// What it holds, in a packet of its own; this one is left empty.
  func moved() throws(AudioVideoError) -> Packet {
    let other = try Packet()
    unsafe av_packet_move_ref(other.pointer, pointer)
    return other
  }

  /// Writes one byte over parts of what it holds.
  ///
  /// - Parameter ranges: inside of ``bytes``.
  func overwrite(_ ranges: [Range<Int>], with byte: UInt8) throws(AudioVideoError) {
    guard !ranges.isEmpty else { return }
    try checked(unsafe av_packet_make_writable(pointer))
    let content = unsafe UnsafeMutableBufferPointer(
      start: pointer.pointee.data, count: max(0, Int(pointer.pointee.size)))
    for range in ranges { unsafe content[range].update(repeating: byte) }
  }

  /// Moves it in time, by units of its own time base.
  func shift(by offset: Int64) {
    if let time { unsafe pointer.pointee.pts = time &+ offset }
    if let decodingTime { unsafe pointer.pointee.dts = decodingTime &+ offset }
  }
}

/// A decoded picture or piece of sound.
@safe final class Frame {
  let pointer: UnsafeMutablePointer<AVFrame>

  init() throws(AudioVideoError) {
    guard let frame = unsafe av_frame_alloc() else { throw .outOfMemory }
    unsafe pointer = frame
  }

  deinit {
    var frame: UnsafeMutablePointer<AVFrame>? = unsafe pointer
    unsafe av_frame_free(&frame)
  }

  var time: Int64? {
    get { unsafe known(pointer.pointee.pts) }
    set { unsafe pointer.pointee.pts = newValue ?? shoebox_no_timestamp() }
  }

  /// How long it is shown or heard, in units of the source's time base; 0 if unknown.
  var duration: Int64 { unsafe shoebox_frame_duration(pointer) }

  func clear() { unsafe av_frame_unref(pointer) }
}

/// A timestamp, or nil for FFmpeg's way of saying that there is none.
func known(_ timestamp: Int64) -> Int64? {
  timestamp == shoebox_no_timestamp() ? nil : timestamp
}

/// FFmpeg's name for where a sound's channels are heard, as `5.1(side)`; where a source does not tell, that
/// of the usual layout of so many.
func layoutName(_ told: AVChannelLayout) -> String {
  // A copy that owns nothing: what it may point at is the source's, and the usual layouts point nowhere.
  var layout = unsafe told
  if unsafe layout.order == AV_CHANNEL_ORDER_UNSPEC {
    unsafe av_channel_layout_default(&layout, told.nb_channels)
  }
  return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
    unsafe buffer.initialize(repeating: 0)
    unsafe av_channel_layout_describe(&layout, buffer.baseAddress, buffer.count - 1)
    return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
  }
}

/// Named options for a codec or muxer.
@safe final class Options {
  var dictionary: OpaquePointer?

  init(_ options: [(key: String, value: String)]) {
    for (key, value) in options { unsafe av_dict_set(&dictionary, key, value, 0) }
  }

  deinit {
    unsafe av_dict_free(&dictionary)
  }
}

extension AVRational {
  static var microseconds: AVRational { AVRational(num: 1, den: 1_000_000) }

  /// Units of this time base as seconds.
  func seconds(_ timestamp: Int64) -> Double {
    den > 0 ? Double(timestamp) * Double(num) / Double(den) : 0
  }

  /// The value as a number; nil where it says nothing.
  var value: Double? { num > 0 && den > 0 ? Double(num) / Double(den) : nil }

  /// `num/den`, as filters are told.
  var text: String { "\(num)/\(den)" }
}
