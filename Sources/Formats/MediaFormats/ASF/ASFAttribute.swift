import ByteReading
import MediaModel

/// A named value in an ASF header: of the Extended Content Description Object, the Metadata Object or the Metadata
/// Library Object (Advanced Systems Format Specification §3.11, §4.7, §4.8).
struct ASFAttribute: Hashable {
  enum Value: Hashable {
    case text(String), number(UInt64), flag(Bool)
  }

  var name: String
  /// The number of the stream that it describes; 0 for the file.
  var stream: Int
  var value: Value

  private static let maximumCount = 1000

  /// The attributes in an Extended Content Description Object.
  static func extendedContent(_ content: [UInt8]) -> [ASFAttribute] {
    var found: [ASFAttribute] = []
    var position = 2
    for _ in 0..<min(Int(content.u16(at: 0, .little) ?? 0), maximumCount) {
      guard let nameLength = content.u16(at: position, .little).map(Int.init),
        let name = content.bytes(at: position + 2, count: nameLength),
        let type = content.u16(at: position + 2 + nameLength, .little),
        let length = content.u16(at: position + 4 + nameLength, .little).map(Int.init),
        let data = content.bytes(at: position + 6 + nameLength, count: length)
      else { break }
      position += 6 + nameLength + length
      // Flags are numbers of 32 bits here.
      guard let value = value(type, data) else { continue }
      found.append(ASFAttribute(name: utf16Text(name, .little), stream: 0, value: value))
    }
    return found
  }

  /// The attributes in a Metadata Object or a Metadata Library Object.
  static func metadata(_ content: [UInt8]) -> [ASFAttribute] {
    var found: [ASFAttribute] = []
    var position = 2
    for _ in 0..<min(Int(content.u16(at: 0, .little) ?? 0), maximumCount) {
      guard let stream = content.u16(at: position + 2, .little),
        let nameLength = content.u16(at: position + 4, .little).map(Int.init),
        let type = content.u16(at: position + 6, .little),
        let length = content.u32(at: position + 8, .little).map(Int.init),
        let name = content.bytes(at: position + 12, count: nameLength),
        let data = content.bytes(at: position + 12 + nameLength, count: length)
      else { break }
      position += 12 + nameLength + length
      guard let value = value(type, data) else { continue }
      found.append(
        ASFAttribute(name: utf16Text(name, .little), stream: Int(stream & 0x7F), value: value))
    }
    return found
  }

  /// The value of a type; nil for binary data.
  private static func value(_ type: UInt16, _ data: [UInt8]) -> Value? {
    switch type {
    case 0: .text(utf16Text(data, .little))
    case 2: data.first.map { .flag($0 != 0) }
    case 3: data.u32(at: 0, .little).map { .number(UInt64($0)) }
    case 4: data.u64(at: 0, .little).map { .number($0) }
    case 5: data.u16(at: 0, .little).map { .number(UInt64($0)) }
    default: nil
    }
  }

  /// FFmpeg's names (libavformat/asf.c). Other attributes keep theirs.
  private static let names: [String: String] = [
    "WM/AlbumArtist": "album_artist", "WM/AlbumTitle": "album", "Author": "artist",
    "Description": "comment", "WM/Composer": "composer", "WM/EncodedBy": "encoded_by",
    "WM/EncodingSettings": "encoder", "WM/Genre": "genre", "WM/Language": "language",
    "WM/OriginalFilename": "filename", "WM/PartOfSet": "disc", "WM/Publisher": "publisher",
    "WM/Tool": "encoder", "WM/TrackNumber": "track",
    "WM/MediaStationCallSign": "service_provider", "WM/MediaStationName": "service_name",
    "Title": "title", "Copyright": "copyright",
  ]

  /// The attribute as FFmpeg writes it; nil if it is empty.
  var tag: MetadataEntry? {
    let text =
      switch value {
      case .text(let text): text
      case .number(let number): String(number)
      case .flag(let flag): flag ? "1" : "0"
      }
    return text.isEmpty ? nil : MetadataEntry(key: Self.names[name] ?? name, value: text)
  }
}
