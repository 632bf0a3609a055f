import ByteReading
import MediaFormats

extension MovieHeader {
  /// Lets the movie end no later than after so many seconds.
  ///
  /// What its tracks hold beyond that stays in them, since what is shown may be decoded from it: it is left
  /// out by their edit lists (ISO/IEC 14496-12 §8.6.6). A track without one stays as it is.
  package mutating func end(after seconds: Double) throws {
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count),
      let movie = try source.child("mvhd", of: moov),
      let scale = bytes.u32(at: Int(movie.payload.lowerBound) + (isLong(movie) ? 20 : 12)),
      seconds > 0, seconds < 1e9
    else { return }
    let end = UInt64(seconds * Double(scale) + 0.5)
    for track in try source.boxes(inside: moov) where track.type == "trak" {
      guard let edits = try source.child("edts", of: track),
        let list = try source.child("elst", of: edits),
        let header = try source.child("tkhd", of: track)
      else { continue }
      limit(list, to: end)
      limit(durationOf: header, at: (20, 28), to: end)
    }
    limit(durationOf: movie, at: (16, 24), to: end)
  }

  /// Whether a box's times have eight bytes.
  private func isLong(_ box: ISOBox) -> Bool {
    !box.payload.isEmpty && bytes[Int(box.payload.lowerBound)] == 1
  }

  /// Shortens the edits of a list, the last first, so that all of them last no longer than `end`.
  private mutating func limit(_ list: ISOBox, to end: UInt64) {
    let (start, width) = (Int(list.payload.lowerBound), isLong(list) ? 8 : 4)
    guard let count = bytes.u32(at: start + 4) else { return }
    var left = end
    for index in 0..<Int(count) {
      let position = start + 8 + index * (2 * width + 4)
      guard position + width <= Int(list.end),
        let duration = bytes.unsigned(at: position, width: width)
      else { return }
      // One of no length would last to the track's end.
      let shortened = min(duration, max(1, left))
      bytes.write(shortened, at: position, width: width)
      left -= min(left, shortened)
    }
  }

  /// - Parameter offsets: of the duration, where times have four bytes and where they have eight.
  private mutating func limit(
    durationOf box: ISOBox, at offsets: (short: Int, long: Int), to end: UInt64
  ) {
    let (offset, width) = isLong(box) ? (offsets.long, 8) : (offsets.short, 4)
    let position = Int(box.payload.lowerBound) + offset
    guard position + width <= Int(box.end),
      let duration = bytes.unsigned(at: position, width: width)
    else { return }
    bytes.write(min(duration, end), at: position, width: width)
  }
}
