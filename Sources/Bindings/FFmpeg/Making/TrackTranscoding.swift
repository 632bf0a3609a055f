import CFFmpeg
import MediaEdits
import MediaModel

/// Decodes a track, filters it and re-encodes it.
@safe final class TrackTranscoding: TrackWork {
  /// Creates the filter graph for frames of a new format; takes one of them, and how much wider video frames are shown
  /// than the first ones at the same height.
  typealias GraphMaking = (Frame, Double) throws -> FilterGraph

  private let muxer: MovieMuxer
  private let target: Int32
  private var decoder: TrackDecoder
  /// The codec configuration that the decoder was opened with (FFmpeg's `extradata`).
  private var configuration: [UInt8]
  private let makeDecoder: ([UInt8]?) throws -> TrackDecoder
  private let encoder: TrackEncoder
  private var graph: FilterGraph
  /// The filter graph for the frames of every ``graph`` of an audio track; nil for video.
  ///
  /// It stays when ``graph`` changes, so that the last samples before the change share a frame with the first ones
  /// after it. The encoder accepts a frame that is shorter than its frame size only as the last one.
  private let joint: FilterGraph?
  private let makeGraph: GraphMaking
  private let sourceBase: AVRational
  private let graphBase: AVRational
  /// The format that the current filter graph was made for.
  private var frameFormat: FrameFormat
  /// Width over height of the first video frame, as it is shown.
  private var firstShape: Double?
  private let packet: Packet
  private let decoded: Frame
  private let filtered: Frame
  private var times = EncoderTimes()
  private var counts = FrameCounts()
  private(set) var count = 0
  /// Whether the decoder has reached a point from which its output should be complete.
  private var isEntered = false
  /// Whether frames before 0 are left out.
  private let isCut: Bool
  /// The end of the selected part, in units of ``graphBase``: one of ``sourceBase`` can be a whole frame.
  private let end: Int64?
  private(set) var isComplete = false
  private var isVideo: Bool { joint == nil }
  /// By how much the packets' times are too late, in units of ``graphBase``: they count from the result's start in whole
  /// units of ``sourceBase``, which can be as long as a frame.
  private let lateness: Int64
  /// The last frame before the selected part, until the next frame is known.
  private var held: Frame?
  /// In seconds. A frame that is seen for less is left out before a cut's first frame.
  private static let shortestFrame = 0.001
  /// The last filtered video frame, until it is known how long it is shown.
  private var waiting: Frame?
  /// When the last decoded frame ends, in units of ``graphBase``.
  private var shownEnd: Int64?
  /// The last packet of video that the encoder has returned.
  private var unwritten: Packet?
  /// Whether something is shown after the selected part, which may not be decoded.
  private var lastsUntilEnd = false
  /// One frame's duration in units of ``sourceBase``; 0 if unknown.
  private let usualDuration: Int64

