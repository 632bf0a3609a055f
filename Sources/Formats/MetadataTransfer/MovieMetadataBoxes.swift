package import ByteReading
package import MediaEdits
import MediaFormats
import MetadataRemoval

/// The metadata boxes of a QuickTime or MP4 file, byte for byte, for a movie that is made from it. Values keep their
/// types, and data that only its writer understands is not lost.
package struct MovieMetadataBoxes {
  /// `meta` and `udta`, for the movie.
  package private(set) var movie: [[UInt8]] = []
  /// The same boxes for each track, by its ID. Of several tracks with one ID it is the first.
  package private(set) var tracks: [UInt32: [[UInt8]]] = [:]
  /// XMP's `uuid` box, for the end of the file.
  package private(set) var trailing: [[UInt8]] = []

  /// Whether boxes were left out because they are too large.
  package private(set) var isIncomplete = false

  /// The largest box in bytes that is copied. Larger ones are left out.
  private static let maximumSize = 32 << 20
  /// The limit on the bytes of all copied boxes. Further boxes are left out.
  private static let maximumTotal = 64 << 20
  private static let maximumTracks = 64

  package init() {}

  /// Reads the boxes of a file.
  ///
  /// - Throws: ``ContainerError`` for a damaged file; what the source throws.
  package init(_ source: any ByteSource, _ policy: MetadataPolicy) throws {
    var budget = Budget(left: Self.maximumTotal)
    defer { isIncomplete = budget.isExceeded }
    for box in try source.boxes(in: 0..<source.count, limit: 4096) {
      if box.type == "moov" {
        movie = try Self.boxes(inside: box, source, policy, &budget)
        for track in try source.boxes(inside: box) where track.type == "trak" {
          guard tracks.count < Self.maximumTracks else { break }
          guard let id = try Self.trackID(track, source), tracks[id] == nil else { continue }
          tracks[id] = try Self.boxes(inside: track, source, policy, &budget)
        }
      } else if box.extendedType == ISOMovie.xmpIdentifier,
        let bytes = try Self.bytes(of: box, source, policy, &budget)
      {
        trailing.append(bytes)
      }
    }
  }

  /// ISO/IEC 14496-12 §8.3.2; nil if it is missing.
  private static func trackID(_ track: ISOBox, _ source: any ByteSource) throws -> UInt32? {
    guard let header = try source.child("tkhd", of: track) else { return nil }
    let fields = try source.start(of: header, 24)
    return fields.u32(at: fields.u8(at: 0) == 1 ? 20 : 12)
  }

  private static func boxes(
    inside parent: ISOBox, _ source: any ByteSource, _ policy: MetadataPolicy,
    _ budget: inout Budget
  ) throws -> [[UInt8]] {
    var found: [[UInt8]] = []
    for box in try source.boxes(inside: parent) where box.type == "meta" || box.type == "udta" {
      guard let bytes = try bytes(of: box, source, policy, &budget) else { continue }
      let content = Array(bytes.dropFirst(Int(box.payload.lowerBound - box.offset)))
      if let kept = try box.type == "meta" ? meta(content) : userData(content) {
        found.append(kept)
      }
    }
    return found
  }

  /// The bytes of boxes that may still be read, and whether they were too few.
  private struct Budget {
    var left: Int
    var isExceeded = false
  }

  /// A whole box without the metadata that the policy removes; nil if the box is too large.
  ///
  /// - Parameter budget: the bytes that may still be read.
  private static func bytes(
    of box: ISOBox, _ source: any ByteSource, _ policy: MetadataPolicy, _ budget: inout Budget
  ) throws -> [UInt8]? {
    let limit = min(maximumSize, budget.left)
    guard let bytes = try source.bytes(in: box.offset..<box.end, limit: limit) else {
      budget.isExceeded = true
      return nil
    }
    budget.left -= bytes.count
    return policy == .keep ? bytes : try ISORedaction.removing(policy, fromMetadataBox: bytes)
  }

  /// A `udta` box with the items of another one; nil if there are none. Nero's list of chapters is left out,
  /// because a part of the movie has other chapters.
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

  /// A `meta` box with the items of another one; nil for content that is not a `meta` box.
  ///
  /// - Parameter hasVersion: whether the box begins with version and flags, as in user data. The box of a movie or
  ///   track does not: QuickTime has none there, and phones and readers expect the same in MP4.
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

  /// A list's items without iTunSMPB, the delay of the source's encoder: the result has its own.
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
  /// Makes boxes with QuickTime's keys from metadata of a container that does not have such boxes.
  ///
  /// - Parameter items: keys such as `com.apple.quicktime.make`, with their texts. Those that the policy removes are
  ///   left out.
  package init(items: [(key: String, value: String)], _ policy: MetadataPolicy) {
    let items = items.filter { !policy.removes(text: Array($0.value.utf8), key: $0.key) }
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

extension MovieMetadataBoxes {
  private static let identifierKey = "com.apple.quicktime.content.identifier"

  /// Gives the movie the identifier that a Live Photo's still and clip share, in place of another one.
  package mutating func set(contentIdentifier: String) {
    set(Self.identifierKey, contentIdentifier)
  }

  /// Gives the movie a text under one of QuickTime's keys, in place of another one.
  package mutating func set(_ key: String, _ text: String) {
    let index = movie.firstIndex { $0.hasText("meta", at: 4) && $0.hasText("mdta", at: 24) }
    guard let index, let changed = Self.adding(key, text, to: movie[index]) else {
      // A list of another kind cannot have the key; readers use the first one.
      movie.removeAll { $0.hasText("meta", at: 4) }
      movie += MovieMetadataBoxes(items: [(key, text)], .keep).movie
      return
    }
    movie[index] = changed
  }

  /// Gives the movie an XMP packet in place of its own.
  mutating func set(xmp: [UInt8]) {
    trailing = [isoBox("uuid", ISOMovie.xmpIdentifier + xmp)]
  }

  /// The XMP packet; nil if there is none.
  var xmp: [UInt8]? { trailing.first.map { $0.bytes(from: 24) } }

  /// A `meta` box with a text under a key, in place of the text of the same key.
  private static func adding(_ key: String, _ text: String, to meta: [UInt8]) -> [UInt8]? {
    let data = isoBox("data", encoded(1, width: 4) + encoded(0, width: 4) + Array(text.utf8))
    return adding(isoBox("mdta", Array(key.utf8)), data, to: meta)
  }

  /// A `meta` box with a further key and its value, which replaces the value of the same key.
  private static func adding(_ key: [UInt8], _ data: [UInt8], to meta: [UInt8]) -> [UInt8]? {
    let source = ArraySource(meta)
    guard let outer = try? source.box(at: 0, before: source.count),
      let children = try? source.boxes(inside: outer, limit: 64),
      let keys = children.first(where: { $0.type == "keys" }),
      let list = children.first(where: { $0.type == "ilst" }),
      let head = try? source.content(of: keys, limit: 1 << 20),
      let known = try? source.boxes(inside: keys, skip: 8, limit: 4096),
      let items = try? source.boxes(inside: list, limit: 4096), let count = head.u32(at: 4),
      count == UInt32(known.count)
    else { return nil }
    let own = known.firstIndex { Array(meta[Int($0.offset)..<Int($0.end)]) == key }
    let number = FourCC(rawValue: UInt32(own ?? known.count) + 1)
    var names = head
    if own == nil {
      names.replaceSubrange(4..<8, with: encoded(known.count + 1, width: 4))
      names += key
    }
    let kept = items.filter { $0.type != number }
      .flatMap { meta[Int($0.offset)..<Int($0.end)] }
    let others = children.flatMap { child -> [UInt8] in
      switch child.type {
      case "keys": isoBox("keys", names)
      case "ilst": isoBox("ilst", kept + isoBox(number, data))
      default: Array(meta[Int(child.offset)..<Int(child.end)])
      }
    }
    return isoBox("meta", others)
  }
}

extension MovieMetadataBoxes {
  /// The `meta` box of a movie with texts under QuickTime's keys, in place of others under these keys.
  ///
  /// - Parameter meta: the movie's own box; nil to make a new one.
  /// - Returns: nil for a box of another kind, and for one that has items with data elsewhere in the file.
  static func meta(
    _ meta: [UInt8]?, setting items: [(key: String, value: String)]
  ) throws -> [UInt8]? {
    guard let meta else { return MovieMetadataBoxes(items: items, .keep).movie.first }
    guard meta.hasText("meta", at: 4), meta.firstIndex(of: "iloc") == nil,
      var changed = try Self.meta(meta.bytes(from: 8)), changed.hasText("mdta", at: 24)
    else { return nil }
    for (key, value) in items {
      guard let next = adding(key, value, to: changed) else { return nil }
      changed = next
    }
    return changed
  }
}

/// A box with this content.
package func isoBox(_ type: FourCC, _ content: [UInt8]) -> [UInt8] {
  encoded(UInt32(clamping: content.count + 8), width: 4) + type.bytes + content
}

/// A box with version 0, flags and this content.
func fullBox(_ type: FourCC, _ content: [UInt8], flags: UInt32 = 0) -> [UInt8] {
  isoBox(type, encoded(flags, width: 4) + content)
}
