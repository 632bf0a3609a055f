import CFFmpeg
import MediaEdits
import MediaModel

/// Processes one track's packets.
protocol TrackWork: AnyObject {
  /// Takes one of the track's packets; its times count from the result's start.
  func take(_ packet: Packet) throws
  /// Whether the track needs no more packets.
  var isComplete: Bool { get }
  /// Writes what is still buffered.
  ///
  /// - Parameter progress: called regularly: encoders can buffer work of a minute.
  func finish(progress: () throws -> Void) throws
  /// The number of packets written.
  var count: Int { get }
  /// Notes for the user.
  var notes: [String] { get }
}

/// Copies a track's packets as they are.
@safe final class TrackCopy: TrackWork {
  private let muxer: MovieMuxer
  private let target: Int32
  /// The track's number in the source.
  private let number: Int
  private let sourceBase: AVRational
  /// The end of the selected part in units of ``sourceBase``: packets from there on are not needed.
  private let end: Int64?
  /// Whether packets before 0 are left out, because the movie is cut there. A video track's are needed to decode later
  /// ones, and are not shown.
  private let isCutAtStart: Bool
  private let isVideo: Bool
  private let isSubtitle: Bool
  /// Whether frames are stored in another order than they are shown, so that decoding times do not show when.
  private let reordersFrames: Bool
  private var times: DecodingTimes
  private var configuration: ConfigurationChanges
  /// Nil for a codec other than PCM.
  private var gaps: SampleGaps?
  /// A video track's first packets, until their decoding times are known.
  private var waiting: [Packet] = []
  private var isOrdered = false
  /// Packets after the last shown one that the edit list hides or that are shown after the end. They are
  /// dropped unless a shown packet follows.
  private var unshown: [Packet] = []
  /// No codec delays its frames by more.
  private static let maximumWaiting = 32
  private(set) var isComplete: Bool
  private(set) var count = 0
  /// The number of packets that are left out because a part of their frame is missing.
  private var incomplete = 0
  var notes: [String] {
    incomplete == 0
      ? [] : ["Audio frames left out because a part of them is missing: \(incomplete)."]
  }

  /// - Parameters:
  ///   - length: the selected part in seconds, from 0; nil for everything.
  ///   - isCutAtStart: whether the source has something before 0 that is not part of the result.
  ///   - parameterSets: finds changes of them.
  init(
    _ source: UnsafeMutablePointer<AVStream>, to muxer: MovieMuxer, length: TimeSpan?,
    isCutAtStart: Bool, keepsTimes: Bool, parameterSets: CodedParameterSets?
  ) throws {
    guard let parameters = unsafe source.pointee.codecpar else { throw MovieMakingError.empty }
    let codec = unsafe parameters.pointee.codec_id
    guard muxer.takes(codec) else {
      throw MovieMakingError.notForContainer(
        codec: unsafe String(cString: avcodec_get_name(codec)))
    }
    let stream = unsafe try muxer.addTrack()
    self.muxer = muxer
    target = unsafe stream.pointee.index
    number = unsafe Int(source.pointee.index)
    configuration = unsafe ConfigurationChanges(parameters, parameterSets)
    sourceBase = unsafe source.pointee.time_base
    isVideo = unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
    isSubtitle = unsafe parameters.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE
    reordersFrames = unsafe isVideo && parameters.pointee.video_delay > 0
    // Subtitles are sparse: reading does not wait for one after the end.
    isComplete = isSubtitle
    self.isCutAtStart = isCutAtStart
    times = unsafe DecodingTimes(frameDuration: source.frameDuration)
    gaps = unsafe SampleGaps(parameters)
    end = length?.end.map { unsafe source.pointee.time_base.units(upTo: $0) }
    unsafe try Self.describe(stream, by: source, parameters, for: muxer)
    unsafe try copyDescription(from: source, to: stream, keepsTimes: keepsTimes)
    unsafe try copySideData(from: source, to: stream)
  }

  /// Copies the codec parameters, time base, frame rate and pixel aspect ratio.
  private static func describe(
    _ target: UnsafeMutablePointer<AVStream>, by source: UnsafeMutablePointer<AVStream>,
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, for muxer: MovieMuxer
  ) throws {
    try checked(unsafe avcodec_parameters_copy(target.pointee.codecpar, parameters))
    unsafe target.pointee.codecpar.pointee.codec_tag = codecTag(parameters, for: muxer)
    unsafe target.pointee.time_base = unsafe source.pointee.time_base
    unsafe target.pointee.avg_frame_rate = unsafe source.pointee.avg_frame_rate
    let aspect = unsafe source.pointee.sample_aspect_ratio
    if aspect.value != nil {
      unsafe target.pointee.sample_aspect_ratio = aspect
      // Muxers refuse a stream whose two aspect ratios differ.
      unsafe target.pointee.codecpar.pointee.sample_aspect_ratio = aspect
    }
  }

