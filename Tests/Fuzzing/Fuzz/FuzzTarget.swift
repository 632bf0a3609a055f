import ByteReading
import FactReading
import LibExif
import MediaEdits
import MediaFormats
import MediaModel
import MetadataRemoval
import MetadataTransfer
import Presets
import Query
import WorkerProtocol

/// A reader that `make fuzz` can run. It may throw on any input; a trap, a time-out or too much memory is a find.
///
/// Each format has a target named after the extension of its seeds. Files of other extensions, such as all RAW formats,
/// are seeds of the target `raw`.
enum FuzzTarget: Hashable {
  case exif, expression, preset, requests, replies, xmp, sniffing
  /// Facts, tags and removal of metadata of files of these types.
  case files([UniformType])

  /// The targets by name.
  static let named: [String: FuzzTarget] = [
    "exif": .exif, "expression": .expression, "preset": .preset, "requests": .requests,
    "replies": .replies, "xmp": .xmp, "sniffing": .sniffing,
    "jpg": .files([.jpeg]), "png": .files([.png]), "gif": .files([.gif]),
    "webp": .files([.webP]), "tiff": .files([.tiff]), "heic": .files([.heic, .avif]),
    "jxl": .files([.jpegXL]), "jp2": .files([.jpeg2000]), "bmp": .files([.bmp]),
    "raw": .files([.dng, .canonCR3, .canonCRW, .fujiRAF, .minoltaMRW, .sigmaX3F, .panasonicRW2]),
    "mov": .files([.quickTimeMovie]), "mkv": .files([.matroska]), "avi": .files([.avi]),
    "ts": .files([.mpeg2TransportStream, .avchd]),
  ]

  func run(_ bytes: [UInt8]) {
    switch self {
    case .exif: readExif(bytes)
    case .expression: readExpression(bytes)
    case .preset: _ = PresetLibrary(shipped: [], own: [PresetFile(name: "fuzz.json", bytes: bytes)])
    case .requests: readRequests(bytes)
    case .replies: readReplies(bytes)
    case .xmp: readXML(bytes)
    case .sniffing: sniff(bytes)
    case .files(let types): for type in types { readFile(bytes, type) }
    }
  }
}

private func readExif(_ bytes: [UInt8]) {
  _ = ExifBlock(tiff: bytes)
  _ = ExifBlock.namedTags(tiff: bytes)
  _ = MakerNote(exif: bytes)
  _ = exifThumbnail(in: bytes)
  _ = ExifBlockRedaction.withoutLocation(bytes)
}

private func readExpression(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = try? Condition(expression: text)
  _ = try? SearchText(typed: text)
  _ = try? WallDate(typed: text)
}

private func sniff(_ bytes: [UInt8]) {
  let source = ArraySource(bytes)
  for name in ["", "jpg", "mov", "json", "aae"] {
    guard let content = try? ContentType(of: source, fileExtension: name),
      case .media(let type) = content
    else { continue }
    readFile(bytes, type)
  }
}

/// Reads a file's facts as a type, and removes its metadata.
private func readFile(_ bytes: [UInt8], _ type: UniformType) {
  let source = ArraySource(bytes)
  let name = Array("fuzz".utf8)
  _ = (try? PictureReading.read(type, source))??.facts(type: type, name: name)
  _ = (try? MovieReading.read(type, source))?.facts(type: type, name: name)
  _ = try? PictureMetadata.read(type, source)
  for policy in [MetadataPolicy.withoutLocation, .appearanceOnly] {
    _ = (try? Redaction.of(type, source, policy))?.applied(to: bytes)
  }
}

/// The worker's side of the protocol.
private func readRequests(_ bytes: [UInt8]) {
  if let request = try? WorkerRequest(payload: bytes) {
    precondition((try? WorkerRequest(payload: request.payload))?.payload == request.payload)
  }
  var buffer = FrameBuffer()
  for byte in bytes {
    buffer.append([byte])
    guard (try? buffer.next()) != nil else { return }
  }
}

/// The side of `shoebox`, which a worker that was taken over attacks.
private func readReplies(_ bytes: [UInt8]) {
  _ = try? ProbeReply(payload: bytes)
  _ = try? InspectReply(payload: bytes)
  _ = try? DigestReply(payload: bytes)
  _ = try? ExamineReply(payload: bytes)
  _ = try? RenderReply(payload: bytes)
  _ = try? ThumbnailReply(payload: bytes)
  _ = try? Hello(payload: bytes)
  _ = try? ProgramDescription(payload: bytes)
  _ = try? SelfTestReply(payload: bytes)
}

private func readXML(_ bytes: [UInt8]) {
  _ = XMLMarkup(bytes)
  _ = XMPPacket(bytes)
  _ = XMPRedaction.withoutLocation(bytes)
  _ = adjustmentFormatIdentifier(inPropertyList: bytes)
}
