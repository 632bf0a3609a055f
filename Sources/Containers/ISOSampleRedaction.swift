extension ISORedaction {
  private static let media: Set<FourCC> = [
    "vide", "soun", "auxv", "pict", "tmcd", "hint", "clcp", "sdsm", "odsm", "crsm", "ocsm",
  ]
  private static let texts: Set<FourCC> = ["text", "sbtl", "subt", "subp"]
  private static let maximumSamples = 300_000

  /// Looks at what a track's samples are: beside pictures and sound, cameras record where they went.
  mutating func visit(media mdia: ISOBox, of track: ISOBox) throws {
    let boxes = try source.boxes(inside: mdia, limit: 64)
    if aim == .everything, let header = boxes.first(where: { $0.type == "mdhd" }) {
      try eraseTimes(header)
    }
    guard let hdlr = boxes.first(where: { $0.type == "hdlr" }),
      let handler = try source.start(of: hdlr, 12).fourCC(at: 8), !Self.media.contains(handler),
      let minf = boxes.first(where: { $0.type == "minf" }),
      let stbl = try source.child("stbl", of: minf)
    else { return }
    let entries = try sampleEntries(of: stbl)
    let samples = try ISOSamples(stbl, source, limit: Self.maximumSamples)
    let id = try number(of: track)
    if Self.texts.contains(handler) {
      // What is said or sung is no metadata, the names of chapters are.
      let isMeant =
        aim == .location
        ? try samples.ranges.contains(where: tellsPlace) : chapterTracks.contains(id)
      guard isMeant else { return }
    } else if aim == .location, !entries.isEmpty, entries.allSatisfy(\.isHarmless) {
      return
    }
    try eraseSamples(samples, isBoxes: entries.contains { $0.type == "mebx" }, ofTrack: id)
  }

  private func tellsPlace(_ range: Range<UInt64>) throws -> Bool {
    LocationNames.isTold(in: try source.bytes(at: range.lowerBound, count: min(range.count, 4096)))
  }

  /// The `track_ID` of its header (ISO/IEC 14496-12 §8.3.2).
  private func number(of track: ISOBox) throws -> UInt32 {
    let header = try source.child("tkhd", of: track).map { try source.start(of: $0, 24) } ?? []
    return header.u32(at: header.u8(at: 0) == 1 ? 20 : 12) ?? 0
  }

  private mutating func eraseSamples(
    _ samples: ISOSamples, isBoxes: Bool, ofTrack id: UInt32
  ) throws {
    guard samples.isWhole, !fragmentedTracks.contains(id) else {
      throw RedactionRefusal(
        "The movie records places along with its pictures in a way that cannot be taken out of a copy."
      )
    }
    for range in samples.ranges {
      redaction.fill(range)
      // A sample of `mebx` is a list of boxes by their keys, of which 0 is nobody's.
      if isBoxes, range.count >= 8 {
        redaction.overwrite(at: range.lowerBound, with: encoded(range.count, width: 4))
      }
    }
  }

  private struct Entry {
    var type: FourCC
    var keys: [String]

    /// Whether its samples are known to tell no place.
    var isHarmless: Bool {
      type == "CTMD" || type == "mebx" && !keys.contains { LocationNames.contains(key: $0) }
    }
  }

  private func sampleEntries(of stbl: ISOBox) throws -> [Entry] {
    guard let stsd = try source.child("stsd", of: stbl) else { return [] }
    return try source.boxes(inside: stsd, skip: 8, limit: 64).map { box in
      let keys = box.type == "mebx" ? try source.child("keys", of: box, skip: 8) : nil
      return Entry(type: box.type, keys: try keys.map { try isoMetadataKeys($0, source) } ?? [])
    }
  }
}

/// Where a track's samples lie, by the tables of its `stbl` box (ISO/IEC 14496-12 §8.7).
struct ISOSamples {
  private(set) var ranges: [Range<UInt64>] = []
  /// Whether all samples could be placed.
  private(set) var isWhole = true

  private static let maximumTable = 64 << 20

  /// - Parameter limit: samples that are placed.
  init(_ stbl: ISOBox, _ source: any ByteSource, limit: Int) throws {
    let boxes = try source.boxes(inside: stbl, limit: 64)
    func table(_ type: FourCC) throws -> [UInt8]? {
      try boxes.first { $0.type == type }.flatMap {
        try source.content(of: $0, limit: Self.maximumTable)
      }
    }
    let wide = try table("co64")
    let narrow = try table("stco")
    guard let offsets = wide ?? narrow, let runs = try table("stsc"), let sizes = try table("stsz"),
      let count = sizes.u32(at: 8).map({ Int($0) })
    else {
      // Nothing to place is whole.
      let claimed = try (table("stsz") ?? table("stz2"))?.u32(at: 8) ?? 0
      isWhole = claimed == 0
      return
    }
    let width = wide == nil ? 4 : 8
    let chunks = min(Int(offsets.u32(at: 4) ?? 0), offsets.count / width)
    var sample = 0
    var run = 0
    // A run may claim four thousand million samples a chunk: no more are counted than can be placed.
    let last = min(count, limit)
    for chunk in 0..<chunks {
      guard sample < last else { break }
      while let next = runs.u32(at: 8 + (run + 1) * 12), Int(next) <= chunk + 1,
        run + 1 < Int(runs.u32(at: 4) ?? 0)
      {
        run += 1
      }
      guard var position = offsets.unsigned(at: 8 + chunk * width, width: width) else { break }
      for _ in 0..<min(Int(runs.u32(at: 12 + run * 12) ?? 0), last - sample) {
        let uniform = sizes.u32(at: 4) ?? 0
        guard let size = uniform > 0 ? uniform : sizes.u32(at: 12 + sample * 4),
          let end = position.adding(UInt64(size)), end <= source.count
        else { break }
        ranges.append(position..<end)
        position = end
        sample += 1
      }
    }
    isWhole = sample == count
  }
}