  /// - Parameters:
  ///   - graph: for the first frame, as `makeGraph` makes them.
  ///   - joint: see ``joint``.
  ///   - graphBase: the time base of the graph's input.
  ///   - origin: the time of the source that becomes the result's 0, in microseconds.
  ///   - length: the selected part in seconds, from 0; nil for everything.
  ///   - isTurned: whether frames are turned, after which the parts of 360° video and stereo pairs are elsewhere.
  init(
    _ source: UnsafeMutablePointer<AVStream>, to muxer: MovieMuxer, encoder: TrackEncoder,
    graph: FilterGraph, joint: FilterGraph? = nil, graphBase: AVRational, origin: Int64,
    threads: Int, length: TimeSpan?, keepsTimes: Bool, display: MasteringDisplay? = nil,
    isTurned: Bool = false, makeGraph: @escaping GraphMaking
  ) throws {
    self.muxer = muxer
    self.encoder = encoder
    self.graph = graph
    self.joint = joint
    self.graphBase = graphBase
    self.makeGraph = makeGraph
    sourceBase = unsafe source.pointee.time_base
    usualDuration = unsafe source.frameDuration
    lateness = unsafe Self.lateness(source.pointee.time_base, graphBase, origin)
    isCut = length != nil
    end = length?.end.map { graphBase.units(upTo: $0) }
    packet = try Packet()
    decoded = try Frame()
    filtered = try Frame()
    guard let parameters = unsafe source.pointee.codecpar else { throw MovieMakingError.empty }
    frameFormat = unsafe FrameFormat(parameters)
    configuration = unsafe Array(
      UnsafeBufferPointer(
        start: parameters.pointee.extradata, count: max(0, Int(parameters.pointee.extradata_size))))
    makeDecoder = { unsafe try TrackDecoder(source, threads: threads, configuration: $0) }
    decoder = try makeDecoder(nil)
    let stream = unsafe try muxer.addTrack()
    target = unsafe stream.pointee.index
    unsafe try encoder.describe(stream)
    unsafe try display?.describe(stream)
    unsafe try copyDescription(from: source, to: stream, keepsTimes: keepsTimes)
    if !isTurned {
      unsafe try copySideData(
        from: source, to: stream, types: [AV_PKT_DATA_STEREO3D, AV_PKT_DATA_SPHERICAL])
    }
  }

  var notes: [String] { counts.notes }

  /// See ``lateness``.
  private static func lateness(
    _ sourceBase: AVRational, _ graphBase: AVRational, _ origin: Int64
  ) -> Int64 {
    let shift = av_rescale_q(origin, .microseconds, sourceBase)
    return av_rescale_q(origin, .microseconds, graphBase)
      &- av_rescale_q(shift, sourceBase, graphBase)
  }

  func take(_ packet: Packet) throws {
    if let end, !packet.isNotShown, let time = packet.time.map(exact), time >= end {
      lastsUntilEnd = true
    }
    if let end, !packet.isNotShown, isLast(packet, before: end) {
      isComplete = true
      return
    }
    if let new = packet.newConfiguration, new != configuration { try changeDecoder(new) }
    counts.packets += 1
    // A recording can begin at any frame, and reading after a seek does: damage before the first key frame
    // of the selected part does not count.
    let isWanted = !isCut || (packet.time ?? packet.decodingTime).map { $0 >= 0 } ?? false
    if packet.isKeyFrame || isCut, isWanted { isEntered = true }
    if try !decoder.send(packet), isEntered { counts.damaged += 1 }
    try passDecoded()
  }

  /// Replaces the decoder where the codec configuration changes. Not all decoders follow such a change themselves.
  private func changeDecoder(_ new: [UInt8]) throws {
    if counts.packets > 0 {
      _ = try decoder.send(nil)
      try passDecoded()
    }
    configuration = new
    decoder = try makeDecoder(new)
  }

  /// Whether no frame that is shown before `end` follows a packet.
  private func isLast(_ packet: Packet, before end: Int64) -> Bool {
    guard let time = packet.decodingTime ?? packet.time, exact(time) > end else { return false }
    // Where an edit list joins parts, decoding times run ahead by what it hides, and say nothing. No codec shows a frame
    // that much earlier than one that it stores before.
    guard let shown = packet.time, shown < time else { return true }
    return exact(shown) &- graphBase.units(1) > end
  }

  /// A packet's or decoded frame's time in units of ``graphBase``, from the result's start.
  private func exact(_ time: Int64) -> Int64 {
    av_rescale_q(time, sourceBase, graphBase) &- lateness
  }

