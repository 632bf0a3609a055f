import ByteReading
import MediaModel

/// Videos whose containers are not of the ISO family.
func videoType(_ head: [UInt8], _ fileExtension: String) -> UniformType? {
  if head.hasText("RIFF"), head.hasText("AVI ", at: 8) { return .avi }
  if head.hasBytes([0x1A, 0x45, 0xDF, 0xA3]) { return matroskaType(head, fileExtension) }
  if head.hasBytes(ASFIdentifier.header) {
    let hasVideo = head.firstIndex(of: ASFIdentifier.video) != nil
    return hasVideo || fileExtension != "wma" ? .windowsMediaVideo : nil
  }
  if head.hasText("FLV\u{1}") { return .flashVideo }
  if head.hasBytes([0, 0, 1, 0xBA]) || head.hasBytes([0, 0, 1, 0xB3]) { return .mpeg }
  if head.hasBytes([0x1F, 0x07, 0]), let mode = head.u8(at: 3), mode & 0x7F == 0x3F { return .dv }
  if hasSyncBytes(head, first: 4, every: 192) { return .avchd }
  if hasSyncBytes(head, first: 0, every: 188) { return .mpeg2TransportStream }
  return nil
}

/// Object identifiers of Advanced Systems Format, as stored.
private enum ASFIdentifier {
  static let header: [UInt8] = [
    0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0xA6, 0xD9, 0x00, 0xAA, 0x00, 0x62, 0xCE, 0x6C,
  ]
  /// The kind of a video stream.
  static let video: [UInt8] = [
    0xC0, 0xEF, 0x19, 0xBC, 0x4D, 0x5B, 0xCF, 0x11, 0xA8, 0xFD, 0x00, 0x80, 0x5F, 0x5C, 0x44, 0x2B,
  ]
}

/// Matroska by its `DocType` element (0x4282), which tells WebM apart; nil for Matroska sound.
private func matroskaType(_ head: [UInt8], _ fileExtension: String) -> UniformType? {
  guard let element = head.firstIndex(of: [0x42, 0x82]), let length = head.u8(at: element + 2),
    length & 0x80 != 0,
    let type = head.bytes(at: element + 3, count: Int(length & 0x7F))
  else { return fileExtension == "mka" ? nil : .matroska }
  if type.text == "webm" { return .webM }
  return type.text == "matroska" && fileExtension != "mka" ? .matroska : nil
}

/// Whether MPEG-2 transport packets follow each other: their sync byte as often as the head shows it,
/// three times at least.
private func hasSyncBytes(_ head: [UInt8], first: Int, every size: Int) -> Bool {
  let positions = stride(from: first, to: min(head.count, size * 8), by: size)
  var count = 0
  for position in positions {
    guard head[position] == 0x47 else { return false }
    count += 1
  }
  return count >= 3
}

/// Files of the ISO base media family by their brands, and QuickTime files without any; nil for others.
func isoType(_ head: [UInt8], fileSize: UInt64) -> ContentType? {
  guard let size = head.u32(at: 0), let type = head.fourCC(at: 4) else { return nil }
  if type == "ftyp", size >= 16 || size == 0 {
    let end = size == 0 ? head.count : min(Int(size), head.count)
    guard let brands = ISOBrands(payload: Array(head[min(8, end)..<end])) else { return nil }
    return brandedType(brands).map(ContentType.media) ?? .unknown
  }
  let isSized = size == 1 || size >= 8 && UInt64(size) <= fileSize
  switch type {
  case "moov", "mdat":
    return size == 0 || size == 1 || size >= 8 ? .media(.quickTimeMovie) : nil
  case "wide", "free", "skip", "pnot": return isSized ? .media(.quickTimeMovie) : nil
  case "moof", "styp", "sidx": return isSized ? .media(.mpeg4) : nil
  default: return nil
  }
}

/// The type that brands tell; nil for sound alone.
private func brandedType(_ brands: ISOBrands) -> UniformType? {
  switch brands.major {
  case "crx ": return .canonCR3
  case "heic", "heix", "heim", "heis": return .heic
  case "hevc", "hevx", "hevm", "hevs": return .heics
  case "avif", "avis": return .avif
  case "qt  ": return .quickTimeMovie
  case "M4V ", "M4VH", "M4VP": return .appleM4V
  case "M4A ", "M4B ", "M4P ", "F4A ", "F4B ", "aax ", "aaxc": return nil
  case "jp2 ", "jpx ", "jpm ", "jph ": return .jpeg2000
  case "mif1", "mif2", "msf1", "miaf", "MiHE", "MiHB", "MiHA", "MiAB", "MiPr", "avci", "avcs",
    "jpeg", "jpgs", "tmap":
    return pictureType(brands)
  default: break
  }
  let name = brands.major.description
  if name.hasPrefix("3g2") || name == "KDDI" { return .threeGPP2 }
  if name.hasPrefix("3g") { return .threeGPP }
  if brands.major == "isom" || name.hasPrefix("mp4") || name.hasPrefix("iso") { return .mpeg4 }
  // A brand that nobody here knows: what else the file can be read as decides.
  if brands.contains("mif1") || brands.contains("msf1") { return pictureType(brands) }
  if brands.contains("qt  "), !brands.contains("isom"), !brands.contains("mp42") {
    return .quickTimeMovie
  }
  return .mpeg4
}

/// HEIF files whose major brand names only the structure: the codec is among the compatible brands.
private func pictureType(_ brands: ISOBrands) -> UniformType {
  func has(_ candidates: FourCC...) -> Bool { candidates.contains { brands.contains($0) } }
  if brands.major == "msf1", has("hevc", "hevx") { return .heics }
  if has("heic", "heix", "heim", "heis") { return .heic }
  if has("avif", "avis") { return .avif }
  return has("hevc", "hevx") ? .heics : .heif
}
