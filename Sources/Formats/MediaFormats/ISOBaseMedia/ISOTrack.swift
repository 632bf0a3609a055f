package import ByteReading
package import MediaModel

/// One track by its `trak` box.
package struct ISOTrack: Sendable, Hashable {
  package var id: UInt32 = 0
  /// `vide`, `soun`, `meta` …
  package var handler: FourCC = "    "
  /// The display matrix: a b u, c d v, x y w. Fixed-point numbers, 16.16; u, v and w 2.30.
  package var matrix: [Int32] = []
  /// The presented width before the matrix, in whole pixels.
  package var width = 0
  /// The presented height before the matrix, in whole pixels.
  package var height = 0
  /// Units of ``duration`` and of sample times per second.
  package var timescale: UInt32 = 0
  package var duration: UInt64 = 0
  package var sampleEntries: [ISOSampleEntry] = []
  package var sampleCount: UInt64 = 0
  /// The sum of the samples' durations in units of ``timescale``; nil if the table is too long to read.
  package var sampleDuration: UInt64?
  package var edits: [ISOEdit] = []
  package var metadata: [QuickTimeItem] = []

  /// Samples per second: the average frame rate of a video track.
  package var rate: Double? {
    let total = sampleDuration ?? duration
    guard total > 0, timescale > 0, sampleCount > 0 else { return nil }
    return Double(sampleCount) * Double(timescale) / Double(total)
  }

  /// The orientation that the matrix describes; nil if it is missing or not a multiple of a quarter turn.
  package var orientation: Orientation? {
    guard matrix.count == 9 else { return nil }
    return Orientation(a: matrix[0], b: matrix[1], c: matrix[3], d: matrix[4])
  }

  /// The presentation time of the first sample by the edit list, in seconds of the movie.
  ///
  /// - Parameter movieTimescale: the movie's timescale, which is the unit of edit durations.
  package func firstSampleTime(movieTimescale: UInt32) -> Double {
    var start = 0.0
    for edit in edits {
      guard edit.mediaTime >= 0 else {
        if movieTimescale > 0 { start += Double(edit.duration) / Double(movieTimescale) }
        continue
      }
      return start
    }
    return start
  }
}

/// One entry of an edit list. A media time of −1 is a pause.
package struct ISOEdit: Sendable, Hashable {
  package var duration: UInt64
  package var mediaTime: Int64
}

/// One description of a track's samples.
package struct ISOSampleEntry: Sendable, Hashable {
  /// `hvc1`, `avc1`, `mebx`, `dish` …
  package var type: FourCC
  /// The coded size of a video entry, before pixel aspect ratio, crop and matrix.
  package var codedSize: PixelSize?
  /// The boxes inside: `hvcC`, `colr`, `vexu`, `hero` …
  package var extensions: [FourCC] = []
  /// Whether it declares a picture for each eye.
  package var isStereo = false
  /// The metadata keys of a `mebx` entry's samples.
  package var metadataKeys: [String] = []

  /// Whether it describes spatial video: a stereo pair, or the primary eye (`hero`). `vexu` is not sufficient: if it
  /// contains only a projection, it declares wide or 360° video for one eye.
  package var isSpatial: Bool { isStereo || extensions.contains("hero") }
}

extension ISOMovie {
  /// Whether a track contains disparity for Apple's cinematic mode.
  package var hasDisparityTrack: Bool {
    tracks.contains { $0.sampleEntries.contains { $0.type == "dish" } }
  }

  package var isSpatial: Bool {
    tracks.contains { $0.handler == "vide" && $0.sampleEntries.contains(where: \.isSpatial) }
  }

  /// The time of a Live Photo's still within its clip, in seconds.
  package var stillImageTime: Double? {
    let track = tracks.first {
      $0.sampleEntries.contains {
        $0.metadataKeys.contains("com.apple.quicktime.still-image-time")
      }
    }
    return track?.firstSampleTime(movieTimescale: timescale)
  }
}

/// Reads a `trak` box; nil if it has neither a header nor sample entries.
func isoTrack(_ trak: ISOBox, _ source: any ByteSource) throws -> ISOTrack? {
  var track = ISOTrack()
  for box in try source.boxes(inside: trak, limit: 64) {
    switch box.type {
    case "tkhd": track.read(header: try source.start(of: box, 96))
    case "edts":
      if let list = try source.child("elst", of: box) {
        track.read(edits: try source.start(of: list, 4096))
      }
    case "mdia": try track.read(media: box, source)
    case "meta": track.metadata = try quickTimeMetadata(box, source)
    default: break
    }
  }
  return track.id == 0 && track.sampleEntries.isEmpty ? nil : track
}

extension ISOTrack {
  fileprivate mutating func read(header: [UInt8]) {
    let wide = header.u8(at: 0) == 1
    id = header.u32(at: wide ? 20 : 12) ?? 0
    let matrixOffset = wide ? 52 : 40
    matrix = (0..<9).compactMap { header.i32(at: matrixOffset + $0 * 4) }
    width = Int((header.u32(at: matrixOffset + 36) ?? 0) >> 16)
    height = Int((header.u32(at: matrixOffset + 40) ?? 0) >> 16)
  }