  func finish(progress: () throws -> Void) throws {
    _ = try decoder.send(nil)
    try passDecoded(progress)
    try pushHeld(progress)
    try doing("filter a track") { () throws(AudioVideoError) in try graph.finish() }
    try passFiltered(progress)
    if let joint {
      try doing("filter a track") { () throws(AudioVideoError) in try joint.finish() }
      try encodeFrames(of: joint, progress)
    }
    let base = unsafe encoder.context.pointee.time_base
    let last = lastsUntilEnd ? end : [shownEnd, end].compactMap(\.self).min()
    try encodeWaiting(until: last.map { av_rescale_q($0, graphBase, base) }, progress)
    try encode(nil, progress)
    try writeLast(until: last)
    // A part may be without audio.
    if isVideo || !isCut || counts.frames > 0 || counts.damaged > 0 { try counts.check() }
    if isVideo, count == 0 { throw MovieMakingError.noPicture }
  }

  /// Passes all frames that the decoder has to the filters.
  private func passDecoded(_ progress: () throws -> Void = {}) throws {
    while true {
      switch Result(catching: { () throws(AudioVideoError) in try decoder.receive(into: decoded) })
      {
      case .success(.item): try filter(decoded, progress)
      case .success: return
      case .failure(let error):
        if error.reason == .outOfMemory { throw error }
        if isEntered { counts.damaged += 1 }
      }
    }
  }

  private func filter(_ frame: Frame, _ progress: () throws -> Void) throws {
    let time = unsafe known(frame.pointer.pointee.best_effort_timestamp) ?? frame.time
    counts.frames += 1
    let isDamaged =
      unsafe frame.pointer.pointee.decode_error_flags != 0
      || frame.pointer.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
    if isDamaged, isEntered { counts.damaged += 1 }
    // Frames that AVI and others store without a time follow the frame before.
    frame.time = time.map(exact) ?? (isVideo ? shownEnd : nil)
    if isVideo, let time = frame.time {
      let duration = frame.duration > 0 ? frame.duration : usualDuration
      let next = time &+ av_rescale_q(duration, sourceBase, graphBase)
      shownEnd = max(shownEnd ?? next, next)
    }
    guard isCut, isVideo else { return try push(frame, progress) }
    // The frame that is on the screen where the selected part begins can be an earlier one.
    if let earlier = held {
      held = nil
      if let time = frame.time, graphBase.seconds(time) > Self.shortestFrame { earlier.time = 0 }
      try push(earlier, progress)
    }
    if let time = frame.time, time < 0, !isDamaged {
      held = try frame.moved()
    } else {
      try push(frame, progress)
    }
  }

  /// Passes on the frame that is still held at the end, if it lasts until the selected part begins.
  private func pushHeld(_ progress: () throws -> Void) throws {
    guard let earlier = held else { return }
    held = nil
    let duration = av_rescale_q(earlier.duration, sourceBase, graphBase)
    if let time = earlier.time, time &+ duration > 0 { earlier.time = 0 }
    try push(earlier, progress)
  }

  private func push(_ frame: Frame, _ progress: () throws -> Void) throws {
    if isVideo, firstShape == nil {
      firstShape = frame.shape
      // The header may record another shape of a pixel than the frames.
      frameFormat.pixelAspect = FrameFormat(frame).pixelAspect
    }
    let newFormat = FrameFormat(frame)
    if frameFormat != newFormat { try changeGraph(frame, progress) }
    frameFormat = newFormat
    try doing("filter a track") { () throws(AudioVideoError) in try graph.push(frame) }
    try passFiltered(progress)
  }

  /// Replaces the filter graph. A track's size or format may change within it, or differ from its header from
  /// the start. The old graph is flushed, and the new one has the same output format.
  private func changeGraph(_ frame: Frame, _ progress: () throws -> Void) throws {
    if counts.frames > 1 {
      try doing("filter a track") { () throws(AudioVideoError) in try graph.finish() }
      try passFiltered(progress)
    }
    graph = try makeGraph(frame, frame.shape / (firstShape ?? frame.shape))
  }

