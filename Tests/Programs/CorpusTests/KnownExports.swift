/// Where an export rightly differs from what other programs make of the same picture, each with its
/// reason; by path below the corpus's library. docs/metadata.md states the same for people.
enum KnownExports {
  /// Pictures that a reference decodes and that are not exported.
  static let refused: [String: String] = [
    "mozilla+mp4parse-rust/mp4parse/tests/alpha_video_avif_major_avis_compatible.avif": noAlpha,
    "mozilla+mp4parse-rust/mp4parse/tests/alpha_video_no_avis.avif": noAlpha,
  ]

  private static let noAlpha =
    "its transparency refers to nothing; libheif refuses it, and FFmpeg shows the video track"

  /// What is refused when the location is to be left out.
  static let unstrippable: [String: String] = [
    "androidx+media/libraries/test_data/src/test/assets/media/flv/sample-with-key-frame-index.flv":
      unknownPlaces,
    "androidx+media/libraries/test_data/src/test/assets/media/flv/sample.flv": unknownPlaces,
    "bpatrik+pigallery2/test/backend/assets/edge_case_exif_data/corrupted_city.JPG":
      "so damaged that its parts cannot be found",
    "exiftool+exiftool/t/images/ASF.wmv": unknownPlaces,
    "exiftool+exiftool/t/images/DV.dv": unknownPlaces,
    "exiftool+exiftool/t/images/Flash.flv": unknownPlaces,
    "exiftool+exiftool/t/images/M2TS.mts": unknownPlaces,
    "mozilla+mp4parse-rust/mp4parse/tests/test_case_1185230.mp4":
      "so damaged that its samples overlap its header",
  ]

  private static let unknownPlaces = "a container that cannot be changed in place"

  /// Results that do not look like the reference.
  static let unlike: [String: String] = [
    "SDWebImage+SDWebImage/Tests/Tests/Images/TestHDR.avif": toneMapped,
    "SDWebImage+SDWebImage/Tests/Tests/Images/TestHDR.heic": toneMapped,
    "SDWebImage+SDWebImage/Tests/Tests/Images/TestHDR.jxl": toneMapped,
    "immich-app+test-assets/formats/avif/10bit-HDR-P3-nclx.avif": toneMapped,
    "androidx+media/libraries/test_data/src/test/assets/media/webp/black_large.webp":
      "of more pixels than ImageMagick is allowed to compare on Debian",
    "bigcat88+pillow_heif/tests/images/heif_other/invalid_id.heic":
      "its pitm box names item 2; libheif takes the thumbnail for the picture",
    "jmathai+elodie/elodie/tests/files/photo.heic":
      "it is cut to its ispe box; heif-dec keeps two rows after it",
  ]

  /// Pictures without a colour profile in files whose other pictures have one.
  static let foreignProfile: [String: String] = [
    "bigcat88+pillow_heif/tests/images/heif/zPug_3.heic":
      "item 6 is the primary picture, monochrome and without a profile; item 1 has one of RGB"
  ]

  /// Pictures whose wide colours are numbers, for which the result has a profile.
  static let madeProfile: [String: String] = [
    "immich-app+test-assets/formats/jxl/16bit-HDR-P3-nclx.jxl": "Display P3"
  ]

  /// Pictures without XMP in files whose other pictures have it.
  static let foreignXMP: [String: String] = [
    "LycheeOrg+Lychee/tests/Samples/classic-car.heic": "its only packet describes the gain map",
    "bpatrik+pigallery2/test/backend/assets/orientation/IMG_0307.HEIC":
      "its packets describe mattes, the depth map and the gain map",
  ]

  private static let toneMapped = "HDR is tone mapped here, and clipped or left as it is there"
}

/// What exiftool may see change between an original and the picture made of it: docs/metadata.md, as data.
struct MetadataChange: Sendable {
  /// exiftool's names of groups, `IFD0`; nil for any.
  private var groups: Set<String>?
  /// Names of tags; nil for all of the groups.
  private var names: Set<String>?
  /// What the tag must say afterwards; nil if it is gone, or belongs to the new file.
  private var becomes: Value?

  private enum Value: Sendable { case upright, width, height, sRGB, inside }

  /// Whether this is the change of `key`, as `IFD0:Orientation`, to `new`.
  func explains(_ key: String, _ new: String?, width: String, height: String) -> Bool {
    let parts = key.split(separator: ":", maxSplits: 1).map(String.init)
    guard parts.count == 2, groups?.contains(parts[0]) ?? true,
      names?.contains(parts[1]) ?? true
    else { return false }
    guard let becomes, let new else { return true }
    switch becomes {
    case .upright: return new == "Horizontal (normal)"
    case .width: return new == width
    case .height: return new == height
    case .sRGB: return new == "sRGB"
    case .inside:
      // A point or the centre of an area, and its size.
      let numbers = new.split(separator: " ").compactMap { Int($0) }
      let sides = [width, height].compactMap { Int($0) }
      return numbers.count >= 2 && sides.count == 2
        && numbers.enumerated().allSatisfy { $1 <= sides[$0 % 2] }
    }
  }

