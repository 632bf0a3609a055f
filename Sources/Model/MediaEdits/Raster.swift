package import MediaModel

/// Decoded pixels, in one of a few layouts that decoders and encoders share.
///
/// Samples of more than 8 bits have 16, little-endian. Planes have JFIF's coding: full range, the matrix of
/// ITU-R BT.601. A decoder converts other codings to RGB.
package struct Raster: Sendable {
  package enum Layout: Sendable, Hashable {
    case gray8, gray16
    case rgb8, rgba8, rgb16, rgba16
    case yuv420, yuv422, yuv444
  }

  /// Rows of samples without padding between them.
  package struct Plane: Sendable {
    package var bytes: [UInt8]
    /// The number of samples, or of pixels if the plane has several channels.
    package var size: PixelSize
    package var bytesPerPixel: Int

    package var bytesPerRow: Int { size.width * bytesPerPixel }
  }

  package let size: PixelSize
  package let layout: Layout
  /// Luma, Cb and Cr; one plane for the other layouts. The luma plane of a subsampled picture is extended to
  /// whole chroma samples, as encoders read it.
  package var planes: [Plane]

  /// The limit on a raster's bytes, checked before allocation.
  package static let maximumBytes = 768 << 20

  /// Bytes after the end of a plane that libswscale may read or write: it works on groups of samples, and FFmpeg's own
  /// frames have such a margin.
  package static let scalingMargin = 128

  /// A picture, black unless others make its bytes; nil if it would be empty or too large.
  ///
  /// - Parameter makeBytes: returns that many bytes of a plane. Capacity for ``scalingMargin`` is included.
  package init?(
    size: PixelSize, layout: Layout,
    makeBytes: (_ count: Int) -> [UInt8] = { [UInt8](repeating: 0, count: $0) }
  ) {
    guard size.isDecodable else { return nil }
    let sizes = layout.planeSizes(size)
    let bytesPerPixel = layout.bytesPerPixel
    let total = sizes.reduce(0) { $0 + $1.width * $1.height * bytesPerPixel }
    guard total <= Self.maximumBytes else { return nil }
    self.size = size
    self.layout = layout
    planes = sizes.map {
      let count = $0.width * $0.height * bytesPerPixel
      var bytes = makeBytes(count + Self.scalingMargin)
      bytes.removeLast(Self.scalingMargin)
      return Plane(bytes: bytes, size: $0, bytesPerPixel: bytesPerPixel)
    }
  }
}

extension Raster {
  /// Whether no pixel is transparent.
  package var isOpaque: Bool {
    guard layout.hasAlpha else { return true }
    let channel = layout.isDeep ? 6..<8 : 3..<4
    let step = layout.bytesPerPixel
    let bytes = planes[0].bytes
    return stride(from: 0, to: size.width * size.height * step, by: step).allSatisfy { pixel in
      channel.allSatisfy { bytes[pixel + $0] == 0xFF }
    }
  }
}

extension Raster.Layout {
  /// Bytes a pixel in one plane.
  package var bytesPerPixel: Int {
    switch self {
    case .gray8, .yuv420, .yuv422, .yuv444: 1
    case .gray16: 2
    case .rgb8: 3
    case .rgba8: 4
    case .rgb16: 6
    case .rgba16: 8
    }
  }

  package var hasAlpha: Bool { self == .rgba8 || self == .rgba16 }

  package var isGray: Bool { self == .gray8 || self == .gray16 }

  /// Whether its samples have 16 bits.
  package var isDeep: Bool { self == .gray16 || self == .rgb16 || self == .rgba16 }

  /// The number of luma samples that share one chroma sample, across and down; 1 without subsampling.
  package var chromaSubsampling: (x: Int, y: Int) {
    switch self {
    case .yuv420: (2, 2)
    case .yuv422: (2, 1)
    default: (1, 1)
    }
  }

  /// The sizes of the planes of a picture of this size.
  package func planeSizes(_ size: PixelSize) -> [PixelSize] {
    switch self {
    case .yuv420, .yuv422, .yuv444:
      let step = chromaSubsampling
      let chroma = PixelSize(
        width: (size.width + step.x - 1) / step.x, height: (size.height + step.y - 1) / step.y)
      return [
        PixelSize(width: chroma.width * step.x, height: chroma.height * step.y), chroma, chroma,
      ]
    default: return [size]
    }
  }
}
