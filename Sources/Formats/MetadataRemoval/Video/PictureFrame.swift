import ByteReading
package import MediaEdits
import MediaFormats

/// A frame of a video that is a picture of a format with metadata of its own: Motion JPEG, PNG, TIFF, Motion JPEG 2000.
///
/// The frame keeps its length, so that no offset in the movie changes.
package enum PictureFrame {
  enum Kind {
    case jpeg, png, tiff, jpeg2000
  }

  /// Sample entries and compression types of these formats in QuickTime, MPEG-4 and AVI.
  static let codecs: Set<FourCC> = [
    "jpeg", "mjpa", "mjpg", "MJPG", "AVDJ", "AVRn", "AVRN", "dmb1", "png ", "MPNG", "PNG1", "tiff",
    "mjp2", "MJ2C", "jp2k", "j2k1",
  ]

  /// The kind of a frame by its first bytes; nil for other frames.
  static func kind(of frame: any ByteSource) throws -> Kind? {
    let start = try frame.bytes(at: 0, count: 8)
    if start.hasBytes([0xFF, 0xD8, 0xFF]) { return .jpeg }
    if start.hasBytes(PNGChunk.signature) { return .png }
    if start.hasText("II*\0") || start.hasText("MM\0*") { return .tiff }
    let isCodestream = start.hasBytes(JPEG2000Codestream.start + [0xFF, 0x51])
    if isCodestream || start.hasText("jP  ", at: 4) || start.hasText("jp2c", at: 4) {
      return .jpeg2000
    }
    return nil
  }

  /// The changes to a frame; none for one of another kind.
  ///
  /// - Parameters:
  ///   - depth: the number of files that the movie is inside of.
  ///   - isNamed: whether the movie says that its frames are pictures. The frames of other codecs can begin with the same
  ///     bytes by chance, so they stay if they are not a whole picture.
  /// - Throws: ``RedactionRefusal`` for a damaged picture; what the source throws.
  static func redaction(
    _ policy: MetadataPolicy, of frame: any ByteSource, depth: Int, isNamed: Bool = true
  ) throws -> Redaction {
    do {
      switch try kind(of: frame) {
      case .jpeg: return try JPEGFrame.redaction(policy, of: frame, depth: depth + 1)
      case .png: return try PNGRedaction.find(policy, in: frame, keepsLength: true)
      case .tiff: return try TIFFRedaction.find(policy, in: TIFFFile(frame), depth: depth + 1)
      case .jpeg2000: return try jpeg2000(policy, frame)
      case nil: return Redaction()
      }
    } catch let error where error is ContainerError || error is RedactionRefusal {
      guard isNamed else { return Redaction() }
      throw RedactionRefusal(
        "The video has a damaged frame, so Shoebox cannot find \(policy.removedText) in it.")
    }
  }

  /// A frame without the metadata that a policy removes, of the same length; nil if nothing changes.
  ///
  /// - Throws: ``RedactionRefusal`` for a damaged picture.
  package static func removing(_ policy: MetadataPolicy, from frame: [UInt8]) throws -> [UInt8]? {
    let found = try redaction(policy, of: ArraySource(frame), depth: 0)
    return found.isEmpty ? nil : found.applied(to: frame)
  }

  /// A frame is a file, a codestream, or the box that contains one (ISO/IEC 15444-3 §5).
  private static func jpeg2000(
    _ policy: MetadataPolicy, _ frame: any ByteSource
  ) throws -> Redaction {
    guard try frame.bytes(at: 4, count: 4).hasText("jp2c") else {
      return try BoxRedaction.jpeg2000(policy, in: frame, keepsLength: true)
    }
    var redaction = Redaction()
    redaction.add(try JPEG2000Codestream.withoutComments(policy, frame.part(from: 8)), at: 8)
    return redaction
  }
}

/// A frame of Motion JPEG: a picture, or two fields of one, each a JPEG.
enum JPEGFrame {
  /// The bytes of an index of Motion JPEG-A: the name after four bytes, and eight numbers (QuickTime File Format,
  /// "Motion-JPEG").
  static let indexSize = 40

  /// Whether the payload of an APP1 segment is the index of Motion JPEG-A.
  static func isIndex(_ payload: [UInt8]) -> Bool { payload.hasText("mjpg", at: 4) }

  /// Comments by which codecs of video record how to decode a picture (FFmpeg's mjpegdec.c).
  private static let parameters = ["CS=ITU601", "AVID", "MULTISCOPE II"].map { Array($0.utf8) }
  private static let programs = ["Intel(R) JPEG Library, version ", "Metasoft MJPEG Codec"]

  /// Whether a comment is one of them, and nothing else.
  static func isParameter(_ comment: [UInt8]) -> Bool {
    let text = Array(comment.prefix { $0 != 0 })
    guard comment.dropFirst(text.count).allSatisfy({ $0 == 0 }) else { return false }
    return parameters.contains(text)
      || programs.contains { name in
        text.hasText(name)
          && text.dropFirst(name.utf8.count).allSatisfy { "0123456789.[] ".utf8.contains($0) }
      }
  }

  /// The longest frame in bytes whose parts after the first field are searched for a second one.
  private static let maximumRest = 64 << 20
  private static let maximumFields = 16

  static func redaction(
    _ policy: MetadataPolicy, of frame: any ByteSource, depth: Int
  ) throws -> Redaction {
    var redaction = Redaction()
    var start: UInt64 = 0
    var fields = 0
    while true {
      fields += 1
      let rest = frame.part(from: start)
      let scan = try JPEGMetadata(rest).scanOffset
      let length = try scan.flatMap { try endOfJPEGScans(from: $0, in: rest) } ?? rest.count
      let picture = rest.part(0..<length)
      redaction.add(
        policy == .appearanceOnly
          ? try JPEGRedaction.appearance(in: picture, keepsLength: true)
          : try JPEGRedaction.find(policy, in: picture, depth: depth, keepsLength: true),
        at: start)
      let end = start + length
      guard end < frame.count else { return redaction }
      let tail = try frame.bytes(in: end..<frame.count, limit: maximumRest) ?? []
      guard fields < maximumFields, let next = tail.firstIndex(of: [0xFF, 0xD8, 0xFF]),
        depth < JPEGRedaction.maximumDepth
      else {
        redaction.fill(end..<frame.count)
        return redaction
      }
      redaction.fill(end..<(end + UInt64(next)))
      start = end + UInt64(next)
    }
  }
}
