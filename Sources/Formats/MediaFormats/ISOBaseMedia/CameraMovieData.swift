import ByteReading
package import MediaModel

/// The data that camera manufacturers write into movies in private forms.
package struct CameraMovieData: Sendable, Hashable {
  /// ISO 8601 with a zone.
  package internal(set) var creationDate: String?
  /// The capture time by the camera's clock, in EXIF's notation.
  package internal(set) var localDate: String?
  package internal(set) var make: String?
  package internal(set) var model: String?
  package internal(set) var lens: String?
  package internal(set) var exposure = Exposure()
  /// A TIFF block.
  package internal(set) var exif: [UInt8]?
  /// Whether the manufacturer writes local time into the movie header. The standard requires UTC there.
  package internal(set) var hasLocalClock = false

  private static let maximumDocument = 1 << 20
  static let maximumBlock = 64 << 10
}

// Sony's XAVC: a `meta` box next to `moov` with an XML document, as on Sony's Professional Discs.

extension CameraMovieData {
  /// Takes the date and the camera in `NonRealTimeMeta` (Sony, XDCAM file operation manual; exiftool's XML group).
  ///
  /// - Parameter meta: a box at the file's top level.
  mutating func take(meta: ISOBox, _ source: any ByteSource) throws {
    guard let box = try source.child("xml ", of: meta, skip: 4),
      let content = try source.content(of: box, limit: Self.maximumDocument),
      let root = XMLReader.root(of: content.bytes(from: 4)), root.name.local == "NonRealTimeMeta"
    else { return }
    for element in root.children {
      switch element.name.local {
      case "CreationDate": creationDate = creationDate ?? element.attribute("", "value")
      case "Device":
        make = make ?? element.attribute("", "manufacturer")
        model = model ?? element.attribute("", "modelName")
      default: break
      }
    }
  }
}

// Boxes of the user data.

extension CameraMovieData {
  /// Takes a box in `udta`: `manu` and `modl` of phones and compact cameras, GoPro's `GPMF`, or another manufacturer's.
  mutating func take(userData box: ISOBox, _ source: any ByteSource) throws {
    try take(cameraBox: box, source)
    switch box.type {
    case "manu": make = try make ?? Self.text(source.start(of: box, 256))
    case "modl": model = try model ?? Self.text(source.start(of: box, 256))
    case "GPMF":
      guard let name = Self.modelName(inGPMF: try source.start(of: box, Self.maximumBlock))
      else { return }
      (make, model) = (make ?? "GoPro", model ?? name)
    default: break
    }
  }

  /// The text up to a NUL. It can follow four zeros and two bytes without a known meaning (exiftool's QuickTime.pm).
  private static func text(_ content: [UInt8]) -> String? {
    content.bytes(from: content.hasBytes([0, 0, 0, 0]) ? 6 : 0).trimmedText
  }

  /// `MINF` of the first device (GPMF specification, "GPMF KLV structure"). An item consists of a key, a type, a
  /// size, a count, and the values, padded to a multiple of four bytes.
  private static func modelName(inGPMF content: [UInt8]) -> String? {
    guard content.hasText("DEVC") else { return nil }
    var position = 8
    while let size = content.u8(at: position + 5), let count = content.u16(at: position + 6) {
      let length = Int(size) * Int(count)
      if content.hasText("MINF", at: position) {
        return content.bytes(at: position + 8, count: length)?.trimmedText
      }
      position += 8 + (length + 3) / 4 * 4
    }
    return nil
  }
}