  static let all: [MetadataChange] = [
    // The file itself and how its format stores pixels, before and after.
    MetadataChange(groups: [
      "SourceFile", "ExifTool", "System", "File", "Composite", "JFIF", "PNG", "RIFF",
      "Jpeg2000", "QuickTime", "Meta", "Track1", "Track2", "PanasonicRaw", "RAF", "RAF2",
      "SigmaRaw",
      "SubIFD",
    ]),
    MetadataChange(groups: ["IFD0"], names: storage),
    // What EXIF says in inches, a PNG says in metres.
    MetadataChange(
      groups: ["PNG-pHYs"], names: ["PixelUnits", "PixelsPerUnitX", "PixelsPerUnitY"]),
    // HDR, and wide colours without a profile, have been converted.
    MetadataChange(groups: ["ExifIFD"], names: ["ColorSpace"], becomes: .sRGB),
    MetadataChange(groups: ["InteropIFD"], names: ["InteropIndex"]),
    // The pixels stand upright already.
    MetadataChange(groups: ["IFD0", "XMP-tiff"], names: ["Orientation"], becomes: .upright),
    MetadataChange(
      groups: ["IFD0", "ExifIFD", "XMP-tiff", "XMP-exif"], names: ["ImageWidth", "ExifImageWidth"],
      becomes: .width),
    MetadataChange(
      groups: ["IFD0", "ExifIFD", "XMP-tiff", "XMP-exif"],
      names: ["ImageHeight", "ExifImageHeight"], becomes: .height),
    // Places in the picture are turned and scaled with it.
    MetadataChange(
      groups: ["ExifIFD"], names: ["SubjectArea", "SubjectLocation"], becomes: .inside),
    // The thumbnails show the picture unturned.
    MetadataChange(groups: ["IFD1"]),
    MetadataChange(groups: ["Photoshop"], names: ["PhotoshopThumbnail"]),
    MetadataChange(groups: ["Sigma"], names: ["PreviewImageStart"]),
    // Neither a clip nor a trailer follows the new picture, but a gain map of its own and the index of both.
    MetadataChange(groups: [
      "XMP-GCamera", "XMP-Container", "XMP-GContainer", "XMP-HDRGainMap", "XMP-hdrgm",
    ]),
    MetadataChange(groups: ["MPF0", "MPImage1", "MPImage2"]),
    MetadataChange(groups: ["Samsung"]),
    // What a HEIC says of its depth maps, mattes and gain maps.
    MetadataChange(groups: [
      "XMP-apdi", "XMP-depthBlurEffect", "XMP-depthData", "XMP-portraitEffectsMatte",
      "XMP-portraitLightingEffect", "ICC-header2", "ICC-header3", "ICC-header4", "ICC_Profile2",
      "ICC_Profile3", "ICC_Profile4",
    ]),
    // The offset of a map, and what JPEG 2000 records in its own terms.
    MetadataChange(groups: ["GeoTiff", "XML", "XML-xsi"]),
  ]

  private init(groups: Set<String>?, names: Set<String>? = nil, becomes: Value? = nil) {
    self.groups = groups
    self.names = names
    self.becomes = becomes
  }

  /// How a TIFF or a RAW file stores its pixels, what it knows of the sensor, and which of its pages a
  /// picture is.
  private static let storage: Set<String> = [
    "AnalogBalance", "AsShotNeutral", "BaselineExposure", "BaselineNoise", "BaselineSharpness",
    "BitsPerSample", "BlackLevelBlue", "BlackLevelGreen", "BlackLevelRed", "CFAPattern",
    "CalibrationIlluminant1", "CalibrationIlluminant2", "ColorMap", "ColorMatrix1", "ColorMatrix2",
    "Compression", "DNGBackwardVersion", "DNGVersion", "DefaultBlackRender", "ExtraSamples",
    "ForwardMatrix1",
    "ForwardMatrix2", "HighISOMultiplierBlue", "HighISOMultiplierGreen", "HighISOMultiplierRed",
    "ISO", "JpgFromRaw", "LinearResponseLimit", "LinearityLimitBlue",
    "LinearityLimitGreen", "LinearityLimitRed", "MakerNoteSafety", "ModelTiePoint",
    "ModelTransform", "NewRawImageDigest", "NoiseProfile", "NoiseReductionParams", "PageName",
    "PageNumber", "PanasonicRawVersion", "PanasonicRaw_0x000d", "PanasonicRaw_0x011a",
    "PhotometricInterpretation", "PixelScale", "PlanarConfiguration", "Predictor", "PreviewImage",
    "PreviewImageLength", "PreviewImageStart", "ProfileCalibrationSig", "ProfileEmbedPolicy",
    "ProfileHueSatMapData1", "ProfileHueSatMapData2", "ProfileHueSatMapDims",
    "ProfileLookTableData", "ProfileLookTableDims", "ProfileName", "ProfileToneCurve",
    "RawDataOffset", "RawDataUniqueID", "RawFormat", "ReferenceBlackWhite", "RowsPerStrip",
    "SampleFormat", "SamplesPerPixel", "SensorBottomBorder", "SensorHeight", "SensorLeftBorder",
    "SensorRightBorder", "SensorTopBorder", "SensorWidth", "ShadowScale", "StripByteCounts",
    "StripOffsets", "SubfileType", "WBBlueLevel", "WBGreenLevel", "WBRedLevel",
    "YCbCrCoefficients", "YCbCrSubSampling",
  ]
}