  /// Passes all frames that the filters have to the encoder, those of audio through ``joint``.
  private func passFiltered(_ progress: () throws -> Void) throws {
    guard let joint else { return try encodeFrames(of: graph, progress) }
    while case .item = try doing(
      "filter a track", { () throws(AudioVideoError) in try graph.pull(into: filtered) })
    {
      filtered.time = filtered.time.map { av_rescale_q($0, graph.timeBase, joint.inputBase) }
      try doing("filter a track") { () throws(AudioVideoError) in try joint.push(filtered) }
      try encodeFrames(of: joint, progress)
    }
  }

  /// Encodes all frames that a filter graph has; of video, all but the last one.
  private func encodeFrames(of graph: FilterGraph, _ progress: () throws -> Void) throws {
    while case .item = try doing(
      "filter a track", { () throws(AudioVideoError) in try graph.pull(into: filtered) })
    {
      straighten(filtered, graph.timeBase)
      if isVideo {
        try encodeWaiting(until: filtered.time, progress)
        waiting = try filtered.moved()
      } else {
        try encode(filtered, progress)
        filtered.clear()
      }
    }
  }

  /// Writes the last packet of video, which lasts until the end: QuickTime and MP4 have no samples after that, and the last
  /// packet that is decoded is often not the last one that is shown.
  ///
  /// - Parameter end: in units of ``graphBase``; nil if unknown.
  private func writeLast(until end: Int64?) throws {
    guard let packet = unwritten, let stream = unsafe muxer.track(target) else { return }
    unwritten = nil
    if let end, let time = packet.time {
      let rest = unsafe av_rescale_q(end, graphBase, stream.pointee.time_base) &- time
      unsafe packet.pointer.pointee.duration = max(packet.pointer.pointee.duration, rest)
    }
    try muxer.write(packet)
  }

  /// Encodes the frame that waits, if there is one.
  ///
  /// - Parameter end: when it is no longer shown, in the encoder's time base; nil if unknown. The durations of packets are
  ///   those of decoding, and of little use where frames are stored in another order.
  private func encodeWaiting(until end: Int64?, _ progress: () throws -> Void) throws {
    guard let frame = waiting else { return }
    waiting = nil
    if let time = frame.time, let end, end > time {
      times.set(duration: end &- time, at: time)
      // Encoders of FFmpeg 6 and later pass it on.
      frame.duration = end &- time
    }
    try encode(frame, progress)
  }

  /// Converts times to the encoder's time base, makes them rise, and lets the encoder choose frame types.
  ///
  /// - Parameter source: the time base of the frame's time.
  private func straighten(_ frame: Frame, _ source: AVRational) {
    let base = unsafe encoder.context.pointee.time_base
    var duration = av_rescale_q(frame.duration, sourceBase, base)
    let time = frame.time.map { av_rescale_q($0, source, base) } ?? 0
    if let end { duration = min(duration, av_rescale_q(end, graphBase, base) &- time) }
    // If the frame rate is limited, a source frame may last less than half of one of the result's.
    frame.time = times.add(time, duration: frame.duration > 0 ? max(1, duration) : nil)
    unsafe frame.pointer.pointee.pict_type = AV_PICTURE_TYPE_NONE
    // The ProRes encoder uses the frames' tags in place of its own settings.
    let context = unsafe encoder.context
    unsafe frame.pointer.pointee.color_primaries = context.pointee.color_primaries
    unsafe frame.pointer.pointee.color_trc = context.pointee.color_trc
    unsafe frame.pointer.pointee.colorspace = context.pointee.colorspace
  }

