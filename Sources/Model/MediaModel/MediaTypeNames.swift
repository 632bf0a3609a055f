extension UniformType {
  /// The media type (RFC 6838), such as `image/jpeg`; nil for types that are neither pictures, videos nor audio.
  ///
  /// It is that of the IANA registry, or else exiftool's, which agrees with the MIME database of freedesktop.org where that
  /// has the type.
  package var mediaTypeName: String? { Self.mediaTypeNames[self] }

  private static let mediaTypeNames: [UniformType: String] = [
    .jpeg: "image/jpeg", .heic: "image/heic", .heif: "image/heif",
    .heics: "image/heic-sequence", .avif: "image/avif", .png: "image/png", .gif: "image/gif",
    .webP: "image/webp", .tiff: "image/tiff", .jpegXL: "image/jxl", .jpeg2000: "image/jp2",
    .bmp: "image/bmp",
    .dng: "image/x-adobe-dng", .canonCR2: "image/x-canon-cr2", .canonCR3: "image/x-canon-cr3",
    .canonCRW: "image/x-canon-crw", .nikonNEF: "image/x-nikon-nef", .sonyARW: "image/x-sony-arw",
    .sonySR2: "image/x-sony-sr2", .fujiRAF: "image/x-fuji-raf",
    .olympusORF: "image/x-olympus-orf", .panasonicRW2: "image/x-panasonic-rw2",
    .pentaxPEF: "image/x-pentax-pef", .minoltaMRW: "image/x-minolta-mrw",
    .sigmaX3F: "image/x-sigma-x3f", .phaseOneIIQ: "image/x-raw",
    .samsungSRW: "image/x-samsung-srw", .hasselblad3FR: "image/x-hasselblad-3fr",
    .hasselbladFFF: "image/x-hasselblad-fff", .kodakDCR: "image/x-kodak-dcr",
    .epsonERF: "image/x-epson-erf", .leafMOS: "image/x-raw", .mamiyaMEF: "image/x-mamiya-mef",
    .quickTimeMovie: "video/quicktime", .mpeg4: "video/mp4", .appleM4V: "video/x-m4v",
    .threeGPP: "video/3gpp", .threeGPP2: "video/3gpp2", .avi: "video/x-msvideo",
    .matroska: "video/matroska", .webM: "video/webm", .mpeg2TransportStream: "video/mp2t",
    .avchd: "video/mp2t", .mpeg: "video/mpeg", .windowsMediaVideo: "video/x-ms-wmv",
    .flashVideo: "video/x-flv", .dv: "video/dv",
    .mpeg4Audio: "audio/mp4",
  ]
}
