package import ByteReading
import MediaFormats
import MetadataRemoval

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
    for box in try source.boxes(in: 0..<source.count, limit: 4096) {
      if box.type == "moov" {
        movie = try Self.boxes(inside: box, source, keepsLocation)
        for track in try source.boxes(inside: box) where track.type == "trak" {
          guard tracks.count < Self.maximumTracks else { break }
          tracks.append(try Self.boxes(inside: track, source, keepsLocation))
        }
      } else if box.extendedType == ISOMovie.xmpIdentifier,
        let bytes = try Self.whole(box, source, keepsLocation)
      {
        trailing.append(bytes)
      }
    }
  }

  private static func boxes(
    inside parent: ISOBox, _ source: any ByteSource, _ keepsLocation: Bool
  ) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    for box in try source.boxes(inside: parent) where box.type == "meta" || box.type == "udta" {
      guard let bytes = try whole(box, source, keepsLocation) else { continue }
      let content = Array(bytes.dropFirst(Int(box.payload.lowerBound - box.offset)))
      if let kept = try box.type == "meta" ? meta(content) : userData(content) {
        found.append(kept)
      }
    }
    return found
  }

  /// A whole box, without what tells a place where that is not wanted; nil if it is too large.
  private static func whole(
    _ box: ISOBox, _ source: any ByteSource, _ keepsLocation: Bool
  ) throws -> [UInt8]? {
    guard let bytes = try source.bytes(in: box.offset..<box.end, limit: maximumSize),
      !keepsLocation
    else { return try source.bytes(in: box.offset..<box.end, limit: maximumSize) }
    let alone = ArraySource(bytes)
    guard let box = try alone.box(at: 0, before: alone.count) else { return nil }
    var redaction = ISORedaction(source: alone, goal: .location, depth: 0)
    switch box.type {
    case "meta": try redaction.visit(meta: box)
    case "udta": try redaction.visit(userData: box)
    default: try redaction.visit(extended: box)
    }
    return redaction.redaction.applied(to: bytes)
  }

  /// A `udta` box with the items of this one; nil if it has none. Nero's list of chapters is not among
  /// them: a part of the movie has others.
  private static func userData(_ content: [UInt8]) throws -> [UInt8]? {
    let source = ArraySource(content)
    var kept: [UInt8] = []
    for box in try source.boxes(in: 0..<source.count)
    where box.type != "free" && box.type != "chpl" {
      if box.type == "meta" {
        guard let bytes = try source.content(of: box, limit: content.count) else { continue }
        kept += try meta(bytes, hasVersion: true) ?? []
      } else {
        kept += source.bytes(at: box.offset, count: Int(box.end - box.offset))
      }
    }
    return kept.isEmpty ? nil : isoBox("udta", kept)
  }

  /// A `meta` box with the items of this one; nil for what is none.
  ///
  /// - Parameter hasVersion: as in user data. That of a movie or a track has none: not in QuickTime,
  ///   and telephones and readers keep to that in MP4 as well.
  private static func meta(_ content: [UInt8], hasVersion: Bool = false) throws -> [UInt8]? {
    let body = content.hasText("hdlr", at: 4) ? content : content.bytes(from: 4)
    guard body.hasText("hdlr", at: 4) else { return nil }
    let source = ArraySource(body)
    var kept: [UInt8] = hasVersion ? [0, 0, 0, 0] : []
    for box in try source.boxes(in: 0..<source.count, limit: 64) {
      kept +=
        box.type == "ilst"
        ? isoBox("ilst", try items(box, source))
        : source.bytes(at: box.offset, count: Int(box.end - box.offset))
    }
    return isoBox("meta", kept)
  }

  /// A list's items. How far the encoder's first sample is from the sound's is not the result's matter.
  private static func items(_ list: ISOBox, _ source: ArraySource) throws -> [UInt8] {
    var kept: [UInt8] = []
    for item in try source.boxes(inside: list, limit: 4096) where item.type != "free" {
      let bytes = source.bytes(at: item.offset, count: Int(item.end - item.offset))
      if bytes.firstIndex(of: "iTunSMPB") == nil { kept += bytes }
    }
    return kept
  }
}

extension MovieMetadataBoxes {
  /// Metadata of a movie whose container has none of these boxes, as QuickTime's own keys.
  ///
  /// - Parameters:
  ///   - items: keys as `com.apple.quicktime.make`, with their texts.
  ///   - keepsLocation: whether what speaks of a place may be among them.
  package init(items: [(key: String, value: String)], keepsLocation: Bool) {
    let items = items.filter { item in
      let text = Array(item.value.utf8)
      return keepsLocation
        || !(LocationNames.isTitle(key: item.key)
          ? SpokenPosition.isTold(in: text) : LocationNames.isTold(in: text))
    }
    guard !items.isEmpty else { return }
    var keys = encoded(0, width: 4) + encoded(items.count, width: 4)
    var list: [UInt8] = []
    for (index, item) in items.enumerated() {
      keys += isoBox("mdta", Array(item.key.utf8))
      let data = isoBox(
        "data", encoded(1, width: 4) + encoded(0, width: 4) + Array(item.value.utf8))
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
  encoded(UInt32(clamping: content.count + 8), width: 4) + type.bytes + content
}
