import ByteReading

extension ISOSampleEntry {
  /// FFmpeg's names of video codecs by sample entry (the registry at mp4ra.org; QuickTime File Format, "Video Sample
  /// Description"; libavformat/isom_tags.c).
  private static let videoCodecs: [FourCC: String] = [
    "avc1": "h264", "avc2": "h264", "avc3": "h264", "avc4": "h264", "dva1": "h264", "dvav": "h264",
    "ai5p": "h264", "ai5q": "h264", "ai52": "h264", "ai53": "h264", "ai55": "h264", "ai56": "h264",
    "ai1p": "h264", "ai1q": "h264", "ai12": "h264", "ai13": "h264", "ai15": "h264", "ai16": "h264",
    "AVin": "h264", "aivx": "h264", "xalg": "h264", "avlg": "h264",
    "hvc1": "hevc", "hev1": "hevc", "dvh1": "hevc", "dvhe": "hevc",
    "vvc1": "vvc", "vvi1": "vvc", "av01": "av1", "vp08": "vp8", "vp09": "vp9",
    "mp4v": "mpeg4", "XVID": "mpeg4", "DIVX": "mpeg4", "3IV2": "mpeg4",
    "h263": "h263", "s263": "h263", "H263": "h263",
    "jpeg": "mjpeg", "mjpa": "mjpeg", "dmb1": "mjpeg", "MJPG": "mjpeg", "mjpb": "mjpegb",
    "mjp2": "jpeg2000", "png ": "png", "gif ": "gif", "tiff": "tiff",
    "apch": "prores", "apcn": "prores", "apcs": "prores", "apco": "prores", "ap4h": "prores",
    "ap4x": "prores", "icod": "aic", "AVdn": "dnxhd", "AVdh": "dnxhd", "CFHD": "cfhd",
    "dvc ": "dvvideo", "dvcp": "dvvideo", "dvpp": "dvvideo", "dv5n": "dvvideo", "dv5p": "dvvideo",
    "AVdv": "dvvideo", "dvhq": "dvvideo", "dvhp": "dvvideo", "dvh2": "dvvideo", "dvh3": "dvvideo",
    "dvh5": "dvvideo", "dvh6": "dvvideo",
    "m1v ": "mpeg1video", "mpeg": "mpeg1video", "mp1v": "mpeg1video", "mp2v": "mpeg2video",
    "hdv1": "mpeg2video", "hdv2": "mpeg2video", "hdv3": "mpeg2video", "hdv5": "mpeg2video",
    "hdv6": "mpeg2video", "hdv7": "mpeg2video", "mx5n": "mpeg2video", "mx5p": "mpeg2video",
    "xdv2": "mpeg2video", "xdv3": "mpeg2video", "xdvb": "mpeg2video", "xdvc": "mpeg2video",
    "xd5b": "mpeg2video", "xd5c": "mpeg2video",
    "SVQ1": "svq1", "svqi": "svq1", "SVQ3": "svq3", "cvid": "cinepak", "rpza": "rpza",
    "rle ": "qtrle", "smc ": "smc", "8BPS": "8bps", "vc-1": "vc1",
    "raw ": "rawvideo", "2vuy": "rawvideo", "yuvs": "rawvideo", "yuv2": "rawvideo", "v210": "v210",
  ]

  /// The longest configuration that is read, in bytes.
  private static let maximumConfiguration = 64 << 10

