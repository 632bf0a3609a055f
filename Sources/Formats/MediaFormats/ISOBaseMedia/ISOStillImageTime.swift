package import ByteReading

/// The timed metadata in a Live Photo's clip that marks the moment of its still: a sample of a `mebx` track (QuickTime
/// File Format, "Timed metadata"; Apple, "Live Photo editing and creation").
///
/// Only the keys that Live Photos use are read. The time of the sample is the information; the value of
/// `still-image-time` is constant.
package struct ISOStillImageTime: Sendable, Hashable {
  /// One key with its value.
  package struct Item: Sendable, Hashable {
    package var key: String
    /// The type of the value: its number in QuickTime's list of types.
    package var type: UInt32
    package var value: [UInt8]

    package init(key: String, type: UInt32, value: [UInt8]) {
      (self.key, self.type, self.value) = (key, type, value)
    }
  }

  /// The time in the movie, in seconds.
  package var seconds: Double
  /// The first one is `com.apple.quicktime.still-image-time`.
  package var items: [Item]

  package init(seconds: Double, items: [Item]) {
    (self.seconds, self.items) = (seconds, items)
  }

  /// The keys that are read: the moment, and how the still relates to the frame of that moment.
  private static let keys: [String] = ["", "-transform", "-transform-reference-dimensions"].map {
    $0.isEmpty ? momentKey : "com.apple.quicktime.live-photo-still-image" + $0
  }
  package static let momentKey = "com.apple.quicktime.still-image-time"

  private static let maximumTracks = 64
  /// Samples that are searched. Apple's tracks have one.
  private static let maximumSamples: UInt64 = 4096
  private static let maximumSample = 4096
  /// Entries of the table of durations that are read. Hostile ones describe no samples.
  private static let maximumRuns: UInt64 = 1 << 16
  /// The longest value in bytes; a transform has 72.
  private static let maximumValue = 128

  /// Reads the moment of a movie's still; nil if the movie has none.
  ///
  /// Fragments are not searched: no known camera writes the track in fragments.
  ///
  /// - Throws: what the source throws.
  package static func read(_ source: any ByteSource) throws -> ISOStillImageTime? {
    let top = try source.boxes(in: 0..<source.count, limit: 4096)
    guard let moov = top.first(where: { $0.type == "moov" }) else { return nil }
    let header = try source.child("mvhd", of: moov).map { try source.start(of: $0, 24) } ?? []
    let timescale = header.u32(at: header.u8(at: 0) == 1 ? 20 : 12) ?? 0
    let tracks = try source.boxes(inside: moov).filter { $0.type == "trak" }
    for track in tracks.prefix(maximumTracks) {
      if let found = try read(track, movieTimescale: timescale, source) { return found }
    }
    return nil
  }

  private static func read(
    _ trak: ISOBox, movieTimescale: UInt32, _ source: any ByteSource
  ) throws -> ISOStillImageTime? {
    // The durations of all samples are not needed here.
    var budget = 0
    guard let track = try isoTrack(trak, source, &budget), track.handler == "meta",
      track.timescale > 0,
      let media = try source.child("mdia", of: trak),
      let information = try source.child("minf", of: media),
      let table = try source.child("stbl", of: information),
      let descriptions = try source.child("stsd", of: table),
      let entry = try source.boxes(inside: descriptions, skip: 8, limit: 1).first,
      entry.type == "mebx", let list = try source.child("keys", of: entry, skip: 8)
    else { return nil }
    let keys = try definitions(list, source)
    guard keys.contains(where: { $0.value.key == momentKey }) else { return nil }
    var times = try ISOSampleTimes(table, source, maximumRuns: maximumRuns)
    var found: ISOStillImageTime?
    try ISOSampleTable(table, source).visitSamples(limit: maximumSamples) { range in
      let time = try times.next()?.time
      guard found == nil, let time, let bytes = try source.bytes(in: range, limit: maximumSample)
      else { return }
      let items = items(in: bytes, keys)
      guard items.first?.key == momentKey,
        let seconds = track.presentationTime(of: time, movieTimescale: movieTimescale)
      else { return }
      found = ISOStillImageTime(seconds: seconds, items: items)
    }
    return found
  }

  /// The keys that are read, with the type of their values, by their number in the samples.
  private static func definitions(
    _ list: ISOBox, _ source: any ByteSource
  ) throws -> [FourCC: Item] {
    var found: [FourCC: Item] = [:]
    for box in try source.boxes(inside: list, limit: 64) {
      guard let name = try source.child("keyd", of: box),
        let type = try source.child("dtyp", of: box)
      else { continue }
      let content = try source.start(of: name, 256)
      let definition = try source.start(of: type, 8)
      // Namespace 0 is QuickTime's list of types.
      guard content.hasText("mdta", at: 0), let key = content.bytes(from: 4).trimmedText,
        keys.contains(key), definition.u32(at: 0) == 0, let number = definition.u32(at: 4)
      else { continue }
      found[box.type] = Item(key: key, type: number, value: [])
    }
    return found
  }

  /// A sample's values: boxes whose types are the numbers of their keys.
  private static func items(in sample: [UInt8], _ keys: [FourCC: Item]) -> [Item] {
    let source = ArraySource(sample)
    var found: [Item] = []
    for box in (try? source.boxes(in: 0..<source.count, limit: 64)) ?? [] {
      guard var item = keys[box.type], !box.isTruncated,
        !found.contains(where: { $0.key == item.key }),
        let value = try? source.content(of: box, limit: maximumValue), !value.isEmpty
      else { continue }
      item.value = value
      if item.key == momentKey { found.insert(item, at: 0) } else { found.append(item) }
    }
    return found
  }
}

extension ISOTrack {
  /// The time at which the edit list shows a sample, in seconds of the movie; nil if it does not show it.
  ///
  /// - Parameters:
  ///   - time: the sample's time in units of ``timescale``.
  ///   - movieTimescale: the movie's timescale, which is the unit of edit durations.
  func presentationTime(of time: UInt64, movieTimescale: UInt32) -> Double? {
    guard timescale > 0 else { return nil }
    let seconds = Double(time) / Double(timescale)
    guard !edits.isEmpty else { return seconds }
    guard movieTimescale > 0 else { return nil }
    var start = 0.0
    for edit in edits {
      let duration = Double(edit.duration) / Double(movieTimescale)
      if edit.mediaTime >= 0 {
        let offset = seconds - Double(edit.mediaTime) / Double(timescale)
        // A duration of 0 extends to the track's end.
        if offset >= 0, edit.duration == 0 || offset < duration { return start + offset }
      }
      start += duration
    }
    return nil
  }
}