  fileprivate mutating func read(edits content: [UInt8]) {
    let wide = content.u8(at: 0) == 1
    let width = wide ? 20 : 12
    let count = min(Int(content.u32(at: 4) ?? 0), content.count / width)
    for index in 0..<count {
      let start = 8 + index * width
      guard let length = content.unsigned(at: start, width: wide ? 8 : 4) else { return }
      let time =
        wide
        ? content.u64(at: start + 8).map { Int64(bitPattern: $0) }
        : content.i32(at: start + 4).map(Int64.init)
      guard let time else { return }
      edits.append(ISOEdit(duration: length, mediaTime: time))
    }
  }

  fileprivate mutating func read(media mdia: ISOBox, _ source: any ByteSource) throws {
    for box in try source.boxes(inside: mdia, limit: 64) {
      switch box.type {
      case "mdhd":
        let header = try source.start(of: box, 36)
        let wide = header.u8(at: 0) == 1
        timescale = header.u32(at: wide ? 20 : 12) ?? 0
        duration = header.unsigned(at: wide ? 24 : 16, width: wide ? 8 : 4) ?? 0
      case "hdlr": handler = try source.start(of: box, 12).fourCC(at: 8) ?? handler
      case "minf":
        guard let table = try source.child("stbl", of: box) else { continue }
        try read(sampleTable: table, source)
      default: break
      }
    }
  }

  private mutating func read(sampleTable stbl: ISOBox, _ source: any ByteSource) throws {
    for box in try source.boxes(inside: stbl, limit: 64) {
      switch box.type {
      case "stsd": sampleEntries = try isoSampleEntries(box, handler: handler, source)
      case "stsz", "stz2":
        sampleCount = UInt64(try source.start(of: box, 12).u32(at: 8) ?? 0)
      case "stts":
        guard let content = try source.content(of: box, limit: 64 << 10) else { continue }
        sampleDuration = timeSum(content)
      default: break
      }
    }
  }

  /// The sum of a decoding-time table; nil if it overflows.
  private func timeSum(_ content: [UInt8]) -> UInt64? {
    let count = min(Int(content.u32(at: 4) ?? 0), content.count / 8)
    var sum: UInt64 = 0
    for index in 0..<count {
      guard let samples = content.u32(at: 8 + index * 8),
        let delta = content.u32(at: 12 + index * 8),
        let next = sum.adding(UInt64(samples) * UInt64(delta))
      else { return nil }
      sum = next
    }
    return sum
  }
}

/// Reads an `stsd` box.
private func isoSampleEntries(
  _ stsd: ISOBox, handler: FourCC, _ source: any ByteSource
) throws -> [ISOSampleEntry] {
  try source.boxes(inside: stsd, skip: 8, limit: 16).map { box in
    var entry = ISOSampleEntry(type: box.type)
    if box.type == "mebx" {
      if let keys = try source.child("keys", of: box, skip: 8) {
        entry.metadataKeys = try isoMetadataKeys(keys, source)
      }
    } else if handler == "vide" {
      let fields = try source.start(of: box, 28)
      if let width = fields.u16(at: 24), let height = fields.u16(at: 26), width > 0, height > 0 {
        entry.codedSize = PixelSize(width: Int(width), height: Int(height))
      }
      // 78 bytes are the fields of a VisualSampleEntry.
      let extensions = try source.boxes(inside: box, skip: 78, limit: 32)
      entry.extensions = extensions.map(\.type)
      if let usage = extensions.first(where: { $0.type == "vexu" }) {
        entry.isStereo = try hasBothEyes(usage, source)
      }
    }
    return entry
  }
}

/// Whether a `vexu` box declares views for both eyes: the two lowest bits of `eyes/stri`, or `pack`, a packing of two
/// views in one picture (Apple, "ISO base media file format and Apple HEVC stereo video").
private func hasBothEyes(_ vexu: ISOBox, _ source: any ByteSource) throws -> Bool {
  let parts = try source.boxes(inside: vexu, limit: 16)
  if parts.contains(where: { $0.type == "pack" }) { return true }
  guard let eyes = parts.first(where: { $0.type == "eyes" }) else { return false }
  guard let views = try source.child("stri", of: eyes) else {
    return try source.child("hero", of: eyes) != nil
  }
  return try source.start(of: views, 5).u8(at: 4).map { $0 & 3 == 3 } ?? false
}

/// The key names in a `mebx` entry's `keys` box. Each child contains a `keyd` box with a namespace and a name.
package func isoMetadataKeys(_ keys: ISOBox, _ source: any ByteSource) throws -> [String] {
  try source.boxes(inside: keys, limit: 64).compactMap { key in
    guard let definition = try source.child("keyd", of: key) else { return nil }
    return try source.start(of: definition, 256).bytes(from: 4).trimmedText
  }
}
