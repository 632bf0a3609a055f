import ByteReading
import MediaEdits
import MediaFormats

// The items of QuickTime's and iTunes' metadata (QuickTime File Format, "Metadata Item Atom").
extension ISORedaction {
  static let itemParts: Set<FourCC> = ["data", "name", "mean", "itif"]
  private static let covers: Set<String> = ["covr", "com.apple.quicktime.artwork"]
  /// The boxes of an item.
  static let maximumItemParts = 1024
  /// Codes under which iTunes stores numbers without a type, or with any. The longest number, of a track and of the tracks
  /// of its album, has 8 bytes.
  private static let numberCodes: Set<String> = [
    "trkn", "disk", "gnre", "tmpo", "cpil", "pgap", "hdvd", "stik", "rtng", "plID", "cnID", "geID",
    "sfID", "atID", "akID", "cmID", "pcst", "shwm",
  ]
  private static let longestNumber = 8

  static func isCover(key: String) -> Bool { covers.contains(key) }

  /// Whether an item stays: if its boxes are few enough to be checked, its values are texts, numbers or covers, and none of
  /// them, and none of its names, records a place that must not stay.
  func keepsParts(of item: ISOBox, key: String) throws -> Bool {
    let parts = try source.boxes(inside: item, limit: Self.maximumItemParts + 1)
    guard parts.count <= Self.maximumItemParts else { return false }
    return try parts.allSatisfy { part in
      switch part.type {
      case "data": try keeps(value: part, key: key)
      case let type where Self.itemParts.contains(type): try !recordsPlace(part.payload)
      default: true
      }
    }
  }

  /// Whether a value stays: its type in four bytes, of which the first is not used, its language, and its content. A title
  /// may name a place, but may not contain coordinates.
  private func keeps(value data: ISOBox, key: String) throws -> Bool {
    // The metadata of a cover is visited by itself.
    if Self.isCover(key: key) { return true }
    guard let kind = try source.start(of: data, 8).u32(at: 0) else { return true }
    switch kind & 0xFF_FFFF {
    // Text in any encoding, and values without a type.
    case 0, 1, 2, 4, 5:
      if kind & 0xFF_FFFF == 0, try isOpaque(untyped: data) { return false }
      return try LocationDetection.isTitle(key: key)
        ? !containsCoordinates(data.payload) : !recordsPlace(data.payload)
    case 21...24, 65...79:
      // A matrix has nine numbers of eight bytes, a rectangle has four of four.
      let longest = kind & 0xFF_FFFF == 79 ? 72 : 16
      return try keeps(number: data, longest: longest)
    default:
      return try Self.numberCodes.contains(key) && keeps(number: data, longest: Self.longestNumber)
    }
  }

  /// Whether a number stays: if it is not too long, and is not a text with coordinates.
  private func keeps(number data: ISOBox, longest: Int) throws -> Bool {
    let content = try source.content(of: data, limit: 8 + longest)
    return content.map { !policy.removes(data: $0.bytes(from: 8)) } ?? false
  }

  /// Whether a value without a type is neither a text nor a short number, so that it could record a place.
  private func isOpaque(untyped data: ISOBox) throws -> Bool {
    let value = try source.start(of: data, 4096).bytes(from: 8)
    return value.count > Self.longestNumber
      && !value.allSatisfy { $0 == 0 || $0 == 10 || $0 >= 0x20 }
  }
}
