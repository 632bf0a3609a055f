// Private boxes of camera manufacturers in the user data. They are undocumented; the forms are those in exiftool
// (QuickTime.pm, Nikon.pm, Canon.pm, Panasonic.pm, FujiFilm.pm).
import ByteReading
import MediaModel

extension CameraMovieData {
  /// Boxes of cameras without a time zone, which write local time into the header instead of UTC: GoPro, Nikon, Canon,
  /// Fujifilm, Panasonic, Leica, Casio, Kodak and Minolta. `TAGS` that begin with a manufacturer's name are another
  /// sign of such a camera.
  private static let localClocks: Set<FourCC> = [
    "GPMF", "NCDT", "CNTH", "CNMN", "CNCV", "MVTG", "FFMV", "PANA", "LEIC", "QVMI", "DcMD", "MMA0",
    "MMA1",
  ]

  /// Takes a box in `udta` if it is one of these.
  mutating func take(cameraBox box: ISOBox, _ source: any ByteSource) throws {
    if Self.localClocks.contains(box.type) { hasLocalClock = true }
    switch box.type {
    case "NCDT":
      guard let tags = try source.child("NCTG", of: box) else { return }
      take(nikonTags: try source.start(of: tags, Self.maximumBlock))
    case "CNTH":
      // A complete picture, which older cameras wrote as a .THM file.
      guard let thumbnail = try source.child("CNDA", of: box) else { return }
      try take(thumbnail: source.part(thumbnail.payload))
    case "CNMN":
      guard let name = try source.start(of: box, 64).trimmedText else { return }
      (make, model) = (make ?? "Canon", model ?? name)
    case "MVTG":
      exif =
        try exif ?? Self.tiff(directory: source.start(of: box, Self.maximumBlock).bytes(from: 16))
    case "PANA": take(panasonic: try source.start(of: box, Self.maximumBlock))
    case "LEIC": take(leica: try source.start(of: box, 64))
    case "TAGS":
      let content = try source.start(of: box, 256)
      take(tags: content)
      exposure = CameraMovieTags.exposure(content)
    default: break
    }
  }

  private mutating func take(thumbnail: some ByteSource) throws {
    do {
      exif = try exif ?? JPEGFile(thumbnail).exif
    } catch is ContainerError {
      // The movie stays readable without it.
    }
  }

  /// Takes Nikon's records: a 32-bit tag, a 16-bit TIFF type, a 16-bit count and the values, without padding
  /// (exiftool's `ProcessNikonMOV`). 1 is the make, 2 the model, 0x12 the capture time by the camera's clock, and
  /// 0x1100000 is added to the numbers of EXIF's tags. The time zone in 0x19 is ignored, because few people set it in
  /// the camera's menu.
  private mutating func take(nikonTags content: [UInt8]) {
    var position = 0
    while let tag = content.u32(at: position), let type = content.u16(at: position + 4),
      let count = content.u16(at: position + 6), let unit = TIFFEntry.unitWidth(of: type),
      let value = content.bytes(at: position + 8, count: Int(count) * unit)
    {
      func number() -> Double? {
        tiffNumber(in: value, at: 0, type: type, .big).flatMap { $0 > 0 ? $0 : nil }
      }
      switch tag {
      case 0x01: make = make ?? value.trimmedText
      case 0x110_829A: exposure.time = number()
      case 0x110_829D: exposure.fNumber = number()
      case 0x110_920A: exposure.focalLength = number()
      case 0x110_A434: lens = lens ?? value.trimmedText
      case 0x02: model = model ?? value.trimmedText
      case 0x12: localDate = localDate ?? value.trimmedText
      default: break
      }
      position += 8 + value.count
    }
  }

  /// Takes Panasonic's box. The model is at offset 4, or at 12 in newer cameras. The newest have EXIF after the start
  /// of a JPEG.
  private mutating func take(panasonic content: [UInt8]) {
    make = make ?? "Panasonic"
    let names = [4, 12].lazy.compactMap { place in
      content.bytes(at: place, count: 16).flatMap { name in
        name.prefix(6).allSatisfy { (0x20..<0x7F).contains($0) } ? name.trimmedText : nil
      }
    }
    model = model ?? names.first
    if content.hasBytes([0xFF, 0xD8, 0xFF, 0xE1], at: 0x10), content.hasText("Exif\0\0", at: 0x16) {
      exif = exif ?? tiffBlock(in: content, at: 0x1C)
    }
  }

  private mutating func take(leica content: [UInt8]) {
    guard content.hasText("LEICA") else { return }
    make = make ?? content.bytes(at: 0, count: 22)?.trimmedText
    model = model ?? content.bytes(at: 0x16, count: 30)?.trimmedText
  }

  /// Takes the manufacturer's name of 24 bytes, which Fujifilm and Nikon follow with the model.
  private mutating func take(tags content: [UInt8]) {
    guard let name = content.bytes(at: 0, count: 24)?.trimmedText, name.first?.isLetter == true,
      name.hasSuffix("DIGITAL CAMERA") || name.hasPrefix("EASTMAN KODAK")
    else { return }
    hasLocalClock = true
    make = make ?? name
    guard name.hasPrefix("FUJIFILM") || name.hasPrefix("NIKON") else { return }
    model = model ?? content.bytes(at: 0x18, count: 16)?.trimmedText
  }

  /// A TIFF block for a little-endian directory with offsets from its own start.
  private static func tiff(directory: [UInt8]) -> [UInt8]? {
    guard let count = directory.u16(at: 0, .little), count > 0, count < 256,
      directory.count >= 2 + Int(count) * 12
    else { return nil }
    let header: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]
    var block = header + directory
    for index in 0..<Int(count) {
      let entry = header.count + 2 + index * 12
      guard let type = block.u16(at: entry + 2, .little), let unit = TIFFEntry.unitWidth(of: type),
        let values = block.u32(at: entry + 4, .little), let size = Int(values).times(unit),
        size > 4,
        let offset = block.u32(at: entry + 8, .little), let moved = offset.adding(8)
      else { continue }
      for byte in 0..<4 {
        block[entry + 8 + byte] = UInt8(truncatingIfNeeded: moved >> UInt32(byte * 8))
      }
    }
    return block
  }
}
