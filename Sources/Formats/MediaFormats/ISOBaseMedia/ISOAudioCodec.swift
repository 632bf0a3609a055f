import ByteReading

/// FFmpeg's names of audio codecs by sample entry (the registry at mp4ra.org; QuickTime File Format, "Sound Sample
/// Description"; libavformat/isom_tags.c). Uncompressed audio depends on more fields.
private let audioCodecs: [FourCC: String] = [
  "mp4a": "aac", "alac": "alac", "ac-3": "ac3", "sac3": "ac3", "ec-3": "eac3", "ac-4": "ac4",
  "Opus": "opus", "fLaC": "flac", "samr": "amr_nb", "sawb": "amr_wb", ".mp3": "mp3", "mp3 ": "mp3",
  "ulaw": "pcm_mulaw", "alaw": "pcm_alaw", "ima4": "adpcm_ima_qt", "MAC3": "mace3", "MAC6": "mace6",
  "QDM2": "qdm2", "QDMC": "qdmc", "Qclp": "qcelp", "sqcp": "qcelp", "agsm": "gsm",
  "dtsc": "dts", "dtsh": "dts", "dtsl": "dts", "dtse": "dts", "mlpa": "truehd", "spex": "speex",
  "dvca": "pcm_s16le", "vdva": "pcm_s16le",
]

/// FFmpeg's name of an audio sample entry's codec; nil if it is unknown.
func audioCodec(_ entry: ISOBox, _ source: any ByteSource) throws -> String? {
  let fields = try source.start(of: entry, 64)
  let version = fields.u16(at: 8) ?? 0
  // Version 1 of ISO/IEC 14496-12 has the fields of version 0; QuickTime's versions 1 and 2 have more.
  let skips: [UInt64] = version == 1 ? [44, 28] : version == 2 ? [64] : [28]
  var boxes: [ISOBox] = []
  for skip in skips where boxes.isEmpty {
    boxes = try source.boxes(inside: entry, skip: skip, limit: 32).filter(\.type.isPlausible)
  }
  if let wave = boxes.first(where: { $0.type == "wave" }) {
    boxes += try source.boxes(inside: wave, limit: 32)
  }
  var type = entry.type
  if type == "enca", let protection = boxes.first(where: { $0.type == "sinf" }),
    let original = try source.child("frma", of: protection)
  {
    type = try source.start(of: original, 4).fourCC(at: 0) ?? type
  }
  if let box = boxes.first(where: { $0.type == "esds" }),
    let descriptors = ISODescriptors(try source.start(of: box, 4096))
  {
    if let codec = codec(descriptors) { return codec }
  }
  let isLittle = try boxes.first { $0.type == "enda" }.map {
    try source.start(of: $0, 2).u8(at: 1) == 1
  }
  return audioCodecs[type]
    ?? uncompressed(type, fields, version: version, isLittleEndian: isLittle ?? false)
    ?? windowsCodec(type)
}

/// The codec by the object type of MPEG-4's descriptors.
private func codec(_ descriptors: ISODescriptors) -> String? {
  switch descriptors.objectType {
  case 0x40:
    // The first five bits of the configuration are MPEG-4's audio object type.
    var bits = BitstreamReader(descriptors.specificInfo)
    let kind = bits.read(5)
    let object = kind == 31 ? 32 + bits.read(6) : kind
    return object == 36 ? "mp4als" : (32...34).contains(object) ? "mp3" : "aac"
  case 0x66, 0x67, 0x68: return "aac"
  case 0x69, 0x6B: return "mp3"
  case 0xA5: return "ac3"
  case 0xA6: return "eac3"
  case 0xA9: return "dts"
  case 0xAD: return "opus"
  case 0xC1: return "flac"
  case 0xDD: return "vorbis"
  case 0xE1: return "qcelp"
  default: return nil
  }
}

/// The name of an uncompressed format: `pcm_s16le` for signed 16-bit numbers, little-endian.
private func uncompressed(
  _ type: FourCC, _ fields: [UInt8], version: UInt16, isLittleEndian: Bool
) -> String? {
  let bits = Int(fields.u16(at: 18) ?? 16)
  let order = isLittleEndian ? "le" : "be"
  switch type {
  case "sowt": return bits == 8 ? "pcm_s8" : "pcm_s\(bits == 24 || bits == 32 ? bits : 16)le"
  case "twos": return bits == 8 ? "pcm_s8" : "pcm_s\(bits == 24 || bits == 32 ? bits : 16)\(order)"
  case "raw ", "NONE": return bits == 16 ? "pcm_s16be" : "pcm_u8"
  case "in24": return "pcm_s24" + order
  case "in32": return "pcm_s32" + order
  case "fl32": return "pcm_f32" + order
  case "fl64": return "pcm_f64" + order
  case "lpcm":
    // Version 2: bit 0 of the flags is set for floating point, bit 1 for big-endian, bit 2 for signed numbers.
    guard version == 2, let depth = fields.u32(at: 48), let flags = fields.u32(at: 52),
      [8, 16, 24, 32, 64].contains(depth)
    else { return nil }
    let kind = flags & 1 != 0 ? "f" : flags & 4 != 0 ? "s" : "u"
    return depth == 8 ? "pcm_\(kind)8" : "pcm_\(kind)\(depth)\(flags & 2 != 0 ? "be" : "le")"
  default: return nil
  }
}

/// The codec of an entry with a number of Windows' audio formats: `ms` and the number.
private func windowsCodec(_ type: FourCC) -> String? {
  type.rawValue >> 16 == 0x6D73 ? windowsAudioCodec(Int(type.rawValue & 0xFFFF), bits: 16) : nil
}

/// FFmpeg's names of other tracks' codecs by sample entry: subtitles.
func isoTextCodec(_ type: FourCC) -> String? {
  switch type {
  case "tx3g", "text": "mov_text"
  case "wvtt": "webvtt"
  case "stpp": "ttml"
  case "c608": "eia_608"
  default: nil
  }
}
