import CFFmpeg
import MediaEdits
import MediaModel

extension MovieFile {
  /// Checks that every sample of each video and audio track in the header is within the file.
  ///
  /// The headers of QuickTime and MP4 list the position of each sample, so a truncated file is recognised
  /// before hours are spent on it.
  ///
  /// - Throws: ``MovieMakingError/endsEarly(at:of:)``.
  package func checkCompleteness() throws(MovieMakingError) {
    let streams = movie().streams
    let indexes = streams.indices.filter { [.video, .audio].contains(streams[$0].kind) }
    try checkCompleteness(of: Array(indexes), origin: 0, length: nil)
    // A recording that was never finished, or the first part of a stream, lists no samples.
    let counts = indexes.map {
      unsafe stream($0).map { unsafe avformat_index_get_entries_count($0) }
    }
    if isQuickTime, counts.allSatisfy({ $0 == 0 }) { throw .empty }
  }

  /// The same for some tracks and for the selected part, which begins at `origin`, in microseconds of the
  /// movie's clock.
  func checkCompleteness(
    of indexes: [Int], origin: Int64, length: TimeSpan?
  ) throws(MovieMakingError) {
    guard let input = unsafe context?.pointee.pb else { return }
    let size = unsafe avio_size(input)
    guard size > 0 else { return }
    for index in indexes {
      guard let stream = unsafe stream(index), let moment = unsafe firstMissing(stream, size)
      else { continue }
      if let end = length?.end, moment - Double(origin) / 1_000_000 >= end { continue }
      throw .endsEarly(at: max(0, moment), of: max(movie().duration ?? 0, moment))
    }
  }

  var isQuickTime: Bool { demuxerName.hasPrefix("mov,") }

  /// FFmpeg's name of the demuxer.
  var demuxerName: String {
    guard let format = unsafe context?.pointee.iformat else { return "" }
    return unsafe String(cString: format.pointee.name)
  }

  /// When the first sample beyond the end of the file would be shown, in seconds.
  private func firstMissing(_ stream: UnsafeMutablePointer<AVStream>, _ size: Int64) -> Double? {
    for index in 0..<(unsafe avformat_index_get_entries_count(stream)) {
      guard let entry = unsafe avformat_index_get_entry(stream, index),
        unsafe entry.pointee.pos > size - Int64(entry.pointee.size)
      else { continue }
      return unsafe stream.pointee.time_base.seconds(entry.pointee.timestamp)
    }
    return nil
  }
}

/// How much of a movie was read.
struct ReadTotals {
  /// When the last packet of each track ends, in seconds from where reading began.
  private(set) var ends: [Int: Double] = [:]
  private(set) var packets: [Int: Int] = [:]
  /// Whether reading ended because no track needed more.
  var isEnough = false

  mutating func count(_ packet: Packet, _ base: AVRational) {
    packets[packet.track, default: 0] += 1
    guard let time = packet.decodingTime ?? packet.time else { return }
    let duration = unsafe max(0, packet.pointer.pointee.duration)
    ends[packet.track] = max(ends[packet.track] ?? 0, base.seconds(time &+ duration))
  }
}

extension MovieFile {
  /// Checks that as much was read as the header declares, in containers whose header does not list all
  /// samples.
  ///
  /// - Parameters:
  ///   - totals: of all tracks, since one that is not exported may be the longest.
  ///   - indexes: the tracks that are exported.
  ///   - origin: where reading began, in microseconds of the movie's clock.
  ///   - length: the selected part, from there.
  /// - Returns: notes on missing frames, where the movie is not truncated.
  func checkTotals(
    _ totals: ReadTotals, of indexes: Set<Int>, from origin: Int64, length: TimeSpan?
  ) throws(MovieMakingError) -> [String] {
    // QuickTime's sample tables are exact; its durations are not always right.
    guard !isQuickTime, !totals.isEnough, let context = unsafe context else { return [] }
    let start = unsafe known(context.pointee.start_time) ?? 0
    let offset = Double(origin &- start) / 1_000_000
    var position = offset + (totals.ends.values.max() ?? 0)
    // Recorders that split a recording into files write the time of the end for the duration.
    if demuxerName.hasPrefix("matroska") { position += max(0, Double(start) / 1_000_000) }
    let end = length?.end.map { offset + $0 }
    if let whole = promisedDuration {
      let wanted = min(whole, end ?? whole)
      // A track that libavformat does not read may be the longest one.
      let isAll = totals.packets.count == streamCount
      if wanted - position > max(1, whole / (isAll ? 50 : 20)) {
        throw .endsEarly(at: position, of: whole)
      }
    }
    return try missingFrames(totals, of: indexes, offset: offset, end: end)
  }

  /// The header's duration in seconds; nil if it has none.
  private var promisedDuration: Double? {
    guard let context = unsafe context else { return nil }
    // FFmpeg trusts neither value if the file is shorter than it should be.
    if demuxerName == "asf" { return windowsMediaDuration }
    let method = unsafe context.pointee.duration_estimation_method
    return method == AVFMT_DURATION_FROM_BITRATE ? nil : movie().duration
  }

  /// Checks AVI, whose header contains a frame count and which ends with an index if it was finished.
  private func missingFrames(
    _ totals: ReadTotals, of indexes: Set<Int>, offset: Double, end: Double?
  ) throws(MovieMakingError) -> [String] {
    guard demuxerName == "avi" else { return [] }
    var notes: [String] = []
    for (index, packets) in totals.packets where indexes.contains(index) {
      guard let stream = unsafe stream(index),
        unsafe stream.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
      else { continue }
      let base = unsafe stream.pointee.time_base
      let (entries, listed) = unsafe listedFrames(stream)
      if unsafe entries < stream.pointee.nb_frames {
        // Without an index: FFmpeg's list contains only what has been read.
        let whole = unsafe base.seconds(stream.pointee.nb_frames)
        let wanted = min(whole, end ?? whole)
        let missing = wanted - offset - (totals.ends[index] ?? 0)
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

  /// The number of frames in an index, and of those with contents: empty ones only prolong the frame before.
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
  /// seconds; nil for a broadcast, whose header does not contain one.
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
    // In units of 100 ns; includes the preroll, which is in milliseconds.
    let seconds = Double(number(64, 8)) / 1e7 - Double(number(80, 8)) / 1000
    return number(88, 4) & 1 == 0 && seconds > 0 ? seconds : nil
  }
}
