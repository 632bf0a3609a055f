import MediaModel

/// A reader that `make fuzz` can run. It may throw on any input; a trap, a time-out or too much memory is a find.
///
/// Each target is named after the extension of its seeds. Files of other extensions, such as all RAW formats, are seeds
/// of the target `raw`.
enum FuzzTarget: Hashable {
  /// Blocks and texts inside of files.
  case exif, resources, profile, zlib, date, place, userData
  /// What a user or a client of a server types or sends.
  case expression, preset, template, cursor
  /// The worker protocol from both sides.
  case requests, replies
  /// Text files in a library or in the target of an export.
  case xmp, json, adjustments, ignore, record, names
  /// A picture's or movie's metadata in a result; the header of a result.
  case transfer, header
  case sniffing
  /// Facts, tags and removal of metadata of files of these types.
  case files([UniformType])

  /// The targets by name.
  static let named: [String: FuzzTarget] = [
    "exif": .exif, "resources": .resources, "icc": .profile, "zlib": .zlib, "date": .date,
    "place": .place, "coded": .userData,
    "expression": .expression, "preset": .preset, "template": .template, "cursor": .cursor,
    "requests": .requests, "replies": .replies,
    "xmp": .xmp, "json": .json, "aae": .adjustments, "ignore": .ignore, "record": .record,
    "names": .names, "transfer": .transfer, "header": .header, "sniffing": .sniffing,
    "jpg": .files([.jpeg]), "png": .files([.png]), "gif": .files([.gif]),
    "webp": .files([.webP]), "tiff": .files([.tiff]), "heic": .files([.heic, .avif]),
    "jxl": .files([.jpegXL]), "jp2": .files([.jpeg2000]), "bmp": .files([.bmp]),
    "raw": .files([.dng, .canonCR3, .canonCRW, .fujiRAF, .minoltaMRW, .sigmaX3F, .panasonicRW2]),
    "mov": .files([.quickTimeMovie]), "mkv": .files([.matroska]), "avi": .files([.avi]),
    "ts": .files([.mpeg2TransportStream, .avchd]), "mpg": .files([.mpeg]),
    "flv": .files([.flashVideo]), "wmv": .files([.windowsMediaVideo]), "dv": .files([.dv]),
  ]

  func run(_ bytes: [UInt8]) {
    switch self {
    case .exif: readExif(bytes)
    case .resources: readResources(bytes)
    case .profile: readProfile(bytes)
    case .zlib: readZlib(bytes)
    case .date: readDate(bytes)
    case .place: readPlace(bytes)
    case .userData: readUserData(bytes)
    case .expression: readExpression(bytes)
    case .preset: readPreset(bytes)
    case .template: readTemplate(bytes)
    case .cursor: readCursor(bytes)
    case .requests: readRequests(bytes)
    case .replies: readReplies(bytes)
    case .xmp: readXML(bytes)
    case .json:
      readSidecar(.takeoutJSON, bytes)
      readSidecar(.albumJSON, bytes)
    case .adjustments: readSidecar(.adjustmentData, bytes)
    case .ignore: readIgnoreFile(bytes)
    case .record: readRecord(bytes)
    case .names: readNames(bytes)
    case .transfer: transferMetadata(bytes)
    case .header: changeHeader(bytes)
    case .sniffing: sniff(bytes)
    case .files(let types): for type in types { readFile(bytes, type) }
    }
  }
}
