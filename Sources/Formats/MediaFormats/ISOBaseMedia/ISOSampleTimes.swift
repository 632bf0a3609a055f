import ByteReading

/// The times of a track's samples in units of its timescale, one after another (ISO/IEC 14496-12 §8.6.1.2).
struct ISOSampleTimes {
  private var table: ISOTable?
  private var run: UInt64 = 0
  private var left: UInt64 = 0
  private var delta: UInt64 = 0
  private var time: UInt64 = 0
  private let maximumRuns: UInt64

  /// - Parameters:
  ///   - stbl: the track's sample table box.
  ///   - maximumRuns: entries that are read.
  init(_ stbl: ISOBox, _ source: any ByteSource, maximumRuns: UInt64) throws {
    self.maximumRuns = maximumRuns
    table = try source.child("stts", of: stbl).flatMap {
      try ISOTable($0, source, stride: 8, width: 4)
    }
  }

  /// The next sample's time and duration; nil after the last one and for a time that overflows.
  mutating func next() throws -> (time: UInt64, duration: UInt64)? {
    while left == 0 {
      guard run < maximumRuns, let count = try table?.value(run),
        let delta = try table?.value(run, at: 4)
      else {
        return nil
      }
      (left, self.delta) = (count, delta)
      run += 1
    }
    let current = time
    guard let following = time.adding(delta) else { return nil }
    left -= 1
    time = following
    return (current, delta)
  }
}
