import ByteReading
import MediaFormats
import MediaModel
import Testing

/// The types of the corpus files, compared with exiftool's.
@Suite(.enabled(if: Corpus.isPresent))
struct ContentTypeCorpusTests {
  private static let expected: [String: UniformType] = [
    "JPEG": .jpeg, "JPS": .jpeg, "PNG": .png, "APNG": .png, "HEIC": .heic, "HEIF": .heif,
    "HEIFS": .heics, "AVIF": .avif, "GIF": .gif, "WEBP": .webP, "Extended WEBP": .webP,
    "TIFF": .tiff, "BTF": .tiff, "JXL": .jpegXL, "JXL Codestream": .jpegXL, "JP2": .jpeg2000,
    "J2C": .jpeg2000, "BMP": .bmp, "DNG": .dng, "CR2": .canonCR2, "CR3": .canonCR3,
    "CRW": .canonCRW, "NEF": .nikonNEF, "RAF": .fujiRAF, "RW2": .panasonicRW2, "MRW": .minoltaMRW,
    "X3F": .sigmaX3F, "IIQ": .phaseOneIIQ, "MOV": .quickTimeMovie, "MP4": .mpeg4,
    "3GP": .threeGPP, "AVI": .avi, "MKV": .matroska, "WEBM": .webM, "M2TS": .avchd,
    "WMV": .windowsMediaVideo, "FLV": .flashVideo, "DV": .dv,
  ]
  private static let sidecars: [String: SidecarKind] = ["XMP": .xmp, "AAE": .adjustmentData]

  /// Files for which exiftool does not decide by the content, by the end of the path.
  private static let different: [(suffix: String, type: ContentType)] = [
    // `mif1` is a brand of the structure; the compatible brand `heic` is the codec's.
    ("heic-collection.heic", .media(.heic)), ("heic-single.heic", .media(.heic)),
    ("Images/TestImage.heif", .media(.heic)), ("nokia/alpha.heic", .media(.heic)),
    ("QuickTime.heic", .media(.heic)),
    // The major brand is `heix`.
    ("TestHDR.heic", .media(.heic)),
    // The brand is a general one such as `isom`. The first bytes do not show that the file contains audio only.
    ("mp4/sample_audio_only.mp4", .media(.mpeg4)), ("mp4/sample_opus.mp4", .media(.mpeg4)),
    ("bipbop-cenc-audioinit.mp4", .media(.mpeg4)), ("bipbop_cbcs_audio_init.mp4", .media(.mpeg4)),
    // The document type is `matroska`, the extension WebM's.
    ("roadtrip-vp92-10bit.webm", .media(.matroska)),
    // The major brand is `qt  `, the extension MP4's.
    ("bunny_1sec.mp4", .media(.quickTimeMovie)), ("bunny_1sec_v2.mp4", .media(.quickTimeMovie)),
    ("bunny_1sec_v3.mp4", .media(.quickTimeMovie)),
    // The major brand is `avis`, an AVIF sequence.
    ("avis_with_no_ptim_no_iloc.avif", .media(.avif)),
    ("avis_with_pitm_no_iloc.avif", .media(.avif)), ("loop_forever.avif", .media(.avif)),
    ("loop_none.avif", .media(.avif)),
    // RDF in exiftool's schemas, not an XMP packet.
    ("images/XMP.xml", .unknown),
  ]

  @Test func `types equal exiftool's`() throws {
    let corpus = try #require(Corpus.shared)
    for entry in try corpus.entries() {
      let bytes = try corpus.library(entry.path)
      let found = try ContentType(
        of: ArraySource(bytes), fileExtension: fileExtension(of: entry.path))
      #expect(found == expectation(entry, bytes), "\(entry.path)")
    }
  }

  private func expectation(_ entry: Corpus.Entry, _ bytes: [UInt8]) -> ContentType {
    if let known = Self.different.first(where: { entry.path.hasSuffix($0.suffix) }) {
      return known.type
    }
    let kind = entry["file_type"] ?? ""
    if let type = Self.expected[kind] { return .media(type) }
    if let sidecar = Self.sidecars[kind] { return .sidecar(sidecar) }
    // The corpus contains JSON of other programs too. Only Google Takeout's has this key.
    let isTakeout = kind == "JSON" && bytes.firstIndex(of: "\"photoTakenTime\"") != nil
    return isTakeout ? .sidecar(.takeoutJSON) : .unknown
  }
}
