// LibTIFF: a wrapper of libtiff.
//
// Scanners and archives store TIFFs with many compressions, kinds of samples and layouts. libtiff has decoders of all of
// them. This module asks it for the samples of the first picture, as stored, and arranges them in a raster. It reads
// bytes through a closure. libtiff's own conversion to RGBA loses depth and multiplies colours by their opacity, so it is
// used only for what has no other decoder: subsampled YCbCr, JPEG of the old style, and logarithmic light.
import CTIFF
package import MediaEdits

/// Features of this build's libtiff.
package enum TIFFLibrary {
  /// Whether it can decode a compression, by its number in the file.
  package static func canDecode(compression: Int) -> Bool {
    guard let scheme = UInt16(exactly: compression) else { return false }
    return TIFFIsCODECConfigured(scheme) != 0
  }
}

/// Why libtiff could not decode a picture.
package struct TIFFError: Error, Sendable, Hashable {
  package enum Reason: Sendable {
    case damaged, unsupported, tooLarge
  }

  package var reason: Reason
  /// What is wrong, without a final full stop, often in libtiff's words.
  package var detail: String

  init(_ reason: Reason, _ detail: String) {
    self.reason = reason
    self.detail = detail
  }
}

/// The decoded picture of a TIFF, not turned.
package struct DecodedTIFF: Sendable {
  /// What the channels of the raster are.
  package enum Color: Sendable, Hashable {
    case plain
    /// Inks: the largest value is full. In layout `rgba8` or `rgba16`, of which the last channel is black.
    case cmyk
    /// Lightness, a and b, where half of the range is 0 for a and b (CIE 1976).
    case lab(LabRange)
  }

  /// The value of lightness 100, and the largest a and b, for each of CIELab's three codings (TIFF 6.0 §23, TIFF
  /// Technical Note 4, ITU-T T.42).
  package enum LabRange: Sendable, Hashable {
    case cie, icc, itu
  }

  package var raster: Raster
  package var color: Color
  /// The transparency of a picture in CMYK, in layout `gray8` or `gray16`; nil if it has none.
  package var inkAlpha: Raster?
  /// Whether the colours, or the inks, are multiplied by their opacity.
  package var isPremultiplied = false
  /// The chromaticity of white; nil if the file has none, which means D50 for CIELab (TIFF Technical Notes by Adobe,
  /// 2002).
  package var whitePoint: SIMD2<Float>?
  /// The number of luma samples for one chroma sample, across and down; 1 and 1 for all colours but YCbCr.
  package var chromaSubsampling = SIMD2(1, 1)
  /// libtiff's first complaint if parts of the picture could not be decoded and are black.
  package var complaint: String?
}
