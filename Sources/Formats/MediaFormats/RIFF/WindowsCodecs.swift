import ByteReading

// Codecs by the numbers and codes that Windows' formats use: in AVI, in Matroska, and in QuickTime.

/// FFmpeg's names of audio codecs by `wFormatTag` (RFC 2361).
private let audioFormats: [Int: String] = [
  0x02: "adpcm_ms", 0x06: "pcm_alaw", 0x07: "pcm_mulaw", 0x0A: "wmavoice", 0x11: "adpcm_ima_wav",
  0x31: "gsm_ms", 0x45: "adpcm_g726", 0x50: "mp2", 0x55: "mp3", 0x61: "adpcm_ima_dk4",
  0xFF: "aac", 0x160: "wmav1", 0x161: "wmav2", 0x162: "wmapro", 0x163: "wmalossless",
  0x1610: "aac", 0x2000: "ac3", 0x2001: "dts", 0xA106: "aac", 0x706D: "aac", 0xF1AC: "flac",
]

/// FFmpeg's name of an audio format; nil if it is unknown.
///
/// - Parameter bits: of one sample, for uncompressed audio.
func windowsAudioCodec(_ number: Int, bits: Int) -> String? {
  switch number {
  case 1: bits <= 8 ? "pcm_u8" : [16, 24, 32, 64].contains(bits) ? "pcm_s\(bits)le" : nil
  case 3: bits == 64 ? "pcm_f64le" : "pcm_f32le"
  default: audioFormats[number]
  }
}

/// FFmpeg's names of video codecs by compression type, in capitals (libavformat/riff.c).
private let videoFormats: [FourCC: String] = [
  "H264": "h264", "X264": "h264", "AVC1": "h264", "DAVC": "h264", "VSSH": "h264",
  "H265": "hevc", "X265": "hevc", "HEVC": "hevc", "HVC1": "hevc", "HEV1": "hevc",
  "AV01": "av1", "VP80": "vp8", "VP90": "vp9",
  "FMP4": "mpeg4", "DIVX": "mpeg4", "DX50": "mpeg4", "XVID": "mpeg4", "MP4S": "mpeg4",
  "M4S2": "mpeg4", "MP4V": "mpeg4", "3IV2": "mpeg4", "XVIX": "mpeg4", "RMP4": "mpeg4",
  "MP43": "msmpeg4v3", "DIV3": "msmpeg4v3", "MPG3": "msmpeg4v3", "DIV4": "msmpeg4v3",
  "MP42": "msmpeg4v2", "DIV2": "msmpeg4v2", "MPG4": "msmpeg4v1",
  "MJPG": "mjpeg", "AVRN": "mjpeg", "JPEG": "mjpeg", "AVDJ": "mjpeg", "CJPG": "mjpeg",
  "DVSD": "dvvideo", "DVHD": "dvvideo", "DVSL": "dvvideo", "DV25": "dvvideo", "DV50": "dvvideo",
  "CDVC": "dvvideo", "H263": "h263", "U263": "h263", "I263": "h263i", "FLV1": "flv1",
  "CVID": "cinepak", "CRAM": "msvideo1", "MSVC": "msvideo1", "IV31": "indeo3", "IV32": "indeo3",
  "IV41": "indeo4", "IV50": "indeo5", "HFYU": "huffyuv", "FFVH": "ffvhuff", "FFV1": "ffv1",
  "WMV1": "wmv1", "WMV2": "wmv2", "WMV3": "wmv3", "WVC1": "vc1", "WMVA": "vc1",
  "WMVP": "wmv3image", "WVP2": "vc1image", "MSS1": "mss1", "MSS2": "mss2",
  "MPG1": "mpeg1video", "MPG2": "mpeg2video", "MJ2C": "jpeg2000", "MPNG": "png",
  "VP60": "vp6", "VP61": "vp6", "VP62": "vp6", "LAGS": "lagarith", "ULRG": "utvideo",
  "YUY2": "rawvideo", "UYVY": "rawvideo", "I420": "rawvideo", "IYUV": "rawvideo",
  "YV12": "rawvideo", "Y800": "rawvideo",
]

/// FFmpeg's name of a compression type; nil if it is unknown. The case of letters is ignored.
func windowsVideoCodec(_ type: FourCC) -> String? {
  // No compression.
  if type.rawValue == 0 || type.rawValue == 3 << 24 { return "rawvideo" }
  return videoFormats[FourCC(stringLiteral: type.description.uppercased())]
}
