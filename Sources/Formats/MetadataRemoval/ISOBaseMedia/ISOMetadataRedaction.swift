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
  /// EAF42B5E-1C98-4B88-B9FB-B7DC406E4D16: Canon's preview.
  private static let canonPreview: [UInt8] = [
    0xEA, 0xF4, 0x2B, 0x5E, 0x1C, 0x98, 0x4B, 0x88, 0xB9, 0xFB, 0xB7, 0xDC, 0x40, 0x6E, 0x4D, 0x16,
  ]
  private static let covers: Set<String> = ["covr", "com.apple.quicktime.artwork"]
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

  /// Whether one of an item's texts records a place that must not stay. A title may name a place, but may not contain
  /// coordinates.
  private func recordsPlace(valuesOf item: ISOBox, key: String) throws -> Bool {
    let isTitle = LocationDetection.isTitle(key: key)
    for data in try source.boxes(inside: item, limit: 64) where data.type == "data" {
      // Text in any encoding, and values without a type.
      guard let kind = try source.start(of: data, 8).u32(at: 0), [0, 1, 2, 4, 5].contains(kind)
      else { continue }
      if try isTitle ? containsCoordinates(data.payload) : recordsPlace(data.payload) {
        return true
      }
    }
    return false
  }

  /// Whether a title or keywords contain coordinates that must not stay; true for a text that is too long to check.
  private func containsCoordinates(_ range: Range<UInt64>) throws -> Bool {
    guard policy.removesLocation else { return false }
    guard let content = try source.bytes(in: range, limit: Self.maximumText) else { return true }
    return WrittenCoordinates.occur(in: content)
  }

  /// Codes under which iTunes stores numbers without a type.
  private static let numberCodes: Set<String> = [
    "trkn", "disk", "gnre", "tmpo", "cpil", "pgap", "hdvd", "stik", "rtng", "plID", "cnID", "geID",
    "sfID", "atID", "akID", "cmID", "pcst", "shwm",
  ]

  /// Whether a value is neither text, a number, nor a cover, so that it could record a place.
  private func isOpaque(_ item: ISOBox, key: String) throws -> Bool {
    if Self.covers.contains(key) || Self.numberCodes.contains(key) { return false }
    for data in try source.boxes(inside: item, limit: 64) where data.type == "data" {
      let head = try source.start(of: data, 4096)
      guard let kind = head.u32(at: 0) else { continue }
      switch kind & 0xFFFFFF {
      case 1, 2, 4, 5: continue
      case 21...24, 65...79:
        // A matrix has nine numbers of eight bytes, a rectangle has four of four.
        let longest = kind & 0xFFFFFF == 79 ? 72 : 16
        if data.payload.count > 8 + longest { return true }
      case 0:
        let value = head.bytes(from: 8)
        if value.count > 8, !value.allSatisfy({ $0 == 0 || $0 == 10 || $0 >= 0x20 }) { return true }
      default: return true
      }
    }
    return false
  }

  /// Whether a text records a place that must not stay; true for a text that is too long to check.
  func recordsPlace(_ range: Range<UInt64>) throws -> Bool {
    guard policy.removesLocation else { return false }
    guard let content = try source.bytes(in: range, limit: Self.maximumText) else { return true }
    return LocationDetection.recordsPlace(content)
  }

  mutating func visit(extended box: ISOBox) throws {
    switch box.extendedType {
    case ISOMovie.xmpIdentifier: try change(box.payload) { XMPRedaction.removing($0, from: $1) }
    case CanonRaw3.identifier: try visit(canonRaw: box)
    case ISOMovie.sphericalIdentifier: try visit(sphericalXML: box)
    case Self.canonPreview: return
    default: try erase(box)
    }
  }

  /// The EXIF directories of a Canon RAW 3 file, each a TIFF block of its own.
  private mutating func visit(canonRaw uuid: ISOBox) throws {
    for box in try source.boxes(inside: uuid) {
      switch box.type {
      case "CMT1", "CMT2":
        let inner = depth + 1
        try change(box.payload) { ExifBlockRedaction.removing($0, from: $1, depth: inner) }
      case "CMT3": try change(box.payload) { Self.removing($0, fromCanonNote: $1) }
      case "CMT4" where policy.removesLocation: try erase(box)
      default: continue
      }
    }
  }

  /// Changes Canon's MakerNote, which is stored as a TIFF block here: a header, then the note's directory.
  private static func removing(
    _ policy: MetadataPolicy, fromCanonNote block: [UInt8]
  ) -> [UInt8] {
    guard let tiff = try? TIFFFile(ArraySource(block)), tiff.firstDirectoryOffset == 8 else {
      return [UInt8](repeating: 0, count: block.count)
    }
    return MakerNoteRedaction.find(
      policy, in: block.bytes(from: 8), at: 8, make: "Canon", order: tiff.order
    ).applied(to: block)
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
            !policy.removes(key: key), try !recordsPlace(valuesOf: item, key: key),
            try !isOpaque(item, key: key)
          else {
            try erase(item)
            continue
          }
          try keep(["data", "name", "mean", "itif"], in: item)
          if Self.covers.contains(key) { try visit(cover: item) }
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
    for data in try source.boxes(inside: item, limit: 64) where data.type == "data" {
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
  private mutating func change(
    _ range: Range<UInt64>, _ change: (MetadataPolicy, [UInt8]) -> [UInt8]
  ) throws {
    guard let block = try source.bytes(in: range, limit: Self.maximumPacket) else {
      return redaction.fill(range, with: 0x20)
    }
    let changed = change(policy, block)
    redaction.overwrite(at: range.lowerBound, block, with: changed)
  }
}
