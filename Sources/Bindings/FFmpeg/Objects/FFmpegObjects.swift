import CFFmpeg

// FFmpeg's small structures as Swift objects that free their contents, and its results as errors.

/// Throws the error for a negative result.
@discardableResult
func checked(_ code: Int32) throws(AudioVideoError) -> Int32 {
  guard code >= 0 else { throw AudioVideoError(code: code) }
  return code
}

extension AudioVideoError {
  /// The error for one of FFmpeg's negative results.
  ///
  /// Some decoders return −1 for invalid data. As a number of the system that would be "Operation not permitted".
  init(code: Int32) {
    let code = code == -1 ? shoebox_averror_invalid_data() : code
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

  static let outOfMemory = AudioVideoError(reason: .outOfMemory, detail: "Cannot allocate memory")
}

/// The result of a call that returns one packet or frame after another.
enum ReceiveResult {
  case item
  /// It needs more input first (`EAGAIN`).
  case again
  case end

  /// - Throws: ``AudioVideoError`` for any other result.
  init(code: Int32) throws(AudioVideoError) {
    switch code {
    case shoebox_averror_again(): self = .again
    case shoebox_averror_eof(): self = .end
    default:
      try checked(code)
      self = .item
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

  /// A packet of `count` equal bytes.
  convenience init(_ count: Int, of byte: UInt8) throws(AudioVideoError) {
    try self.init()
    guard let size = Int32(exactly: count) else { throw .outOfMemory }
    try checked(unsafe av_new_packet(pointer, size))
    unsafe pointer.pointee.data.update(repeating: byte, count: count)
  }

  deinit {
    var packet: UnsafeMutablePointer<AVPacket>? = unsafe pointer
    unsafe av_packet_free(&packet)
  }

  /// The contents.
  var bytes: [UInt8] {
    unsafe [UInt8](
      UnsafeBufferPointer(start: pointer.pointee.data, count: max(0, Int(pointer.pointee.size))))
  }
  var track: Int { unsafe Int(pointer.pointee.stream_index) }
  var isKeyFrame: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 }
  /// Whether the edit list hides it.
  var isNotShown: Bool { unsafe pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0 }
  /// Presentation time; nil if unknown.
  var time: Int64? { unsafe known(pointer.pointee.pts) }
  /// Decoding time; nil if unknown.
  var decodingTime: Int64? { unsafe known(pointer.pointee.dts) }

  /// The codec configuration that counts from this packet on (FFmpeg's `extradata`), where it changes; nil elsewhere.
  var newConfiguration: [UInt8]? {
    var size = 0
    guard let data = unsafe av_packet_get_side_data(pointer, AV_PKT_DATA_NEW_EXTRADATA, &size),
      size > 0
    else { return nil }
    return unsafe [UInt8](UnsafeBufferPointer(start: data, count: size))
  }

  /// Makes a codec configuration count from this packet on.
  func set(newConfiguration: [UInt8]) throws(AudioVideoError) {
    guard
      let data = unsafe av_packet_new_side_data(
        pointer, AV_PKT_DATA_NEW_EXTRADATA, newConfiguration.count)
    else { throw .outOfMemory }
    unsafe data.update(from: newConfiguration, count: newConfiguration.count)
  }

  /// Moves the contents to a new packet; this one is left empty.
  func moved() throws(AudioVideoError) -> Packet {
    let other = try Packet()
    unsafe av_packet_move_ref(other.pointer, pointer)
    return other
  }

  /// Overwrites parts of the contents with one byte.
  ///
  /// - Parameter ranges: within ``bytes``.
  func overwrite(_ ranges: [Range<Int>], with byte: UInt8) throws(AudioVideoError) {
    guard !ranges.isEmpty else { return }
    try checked(unsafe av_packet_make_writable(pointer))
    let content = unsafe UnsafeMutableBufferPointer(
      start: pointer.pointee.data, count: max(0, Int(pointer.pointee.size)))
    for range in ranges { unsafe content[range].update(repeating: byte) }
  }

  /// Replaces its bytes with as many others.
  func overwrite(with bytes: [UInt8]) throws(AudioVideoError) {
    guard unsafe bytes.count == Int(pointer.pointee.size) else { return }
    try checked(unsafe av_packet_make_writable(pointer))
    let content = unsafe UnsafeMutableBufferPointer(
      start: pointer.pointee.data, count: bytes.count)
    _ = unsafe content.update(from: bytes)
  }

  /// Sets its times, in units of its time base; nil for unknown ones.
  func setTimes(_ time: Int64?, decoding: Int64?) {
    unsafe pointer.pointee.pts = time ?? shoebox_no_timestamp()
    unsafe pointer.pointee.dts = decoding ?? shoebox_no_timestamp()
  }

  /// Shifts its times, in units of its time base.
  func shift(by offset: Int64) {
    if let time { unsafe pointer.pointee.pts = time &+ offset }
    if let decodingTime { unsafe pointer.pointee.dts = decodingTime &+ offset }
  }
}

/// A decoded video frame or block of audio samples.
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

