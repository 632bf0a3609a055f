import CFFmpeg
import MediaEdits
import MediaModel

/// A copy of planes with subsampled chroma, extended by repeated edges.
///
/// libswscale stretches the chroma over the picture. That moves colours in two cases, which the extension avoids:
///
/// - The picture has an odd side, so that its chroma extends beyond the edge.
/// - The picture has so few rows that its chroma has no more of them than the filter.
@safe struct WholeChroma {
  /// A shorter side is extended to this size, in pixels: more than enough rows of chroma for each filter.
  private static let leastSide = 16

  let size: PixelSize
  private let planes: [[UInt8]]
  private let strides: [Int32]

  /// Nil if the source need not be extended, or is not in planes.
  init?(_ source: PixelSource) {
    guard let description = unsafe av_pix_fmt_desc_get(source.format)?.pointee else { return nil }
    let packed = UInt64(AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_HWACCEL)
    let (across, down) = unsafe (
      Int(description.log2_chroma_w), Int(description.log2_chroma_h)
    )
    guard unsafe description.flags & packed == 0,
      unsafe description.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0, across + down > 0
    else { return nil }
    let stored = unsafe source.size
    func whole(_ side: Int, _ shift: Int) -> Int {
      let least = max(side, shift > 0 ? Self.leastSide : side)
      return (least + (1 << shift) - 1) & ~((1 << shift) - 1)
    }
    let size = PixelSize(width: whole(stored.width, across), height: whole(stored.height, down))
    guard size != stored else { return nil }
    var found: (planes: [[UInt8]], strides: [Int32]) = ([], [])
    let components = unsafe [
      description.comp.0, description.comp.1, description.comp.2, description.comp.3,
    ].prefix(Int(description.nb_components))
    for index in unsafe source.planes.indices {
      guard let step = components.filter({ Int($0.plane) == index }).map({ Int($0.step) }).max()
      else { break }
      let isChroma = index == 1 || index == 2
      let (x, y) = isChroma ? (across, down) : (0, 0)
      guard
        let plane = unsafe Self.plane(
          source.planes[index], stride: Int(source.strides[index]), step: step,
          from: PixelSize(
            width: (stored.width + (1 << x) - 1) >> x, height: (stored.height + (1 << y) - 1) >> y),
          to: PixelSize(width: size.width >> x, height: size.height >> y))
      else { return nil }
      found.planes.append(plane)
      found.strides.append(Int32((size.width >> x) * step))
    }
    self.size = size
    (planes, strides) = found
  }

  /// The rows of one plane.
  ///
  /// - Parameter step: bytes from one sample, or pair of samples, to the next.
  private static func plane(
    _ start: UnsafePointer<UInt8>?, stride: Int, step: Int, from stored: PixelSize,
    to size: PixelSize
  ) -> [UInt8]? {
    guard let start = unsafe start else { return nil }
    var bytes: [UInt8] = []
    // libswscale may read a little beyond the end.
    bytes.reserveCapacity(size.width * size.height * step + Raster.scalingMargin)
    for row in 0..<size.height {
      let line = unsafe UnsafeBufferPointer(
        start: start + min(row, stored.height - 1) * stride, count: stored.width * step)
      unsafe bytes.append(contentsOf: line)
      // From the source: a slice of the result would share its buffer, and the next byte would copy it.
      let last = unsafe line.suffix(step)
      for _ in stored.width..<size.width { unsafe bytes.append(contentsOf: last) }
    }
    return bytes
  }

  /// Calls `body` with the extended picture, which is valid during the call.
  func withSource<Result>(
    like source: PixelSource, _ body: (PixelSource) -> Result
  ) -> Result {
    unsafe withSource(like: source, [], body)
  }

  private func withSource<Result>(
    like source: PixelSource, _ found: [UnsafePointer<UInt8>?], _ body: (PixelSource) -> Result
  ) -> Result {
    guard unsafe found.count < planes.count else {
      var whole = unsafe source
      unsafe whole.size = size
      unsafe whole.planes = found + [UnsafePointer<UInt8>?](repeating: nil, count: 4 - found.count)
      unsafe whole.strides = strides + [Int32](repeating: 0, count: 4 - strides.count)
      return unsafe body(whole)
    }
    return unsafe planes[found.count].withUnsafeBufferPointer { buffer in
      unsafe withSource(like: source, found + [buffer.baseAddress], body)
    }
  }
}
