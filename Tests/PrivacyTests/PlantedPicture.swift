import MediaTools
import PlantedPlaces

/// A place in a picture format where bytes can be put so that a decoder still shows the same picture.
struct PlantedPicture: Sendable {
  /// Of the plain picture: `a.` and this.
  var fileExtension: String
  var name: String
  /// Puts the second bytes into the first, a whole file.
  var plant: @Sendable ([UInt8], [UInt8]) -> [UInt8]

  init(
    _ fileExtension: String, _ name: String,
    _ plant: @escaping @Sendable ([UInt8], [UInt8]) -> [UInt8]
  ) {
    self.fileExtension = fileExtension
    self.name = name
    self.plant = plant
  }

  /// All spellings of the place, each on a line.
  static let secret: [UInt8] = PlantedPlace.planted.plantable.flatMap { $0.bytes + [0x0A] }

  static let all = jpeg + tiff + png + gif + webP + bmp + boxes + heif

  // MARK: JPEG

  /// A little-endian EXIF block with nothing but an orientation, and bytes that its directory does not reach.
  private static func orphan(_ secret: [UInt8]) -> [UInt8] {
    Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0]
      + [0, 0, 0, 0] + secret
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(content.count + 2, 2) + content
  }

  private static let scan: [UInt8] = [0xFF, 0xDA]

  /// The offset of a later marker than the first Start Of Scan.
  private static func secondScan(_ bytes: [UInt8]) -> Int {
    let first = position(of: scan, in: bytes)
    return position(of: scan, in: bytes, from: first + 2)
  }

  private static let jpeg = [
    PlantedPicture("jpg", "after-end") { $0 + $1 },
    PlantedPicture("jpg", "comment-between-scans") { file, secret in
      inserted(segment(0xFE, secret), in: file, at: secondScan(file))
    },
    PlantedPicture("jpg", "exif-between-scans") { file, secret in
      inserted(
        segment(0xE1, Array("Exif\0\0".utf8) + orphan(secret)), in: file, at: secondScan(file))
    },
    PlantedPicture("jpg", "between-scans-without-segment") { file, secret in
      inserted(
        segment(0xE4, []) + secret.map { $0 == 0xFF ? 0 : $0 }, in: file, at: secondScan(file))
    },
    PlantedPicture("jpg", "comment") { inserted(segment(0xFE, $1), in: $0, at: 2) },
    PlantedPicture("jpg", "unknown-segment") { inserted(segment(0xE4, $1), in: $0, at: 2) },
    PlantedPicture("jpg", "long-adobe-segment") { file, secret in
      inserted(
        segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1] + secret), in: file, at: 20)
    },
    PlantedPicture("jpg", "jfif-extension") { file, secret in
      inserted(
        segment(0xE0, Array("JFXX\0".utf8) + [0x13, 1, 1, 0, 0, 0] + secret), in: file, at: 20)
    },
    PlantedPicture("jpg", "exif-orphan") { file, secret in
      inserted(segment(0xE1, Array("Exif\0\0".utf8) + orphan(secret)), in: file, at: 20)
    },
    PlantedPicture("jpg", "photoshop-resource") { file, secret in
      let resource =
        Array("8BIM".utf8) + [0x10, 0x00, 0, 0] + bigEndian(secret.count) + secret
        + (secret.count % 2 == 1 ? [0] : [])
      return inserted(segment(0xED, Array("Photoshop 3.0\0".utf8) + resource), in: file, at: 20)
    },
    PlantedPicture("jpg", "second-picture") { file, secret in
      file + inserted(segment(0xFE, secret), in: file, at: 2)
    },
  ]

  // MARK: Other formats

  private static let tiff = [
    PlantedPicture("tif", "orphan-at-end") { $0 + $1 }
  ]

  private static let png = [
    PlantedPicture("png", "after-end") { $0 + $1 },
    PlantedPicture("png", "chunk-after-end") { $0 + pngChunk("tEXt", Array("a\0".utf8) + $1) },
    PlantedPicture("png", "unknown-chunk") { inserted(pngChunk("prIv", $1), in: $0, at: 33) },
    PlantedPicture("png", "text") { file, secret in
      inserted(pngChunk("tEXt", Array("Comment\0".utf8) + secret), in: file, at: 33)
    },
    PlantedPicture("png", "exif-orphan") { file, secret in
      inserted(pngChunk("eXIf", orphan(secret)), in: file, at: 33)
    },
    PlantedPicture("png", "content-of-end") { $0.dropLast(12) + pngChunk("IEND", $1) },
    PlantedPicture("png", "after-pixel-stream") { file, secret in
      beforePixels(file) + pngChunk("IDAT", pixels(file) + secret) + pngEnd
    },
    PlantedPicture("png", "unused-pixel-chunk") { file, secret in
      beforePixels(file) + pngChunk("IDAT", pixels(file)) + pngChunk("IDAT", secret) + pngEnd
    },
    PlantedPicture("png", "after-frame-stream") { file, secret in
      beforePixels(file) + pngChunk("acTL", bigEndian(2) + bigEndian(0)) + frameControl(0)
        + pngChunk("IDAT", pixels(file)) + frameControl(1)
        + pngChunk("fdAT", bigEndian(2) + pixels(file) + secret) + pngEnd
    },
    PlantedPicture("png", "frame-without-animation") { file, secret in
      file.dropLast(12) + pngChunk("fdAT", bigEndian(0) + secret) + pngEnd
    },
  ]

  private static let pngEnd = pngChunk("IEND", [])

  /// The chunks before the first `IDAT`.
  private static func beforePixels(_ file: [UInt8]) -> [UInt8] {
    Array(file[..<(position(of: Array("IDAT".utf8), in: file) - 4)])
  }

  /// The content of all `IDAT` chunks, joined.
  private static func pixels(_ file: [UInt8]) -> [UInt8] {
    var found: [UInt8] = []
    var start = 8
    while start + 12 <= file.count {
      let length = file[start..<(start + 4)].reduce(0) { $0 << 8 | Int($1) }
      let content = file[(start + 8)..<(start + 8 + length)]
      if file[(start + 4)..<(start + 8)].elementsEqual("IDAT".utf8) { found += content }
      start += 12 + length
    }
    return found
  }

  /// The `fcTL` chunk of a frame of the plain picture's size that is shown for a second.
  private static func frameControl(_ sequence: Int) -> [UInt8] {
    pngChunk(
      "fcTL",
      bigEndian(sequence) + bigEndian(64) + bigEndian(48) + bigEndian(0) + bigEndian(0)
        + [0, 1, 0, 1, 0, 0])
  }

  private static func subBlocks(_ bytes: [UInt8]) -> [UInt8] {
    stride(from: 0, to: bytes.count, by: 200).flatMap { start in
      let part = bytes[start..<min(start + 200, bytes.count)]
      return [UInt8(part.count)] + part
    } + [0]
  }

  private static let gif = [
    PlantedPicture("gif", "after-end") { $0 + $1 },
    PlantedPicture("gif", "comment") { $0.dropLast() + [0x21, 0xFE] + subBlocks($1) + [0x3B] },
    PlantedPicture("gif", "unknown-extension") {
      $0.dropLast() + [0x21, 0xAB] + subBlocks($1) + [0x3B]
    },
    PlantedPicture("gif", "application") {
      $0.dropLast() + [0x21, 0xFF, 11] + Array("SECRETS 1.0".utf8) + subBlocks($1) + [0x3B]
    },
    PlantedPicture("gif", "loop-count") {
      $0.dropLast() + [0x21, 0xFF, 11] + Array("NETSCAPE2.0".utf8) + [3, 1, 0, 0] + subBlocks($1)
        + [0x3B]
    },
  ]

  private static let webP = [
    PlantedPicture("webp", "after-end") { $0 + $1 },
    PlantedPicture("webp", "unknown-chunk") { file, secret in
      let padded = secret + (secret.count % 2 == 1 ? [0] : [])
      let chunk = Array("SECR".utf8) + bigEndian(secret.count).reversed() + padded
      return file[..<4] + bigEndian(file.count - 8 + chunk.count).reversed() + file[8...] + chunk
    },
  ]

  private static let bmp = [
    PlantedPicture("bmp", "after-pixels") { $0 + $1 },
    PlantedPicture("bmp", "before-pixels") { file, secret in
      let start = (0..<4).reduce(0) { $0 | Int(file[10 + $1]) << ($1 * 8) }
      let moved = file[..<10] + bigEndian(start + secret.count).reversed() + file[14...]
      return inserted(secret, in: Array(moved), at: start)
    },
  ]

  private static func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    bigEndian(content.count + 8) + Array(type.utf8) + content
  }

  private static let identifier = Array("0123456789abcdef".utf8)

  private static let boxes = ["jp2", "jxl"].flatMap { name in
    [
      PlantedPicture(name, "free-box") { boxed($0) + box("free", $1) },
      PlantedPicture(name, "xml-box") { boxed($0) + box("xml ", $1) },
      PlantedPicture(name, "unknown-uuid") { boxed($0) + box("uuid", identifier + $1) },
      PlantedPicture(name, "compressed-box") { boxed($0) + box("brob", Array("Exif".utf8) + $1) },
    ]
  }

  /// A file of boxes: a bare JPEG XL codestream is put into one (ISO/IEC 18181-2 §4).
  private static func boxed(_ file: [UInt8]) -> [UInt8] {
    guard file.starts(with: [0xFF, 0x0A]) else { return file }
    return box("JXL ", [0x0D, 0x0A, 0x87, 0x0A])
      + box("ftyp", Array("jxl ".utf8) + bigEndian(0) + Array("jxl ".utf8)) + box("jxlc", file)
  }

  private static let heif = ["heic", "avif"].flatMap { name in
    [
      PlantedPicture(name, "free-box") { $0 + box("free", $1) },
      PlantedPicture(name, "unknown-uuid") { $0 + box("uuid", identifier + $1) },
      PlantedPicture(name, "unreached-media-data") { $0 + box("mdat", $1) },
      PlantedPicture(name, "after-end") { $0 + [0, 0, 0, 1] + $1 },
    ]
  }
}

// MARK: Bytes

/// Where some bytes first are at or after an offset; the end where they are not.
private func position(of wanted: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int {
  (start..<max(start, bytes.count - wanted.count + 1)).first {
    bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
  } ?? bytes.count
}

private func inserted(_ part: [UInt8], in bytes: [UInt8], at offset: Int) -> [UInt8] {
  bytes[..<offset] + part + bytes[offset...]
}
