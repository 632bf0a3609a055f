// LibHeif: a wrapper of libheif.
//
// HEIC and AVIF pictures are small databases of items, properties and references, and the picture is cut into tiles.
// libheif knows their rules. This module asks it for a picture's properties, and for the pixels of pictures, gain maps and
// thumbnails, and returns plain values. It reads bytes through a closure. For properties these are only the parts of the
// file that describe the picture.
import CHeif
package import MediaModel

/// The version and features of this build's libheif, for `shoebox doctor`.
package enum HeifLibrary {
  /// `1.19.7`.
  package static var version: String { unsafe String(cString: heif_get_version()) }

  /// The codecs that it can decode, by FFmpeg's names.
  package static var decoders: [String] {
    let formats: [(String, heif_compression_format)] = [
      ("hevc", heif_compression_HEVC), ("av1", heif_compression_AV1),
      ("h264", heif_compression_AVC), ("mjpeg", heif_compression_JPEG),
      ("jpeg2000", heif_compression_JPEG2000), ("vvc", heif_compression_VVC),
    ]
    return formats.filter { heif_have_decoder_for_format($0.1) != 0 }.map(\.0)
  }
}

/// Why libheif could not read or decode a picture.
package struct HeifError: Error, Sendable, Hashable {
  package enum Reason: Sendable {
    case damaged, unsupported, outOfMemory
  }

  package var reason: Reason
  /// libheif's message, such as `No 'meta' box`.
  package var detail: String

  /// Drops the first part of libheif's message, which only names the kind of error.
  init(_ reason: Reason, message: String) {
    self.reason = reason
    let parts = message.split(separator: ": ", omittingEmptySubsequences: true)
      .filter { $0 != "Unspecified" }
    detail = parts.count > 1 ? parts.dropFirst().joined(separator: ": ") : message
  }
}

/// The properties of a HEIF file's primary picture. Sizes are in pixels.
package struct HeifPicture: Sendable {
  /// As a person sees it: after the file's own crop, rotation and mirroring. The EXIF orientation does not
  /// apply (ISO/IEC 23008-12 §6.5).
  package var uprightSize: PixelSize
  package var hasDepthImage: Bool
  /// URNs of the auxiliary pictures: depth, mattes, gain maps.
  package var auxiliaryTypes: [String]
  /// Set if the transfer function is one of high dynamic range.
  package var dynamicRange: DynamicRange?
  /// The Exif item as stored: the offset of its TIFF block, then the data.
  package var exifItem: [UInt8]?
  /// The XMP packet.
  package var xmp: [UInt8]?
}
