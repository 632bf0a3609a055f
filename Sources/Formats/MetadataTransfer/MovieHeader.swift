import ByteReading
import MediaFormats

/// A movie's `moov` box as bytes, to be changed after its samples are written.
package struct MovieHeader {
  package internal(set) var bytes: [UInt8]

  /// - Parameter bytes: the whole box.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Puts metadata boxes behind those of the movie and of its tracks.
  ///
  /// - Parameter tracks: for each track of this movie.
  package mutating func add(movie: [[UInt8]], tracks: [[[UInt8]]]) throws {
    let source = ArraySource(bytes)
    guard let moov = try source.box(at: 0, before: source.count), moov.type == "moov" else {
      throw ContainerError.damaged("has no movie header (moov box)")
    }
    var content: [UInt8] = []
    var track = 0
    for box in try source.boxes(inside: moov) {
      let whole = source.bytes(at: box.offset, count: Int(box.end - box.offset))
      if box.type == "trak" {
        let additions = tracks.indices.contains(track) ? tracks[track] : []
        content += isoBox("trak", whole.bytes(from: 8) + additions.flatMap(\.self))
        track += 1
      } else {
        content += whole
      }
    }
    bytes = isoBox("moov", content + movie.flatMap(\.self))
  }

  /// Lets all chunks lie so much further behind in the file.
  ///
  /// - Returns: false, with nothing changed, where an offset would need more bits than it has.
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

extension [UInt8] {
  /// Writes a number's last `width` bytes, the highest first.
  mutating func write(_ number: UInt64, at position: Int, width: Int) {
    for byte in 0..<width {
      self[position + byte] = UInt8(truncatingIfNeeded: number >> UInt64((width - 1 - byte) * 8))
    }
  }
}
