package import ByteReading

/// The header of a QuickTime, MP4 or 3GPP movie (ISO/IEC 14496-12, QuickTime File Format).
///
/// It contains facts that libavformat does not return: metadata values of all types, sample entries, and tracks
/// without a codec. Media data is not read.
package struct ISOMovie {
  package private(set) var brands: ISOBrands?
  /// The stored creation time: by the standard, seconds since 1904-01-01 UTC. Nil for 0, which means missing.
  package private(set) var creationTime: UInt64?
  /// Units of ``duration`` per second.
  package private(set) var timescale: UInt32 = 0
  package private(set) var duration: UInt64 = 0
  /// The matrix that follows each track's own one.
  private(set) var matrix: [Int32] = []
  package private(set) var tracks: [ISOTrack] = []
  /// `moov/meta` first, then `moov/udta/meta`.
  package private(set) var metadata: [QuickTimeItem] = []
  /// Texts in the user data, such as `©day`.
  package private(set) var userData: [QuickTimeItem] = []
  /// All of these in the file's order.
  private(set) var items: [QuickTimeItem] = []
  /// Data in the private forms of camera manufacturers.
  package private(set) var camera = CameraMovieData()
  /// The XMP packet in a `uuid` or `XMP_` box.
  package private(set) var xmp: Range<UInt64>?
  /// The EXIF directories in the private box of a Canon RAW 3 file.
  package private(set) var canonRaw: CanonRaw3?
  package private(set) var isFragmented = false
  /// Whether there is no track anywhere in the header, also not in a place where it does not belong.
  package private(set) var hasNoTracks = false
  /// Durations of samples in fragments by `track_ID`, from the `trex` boxes.
  private(set) var defaultDurations: [UInt32: UInt32] = [:]
  package private(set) var warnings: [String] = []

  /// The duration in seconds; nil if the header records none.
  package var seconds: Double? {
    guard timescale > 0, duration > 0, duration < UInt64(UInt32.max) << 16 else { return nil }
    return Double(duration) / Double(timescale)
  }

  /// The first value of a metadata key, such as `com.apple.quicktime.content.identifier`.
  package func value(_ key: String) -> QuickTimeValue? {
    metadata.first { $0.key == key }?.value
  }

  /// - Throws: ``ContainerError`` if there is no `moov` box; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let top = try source.boxes(in: 0..<source.count, limit: 4096)
    guard let first = top.first, first.type.isPlausible else {
      throw ContainerError.notThisFormat("QuickTime or MPEG-4 file")
    }
    if let ftyp = top.first(where: { $0.type == "ftyp" }) {
      brands = ISOBrands(payload: try source.start(of: ftyp, 512))
    }
    isFragmented = top.contains { $0.type == "moof" }
    if let cut = top.first(where: \.isTruncated), cut.type.isPlausible {
      warnings.append("The file is cut off in its \(cut.type) box.")
    }
    for box in top where box.extendedType == ISOMovie.xmpIdentifier {
      xmp = xmp ?? box.payload
    }
    guard let moov = top.first(where: { $0.type == "moov" }) else {
      throw ContainerError.damaged("has no movie header (moov box)")
    }
    try read(moov: moov, source)
    for box in top where box.type == "meta" { try camera.take(meta: box, source) }
  }

  /// BE7ACFCB-97A9-42E8-9C71-999491E3AFAC (XMP specification part 3 §1.2.5).
  package static let xmpIdentifier: [UInt8] = [
    0xBE, 0x7A, 0xCF, 0xCB, 0x97, 0xA9, 0x42, 0xE8, 0x9C, 0x71, 0x99, 0x94, 0x91, 0xE3, 0xAF, 0xAC,
  ]

  /// FFCC8263-F855-4A93-8814-587A02521FDD: Google's description of spherical video (Spherical Video V1).
  package static let sphericalIdentifier: [UInt8] = [
    0xFF, 0xCC, 0x82, 0x63, 0xF8, 0x55, 0x4A, 0x93, 0x88, 0x14, 0x58, 0x7A, 0x02, 0x52, 0x1F, 0xDD,
  ]

  private static let maximumItems = 4096

  private mutating func read(moov: ISOBox, _ source: any ByteSource) throws {
    hasNoTracks = try Self.hasNoTracks(moov, source)
    var budget = ISOTrack.allTimes
    for box in try source.boxes(inside: moov) {
      switch box.type {
      case "mvhd": read(header: try source.start(of: box, 84))
      case "trak":
        guard tracks.count < 64, let track = try isoTrack(box, source, &budget) else { continue }
        tracks.append(track)
      case "meta" where metadata.count < Self.maximumItems:
        let found = try quickTimeMetadata(box, source)
        metadata = found + metadata
        items += found
      case "udta": try read(userData: box, source)
      case "mvex":
        isFragmented = true
        for trex in try source.boxes(inside: box) where trex.type == "trex" {
          let fields = try source.start(of: trex, 16)
          if let id = fields.u32(at: 4) { defaultDurations[id] = fields.u32(at: 12) }
        }
      case "uuid":
        if box.extendedType == ISOMovie.xmpIdentifier { xmp = xmp ?? box.payload }
        if box.extendedType == CanonRaw3.identifier { canonRaw = try CanonRaw3(box, source) }
      default: break
      }
    }
  }

  private mutating func read(header: [UInt8]) {
    let wide = header.u8(at: 0) == 1
    let times = wide ? header.u64(at: 4) : header.u32(at: 4).map(UInt64.init)
    creationTime = times.flatMap { $0 == 0 ? nil : $0 }
    timescale = header.u32(at: wide ? 20 : 12) ?? 0
    let length = wide ? header.u64(at: 24) : header.u32(at: 16).map(UInt64.init)
    // A number with all bits set means an unknown duration.
    duration = length.flatMap { $0 == (wide ? UInt64.max : UInt64(UInt32.max)) ? nil : $0 } ?? 0
    matrix = (0..<9).compactMap { header.i32(at: (wide ? 48 : 36) + $0 * 4) }
  }

  private mutating func read(userData udta: ISOBox, _ source: any ByteSource) throws {
    for box in try source.boxes(inside: udta) {
      if box.type == "meta", metadata.count < Self.maximumItems {
        let found = try quickTimeMetadata(box, source)
        metadata += found
        items += found
      } else if box.type == "XMP_" {
        xmp = xmp ?? box.payload
      } else if box.type == "date", let text = try source.start(of: box, 64).trimmedText {
        // iOS writes the date of a re-encoded video here, without length and language.
        take(userData: QuickTimeItem(key: "date", value: .text(text)))
      } else if let key = threeGPPTexts[box.type],
        let text = threeGPPText(try source.start(of: box, 4096))
      {
        userData.append(QuickTimeItem(key: key, value: .text(text)))
      } else if box.type == "loci", let text = threeGPPLocation(try source.start(of: box, 1024)) {
        take(userData: QuickTimeItem(key: "location", value: .text(text)))
      } else if box.type.rawValue >> 24 == 0xA9,
        let text = quickTimeUserText(try source.start(of: box, 4096))
      {
        take(userData: QuickTimeItem(key: box.type.description, value: .text(text)))
      } else {
        try camera.take(userData: box, source)
      }
    }
  }

  private mutating func take(userData item: QuickTimeItem) {
    userData.append(item)
    items.append(item)
  }
}

/// The EXIF directories of a Canon RAW 3 file: separate TIFF blocks in `moov/uuid`.
package struct CanonRaw3 {
  /// 85C0B687-820F-11E0-8111-F4CE462B6A48.
  package static let identifier: [UInt8] = [
    0x85, 0xC0, 0xB6, 0x87, 0x82, 0x0F, 0x11, 0xE0, 0x81, 0x11, 0xF4, 0xCE, 0x46, 0x2B, 0x6A, 0x48,
  ]

  /// CMT1: IFD0.
  package var main: [UInt8]?
  /// CMT2: the Exif IFD.
  package var exif: [UInt8]?
  /// CMT3: the MakerNote's directory.
  package var makerNote: [UInt8]?
  /// CMT4: the GPS IFD.
  package var gps: [UInt8]?

  init(_ box: ISOBox, _ source: any ByteSource) throws {
    for child in try source.boxes(inside: box) {
      switch child.type {
      case "CMT1": main = try source.content(of: child)
      case "CMT2": exif = try source.content(of: child)
      case "CMT3": makerNote = try source.content(of: child)
      case "CMT4": gps = try source.content(of: child)
      default: break
      }
    }
  }
}
