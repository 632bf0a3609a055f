import ByteReading
import MediaFormats

/// A movie's `moov` box, for changes after the samples are written.
package struct MovieHeader {
  /// The whole box.
  package private(set) var bytes: [UInt8]

  /// - Parameter bytes: the whole box.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Adds metadata boxes after the boxes of the movie and of its tracks.
  ///
  /// - Parameters:
  ///   - movie: the boxes for the movie.
  ///   - tracks: the boxes for each track, in the order of this movie.
  /// - Throws: ``ContainerError`` for a header that is not a `moov` box, or with a box that others cannot follow.
  package mutating func add(movie: [[UInt8]], tracks: [[[UInt8]]]) throws {
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count), moov.type == "moov" else {
      throw ContainerError.damaged("has no movie header (moov box)")
    }
    var content: [UInt8] = []
    var track = 0
    for box in try source.boxes(inside: moov) {
      guard box.hasOwnEnd(in: bytes) else {
        throw ContainerError.damaged("has a box without an end in its movie header (moov box)")
      }
      if box.type == "trak" {
        let additions = tracks.indices.contains(track) ? tracks[track] : []
        // The header may have a long size.
        let own = Array(bytes[Int(box.payload.lowerBound)..<Int(box.end)])
        content += isoBox("trak", own + additions.flatMap(\.self))
        track += 1
      } else {
        content += bytes[Int(box.offset)..<Int(box.end)]
      }
    }
    bytes = isoBox("moov", content + movie.flatMap(\.self))
  }

  /// Replaces the whole box.
  mutating func replace(with box: [UInt8]) {
    bytes = box
  }

  /// Overwrites bytes of the header.
  mutating func replace(at position: Int, with new: [UInt8]) {
    bytes.replaceSubrange(position..<position + new.count, with: new)
  }

  /// Inserts boxes into the `moov` box.
  ///
  /// - Parameters:
  ///   - position: the end of another box inside it.
  ///   - moov: the `moov` box.
  mutating func insert(_ box: [UInt8], at position: UInt64, in moov: ISOBox) {
    let (start, end) = (Int(moov.payload.lowerBound), Int(moov.end))
    bytes = isoBox("moov", bytes[start..<Int(position)] + box + bytes[Int(position)..<end])
  }

  /// Adds a distance to the offsets of all chunks, whose samples move towards the end of the file.
  ///
  /// - Parameter distance: in bytes.
  /// - Returns: false, without any change, if a new offset does not fit into its field.
  package mutating func shiftChunks(by distance: UInt64) throws -> Bool {
    var changed = bytes
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count) else { return false }
    for track in try source.boxes(inside: moov) where track.type == "trak" {
      guard let media = try source.child("mdia", of: track),
        let information = try source.child("minf", of: media),
        let table = try source.child("stbl", of: information)
      else { continue }
      for box in try source.boxes(inside: table) {
        let width = box.type == "stco" ? 4 : box.type == "co64" ? 8 : 0
        guard width > 0 else { continue }
        guard Self.shift(&changed, box, width: width, by: distance) else { return false }
      }
    }
    bytes = changed
    return true
  }

  private static func shift(
    _ bytes: inout [UInt8], _ box: ISOBox, width: Int, by distance: UInt64
  ) -> Bool {
    let start = Int(box.payload.lowerBound)
    guard let count = bytes.u32(at: start + 4) else { return false }
    for index in 0..<Int(count) {
      let position = start + 8 + index * width
      guard position + width <= Int(box.end),
        let offset = bytes.unsigned(at: position, width: width),
        let moved = offset.adding(distance), width == 8 || moved <= UInt64(UInt32.max)
      else { return false }
      bytes.write(moved, at: position, width: width)
    }
    return true
  }
}

extension MovieHeader {
  /// Takes the mark `track_enabled` from tracks, so that players show them only when they are asked to
  /// (ISO/IEC 14496-12 §8.3.2).
  ///
  /// - Parameter tracks: their numbers in the order of the header, from 0.
  package mutating func disable(tracks: Set<Int>) throws {
    guard !tracks.isEmpty else { return }
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count) else { return }
    let all = try source.boxes(inside: moov).filter { $0.type == "trak" }
    for (number, track) in all.enumerated() where tracks.contains(number) {
      guard let header = try source.child("tkhd", of: track), header.payload.count >= 4 else {
        continue
      }
      // The lowest byte of the three with flags, after the version.
      bytes[Int(header.payload.lowerBound) + 3] &= ~1
    }
  }

  /// Gives the first audio track the mark `track_enabled` if none has it. Apple's players are silent without it.
  package mutating func enableAudio() throws {
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count) else { return }
    var first: Int?
    for track in try source.boxes(inside: moov) where track.type == "trak" {
      guard let header = try source.child("tkhd", of: track), header.payload.count >= 4,
        let media = try source.child("mdia", of: track),
        let handler = try source.child("hdlr", of: media),
        try source.start(of: handler, 12).fourCC(at: 8) == "soun"
      else { continue }
      let flags = Int(header.payload.lowerBound) + 3
      if bytes[flags] & 1 == 1 { return }
      first = first ?? flags
    }
    if let first { bytes[first] |= 1 }
  }

  /// Limits the duration of the movie.
  ///
  /// Later samples stay in the tracks, since earlier frames may be decoded from them. The tracks' edit lists leave
  /// them out (ISO/IEC 14496-12 §8.6.6). A track without an edit list stays as it is.
  ///
  /// - Parameter seconds: the longest duration.
  package mutating func limitDuration(to seconds: Double) throws {
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

  /// Whether a box's times have eight bytes (version 1).
  private func isLong(_ box: ISOBox) -> Bool {
    !box.payload.isEmpty && bytes[Int(box.payload.lowerBound)] == 1
  }

  /// Shortens the edits of a list, so that together they are not longer than `end`.
  private mutating func limit(_ list: ISOBox, to end: UInt64) {
    let (start, width) = (Int(list.payload.lowerBound), isLong(list) ? 8 : 4)
    guard let count = bytes.u32(at: start + 4) else { return }
    var left = end
    for index in 0..<Int(count) {
      let position = start + 8 + index * (2 * width + 4)
      guard position + width <= Int(list.end),
        let duration = bytes.unsigned(at: position, width: width)
      else { return }
      // An edit of length 0 would extend to the track's end.
      let shortened = min(duration, max(1, left))
      bytes.write(shortened, at: position, width: width)
      left -= min(left, shortened)
    }
  }

  /// Shortens the duration in a header.
  ///
  /// - Parameter offsets: of the duration, for times of four bytes and of eight bytes.
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

extension ISOBox {
  /// Whether the box has a size that ends it inside the box around it: not beyond, and not 0, with which it would contain
  /// all that follows (ISO/IEC 14496-12 §4.2).
  ///
  /// - Parameter bytes: of which it is a box.
  func hasOwnEnd(in bytes: [UInt8]) -> Bool { !isTruncated && bytes.u32(at: Int(offset)) != 0 }
}

extension [UInt8] {
  /// Writes the lowest `width` bytes of a number in big-endian order.
  fileprivate mutating func write(_ number: UInt64, at position: Int, width: Int) {
    for byte in 0..<width {
      self[position + byte] = UInt8(truncatingIfNeeded: number >> UInt64((width - 1 - byte) * 8))
    }
  }
}
