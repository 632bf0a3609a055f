import ByteReading
import MediaModel

/// One stream of an ASF file, by its Stream Properties Object (Advanced Systems Format Specification §3.3, §9).
struct ASFStream: Sendable, Hashable {
  /// 1 to 127.
  let number: Int
  let kind: MovieStream.Kind
  /// FFmpeg's name; nil if it is unknown.
  private(set) var codec: String?
  private(set) var tag: FourCC?
  private(set) var size: PixelSize?
  /// Frames a second; nil if the header does not record it.
  var frameRate: Double?
  /// Width over height of one pixel.
  var pixelAspect: Double?

  /// Bytes before the data that depends on the kind.
  private static let headerSize = 54

  /// - Parameter content: of the object.
  init?(_ content: [UInt8]) {
    guard let type = ASFIdentifier(content, at: 0), let flags = content.u16(at: 48, .little)
    else { return nil }
    number = Int(flags & 0x7F)
    let data = content.bytes(from: Self.headerSize)
    switch type {
    case .video:
      kind = .video
      // The size of the window, a byte and the length of a BITMAPINFOHEADER are before it.
      let format = data.bytes(from: 11)
      guard let width = format.i32(at: 4, .little), let height = format.i32(at: 8, .little),
        let compression = format.fourCC(at: 16)
      else { return nil }
      if width > 0, height != 0, width < 1 << 20, height.magnitude < 1 << 20 {
        size = PixelSize(width: Int(width), height: Int(height.magnitude))
      }
      (codec, tag) = (windowsVideoCodec(compression), compression)
    case .audio:
      kind = .audio
      guard var format = data.u16(at: 0, .little) else { return nil }
      // An extensible format has the number at the start of an identifier.
      if format == 0xFFFE { format = data.u16(at: 24, .little) ?? format }
      codec = windowsAudioCodec(Int(format), bits: Int(data.u16(at: 14, .little) ?? 8))
    case .command: kind = .data
    default: kind = .other
    }
  }

  /// The stream as FFmpeg's demuxer reports it.
  func stream(duration: Double?) -> MovieStream {
    var stream = MovieStream(kind: kind)
    stream.codec = codec
    stream.tag = tag.flatMap { $0.isPlausible ? $0.description : nil }
    stream.duration = duration
    guard kind == .video else { return stream }
    stream.size = size
    stream.pixelAspect = pixelAspect == 1 ? nil : pixelAspect
    stream.frameRate = frameRate
    stream.dynamicRange = DynamicRange(codec: codec, container: nil, nil)
    return stream
  }
}