  /// - Parameter frame: nil at the end; then the encoder returns everything it has buffered.
  private func encode(_ frame: Frame?, _ progress: () throws -> Void) throws {
    try doing("encode a track") { () throws(AudioVideoError) in try encoder.send(frame) }
    while case .item = try doing(
      "encode a track", { () throws(AudioVideoError) in try encoder.receive(into: packet) })
    {
      guard let stream = unsafe muxer.track(target) else { return }
      unsafe times.repair(packet, encoder.context.pointee.time_base)
      unsafe packet.pointer.pointee.stream_index = target
      unsafe av_packet_rescale_ts(
        packet.pointer, encoder.context.pointee.time_base, stream.pointee.time_base)
      if isVideo {
        if let earlier = unwritten { try muxer.write(earlier) }
        unwritten = try packet.moved()
      } else {
        try muxer.write(packet)
      }
      count += 1
      try progress()
    }
  }
}

/// The timestamps of the frames an encoder gets, and of the packets it returns, in its time base.
private struct EncoderTimes {
  private var first: Int64?
  private var last: Int64?
  private var lastDecoding: Int64?
  /// The durations of the frames in the encoder, by their times.
  private var durations: [Int64: Int64] = [:]

  /// Records a frame.
  ///
  /// - Parameter duration: nil if unknown.
  /// - Returns: its time, which is later than that of the frame before.
  mutating func add(_ time: Int64, duration: Int64?) -> Int64 {
    let time = last.map { max(time, $0 &+ 1) } ?? time
    last = time
    first = first ?? time
    if let duration { durations[time] = duration }
    return time
  }

  /// Sets the duration of the frame with a time that ``add(_:duration:)`` has returned.
  mutating func set(duration: Int64, at time: Int64) { durations[time] = duration }

  /// Sets a packet's duration if the encoder has not, and replaces an invalid decoding time: libx265 sets
  /// them at random if there are fewer frames than its lookahead.
  mutating func repair(_ packet: Packet, _ base: AVRational) {
    guard let time = packet.time else { return }
    if let duration = durations.removeValue(forKey: time),
      unsafe packet.pointer.pointee.duration == 0
    {
      unsafe packet.pointer.pointee.duration = duration
    }
    guard let first else { return }
    let earliest = first &- av_rescale_q(10_000_000, .microseconds, base)
    var decodingTime = packet.decodingTime ?? time
    if decodingTime > time || decodingTime < earliest {
      decodingTime = min(time, lastDecoding.map { $0 &+ 1 } ?? time)
    }
    lastDecoding = decodingTime
    unsafe packet.pointer.pointee.dts = decodingTime
  }
}

/// The properties of frames that a filter graph depends on.
private struct FrameFormat: Equatable {
  var width: Int32
  var height: Int32
  var format: Int32
  var sampleRate: Int32
  /// FFmpeg's name of the channel layout.
  var layout: String
  /// Width over height of one pixel.
  var pixelAspect = 1.0

  init(_ parameters: UnsafePointer<AVCodecParameters>) {
    unsafe (width, height) = (parameters.pointee.width, parameters.pointee.height)
    unsafe format = parameters.pointee.format
    unsafe sampleRate = parameters.pointee.sample_rate
    layout = unsafe layoutName(parameters.pointee.ch_layout)
  }

  init(_ frame: Frame) {
    pixelAspect = frame.pixelAspect
    let frame = unsafe frame.pointer
    unsafe (width, height) = (frame.pointee.width, frame.pointee.height)
    unsafe format = frame.pointee.format
    unsafe sampleRate = frame.pointee.sample_rate
    layout = unsafe layoutName(frame.pointee.ch_layout)
  }
}

/// How much of a track could be decoded.
struct FrameCounts {
  var packets = 0
  var frames = 0
  var damaged = 0

  /// Throws if more than one frame in fifty is damaged: such a clip must not be exported as if it were whole.
  func check() throws(MovieMakingError) {
    guard frames > 0 else { throw packets == 0 ? .empty : .damaged(frames: packets, of: packets) }
    if damaged * 50 > frames { throw .damaged(frames: damaged, of: max(frames, damaged)) }
  }

  var notes: [String] {
    damaged == 0
      ? [] : ["\(damaged) of \(frames) frames of the source are damaged and look wrong."]
  }
}
