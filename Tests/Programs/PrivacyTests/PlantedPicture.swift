import MediaTools
import PlantedPlaces

/// A position in a picture format where inserted bytes do not change the decoded picture.
struct PlantedPicture: Sendable {
  /// The extension of the plain picture, `a.` and this.
  var fileExtension: String
  var name: String
  /// Inserts the second bytes into the first, which are a whole file.
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

  static let all =
    jpeg + tiff + png + gif + webP + webPPixels + jpegXL + bmp + boxes + heif + profiles

  // MARK: JPEG

  /// A little-endian EXIF block with only an orientation, and bytes that its directory does not use.
  private static func orphan(_ secret: [UInt8]) -> [UInt8] {
    Array("II".utf8) + [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, 1, 0, 0, 0]
      + [0, 0, 0, 0] + secret
  }

  private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
    [0xFF, marker] + bigEndian(content.count + 2, 2) + content
  }

  private static let scan: [UInt8] = [0xFF, 0xDA]

  /// The bytes with zeros instead of 0xFF, with which markers begin.
  private static func coded(_ secret: [UInt8]) -> [UInt8] { secret.map { $0 == 0xFF ? 0 : $0 } }

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
        segment(0xE4, []) + coded(secret), in: file, at: secondScan(file))
    },
    PlantedPicture("jpg", "end-of-first-scan") { file, secret in
      let first = position(of: scan, in: file)
      return inserted(
        coded(secret), in: file, at: position(of: [0xFF, 0xC4], in: file, from: first))
    },
    PlantedPicture("jpg", "end-of-last-scan") { inserted(coded($1), in: $0, at: $0.count - 2) },
    PlantedPicture("jpeg", "end-of-scan") { inserted(coded($1), in: $0, at: $0.count - 2) },
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
    PlantedPicture("jpg", "long-jfif-segment") { file, secret in
      inserted(secret, in: file[..<4] + bigEndian(16 + secret.count, 2) + file[6...], at: 20)
    },
    PlantedPicture("jpg", "long-quantization-segment") { file, secret in
      let table = position(of: [0xFF, 0xDB], in: file)
      let length = Int(file[table + 2]) << 8 | Int(file[table + 3])
      return inserted(
        secret,
        in: file[...(table + 1)] + bigEndian(length + secret.count, 2) + file[(table + 4)...],
        at: table + 2 + length)
    },
    PlantedPicture("jpg", "xmp-extension-without-packet") { file, secret in
      let name =
        Array("http://ns.adobe.com/xmp/extension/\0".utf8) + Array(repeating: 0x41, count: 32)
      return inserted(
        segment(0xE1, name + bigEndian(secret.count) + bigEndian(0) + secret), in: file, at: 20)
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
    PlantedPicture("jpg", "unknown-low-exif-tags") { file, secret in
      let block = unknownTags(secret)
      return inserted(segment(0xE1, Array("Exif\0\0".utf8) + block), in: file, at: 20)
    },
    PlantedPicture("jpg", "unknown-samsung-block") { $0 + samsungTrailer(0x0830, $1) },
    PlantedPicture("jpg", "long-samsung-block") {
      $0 + samsungTrailer(0x0C91, [UInt8](repeating: 0x20, count: 1 << 20) + $1)
    },
  ]

  /// A little-endian EXIF block of two tags that no specification defines: one with undefined bytes, and one
  /// with a coordinate of 8 bytes.
  private static func unknownTags(_ secret: [UInt8]) -> [UInt8] {
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ offset: Int) -> [UInt8] {
      bigEndian(tag, 2).reversed() + bigEndian(type, 2).reversed() + bigEndian(count).reversed()
        + bigEndian(offset).reversed()
    }
    return Array("II".utf8) + [42, 0, 8, 0, 0, 0, 3, 0] + entry(0x0112, 3, 1, 1)
      + entry(0x4242, 7, secret.count, 58) + entry(0x7ABC, 12, 1, 50) + [0, 0, 0, 0]
      + PlantedPlace.planted.doubles(.little).prefix(8) + secret
  }

  /// A trailer of one block in the form of Samsung's phones.
  private static func samsungTrailer(_ type: Int, _ content: [UInt8]) -> [UInt8] {
    func little(_ value: Int, _ width: Int = 4) -> [UInt8] { bigEndian(value, width).reversed() }
    let name = Array("Secret".utf8)
    let block = [0, 0] + little(type, 2) + little(name.count) + name + content
    let directory =
      Array("SEFH".utf8) + little(101) + little(1) + [0, 0] + little(type, 2)
      + little(block.count) + little(block.count)
    return block + directory + little(directory.count) + Array("SEFT".utf8)
  }

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
    PlantedPicture("png", "translated-keyword") { file, secret in
      let translated = secret.map { $0 == 0 ? 0x20 : $0 }
      return inserted(
        pngChunk("iTXt", Array("Note\0\0\0en\0".utf8) + translated + Array("\0Text".utf8)),
        in: file, at: 33)
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
    PlantedPicture("gif", "profile") {
      $0.dropLast() + [0x21, 0xFF, 11] + Array("ICCRGBG1012".utf8) + subBlocks(profile($1)) + [0x3B]
    },
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
    // ImageMagick ends the data with the terminator of its blocks, and the file with the trailer.
    PlantedPicture("gif", "after-end-code") { $0.dropLast(2) + subBlocks($1) + [0x3B] },
  ]

  private static let webP = [
    PlantedPicture("webp", "after-end") { $0 + $1 },
    PlantedPicture("webp", "unknown-chunk") { file, secret in
      let padded = secret + (secret.count % 2 == 1 ? [0] : [])
      let chunk = Array("SECR".utf8) + bigEndian(secret.count).reversed() + padded
      return file[..<4] + bigEndian(file.count - 8 + chunk.count).reversed() + file[8...] + chunk
    },
    PlantedPicture("webp", "list-before-chunk") { file, secret in
      let padded = secret + (secret.count % 2 == 1 ? [0] : [])
      let list =
        Array("LIST".utf8) + bigEndian(4 + padded.count).reversed() + Array("INFO".utf8) + padded
      let last = Array("SECR".utf8) + bigEndian(0).reversed()
      return file[..<4] + bigEndian(file.count - 8 + list.count + last.count).reversed()
        + file[8...] + list + last
    },
  ]

  private static let webPPixels = ["webp", "lossless.webp"].map { name in
    PlantedPicture(name, "end-of-pixels") { file, secret in
      // The only chunk: "VP8 " or "VP8L", padded to an even length.
      let padded = secret + (secret.count % 2 == 1 ? [0] : [])
      let size = (0..<4).reduce(0) { $0 | Int(file[16 + $1]) << ($1 * 8) } + padded.count
      let content = file[20...].prefix(size - padded.count)
      let body = content + padded + (size % 2 == 1 ? [0] : [])
      return file[..<4] + little(12 + body.count) + file[8..<16] + little(size) + body
    }
  }

  private static let jpegXL = [
    PlantedPicture("jxl", "end-of-pixels") { $0 + $1 },
    PlantedPicture("jxl", "end-of-boxed-pixels") { boxed($0 + $1) },
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

  /// A file of boxes. A bare JPEG XL codestream is wrapped into one (ISO/IEC 18181-2 §4).
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

// MARK: Colour profiles

extension PlantedPicture {
  fileprivate static let profiles = [
    PlantedPicture("jpg", "profile") { file, secret in
      inserted(
        segment(0xE2, Array("ICC_PROFILE\0".utf8) + [1, 1] + profile(secret)), in: file, at: 20)
    },
    PlantedPicture("png", "profile") { file, secret in
      inserted(
        pngChunk("iCCP", Array("a\0\0".utf8) + zlib(profile(secret))), in: file, at: 33)
    },
    PlantedPicture("webp", "profile") { file, secret in
      let content = profile(secret)
      let chunk = Array("ICCP".utf8) + little(content.count) + content
      return file[..<4] + little(file.count - 8 + chunk.count) + file[8...] + chunk
    },
    PlantedPicture("tif", "profile") { tiff($0, with: profile($1)) },
  ]

  fileprivate static func little(_ value: Int, _ width: Int = 4) -> [UInt8] {
    bigEndian(value, width).reversed()
  }

  /// An RGB profile of version 2 with the place in texts of three types, and in bytes that no tag uses
  /// (ICC.1:2001-04 §6.1, §6.5; `mluc` as in version 4). Its length is even.
  private static func profile(_ secret: [UInt8]) -> [UInt8] {
    let wide: [UInt8] = secret.flatMap { (byte: UInt8) -> [UInt8] in [0, byte] }
    let reserved = bigEndian(0)
    var description: [UInt8] = Array("desc".utf8) + reserved
    description += bigEndian(secret.count + 1) + secret
    description += [UInt8](repeating: 0, count: 79)
    let copyright: [UInt8] = Array("text".utf8) + reserved + secret + [0]
    var device: [UInt8] = Array("mluc".utf8) + reserved + bigEndian(1) + bigEndian(12)
    device += Array("enUS".utf8) + bigEndian(wide.count) + bigEndian(28) + wide
    let contents = [("desc", description), ("cprt", copyright), ("dmdd", device)]
    var table = bigEndian(contents.count)
    var body: [UInt8] = []
    for (name, content) in contents {
      table += Array(name.utf8) + bigEndian(132 + contents.count * 12 + body.count)
      table += bigEndian(content.count)
      body += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
    }
    body += secret + (secret.count % 2 == 1 ? [0] : [])
    let size = 128 + table.count + body.count
    return bigEndian(size) + Array("none".utf8) + [2, 0x10, 0, 0] + Array("mntrRGB XYZ ".utf8)
      + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 88)
      + table + body
  }

  /// A zlib stream of one stored block, which is shorter than 64 KiB (RFC 1950).
  private static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var (low, high) = (1, 0)
    for byte in bytes {
      low = (low + Int(byte)) % 65521
      high = (high + low) % 65521
    }
    return [0x78, 0x01, 1] + little(bytes.count, 2) + little(0xFFFF - bytes.count, 2) + bytes
      + bigEndian(high, 2) + bigEndian(low, 2)
  }

  /// A little-endian TIFF of one directory with a profile in the tag 0x8773; its directory is copied to its end.
  private static func tiff(_ file: [UInt8], with profile: [UInt8]) -> [UInt8] {
    func number(_ offset: Int, _ width: Int) -> Int {
      (0..<width).reduce(0) { $0 | Int(file[offset + $1]) << ($1 * 8) }
    }
    let directory = number(4, 4)
    let entries = (0..<number(directory, 2)).map { index in
      Array(file[(directory + 2 + index * 12)..<(directory + 14 + index * 12)])
    }
    let start = file.count + file.count % 2
    let table = start + profile.count
    let added = little(0x8773, 2) + little(7, 2) + little(profile.count) + little(start)
    let sorted = (entries + [added]).sorted { tag(of: $0) < tag(of: $1) }
    return file[..<4] + little(table) + file[8...]
      + [UInt8](repeating: 0, count: start - file.count)
      + profile + little(sorted.count, 2) + sorted.flatMap { $0 } + little(0)
  }

  /// The tag of a little-endian entry.
  private static func tag(of entry: [UInt8]) -> Int { Int(entry[0]) | Int(entry[1]) << 8 }
}

// MARK: Bytes

/// The offset of some bytes, at or after a start; the end if they are not found.
private func position(of wanted: [UInt8], in bytes: [UInt8], from start: Int = 0) -> Int {
  (start..<max(start, bytes.count - wanted.count + 1)).first {
    bytes[$0..<($0 + wanted.count)].elementsEqual(wanted)
  } ?? bytes.count
}

private func inserted(_ part: [UInt8], in bytes: [UInt8], at offset: Int) -> [UInt8] {
  bytes[..<offset] + part + bytes[offset...]
}
