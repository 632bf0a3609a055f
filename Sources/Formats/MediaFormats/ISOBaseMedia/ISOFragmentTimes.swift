import ByteReading

/// The durations of a movie whose samples are in fragments (ISO/IEC 14496-12 §8.8), by `track_ID`.
///
/// The movie's header does not record them. A segment index does; without one, each fragment's header is read.
struct ISOFragmentTimes {
  struct Track: Hashable {
    /// When the last sample ends, in units of the track's timescale.
    var end: UInt64 = 0
    var sampleCount: UInt64 = 0
    /// The sum of the samples' durations, in units of the track's timescale.
    var sampleDuration: UInt64 = 0
  }

  private(set) var tracks: [UInt32: Track] = [:]
  /// Default durations of samples, from the `trex` boxes.
  private let defaults: [UInt32: UInt32]
  private let timescales: [UInt32: UInt32]
  private let source: any ByteSource

  /// - Parameters:
  ///   - top: the file's boxes.
  ///   - timescales: the timescale of each track.
  init(
    _ top: [ISOBox], timescales: [UInt32: UInt32], defaults: [UInt32: UInt32],
    _ source: any ByteSource
  ) throws {
    (self.source, self.timescales, self.defaults) = (source, timescales, defaults)
    // With an index that covers the rest of the file, only the first fragment is read, for the frame rate.
    var isComplete = false
    for box in top {
      switch box.type {
      case "sidx": isComplete = try read(index: box) || isComplete
      case "moof":
        try read(fragment: box)
        if isComplete { return }
      default: break
      }
    }
  }

  /// Reads a segment index (§8.16.3).
  ///
  /// - Returns: whether it covers the rest of the file.
  private mutating func read(index box: ISOBox) throws -> Bool {
    let head = try source.start(of: box, 32)
    let wide = head.u8(at: 0) == 1
    guard let id = head.u32(at: 4), let scale = head.u32(at: 8), scale > 0,
      let timescale = timescales[id],
      var time = head.unsigned(at: 12, width: wide ? 8 : 4),
      let skip = head.unsigned(at: wide ? 20 : 16, width: wide ? 8 : 4),
      var position = box.end.adding(skip), let count = head.u16(at: wide ? 30 : 26)
    else { return false }
    var table = PiecewiseReader(source, box.payload.dropping(wide ? 32 : 28))
    for index in 0..<UInt64(count) {
      guard let size = try table.value(at: index * 12, width: 4), size < 1 << 31,
        let length = try table.value(at: index * 12 + 4, width: 4),
        let next = position.adding(size), let end = time.adding(length)
      else { return false }
      (position, time) = (next, end)
    }
    let (product, overflow) = time.multipliedReportingOverflow(by: UInt64(timescale))
    guard !overflow else { return false }
    let isComplete = position >= source.count
    tracks[id, default: Track()].end = product / UInt64(scale)
    if isComplete {
      // The other tracks are as long.
      for (other, otherScale) in timescales where tracks[other] == nil {
        let (product, overflow) = time.multipliedReportingOverflow(by: UInt64(otherScale))
        if !overflow { tracks[other] = Track(end: product / UInt64(scale)) }
      }
    }
    return isComplete
  }

  private mutating func read(fragment moof: ISOBox) throws {
    for traf in try source.boxes(inside: moof) where traf.type == "traf" {
      let boxes = try source.boxes(inside: traf)
      guard let header = boxes.first(where: { $0.type == "tfhd" }),
        case let fields = try source.start(of: header, 24),
        let flags = fields.u32(at: 0), let id = fields.u32(at: 4)
      else { continue }
      var track = tracks[id] ?? Track()
      var time = track.end
      if let box = boxes.first(where: { $0.type == "tfdt" }) {
        let content = try source.start(of: box, 12)
        time = content.unsigned(at: 4, width: content.u8(at: 0) == 1 ? 8 : 4) ?? time
      }
      // The base offset and the number of the description precede the default duration.
      let place = 8 + (flags & 1 != 0 ? 8 : 0) + (flags & 2 != 0 ? 4 : 0)
      let standard = flags & 8 != 0 ? fields.u32(at: place) : defaults[id]
      for run in boxes where run.type == "trun" {
        guard let (count, sum) = try times(of: run, standard: standard ?? 0),
          let next = time.adding(sum), let total = track.sampleDuration.adding(sum)
        else { continue }
        time = next
        track.sampleCount &+= count
        track.sampleDuration = total
      }
      track.end = max(track.end, time)
      tracks[id] = track
    }
  }

  /// The number of samples of a `trun` box, and the sum of their durations (§8.8.8).
  private func times(
    of run: ISOBox, standard: UInt32
  ) throws -> (count: UInt64, sum: UInt64)? {
    let head = try source.start(of: run, 8)
    guard let flags = head.u32(at: 0), let count = head.u32(at: 4).map(UInt64.init) else {
      return nil
    }
    guard flags & 0x100 != 0 else { return (count, count * UInt64(standard)) }
    let skip = 8 + (flags & 1 != 0 ? 4 : 0) + (flags & 4 != 0 ? 4 : 0)
    let stride = UInt64([0x100, 0x200, 0x400, 0x800].count { flags & $0 != 0 } * 4)
    var table = PiecewiseReader(source, run.payload.dropping(skip))
    var (read, sum): (UInt64, UInt64) = (0, 0)
    while read < count, let duration = try table.value(at: read * stride, width: 4) {
      sum &+= duration
      read += 1
    }
    return (read, sum)
  }
}
