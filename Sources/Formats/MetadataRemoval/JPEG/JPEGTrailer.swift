import ByteReading
import MediaEdits
import MediaFormats
import MediaModel

/// The data after a JPEG's end: further pictures, a motion clip, a maker's trailer. Each is visited as a file of its
/// own. Unknown data is left out.
struct JPEGTrailer {
  private static let maximumParts = 256

  private let source: any ByteSource
  private let policy: MetadataPolicy
  private let file: JPEGMetadata
  private let depth: Int
  private let keepsLength: Bool
  private var redaction = Redaction()
  private var trailer: SamsungTrailer?
  /// Offsets at which known data begins.
  private var anchors: [UInt64] = []

  init(
    _ source: any ByteSource, _ policy: MetadataPolicy, _ file: JPEGMetadata, depth: Int,
    keepsLength: Bool
  ) {
    self.source = source
    self.policy = policy
    self.file = file
    self.depth = depth
    self.keepsLength = keepsLength
  }

  /// - Parameter end: the offset after the picture; nil for a picture that is cut off, in which only data at known
  ///   offsets is visited.
  mutating func find(from end: UInt64?) throws -> Redaction {
    guard end ?? 0 < source.count else { return redaction }
    let pictureStart = file.scanOffset ?? 0
    trailer = try SamsungTrailer(source)
    anchors = file.pictures.map(\.offset)
    if let trailer {
      anchors.append(trailer.start)
      if let clip = try trailer.motionVideo(in: source) { anchors.append(clip.lowerBound) }
    }
    if let clip = try clip() { anchors.append(clip) }
    anchors = anchors.filter { $0 > end ?? pictureStart }.sorted()
    guard var position = end ?? anchors.first else { return redaction }
    for _ in 0..<Self.maximumParts {
      guard position < source.count else { return redaction }
      position = try visit(at: position)
    }
    // No camera writes this many parts.
    if position < source.count { leaveOut(position..<source.count) }
    return redaction
  }

  /// The offset of the motion clip that the picture's metadata describes.
  private func clip() throws -> UInt64? {
    guard depth == 0, let jpeg = try? JPEGFile(source) else { return nil }
    let found = try EmbeddedClipSearch.find(
      in: source, xmp: jpeg.xmp.flatMap { XMPPacket($0) }, trailer: trailer, jpeg: jpeg)
    guard case .clip(let clip) = found else { return nil }
    return clip.offset
  }

  /// Visits the data at a position, and returns its end.
  private mutating func visit(at position: UInt64) throws -> UInt64 {
    if let trailer, position == trailer.start {
      redaction.add(
        try SamsungRedaction.find(policy, of: trailer, in: source, depth: depth), at: 0)
      return source.count
    }
    let next = anchors.first { $0 > position } ?? source.count
    let start = try source.bytes(at: position, count: 16)
    if start.hasBytes([0xFF, 0xD8, 0xFF]) { return try visitPicture(at: position, before: next) }
    if start.hasText("ftyp", at: 4), let end = try endOfClip(at: position, in: source) {
      redaction.add(
        try ISORedaction.find(policy, in: source.part(position..<end), depth: depth + 1),
        at: position)
      return end
    }
    if start.first == 0 || start.first == 0xFF && start.u8(at: 1) != 0xD8 {
      return try endOfPadding(from: position, before: next)
    }
    leaveOut(position..<next)
    return next
  }

  private mutating func leaveOut(_ range: Range<UInt64>) {
    redaction.addNote("Data of unknown kind after the picture was left out.")
    if range.upperBound == source.count, !keepsLength {
      redaction.replace(range)
    } else {
      redaction.fill(range)
    }
  }

  /// - Parameter next: the end of the picture if its own end is missing.
  private mutating func visitPicture(at start: UInt64, before next: UInt64) throws -> UInt64 {
    let rest = source.part(from: start)
    let end = try JPEGMetadata(rest).scanOffset.flatMap {
      try endOfJPEGScans(from: $0, in: rest)
    }
    guard let end else {
      redaction.addNote("A damaged picture after the main picture was left out.")
      redaction.fill(start..<next)
      return next
    }
    redaction.add(
      try JPEGRedaction.find(
        policy, in: source.part(start..<(start + end)), depth: depth + 1, keepsLength: true),
      at: start)
    return start + end
  }

  /// The offset after a run of one repeated byte. The next part may begin with the same byte: a clip and Samsung's
  /// trailer with zeros, a picture with 0xFF.
  ///
  /// - Parameter next: the offset of the next known part.
  private func endOfPadding(from start: UInt64, before next: UInt64) throws -> UInt64 {
    let byte = try source.bytes(at: start, count: 1)
    var position = start
    while case let block = try source.bytes(at: position, count: 1 << 16), !block.isEmpty {
      let run = block.prefix { $0 == byte.first }.count
      position += UInt64(run)
      if run < block.count || position >= next { break }
    }
    guard position < next else { return next }
    // A part that is not known: the length of a clip's first box precedes its type.
    let around = max(start, position - min(position, 3))
    let bytes = try source.bytes(at: around, count: 11)
    if byte == [0xFF], bytes.u8(at: Int(position - around)) == 0xD8 { return position - 1 }
    if let type = bytes.firstIndex(of: "ftyp"), type >= 4, around + UInt64(type - 4) > start {
      return around + UInt64(type - 4)
    }
    return position
  }
}