  /// The sample entry type of the copy; 0 to let the muxer choose it.
  ///
  /// HEVC without a supported type becomes `hvc1`, and `hev1` does if its parameter sets are in the header.
  private static func codecTag(
    _ parameters: UnsafeMutablePointer<AVCodecParameters>, for muxer: MovieMuxer
  ) -> UInt32 {
    let (codec, tag) = unsafe (parameters.pointee.codec_id, parameters.pointee.codec_tag)
    let supported = muxer.takes(tag: tag, for: codec) ? tag : 0
    guard codec == AV_CODEC_ID_HEVC else { return supported }
    let isHVC1 =
      tag == fourCharacterCode("hev1") ? unsafe listsSets(parameters) : supported == 0
    return isHVC1 ? fourCharacterCode("hvc1") : supported
  }

  /// Whether HEVC's parameter sets are in the header. `hvc1` guarantees this, and Apple's players need it;
  /// with `hev1` they may be there too (ISO/IEC 14496-15 §8.4.1).
  private static func listsSets(_ parameters: UnsafeMutablePointer<AVCodecParameters>) -> Bool {
    guard let header = unsafe parameters.pointee.extradata,
      unsafe parameters.pointee.extradata_size > 23
    else { return false }
    // HEVCDecoderConfigurationRecord: the version, and at byte 22 the number of arrays of parameter sets.
    return unsafe header[0] == 1 && header[22] > 0
  }

  func take(_ packet: Packet) throws {
    if isSubtitle { limitTimes(of: packet) }
    let isOther = configuration.isOther(in: packet)
    guard let time = packet.time ?? packet.decodingTime else {
      // After a seek some containers do not know their first times.
      if isCutAtStart, count == 0, waiting.isEmpty { return }
      throw MovieMakingError.failed(
        "copy a track", AudioVideoError(reason: .unsupported, detail: "Its times are missing"))
    }
    if isCutAtStart, time < 0, !isVideo { return }
    if reordersFrames, packet.time == nil {
      throw MovieMakingError.cannotCopy(track: number, .lacksTimes)
    }
    let isBehind = end.map { time >= $0 } ?? false
    if isBehind, isLast(packet) {
      isComplete = true
      return
    }
    if configuration.isIncomplete(packet) {
      if !isBehind { incomplete += 1 }
      return
    }
    if isOther, !isBehind {
      throw MovieMakingError.cannotCopy(track: number, .changesConfiguration)
    }
    if isBehind || (packet.isNotShown && time > 0) {
      unshown.append(try packet.moved())
      return
    }
    // A hidden frame may be needed to decode a shown one. Hidden audio is between parts that an edit list joins.
    for earlier in unshown where isVideo {
      if earlier.isNotShown, let hidden = earlier.time, hidden < time {
        throw MovieMakingError.cannotCopy(track: number, .hidesFrames)
      }
      try order(earlier)
    }
    unshown = []
    try order(packet)
  }

  /// Leaves of a subtitle's time what is within the selected part, if the subtitle is seen there.
  private func limitTimes(of packet: Packet) {
    let packet = unsafe packet.pointer
    guard let time = unsafe known(packet.pointee.pts), unsafe packet.pointee.duration > 0 else {
      return
    }
    let start = isCutAtStart ? max(0, time) : time
    var stop = unsafe time &+ packet.pointee.duration
    if let end { stop = min(stop, end) }
    guard start < stop else { return }
    unsafe (packet.pointee.pts, packet.pointee.dts) = (start, start)
    unsafe packet.pointee.duration = stop - start
  }

  /// Whether no packet that is shown before the end follows a packet that is shown after it.
  private func isLast(_ packet: Packet) -> Bool {
    guard isVideo, let end else { return true }
    return packet.decodingTime.map { $0 >= end } ?? (unshown.count >= Self.maximumWaiting)
  }

  /// Passes a packet on as soon as its decoding time is known.
  private func order(_ packet: Packet) throws {
    guard isVideo, !isOrdered else { return try pass(packet) }
    waiting.append(try packet.moved())
    if waiting.count >= Self.maximumWaiting { try passWaiting() }
  }

  /// Passes on the first packets, whose decoding times are now complete.
  private func passWaiting() throws {
    isOrdered = true
    let first = waiting
    waiting = []
    times.complete(first)
    for packet in first { try pass(packet) }
  }

  private func pass(_ packet: Packet) throws {
    times.advance(packet)
    guard let stream = unsafe muxer.track(target) else { return }
    let base = unsafe stream.pointee.time_base
    unsafe packet.pointer.pointee.pos = -1
    unsafe av_packet_rescale_ts(packet.pointer, sourceBase, base)
    try gaps?.fill(before: packet, base, write)
    try write(packet)
  }

