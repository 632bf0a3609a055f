import ByteReading
import MediaEdits
import MediaFormats

extension ISORedaction {
  /// Types of user data with a known meaning.
  private static let knownUserData: Set<FourCC> = [
    "date", "dscp", "cprt", "perf", "auth", "gnre", "albm", "yrrc", "rtng",
    "clsf", "tsel", "kind", "cslg", "manu", "modl", "SDLN", "smrd", "LOOP", "SelO", "AllF",
    "WLOC", "ptv ", "hnti", "hinf", "tnam", "FIRM", "LENS", "CAME", "SETT", "MUID", "BCID", "HMMT",
    "ludt", "strk", "urat", "smta",
  ]
  /// User data that is free text (3GPP TS 26.244; Nero's list of chapters). Titles and keywords are judged
  /// separately.
  private static let texts: Set<FourCC> = ["dscp", "cprt", "perf", "auth", "albm", "chpl"]
  /// An ISO 6709 position, and the GPS fields of Kodak's cameras.
  private static let places: Set<FourCC> = ["©xyz", "©gpt", "©gyw", "©grl"]
  /// Further user data with places: 3GPP's position, GoPro's records, and receivers of dashcams.
  private static let placeData: Set<FourCC> = places.union(["loci", "GPMF", "gps ", "gps0", "GPS "])
  private static let maximumPacket = 64 << 20
  private static let maximumText = 4 << 20

  mutating func visit(userData udta: ISOBox) throws {
    for box in try children(of: udta) {
      switch box.type {
      case "meta": try visit(meta: box)
      case "uuid": try visit(extended: box)
      case "Xtra":
        if try !keepsWindowsProperties(box) { try erase(box) }
      case "XMP_": try change(box.payload) { XMPRedaction.removing($0, from: $1) }
      case let type where !policy.removesLocation && Self.placeData.contains(type): continue
      case let type
      where policy.removesCaptions && CaptionDetection.isCaption(key: type.description):
        try erase(box)
      case let type where Self.isText(type):
        if try recordsPlace(box.payload) { try erase(box) }
      case "name", "titl", "kywd", "©nam", "©key":
        if try containsCoordinates(box.payload) { try erase(box) }
      case let type where Self.knownUserData.contains(type):
        if try recordsPlace(box.payload) { try erase(box) }
      default: try erase(box)
      }
    }
  }

  /// Whether user data of this type is text that stays unless it records a place.
  private static func isText(_ type: FourCC) -> Bool {
    guard !LocationDetection.isTitle(key: type.description), !places.contains(type) else {
      return false
    }
    return texts.contains(type) || type.rawValue >> 24 == 0xA9
  }

  /// Whether a title or keywords contain coordinates that must not stay; true for a text that is too long to check.
  func containsCoordinates(_ range: Range<UInt64>) throws -> Bool {
    guard policy.removesLocation else { return false }
    guard let content = try source.bytes(in: range, limit: Self.maximumText) else { return true }
    return WrittenCoordinates.occur(in: content)
  }

  /// Whether a text records a place that must not stay; true for a text that is too long to check.
  func recordsPlace(_ range: Range<UInt64>) throws -> Bool {
    guard policy.removesLocation else { return false }
    guard let content = try source.bytes(in: range, limit: Self.maximumText) else { return true }
    return policy.removes(text: content)
  }

  mutating func visit(extended box: ISOBox) throws {
    switch box.extendedType {
    case ISOMovie.xmpIdentifier: try change(box.payload) { XMPRedaction.removing($0, from: $1) }
    case CanonRaw3.identifier: try visit(canonMetadata: box)
    case ISOMovie.sphericalIdentifier: try visit(sphericalXML: box)
    case Self.canonPreview: try visit(canonPreview: box)
    default: try erase(box)
    }
  }

  /// Visits metadata in the form of QuickTime (by keys) or iTunes (by four-character codes).
  mutating func visit(meta: ISOBox) throws {
    let skip: UInt64 = try source.start(of: meta, 8).hasText("hdlr", at: 4) ? 0 : 4
    let boxes = try children(of: meta, skip: skip)
    let keys = try boxes.first { $0.type == "keys" }.map { try quickTimeKeys($0, source) }
    for box in boxes {
      switch box.type {
      case "hdlr": try visit(handler: box)
      case "keys", "mhdr", "ctry", "lang": try blankPlaces(in: box)
      case "ilst":
        for item in try children(of: box) {
          guard let key = try quickTimeItemKey(item, keys: keys, source),
            !policy.removes(key: key), try keepsParts(of: item, key: key)
          else {
            try erase(item)
            continue
          }
          try keep(Self.itemParts, in: item)
          if Self.isCover(key: key) { try visit(cover: item) }
        }
      case "xml ":
        // Camcorders describe a recording in this box.
        if try recordsPlace(box.payload) {
          try erase(box)
        } else if policy.removesCaptions {
          try change(box.payload) { XMPRedaction.removing($0, from: $1) }
        }
      default:
        // Items, tags of other formats and binary XML are not examined.
        try erase(box)
      }
    }
  }

  /// Visits the pictures of a movie's cover, which have metadata of their own. An item stays only if that
  /// metadata can be checked.
  private mutating func visit(cover item: ISOBox) throws {
    for data in try source.boxes(inside: item, limit: Self.maximumItemParts)
    where data.type == "data" {
      // The picture follows its type and its language.
      let range = data.payload.dropping(8)
      let picture = source.part(range)
      let start = try picture.bytes(at: 0, count: 8)
      if start.hasBytes([0xFF, 0xD8, 0xFF]),
        let found = try? JPEGRedaction.find(
          policy, in: picture, depth: depth + 1, keepsLength: true)
      {
        redaction.add(found, at: range.lowerBound)
      } else if start.hasBytes(PNGChunk.signature),
        let found = try? PNGRedaction.find(policy, in: picture, keepsLength: true)
      {
        redaction.add(found, at: range.lowerBound)
      } else {
        return try erase(item)
      }
    }
  }

  /// Overwrites a block with a changed one of the same length.
  mutating func change(
    _ range: Range<UInt64>, _ change: (MetadataPolicy, [UInt8]) -> [UInt8]
  ) throws {
    guard let block = try source.bytes(in: range, limit: Self.maximumPacket) else {
      return redaction.fill(range, with: 0x20)
    }
    let changed = change(policy, block)
    redaction.overwrite(at: range.lowerBound, block, with: changed)
  }
}
