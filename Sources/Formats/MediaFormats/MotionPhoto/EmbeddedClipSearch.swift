package import ByteReading
package import MediaModel

/// The result of the search for a motion clip inside a still.
package enum EmbeddedClipResult: Sendable, Hashable {
  case clip(EmbeddedClip)
  /// The file declares a clip, but there is none: the reason, in a few words.
  case missing(String)
  /// The file does not declare a clip, but a movie that is cut off follows the picture.
  case cutOff
  /// The file neither declares nor contains a clip.
  case none
}

/// Searches for the motion clip that phones store in a still: by Samsung's trailer, the `mpvd` box, XMP, and last the
/// data after the picture.
///
/// Metadata can be wrong, so a candidate counts only if a complete movie begins there.
package struct EmbeddedClipSearch {
  /// The number of bytes at the end of a file that show whether it ends as a JPEG does.
  private static let footSize: UInt64 = 64
  /// The number of bytes after the picture that are searched for `ftyp`.
  private static let maximumScan: UInt64 = 96 << 20

  private let source: any ByteSource
  private var failure: String?
  /// Whether a movie was found that is cut off.
  private var hasRemnant = false

  private init(_ source: any ByteSource) {
    self.source = source
  }

  /// - Parameters:
  ///   - xmp: the XMP packet of the file, if it has one.
  ///   - trailer: Samsung's trailer, if the file ends with one.
  ///   - jpeg: the segments of a JPEG. To find its end, the whole picture must be read. This is done only if the
  ///     metadata declares a clip that is not at its place, or if the file does not end as a JPEG does.
  ///   - heif: the boxes of a HEIF file.
  package static func find(
    in source: any ByteSource, xmp: XMPPacket?, trailer: SamsungTrailer? = nil,
    jpeg: JPEGFile? = nil, heif: HEIFContainer? = nil
  ) throws -> EmbeddedClipResult {
    var search = EmbeddedClipSearch(source)
    if let clip = try search.bySamsungTrailer(trailer, heif) { return .clip(clip) }
    if xmp?.isMarkedAsStill == true { return .none }
    if let box = heif?.motionVideo, let clip = try search.check(box, evidence: "mpvd") {
      return .clip(clip)
    }
    if let xmp, let clip = try search.byXMP(xmp) { return .clip(clip) }
    let hasMarker = search.failure != nil
    if let jpeg, let clip = try search.byTail(jpeg, trailer, hasMarker: hasMarker) {
      return .clip(clip)
    }
    if let failure = search.failure {
      return .missing(search.hasRemnant ? "the clip is cut off" : failure)
    }
    return search.hasRemnant ? .cutOff : .none
  }

  private mutating func check(_ range: Range<UInt64>, evidence: String) throws -> EmbeddedClip? {
    guard range.lowerBound < source.count else {
      failure = failure ?? "\(evidence) points beyond the end of the file"
      return nil
    }
    guard let end = try endOfClip(at: range.lowerBound, in: source) else {
      hasRemnant = try hasRemnant || beginsClip(at: range.lowerBound, in: source)
      failure = failure ?? "no complete movie at the offset in \(evidence)"
      return nil
    }
    return EmbeddedClip(
      offset: range.lowerBound, length: end - range.lowerBound, evidence: evidence)
  }

  private mutating func bySamsungTrailer(
    _ trailer: SamsungTrailer?, _ heif: HEIFContainer?
  ) throws -> EmbeddedClip? {
    if let trailer, let range = try trailer.motionVideo(in: source) {
      return try check(range, evidence: "sef")
    }
    // In HEIF files the trailer is the content of a box, and its offsets count within that box.
    guard let box = heif?.samsungTrailer, let inner = try SamsungTrailer(source.part(box)),
      let block = inner.block(0x0A30)
    else { return nil }
    let start = try source.bytes(at: box.lowerBound + block.payload.lowerBound, count: 12)
    if block.payload.count == 12, start.hasText("mpv2"), let offset = start.u32(at: 4),
      let size = start.u32(at: 8)
    {
      return try check(UInt64(offset)..<(UInt64(offset) + UInt64(size)), evidence: "sef")
    }
    let begin = box.lowerBound + block.payload.lowerBound
    return try check(begin..<(box.lowerBound + block.payload.upperBound), evidence: "sef")
  }

  private mutating func byXMP(_ xmp: XMPPacket) throws -> EmbeddedClip? {
    if let start = try motionPhotoStart(xmp),
      let clip = try check(start..<source.count, evidence: "xmp:MotionPhoto")
    {
      return clip
    }
    if let text = xmp.value(XMPNamespace.camera, "MicroVideoOffset"), let back = UInt64(text),
      back > 0
    {
      guard back <= source.count else {
        failure = failure ?? "xmp:MicroVideo points before the start of the file"
        return nil
      }
      if let clip = try check((source.count - back)..<source.count, evidence: "xmp:MicroVideo") {
        return clip
      }
    }
    let flags = ["MotionPhoto", "MicroVideo"].contains {
      xmp.value(XMPNamespace.camera, $0) == "1"
    }
    if flags { failure = failure ?? "the XMP flag is set but no clip is described" }
    return nil
  }

  /// The offset of the clip of a Motion Photo 1.0: the end of the file less the lengths of its item and all later ones.
  private mutating func motionPhotoStart(_ xmp: XMPPacket) throws -> UInt64? {
    let items = xmp.containerItems
    guard let index = items.lastIndex(where: { $0.semantic == "MotionPhoto" }), index > 0
    else { return nil }
    var back: UInt64 = 0
    for item in items[index...] {
      guard let sum = back.adding(item.length) else { return nil }
      back = sum
    }
    guard back > 0, back <= source.count else {
      failure = failure ?? "xmp:MotionPhoto points before the start of the file"
      return nil
    }
    return source.count - back
  }

  /// Searches for a movie after the picture's end.
  private mutating func byTail(
    _ jpeg: JPEGFile, _ trailer: SamsungTrailer?, hasMarker: Bool
  ) throws -> EmbeddedClip? {
    let lastPicture = jpeg.pictures.map { $0.offset + $0.length }.max() ?? 0
    guard try hasMarker || mayHaveTail(after: lastPicture, before: trailer?.start)
    else { return nil }
    guard let end = try jpeg.end(in: source) else { return nil }
    let start = max(end, hasMarker ? 0 : lastPicture)
    return try scan(from: start)
  }

  /// Whether data may follow the picture, by the last bytes of the file. This avoids reading the whole picture.
  ///
  /// Nothing follows if the multi-picture index reaches the end. Padding after End Of Image is not a clip.
  private func mayHaveTail(after lastPicture: UInt64, before trailer: UInt64?) throws -> Bool {
    let end = trailer ?? source.count
    guard end > Self.footSize, lastPicture < end else { return false }
    let foot = try source.bytes(at: end - Self.footSize, count: Int(Self.footSize))
    guard let last = foot.lastIndex(where: { $0 != 0 && $0 != 0xFF }) else { return false }
    return foot[last] != JPEGMarker.endOfImage || last == 0 || foot[last - 1] != 0xFF
  }

  /// The first complete movie at or after an offset. A movie that is cut off sets ``hasRemnant``.
  private mutating func scan(from start: UInt64) throws -> EmbeddedClip? {
    let wanted = Array("ftyp".utf8)
    let limit = min(source.count, start + Self.maximumScan)
    var position = start
    var candidates = 0
    while position < limit, candidates < 64 {
      let block = try source.bytes(at: position, count: 1 << 20)
      var index = 0
      while let found = block.firstIndex(of: wanted, from: index), candidates < 64 {
        candidates += 1
        let offset = position + UInt64(found)
        if offset >= start + 4 {
          if let end = try endOfClip(at: offset - 4, in: source) {
            return EmbeddedClip(offset: offset - 4, length: end - offset + 4, evidence: "tail")
          }
          hasRemnant = try hasRemnant || beginsClip(at: offset - 4, in: source)
        }
        index = found + 4
      }
      guard block.count == 1 << 20 else { return nil }
      // The name can be on the boundary of two blocks.
      position += UInt64(block.count - 3)
    }
    return nil
  }
}

extension XMPPacket {
  /// Whether its flag is 0. Then the file is not a motion photo, even if it contains a movie (Motion Photo format 1.0,
  /// "Camera:MotionPhoto"). `MicroVideo` is the older name of the flag.
  fileprivate var isMarkedAsStill: Bool {
    let flag = value(XMPNamespace.camera, "MotionPhoto") ?? value(XMPNamespace.camera, "MicroVideo")
    return flag == "0"
  }
}