  private func write(_ packet: Packet) throws {
    unsafe packet.pointer.pointee.stream_index = target
    // The muxer's base can be coarser than the source's: times that rise there may be equal here.
    times.raise(packet)
    try muxer.write(packet)
    count += 1
  }

  func finish(progress: () throws -> Void) throws {
    try passWaiting()
    if isVideo, count == 0 { throw MovieMakingError.empty }
    if incomplete > 0 {
      let all = count + incomplete
      try FrameCounts(packets: all, frames: all, damaged: incomplete).check()
    }
  }
}

/// The decoding times of one track's packets.
private struct DecodingTimes {
  /// One frame's duration in the source's time base; 0 if unknown.
  private let frameDuration: Int64
  /// By how much decoding times are moved earlier, so that no frame is shown before it is decoded, in the source's
  /// time base.
  private var lead: Int64 = 0
  /// The last packet's decoding time in the muxer's time base.
  private var last: Int64?

  init(frameDuration: Int64) {
    self.frameDuration = frameDuration
  }

  /// Adds the missing decoding times of a video track's first packets, in reading order.
  ///
  /// Matroska omits some of them: they are counted back, one frame each, from the first known one. In
  /// files that a camera cut from longer ones, frames may be decoded after they are shown: then all
  /// decoding times are moved earlier.
  mutating func complete(_ packets: [Packet]) {
    let known = packets.firstIndex { $0.decodingTime != nil } ?? packets.count
    let moment =
      known < packets.count
      ? packets[known].decodingTime ?? 0 : packets.compactMap(\.time).min() ?? 0
    for (index, packet) in packets.prefix(known).enumerated() {
      let back = Int64(known - index) &* max(1, frameDuration)
      unsafe packet.pointer.pointee.dts = min(moment &- back, packet.time ?? moment)
    }
    lead = packets.compactMap(Self.lateness).max().map { max(0, $0) } ?? 0
  }

  /// How long after its presentation time a packet is decoded; not positive in a valid stream.
  private static func lateness(_ packet: Packet) -> Int64? {
    packet.decodingTime.flatMap { decoding in packet.time.map { decoding &- $0 } }
  }

  /// Moves a packet's decoding time, and adds the time that it lacks. Its times are in the source's time base.
  func advance(_ packet: Packet) {
    let time = packet.time ?? packet.decodingTime ?? 0
    unsafe packet.pointer.pointee.dts = packet.decodingTime.map { $0 &- lead } ?? time
    unsafe packet.pointer.pointee.pts = time
  }

  /// Sets a packet's times so that decoding times rise and no frame is shown before it is decoded. Its times are in
  /// the muxer's time base.
  mutating func raise(_ packet: Packet) {
    guard var decodingTime = packet.decodingTime else { return }
    if let last, decodingTime <= last { decodingTime = last &+ 1 }
    last = decodingTime
    unsafe packet.pointer.pointee.dts = decodingTime
    unsafe packet.pointer.pointee.pts = max(packet.time ?? decodingTime, decodingTime)
  }
}

extension UnsafeMutablePointer<AVStream> {
  /// One frame's duration in units of the stream's time base; 0 if unknown.
  var frameDuration: Int64 {
    let rate = unsafe pointee.avg_frame_rate
    guard rate.value != nil else { return 0 }
    return unsafe av_rescale_q(1, AVRational(num: rate.den, den: rate.num), pointee.time_base)
  }
}

/// Copies a stream's disposition, language and names to a track.
func copyDescription(
  from source: UnsafeMutablePointer<AVStream>, to target: UnsafeMutablePointer<AVStream>,
  keepsTimes: Bool
) throws(AudioVideoError) {
  unsafe target.pointee.disposition = unsafe source.pointee.disposition
  let keys = ["language", "title", "handler_name"] + (keepsTimes ? ["creation_time"] : [])
  for entry in unsafe MetadataEntry.list(source.pointee.metadata) where keys.contains(entry.key) {
    try checked(unsafe av_dict_set(&target.pointee.metadata, entry.key, entry.value, 0))
  }
}

/// Copies the source's side data to a track: display matrix, Dolby Vision configuration, mastering display …
///
/// - Parameter types: those to copy; nil for all.
func copySideData(
  from source: UnsafeMutablePointer<AVStream>, to target: UnsafeMutablePointer<AVStream>,
  types: [AVPacketSideDataType]? = nil
) throws(AudioVideoError) {
  for index in 0..<(unsafe Int(shoebox_side_data_count(source))) {
    guard let item = unsafe shoebox_side_data(source, Int32(index))?.pointee else { continue }
    guard let data = unsafe item.data, unsafe types?.contains(item.type) != false else { continue }
    guard let copy = unsafe shoebox_new_side_data(target, item.type, item.size) else {
      throw .outOfMemory
    }
    unsafe copy.update(from: data, count: item.size)
  }
}