  /// Reads the boxes in a visual sample entry that describe the coded pictures.
  mutating func read(_ boxes: [ISOBox], _ source: any ByteSource) throws {
    codec = Self.videoCodecs[type]
    for box in boxes {
      switch box.type {
      case "avcC", "hvcC", "av1C":
        guard let content = try source.content(of: box, limit: Self.maximumConfiguration)
        else { continue }
        read(configuration: content, box.type)
      case "vpcC":
        let content = try source.start(of: box, 12)
        // Version 1 has the colour (VP Codec ISO Media File Format Binding).
        if content.u8(at: 0) == 1 {
          transfer = transfer ?? Self.known(content.u8(at: 8).map(Int.init))
        }
      case "colr":
        let content = try source.start(of: box, 10)
        if content.hasText("nclx") || content.hasText("nclc") {
          transfer = Self.known(content.u16(at: 6).map(Int.init))
        }
      case "pasp":
        let content = try source.start(of: box, 8)
        if let width = content.u32(at: 0), let height = content.u32(at: 4), width > 0, height > 0 {
          pixelAspect = pixelAspect ?? Double(width) / Double(height)
        }
      case "dvcC", "dvvC", "dvwC": isDolbyVision = true
      case "esds": readVideo(descriptors: try source.start(of: box, Self.maximumConfiguration))
      case "sinf":
        // An encrypted track: its codec is in the original format box (ISO/IEC 14496-12 §8.12.2).
        guard type == "encv", let original = try source.child("frma", of: box),
          let format = try source.start(of: original, 4).fourCC(at: 0)
        else { continue }
        codec = Self.videoCodecs[format]
      default: break
      }
    }
  }

  private mutating func read(configuration content: [UInt8], _ type: FourCC) {
    switch type {
    case "avcC": parameters = parameters ?? VideoParameters(avcC: content)
    case "hvcC": parameters = parameters ?? VideoParameters(hvcC: content)
    default: parameters = parameters ?? VideoParameters(av1C: content)
    }
  }

  /// Takes the codec and the size from the descriptors of a track of MPEG-4 Visual.
  private mutating func readVideo(descriptors: [UInt8]) {
    guard let found = ISODescriptors(descriptors) else { return }
    switch found.objectType {
    case 0x20: codec = "mpeg4"
    case 0x21: codec = "h264"
    case 0x60...0x65: codec = "mpeg2video"
    case 0x6A: codec = "mpeg1video"
    case 0x6C: codec = "mjpeg"
    case 0x6D: codec = "png"
    case 0x6E: codec = "jpeg2000"
    case 0xA3: codec = "vc1"
    case 0xB1: codec = "vp9"
    default: break
    }
    if codec == "mpeg4" { parameters = VideoParameters(mpeg4Visual: found.specificInfo) }
  }

  /// A number of a transfer function if it has a meaning: 0, 2 and 3 mean unspecified or are reserved.
  private static func known(_ transfer: Int?) -> Int? {
    transfer.flatMap { $0 == 1 || (4...18).contains($0) ? $0 : nil }
  }
}

/// The decoder configuration in an `esds` box (ISO/IEC 14496-1 §7.2.6).
package struct ISODescriptors {
  /// `objectTypeIndication` (the registry at mp4ra.org).
  package var objectType: UInt8
  /// `DecoderSpecificInfo`; empty if there is none.
  package var specificInfo: [UInt8] = []

  /// - Parameter content: with version and flags.
  /// - Returns: nil if there is no decoder configuration.
  package init?(_ content: [UInt8]) {
    var position = 4
    var objectType: UInt8?
    // Each descriptor is followed by those inside it.
    for _ in 0..<8 {
      guard let tag = content.u8(at: position),
        let (length, start) = Self.length(in: content, at: position + 1)
      else { break }
      switch tag {
      case 3:
        let flags = content.u8(at: start + 2) ?? 0
        position = start + 3 + (flags & 0x80 == 0 ? 0 : 2)
        if flags & 0x40 != 0 { position += 1 + Int(content.u8(at: position) ?? 0) }
        if flags & 0x20 != 0 { position += 2 }
      case 4:
        objectType = content.u8(at: start)
        position = start + 13
      case 5:
        specificInfo = content.bytes(at: start, count: min(length, content.count - start)) ?? []
        position = content.count
      default: position = start + length
      }
    }
    guard let objectType else { return nil }
    self.objectType = objectType
  }

  /// A length of up to four bytes with seven bits each, and the offset after it.
  private static func length(in content: [UInt8], at start: Int) -> (length: Int, end: Int)? {
    var value = 0
    for index in 0..<4 {
      guard let byte = content.u8(at: start + index) else { return nil }
      value = value << 7 | Int(byte & 0x7F)
      if byte & 0x80 == 0 { return (value, start + index + 1) }
    }
    return (value, start + 4)
  }
}
