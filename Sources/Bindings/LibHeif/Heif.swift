// LibHeif: a wrapper of libheif.
//
// HEIC and AVIF pictures are small databases of items, properties and references, and the picture is cut into tiles.
// libheif knows their rules. This module asks it what a picture is, without decoding a pixel, and returns plain values.
// Bytes come through a closure: only the parts of the file that describe the picture are read.
import CHeif
package import MediaModel

/// What this build's libheif is and can do, for `shoebox doctor`.
package enum HeifLibrary {
  /// `1.19.7`.
  package static var version: String { unsafe String(cString: heif_get_version()) }

  /// The codecs it can decode, in FFmpeg's names.
  package static var decoders: [String] {
    let formats: [(String, heif_compression_format)] = [
      ("hevc", heif_compression_HEVC), ("av1", heif_compression_AV1),
    ]
    return formats.filter { heif_have_decoder_for_format($0.1) != 0 }.map(\.0)
  }
}

/// Why libheif would not open a picture.
package struct HeifError: Error, Sendable, Hashable {
  package enum Reason: Sendable {
    case damaged, unsupported, outOfMemory
  }

  package var reason: Reason
  /// libheif's own words, as `No 'meta' box`.
  package var detail: String

  /// libheif's message without its first part, which only says the kind of error.
  init(_ reason: Reason, message: String) {
    self.reason = reason
    let parts = message.split(separator: ": ", omittingEmptySubsequences: true)
      .filter { $0 != "Unspecified" }
    detail = parts.count > 1 ? parts.dropFirst().joined(separator: ": ") : message
  }
}

/// What the primary picture of a HEIF file is. Sizes are in pixels.
package struct HeifPicture: Sendable {
  /// After the file's own crop, rotation and mirroring: as a person sees it. The standard says that
  /// nothing else turns it (ISO/IEC 23008-12 §6.5), whatever its EXIF orientation.
  package var uprightSize: PixelSize
  package var hasDepthImage: Bool
  /// URNs of the auxiliary pictures: depth, mattes, gain maps.
  package var auxiliaryTypes: [String]
  /// Where the transfer function is one of high dynamic range.
  package var dynamicRange: DynamicRange?
  /// The Exif item as it stands in the file: where its TIFF block begins, then what holds it.
  package var exifItem: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?
}