  /// How long it is shown or played, in units of the source's time base; 0 if unknown.
  var duration: Int64 {
    get { unsafe shoebox_frame_duration(pointer) }
    set { unsafe shoebox_set_frame_duration(pointer, newValue) }
  }

  /// Width over height of one pixel of a video frame; 1 if it is unknown.
  var pixelAspect: Double { unsafe pointer.pointee.sample_aspect_ratio.value ?? 1 }

  /// Width over height of a video frame as it is shown; 1 for audio.
  var shape: Double {
    let (width, height) = unsafe (pointer.pointee.width, pointer.pointee.height)
    return width > 0 && height > 0 ? Double(width) * pixelAspect / Double(height) : 1
  }

  /// Moves the contents to a new frame; this one is left empty.
  func moved() throws(AudioVideoError) -> Frame {
    let other = try Frame()
    unsafe av_frame_move_ref(other.pointer, pointer)
    return other
  }

  func clear() { unsafe av_frame_unref(pointer) }
}

/// A timestamp; nil for FFmpeg's "no timestamp" value.
func known(_ timestamp: Int64) -> Int64? {
  timestamp == shoebox_no_timestamp() ? nil : timestamp
}

/// FFmpeg's name of a channel layout, such as `5.1(side)`. If a source does not specify one, it is the default
/// layout for that number of channels.
func layoutName(_ source: AVChannelLayout) -> String {
  // A copy without ownership: its pointer is the source's, and default layouts have none.
  var layout = unsafe source
  if unsafe layout.order == AV_CHANNEL_ORDER_UNSPEC {
    unsafe av_channel_layout_default(&layout, source.nb_channels)
  }
  return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1024) { buffer in
    unsafe buffer.initialize(repeating: 0)
    unsafe av_channel_layout_describe(&layout, buffer.baseAddress, buffer.count - 1)
    return unsafe buffer.baseAddress.map { unsafe String(cString: $0) } ?? ""
  }
}

/// Named options for a codec or a muxer.
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

  /// Seconds as whole units of this time base, rounded towards 0; the nearest number if there are too many.
  func units(_ seconds: Double) -> Int64 {
    let count = (seconds * Double(den) / Double(num)).rounded(.towardZero)
    return Int64(exactly: count) ?? (count < 0 ? .min : .max)
  }

  /// The first whole number of units that is not before an end in seconds, but for a microsecond by which cuts are
  /// rounded: what begins at it or later is after the end.
  func units(upTo end: Double) -> Int64 {
    let count = ((end - 0.000_001) * Double(den) / Double(num)).rounded(.up)
    return Int64(exactly: count) ?? (count < 0 ? .min : .max)
  }

  /// The value as a number; nil if it is not positive.
  var value: Double? { num > 0 && den > 0 ? Double(num) / Double(den) : nil }

  /// `num/den`, as filter options expect it.
  var text: String { "\(num)/\(den)" }
}
