import ByteReading
import MediaModel

/// The type of a file of the ISO base media family, by its brands; a QuickTime file may have none. Nil for other files
/// and for audio.
func isoBaseMediaType(_ file: FileHead) -> UniformType? {
  let head = file.bytes
  guard let size = head.u32(at: 0), let type = head.fourCC(at: 4) else { return nil }
  if type == "ftyp", size >= 16 || size == 0 {
    let end = size == 0 ? head.count : min(Int(size), head.count)
    return ISOBrands(payload: Array(head[min(8, end)..<end])).flatMap(brandedType)
  }
  let isSized = size == 1 || size >= 8 && UInt64(size) <= file.source.count
  switch type {
  case "moov", "mdat": return size == 0 || size == 1 || size >= 8 ? .quickTimeMovie : nil
  case "wide", "free", "skip", "pnot": return isSized ? .quickTimeMovie : nil
  case "moof", "styp", "sidx": return isSized ? .mpeg4 : nil
  default: return nil
  }
}

extension Set<UniformType> {
  /// A type if it is in the set; nil otherwise.
  func containing(_ type: UniformType?) -> UniformType? {
    type.flatMap { contains($0) ? $0 : nil }
  }
}

/// The type for a list of brands; nil for audio.
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
  // An unknown major brand: the compatible brands decide.
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
