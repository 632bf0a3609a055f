/// A uniform type identifier: Apple's name for a type of content.
package struct UniformType: RawRepresentable, Sendable, Hashable {
  package let rawValue: String

  package init(rawValue: String) {
    self.rawValue = rawValue
  }

  private init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  // Pictures.
  package static let jpeg = UniformType("public.jpeg")
  package static let heic = UniformType("public.heic")
  package static let heif = UniformType("public.heif")
  package static let heics = UniformType("public.heics")
  package static let avif = UniformType("public.avif")
  package static let png = UniformType("public.png")
  package static let gif = UniformType("com.compuserve.gif")
  package static let webP = UniformType("org.webmproject.webp")
  package static let tiff = UniformType("public.tiff")
  package static let jpegXL = UniformType("public.jpeg-xl")
  package static let jpeg2000 = UniformType("public.jpeg-2000")
  package static let bmp = UniformType("com.microsoft.bmp")
  // RAW.
  package static let dng = UniformType("com.adobe.raw-image")
  package static let canonCR2 = UniformType("com.canon.cr2-raw-image")
  package static let canonCR3 = UniformType("com.canon.cr3-raw-image")
  package static let canonCRW = UniformType("com.canon.crw-raw-image")
  package static let nikonNEF = UniformType("com.nikon.raw-image")
  package static let sonyARW = UniformType("com.sony.arw-raw-image")
  package static let fujiRAF = UniformType("com.fuji.raw-image")
  package static let olympusORF = UniformType("com.olympus.raw-image")
  package static let panasonicRW2 = UniformType("com.panasonic.rw2-raw-image")
  package static let pentaxPEF = UniformType("com.pentax.raw-image")
  package static let minoltaMRW = UniformType("com.konicaminolta.raw-image")
  package static let sigmaX3F = UniformType("com.sigma.x3f-raw-image")
  package static let phaseOneIIQ = UniformType("com.phaseone.raw-image")
  package static let samsungSRW = UniformType("com.samsung.raw-image")
  package static let hasselblad3FR = UniformType("com.hasselblad.3fr-raw-image")
  package static let hasselbladFFF = UniformType("com.hasselblad.fff-raw-image")
  /// Both of Kodak's, DCR and KDC.
  package static let kodakDCR = UniformType("com.kodak.raw-image")
  package static let epsonERF = UniformType("com.epson.raw-image")
  package static let leafMOS = UniformType("com.leafamerica.raw-image")
  package static let sonySR2 = UniformType("com.sony.sr2-raw-image")
  /// Apple's systems have no name for it; other programs use this one.
  package static let mamiyaMEF = UniformType("com.mamiya.raw-image")
  // Videos.
  package static let quickTimeMovie = UniformType("com.apple.quicktime-movie")
  package static let mpeg4 = UniformType("public.mpeg-4")
  package static let appleM4V = UniformType("com.apple.m4v-video")
  package static let threeGPP = UniformType("public.3gpp")
  package static let threeGPP2 = UniformType("public.3gpp2")
  package static let avi = UniformType("public.avi")
  package static let matroska = UniformType("org.matroska.mkv")
  package static let webM = UniformType("org.webmproject.webm")
  package static let mpeg2TransportStream = UniformType("public.mpeg-2-transport-stream")
  package static let avchd = UniformType("public.avchd-mpeg-2-transport-stream")
  package static let mpeg = UniformType("public.mpeg")
  package static let windowsMediaVideo = UniformType("com.microsoft.windows-media-wmv")
  package static let flashVideo = UniformType("com.adobe.flash.video")
  package static let dv = UniformType("public.dv-movie")
  // Audio only: written by exports, ignored in libraries.
  package static let mpeg4Audio = UniformType("com.apple.m4a-audio")
  // Sidecars.
  package static let aae = UniformType("com.apple.photos.apple-adjustment-envelope")
  package static let xmp = UniformType("com.adobe.xmp")
  package static let json = UniformType("public.json")

  /// Every type of picture, RAW included.
  package static var pictures: Set<UniformType> { images.union(raws) }

  private static let images: Set<UniformType> = [
    .jpeg, .heic, .heif, .heics, .avif, .png, .gif, .webP, .tiff, .jpegXL, .jpeg2000, .bmp,
  ]
  private static let raws: Set<UniformType> = tiffRaws.union([
    .canonCR3, .canonCRW, .fujiRAF, .minoltaMRW, .sigmaX3F,
  ])
  private static let tiffRaws: Set<UniformType> = [
    .dng, .canonCR2, .nikonNEF, .sonyARW, .sonySR2, .olympusORF, .panasonicRW2, .pentaxPEF,
    .phaseOneIIQ, .samsungSRW, .hasselblad3FR, .hasselbladFFF, .kodakDCR, .epsonERF, .leafMOS,
    .mamiyaMEF,
  ]
  /// Every type of video.
  package static let videos: Set<UniformType> = [
    .quickTimeMovie, .mpeg4, .appleM4V, .threeGPP, .threeGPP2, .avi, .matroska, .webM,
    .mpeg2TransportStream, .avchd, .mpeg, .windowsMediaVideo, .flashVideo, .dv,
  ]

  /// Whether it contains a camera's unprocessed sensor data.
  package var isRaw: Bool { Self.raws.contains(self) }

  /// Whether its structure is TIFF, as that of most RAW formats.
  package var isTIFF: Bool { self == .tiff || Self.tiffRaws.contains(self) }

  /// Image or video; nil for other types.
  package var mediaType: MediaType? {
    if Self.images.contains(self) || isRaw { return .image }
    return Self.videos.contains(self) ? .video : nil
  }

  private static let byExtension: [String: UniformType] = [
    "jpg": .jpeg, "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "heic": .heic, "heif": .heif,
    "hif": .heif, "heics": .heics, "heifs": .heics, "avif": .avif, "avifs": .avif, "png": .png,
    "apng": .png, "gif": .gif, "webp": .webP, "tif": .tiff, "tiff": .tiff, "jxl": .jpegXL,
    "jp2": .jpeg2000, "j2k": .jpeg2000, "j2c": .jpeg2000, "jpc": .jpeg2000, "bmp": .bmp,
    "dib": .bmp,
    "dng": .dng, "cr2": .canonCR2, "cr3": .canonCR3, "crw": .canonCRW, "nef": .nikonNEF,
    "nrw": .nikonNEF, "arw": .sonyARW, "raf": .fujiRAF, "orf": .olympusORF, "rw2": .panasonicRW2,
    "pef": .pentaxPEF, "mrw": .minoltaMRW, "x3f": .sigmaX3F, "iiq": .phaseOneIIQ,
    "srw": .samsungSRW, "3fr": .hasselblad3FR, "fff": .hasselbladFFF, "dcr": .kodakDCR,
    "kdc": .kodakDCR, "erf": .epsonERF, "mos": .leafMOS, "sr2": .sonySR2, "mef": .mamiyaMEF,
    "mov": .quickTimeMovie, "qt": .quickTimeMovie, "mp4": .mpeg4, "mp": .mpeg4, "m4v": .appleM4V,
    "3gp": .threeGPP, "3gpp": .threeGPP, "3g2": .threeGPP2, "avi": .avi, "mkv": .matroska,
    "webm": .webM, "ts": .mpeg2TransportStream, "mts": .avchd, "m2ts": .avchd, "m2t": .avchd,
    "mpg": .mpeg, "mpeg": .mpeg, "vob": .mpeg, "wmv": .windowsMediaVideo,
    "asf": .windowsMediaVideo, "flv": .flashVideo, "dv": .dv,
    "aae": .aae, "xmp": .xmp, "json": .json,
  ]

  /// The type for a file name extension, in either case. The content may differ.
  package init?(fileExtension: String) {
    guard let type = Self.byExtension[fileExtension.lowercased()] else { return nil }
    self = type
  }

  /// The usual extension of a file of this type, without its dot; nil if it has none.
  package var preferredExtension: String? { Self.extensions[self] }

  /// Whether an extension denotes this type or a more general one. `mp`, which Takeout uses for clips, is
  /// unknown to other programs and does not count.
  package func isPromised(by fileExtension: String) -> Bool {
    guard fileExtension.lowercased() != "mp", let type = UniformType(fileExtension: fileExtension)
    else { return false }
    return type == self || type == .heif && self == .heic
  }

  /// Whether it is a kind of HEIF, whose own boxes determine its orientation.
  package var isHeif: Bool { [.heic, .heif, .heics, .avif].contains(self) }

  private static let extensions: [UniformType: String] = [
    .jpeg: "jpg", .heic: "heic", .heif: "heif", .heics: "heics", .avif: "avif", .png: "png",
    .gif: "gif", .webP: "webp", .tiff: "tif", .jpegXL: "jxl", .jpeg2000: "jp2", .bmp: "bmp",
    .dng: "dng", .canonCR2: "cr2", .canonCR3: "cr3", .canonCRW: "crw", .nikonNEF: "nef",
    .sonyARW: "arw", .fujiRAF: "raf", .olympusORF: "orf", .panasonicRW2: "rw2",
    .pentaxPEF: "pef", .minoltaMRW: "mrw", .sigmaX3F: "x3f", .phaseOneIIQ: "iiq",
    .samsungSRW: "srw", .hasselblad3FR: "3fr", .hasselbladFFF: "fff", .kodakDCR: "dcr",
    .epsonERF: "erf", .leafMOS: "mos", .sonySR2: "sr2", .mamiyaMEF: "mef",
    .quickTimeMovie: "mov", .mpeg4: "mp4", .appleM4V: "m4v", .threeGPP: "3gp",
    .threeGPP2: "3g2", .avi: "avi", .matroska: "mkv", .webM: "webm",
    .mpeg2TransportStream: "ts", .avchd: "mts", .mpeg: "mpg", .windowsMediaVideo: "wmv",
    .flashVideo: "flv", .dv: "dv", .mpeg4Audio: "m4a",
  ]
}
