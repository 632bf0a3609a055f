package import MediaModel

/// A picture's description for planning its export, with what the catalog does not contain.
package struct PictureDescription: Sendable, Hashable {
  /// The upright size of the picture that would be decoded; for RAW, of its largest preview.
  package var uprightSize: PixelSize
  /// The size of the RAW picture whose preview would be decoded, as stored; nil for other pictures, and where
  /// the file does not record it.
  package var rawSize: PixelSize?
  /// How the decoded pixels have to be turned; `up` if the decoder turns them.
  package var orientation: Orientation
  /// Bits a sample.
  package var bitDepth: Int
  /// Whether any pixel is transparent.
  package var isTransparent: Bool
  /// Whether the file has further frames or pages.
  package var hasMorePictures: Bool
  /// Whether it stores at most 256 colours without loss, by a palette, as drawings, charts and scanned text do.
  package var hasFewColors: Bool
  /// Whether the picture is the first frame of an image sequence, in a HEIF or AVIF file without a still picture.
  package var isSequenceFrame: Bool
  package var dynamicRange: DynamicRange
  /// Whether a gain map describes the picture in high dynamic range.
  package var hasGainMap: Bool
  /// How a copy of the file is SDR; nil if the picture has to be re-encoded for that.
  package var sdrCopy: SDRCopy?
  /// Why this machine cannot decode the picture, as one sentence; nil if it can.
  package var obstacle: String?

  package init(
    uprightSize: PixelSize, rawSize: PixelSize? = nil, orientation: Orientation = .up,
    bitDepth: Int = 8,
    isTransparent: Bool = false, hasMorePictures: Bool = false,
    hasFewColors: Bool = false, isSequenceFrame: Bool = false, dynamicRange: DynamicRange = .sdr,
    hasGainMap: Bool = false, sdrCopy: SDRCopy? = nil, obstacle: String? = nil
  ) {
    self.uprightSize = uprightSize
    self.rawSize = rawSize
    self.orientation = orientation
    self.bitDepth = bitDepth
    self.isTransparent = isTransparent
    self.hasMorePictures = hasMorePictures
    self.hasFewColors = hasFewColors
    self.isSequenceFrame = isSequenceFrame
    self.dynamicRange = dynamicRange
    self.hasGainMap = hasGainMap
    self.sdrCopy = sdrCopy
    self.obstacle = obstacle
  }
}

/// How a copy of a JPEG, whose picture is not re-encoded, is SDR.
package enum SDRCopy: UInt8, Sendable, Hashable {
  /// As it is: the picture is SDR and has no gain map.
  case unchanged = 1
  /// Without its gain map: the first picture is SDR.
  case withoutGainMap = 2
}

/// How to decode, change and encode a picture.
package struct PictureRendering: Sendable, Hashable {
  package enum Format: UInt8, Sendable, Hashable {
    case jpeg = 1
    case png = 2
  }

  /// A JPEG's chroma subsampling, as J:a:b.
  package enum ChromaSubsampling: UInt8, Sendable, Hashable {
    /// The source's own if it has one, else 4:2:0.
    case source = 1
    case yuv420 = 2
    case yuv422 = 3
    case yuv444 = 4
  }

  package enum ColorSpace: UInt8, Sendable, Hashable {
    /// The source's own, with its ICC profile.
    case source = 1
    /// Converted to sRGB.
    case sRGB = 2
  }

  package var format: Format
  /// 1–100, for JPEG.
  package var quality: Int
  package var chroma: ChromaSubsampling
  /// The longest side in pixels, at most; a smaller picture keeps its size.
  package var maxPixels: Int?
  /// In pixels of the upright picture, before its size is reduced.
  package var crop: CropRect?
  package var colorSpace: ColorSpace
  /// Whether a JPEG of a picture with a gain map gets the map too.
  package var keepsDynamicRange: Bool

  package init(
    format: Format = .jpeg, quality: Int = 90, chroma: ChromaSubsampling = .source,
    maxPixels: Int? = nil, crop: CropRect? = nil, colorSpace: ColorSpace = .source,
    keepsDynamicRange: Bool = true
  ) {
    self.format = format
    self.quality = quality
    self.chroma = chroma
    self.maxPixels = maxPixels
    self.crop = crop
    self.colorSpace = colorSpace
    self.keepsDynamicRange = keepsDynamicRange
  }
}

/// A part of an upright picture, in pixels from its upper left corner.
package struct CropRect: Sendable, Hashable {
  package var x: Int
  package var y: Int
  package var width: Int
  package var height: Int

  package init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }
}
