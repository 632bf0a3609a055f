import CFFmpeg
import MediaEdits
import MediaModel

/// How much of a movie has come.
struct MovieAmount {
  /// When the last packet of each track ends, in seconds from where reading was to begin.
  private(set) var ends: [Int: Double] = [:]
  private(set) var packets: [Int: Int] = [:]
  /// Whether reading ended because nothing more was wanted.
  var isEnough = false

  mutating func count(_ packet: Packet, _ base: AVRational) {
    packets[packet.track, default: 0] += 1
    guard let time = packet.decodingTime ?? packet.time else { return }
    let duration = unsafe max(0, packet.pointer.pointee.duration)
    ends[packet.track] = max(ends[packet.track] ?? 0, base.seconds(time &+ duration))
  }
}

extension MovieFile {
  /// Looks whether as much has come as the header promises, in containers that do not list all samples
  /// before them.
  ///
  /// - Parameters:
  ///   - origin: where what was read begins, in microseconds of the movie's own clock.
  ///   - length: what was wanted, from there.
  /// - Returns: what is missing without the movie being cut off.
  func judge(
    _ amount: MovieAmount, from origin: Int64, length: TimeSpan?
  ) throws(MovieMakingError) -> [String] {
    // QuickTime's lists are exact, and its durations sometimes nobody's truth.
    guard !isQuickTime, !amount.isEnough, let context = unsafe context else { return [] }
    let start = unsafe known(context.pointee.start_time) ?? 0
    let offset = Double(origin &- start) / 1_000_000
    let position = offset + (amount.ends.values.max() ?? 0)
    let end = length?.end.map { offset + $0 }
    if let whole = promisedDuration {
      let wanted = min(whole, end ?? whole)
      // A track that is not wanted may be the longest one.
      let isAll = amount.packets.count == streamCount
      if wanted - position > max(1, whole / (isAll ? 50 : 20)) {
        throw .endsEarly(at: position, of: whole)
      }
    }
    return try missingFrames(amount, offset: offset, end: end)
  }

  /// Seconds that the header says; nil where it says nothing.
  private var promisedDuration: Double? {
    guard let context = unsafe context else { return nil }
    // FFmpeg believes neither where the file is shorter than it should be.
    if demuxerName == "asf" { return windowsMediaDuration }
    let method = unsafe context.pointee.duration_estimation_method
    return method == AVFMT_DURATION_FROM_BITRATE ? nil : movie().duration
  }

  /// AVI counts the frames in its header, and lists them at the end if it has been brought to one.
  private func missingFrames(
    _ amount: MovieAmount, offset: Double, end: Double?
  ) throws(MovieMakingError) -> [String] {
    guard demuxerName == "avi" else { return [] }
    var notes: [String] = []
    for (index, packets) in amount.packets {
      guard let stream = unsafe stream(index),
        unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
      else { continue }
      let base = unsafe stream.pointee.time_base
      let (entries, listed) = unsafe listedFrames(stream)
      if unsafe entries < stream.pointee.nb_frames {
        // Without its list, whose place what has been read takes.
        let whole = unsafe base.seconds(stream.pointee.nb_frames)
        let wanted = min(whole, end ?? whole)
        let missing = wanted - offset - (amount.ends[index] ?? 0)
        if missing > whole / 50, missing > base.seconds(2) {
          throw .endsEarly(at: wanted - missing, of: whole)
        }
      } else if offset == 0, end == nil, packets < listed {
        let missing = listed - packets
        if missing > 2, missing * 50 > listed { throw .damaged(frames: missing, of: listed) }
        notes.append("\(missing) of \(listed) frames of the source are missing.")
      }
    }
    return notes
  }

  /// How many frames an index names, and how many of them hold anything: empty ones only prolong those
  /// before.
  private func listedFrames(
    _ stream: UnsafeMutablePointer<AVStream>
  ) -> (all: Int64, filled: Int) {
    let count = unsafe avformat_index_get_entries_count(stream)
    let filled = (0..<count).count { index in
      unsafe avformat_index_get_entry(stream, index).map { unsafe $0.pointee.size > 0 } ?? false
    }
    return (Int64(count), filled)
  }

  /// The play duration of ASF's File Properties Object (Advanced Systems Format Specification, §3.2), in
  /// seconds; nil for a broadcast, whose header does not know.
  private var windowsMediaDuration: Double? {
    let identifier: [UInt8] = [
      0xA1, 0xDC, 0xAB, 0x8C, 0x47, 0xA9, 0xCF, 0x11, 0x8E, 0xE4, 0x00, 0xC0, 0x0C, 0x20, 0x53,
      0x65,
    ]
    let head = input.bytes(at: 0, count: 64 << 10)
    guard let object = head.firstRange(of: identifier)?.lowerBound, object + 92 <= head.count
    else { return nil }
    let number = { (offset: Int, width: Int) in
      (0..<width).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(head[object + offset + $1]) }
    }
    // In units of 100 ns, with the milliseconds that are buffered before.
    let seconds = Double(number(64, 8)) / 1e7 - Double(number(80, 8)) / 1000
    return number(88, 4) & 1 == 0 && seconds > 0 ? seconds : nil
  }
}
