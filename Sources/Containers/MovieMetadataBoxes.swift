/// The metadata of a QuickTime or MP4 file as its own boxes, byte for byte, to be put into a movie made
/// from it: values keep their kinds, and what only their maker understands is not lost.
package struct MovieMetadataBoxes {
  /// `meta` and `udta`, for the movie.
  package private(set) var movie: [[UInt8]] = []
  /// The same for each of its tracks, in the file's order.
  package private(set) var tracks: [[[UInt8]]] = []
  /// XMP's `uuid` box, for the end of the file.
  package private(set) var trailing: [[UInt8]] = []

  /// Bytes of one box that are copied; longer ones are left out.
  private static let maximumSize = 4 << 20
  private static let maximumTracks = 64

  package init() {}

  /// - Parameter keepsLocation: whether what tells a place may be among them.
  package init(_ source: any ByteSource, keepsLocation: Bool) throws {
    let rule = MetadataBoxRule(keepsLocation: keepsLocation)
    for box in try source.boxes(in: 0..<source.count, limit: 4096) {
      if box.type == "moov" {
        try read(moov: box, source, rule)
      } else if box.extendedType == ISOMovie.xmpIdentifier, keepsLocation,
        let bytes = try source.bytes(in: box.offset..<box.end, limit: Self.maximumSize)
      {
        trailing.append(bytes)
      }
    }
  }

  private mutating func read(
    moov: ISOBox, _ source: any ByteSource, _ rule: MetadataBoxRule
  ) throws {
    movie = try boxes(inside: moov, source, rule)
    for track in try source.boxes(inside: moov) where track.type == "trak" {
      guard tracks.count < Self.maximumTracks else { return }
      tracks.append(try boxes(inside: track, source, rule))
    }
  }

  private func boxes(
    inside parent: ISOBox, _ source: any ByteSource, _ rule: MetadataBoxRule
  ) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    for box in try source.boxes(inside: parent) where box.type == "meta" || box.type == "udta" {
      guard let content = try source.content(of: box, limit: Self.maximumSize) else { continue }
      let kept = box.type == "meta" ? try rule.meta(content) : try rule.userData(content)
      if let kept { found.append(kept) }
    }
    return found
  }
}

/// What of metadata boxes goes into a result.
private struct MetadataBoxRule {
  let keepsLocation: Bool

  /// A `udta` box with the items that may stay; nil if none are left.
  func userData(_ content: [UInt8]) throws -> [UInt8]? {
    let source = ArraySource(content)
    var kept: [UInt8] = []
    for box in try source.boxes(in: 0..<source.count) where mayStay(userData: box.type) {
      if box.type == "meta" {
        guard let bytes = try source.content(of: box, limit: content.count) else { continue }
        kept += try meta(bytes, hasVersion: true) ?? []
      } else {
        kept += source.bytes(at: box.offset, count: Int(box.end - box.offset))
      }
    }
    return kept.isEmpty ? nil : isoBox("udta", kept)
  }

  /// Texts and what is well known may stay in any case; a maker's own box may hold a place.
  private func mayStay(userData type: FourCC) -> Bool {
    if keepsLocation { return true }
    if type == "\u{A9}xyz" { return false }
    return type.rawValue >> 24 == 0xA9 || ["meta", "name", "auth", "titl", "date"].contains(type)
  }

  /// A `meta` box with the items that may stay.
  ///
  /// - Parameter hasVersion: as in user data. That of a movie or a track has none: not in QuickTime,
  ///   and telephones and readers keep to that in MP4 as well.
  func meta(_ content: [UInt8], hasVersion: Bool = false) throws -> [UInt8]? {
    let body = content.hasText("hdlr", at: 4) ? content : content.bytes(from: 4)
    guard body.hasText("hdlr", at: 4) else { return nil }
    let source = ArraySource(body)
    let boxes = try source.boxes(in: 0..<source.count, limit: 64)
    let keys = boxes.first { $0.type == "keys" }.flatMap {
      try? source.content(of: $0, limit: body.count)
    }
    var kept: [UInt8] = hasVersion ? [0, 0, 0, 0] : []
    for box in boxes {
      if box.type == "ilst" {
        kept += isoBox("ilst", try items(box, keys: keys.map(itemNames), source))
      } else {
        kept += source.bytes(at: box.offset, count: Int(box.end - box.offset))
      }
    }
    return isoBox("meta", kept)
  }

  /// The items that may stay. How far the encoder's first sample is from the sound's is not the
  /// result's matter.
  private func items(
    _ list: ISOBox, keys: [String]?, _ source: ArraySource
  ) throws -> [UInt8] {
    var kept: [UInt8] = []
    for item in try source.boxes(inside: list, limit: 4096) {
      let bytes = source.bytes(at: item.offset, count: Int(item.end - item.offset))
      if bytes.firstIndex(of: "iTunSMPB") != nil { continue }
      if !keepsLocation, tellsPlace(item, keys: keys, bytes) { continue }
      kept += bytes
    }
    return kept
  }

  private func tellsPlace(_ item: ISOBox, keys: [String]?, _ bytes: [UInt8]) -> Bool {
    guard let keys else {
      return item.type == "\u{A9}xyz" || item.type == "loci" || item.type == "----"
    }
    let index = Int(item.type.rawValue) - 1
    guard keys.indices.contains(index) else { return true }
    let key = keys[index].lowercased()
    return ["location", "gps", "direction", "xyz", "city", "country", "place"]
      .contains { key.contains($0) }
  }

  private func itemNames(_ keys: [UInt8]) -> [String] {
    var names: [String] = []
    var position = 8
    while let size = keys.u32(at: position), size >= 8,
      let name = keys.bytes(at: position + 8, count: Int(size) - 8)
    {
      names.append(name.text)
      position += Int(size)
    }
    return names
  }
}

extension MovieMetadataBoxes {
  /// Metadata of a movie whose container has none of these boxes, as QuickTime's own keys.
  ///
  /// - Parameter items: keys as `com.apple.quicktime.make`, with their texts.
  package init(items: [(key: String, value: String)]) {
    guard !items.isEmpty else { return }
    var keys = uint32Bytes(0) + uint32Bytes(UInt32(items.count))
    var list: [UInt8] = []
    for (index, item) in items.enumerated() {
      keys += isoBox("mdta", Array(item.key.utf8))
      let data = isoBox("data", uint32Bytes(1) + uint32Bytes(0) + Array(item.value.utf8))
      list += isoBox(FourCC(rawValue: UInt32(index + 1)), data)
    }
    let handler =
      [UInt8](repeating: 0, count: 8) + Array("mdta".utf8) + [UInt8](repeating: 0, count: 13)
    movie = [
      isoBox("meta", isoBox("hdlr", handler) + isoBox("keys", keys) + isoBox("ilst", list))
    ]
  }
}

/// A box around its content.
func isoBox(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
  uint32Bytes(UInt32(clamping: content.count + 8)) + uint32Bytes(type.rawValue) + content
}

/// Big-endian.
func uint32Bytes(_ value: UInt32) -> [UInt8] {
  [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
}
