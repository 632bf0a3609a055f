import CTIFF
import MediaEdits
import MediaModel

// Strips are read row by row, so that a picture in one strip is not in memory twice; tiles one by one. PackBits is the
// exception: its runs may continue in the next row, although TIFF 6.0 §9 forbids it, and libtiff follows them only within
// a whole strip.

extension TIFFImage {
  /// Decodes the samples without libtiff's conversion.
  ///
  /// - Parameter space: `PhotometricInterpretation`; negative if the file does not specify it.
  func decodeSamples(space: Int) throws(TIFFError) -> DecodedTIFF {
    let plan = try samplePlan(space: space)
    var progress = Progress()
    var found = DecodedTIFF(
      raster: try raster(plan, &progress), color: plan.color,
      isPremultiplied: plan.isPremultiplied)
    if let channel = plan.inkAlpha {
      var alpha = plan
      (alpha.channels, alpha.layout) = ([channel], plan.layout.isDeep ? .gray16 : .gray8)
      found.inkAlpha = try raster(alpha, &progress)
    }
    found.complaint = try complaint(progress)
    return found
  }

  /// The channels of a plan, arranged in a raster.
  private func raster(
    _ plan: SamplePlan, _ progress: inout Progress
  ) throws(TIFFError) -> Raster {
    guard var raster = Raster(size: size, layout: plan.layout) else {
      throw TIFFError(.tooLarge, "\(size.width) × \(size.height) pixels")
    }
    let isTiled = unsafe TIFFIsTiled(tiff) != 0
    let planes: [Int?] =
      field(TIFFTAG_PLANARCONFIG, 1) == Int(PLANARCONFIG_SEPARATE) && plan.samples > 1
      ? Array(Set(plan.channels.map(\.sample))).sorted() : [nil]
    let part = try isTiled ? tileSize() : size
    let needed = Self.bytes(of: part.width, plan, planes[0])
    let promised = unsafe Int(isTiled ? TIFFTileRowSize(tiff) : TIFFScanlineSize(tiff))
    guard promised >= needed else { throw TIFFError(.damaged, "Its rows are too short") }
    let capacity = unsafe isTiled ? Int(TIFFTileSize(tiff)) : promised
    guard capacity > 0, capacity <= Self.maximumPart, !isTiled || capacity / part.height >= promised
    else { throw TIFFError(.tooLarge, "tiles of \(part.width) × \(part.height) pixels") }
    var buffer = [UInt8](repeating: 0, count: capacity)
    unsafe raster.planes[0].bytes.withUnsafeMutableBufferPointer { target in
      guard let start = target.baseAddress else { return }
      for plane in planes {
        if isTiled {
          unsafe readTiles(
            plan, plane, tile: part, rowSize: promised, &buffer, to: start, &progress)
        } else {
          let strip = unsafe Int(TIFFStripSize(tiff))
          if field(TIFFTAG_COMPRESSION, 1) == Int(COMPRESSION_PACKBITS),
            strip / promised >= rowsPerPart, strip <= Self.maximumPart
          {
            if buffer.count < strip { buffer = [UInt8](repeating: 0, count: strip) }
            unsafe readStrips(plan, plane, rowSize: promised, &buffer, to: start, &progress)
          } else {
            unsafe readRows(plan, plane, &buffer, to: start, &progress)
          }
        }
      }
    }
    return raster
  }

  /// The limit on a decoded tile or row in bytes.
  private static let maximumPart = 256 << 20

  /// Bytes of a row of samples.
  private static func bytes(of width: Int, _ plan: SamplePlan, _ plane: Int?) -> Int {
    (width * plan.coding.bits * (plane == nil ? plan.samples : 1) + 7) / 8
  }

  private func tileSize() throws(TIFFError) -> PixelSize {
    let width = unsafe shoebox_tiff_u32(tiff, UInt32(TIFFTAG_TILEWIDTH))
    let height = unsafe shoebox_tiff_u32(tiff, UInt32(TIFFTAG_TILELENGTH))
    let found = PixelSize(width: Int(width), height: Int(height))
    guard found.isDecodable else {
      throw TIFFError(.damaged, "It has tiles of \(width) × \(height) pixels")
    }
    return found
  }

  private func readRows(
    _ plan: SamplePlan, _ plane: Int?, _ buffer: inout [UInt8],
    to start: UnsafeMutablePointer<UInt8>, _ progress: inout Progress
  ) {
    let step = rowsPerPart
    for first in stride(from: 0, to: size.height, by: step) {
      var isDecoded = true
      for row in first..<min(first + step, size.height) where isDecoded {
        isDecoded = unsafe TIFFReadScanline(tiff, &buffer, UInt32(row), UInt16(plane ?? 0)) == 1
        // Codecs that complain within a row have decoded the rows before it.
        progress.add(isDecoded)
        guard isDecoded else { break }
        let line = unsafe start + row * size.width * plan.layout.bytesPerPixel
        unsafe plan.store(buffer, plane: plane, to: line, count: size.width)
      }
    }
  }

  private func readStrips(
    _ plan: SamplePlan, _ plane: Int?, rowSize: Int, _ buffer: inout [UInt8],
    to start: UnsafeMutablePointer<UInt8>, _ progress: inout Progress
  ) {
    let step = rowsPerPart
    for first in stride(from: 0, to: size.height, by: step) {
      buffer = [UInt8](repeating: 0, count: buffer.count)
      let strip = unsafe TIFFComputeStrip(tiff, UInt32(first), UInt16(plane ?? 0))
      let isDecoded = unsafe TIFFReadEncodedStrip(tiff, strip, &buffer, -1) > 0
      progress.add(isDecoded)
      var count = min(step, size.height - first)
      // The rows before the damage. The last one that has a sample may be incomplete.
      if !isDecoded {
        count = min(count, (buffer.lastIndex { $0 != 0 } ?? 0) / rowSize)
        if count > 0 { progress.add(true) }
      }
      unsafe buffer.withUnsafeBufferPointer { samples in
        guard let samples = samples.baseAddress else { return }
        for row in 0..<count {
          let line = unsafe start + (first + row) * size.width * plan.layout.bytesPerPixel
          unsafe plan.store(samples + row * rowSize, plane: plane, to: line, count: size.width)
        }
      }
    }
  }

  private func readTiles(
    _ plan: SamplePlan, _ plane: Int?, tile: PixelSize, rowSize: Int, _ buffer: inout [UInt8],
    to start: UnsafeMutablePointer<UInt8>, _ progress: inout Progress
  ) {
    for y in stride(from: 0, to: size.height, by: tile.height) {
      for x in stride(from: 0, to: size.width, by: tile.width) {
        let count = unsafe TIFFReadTile(
          tiff, &buffer, UInt32(x), UInt32(y), 0, UInt16(plane ?? 0))
        progress.add(count > 0)
        guard count > 0 else { continue }
        let visible = PixelSize(
          width: min(tile.width, size.width - x), height: min(tile.height, size.height - y))
        unsafe buffer.withUnsafeBufferPointer { samples in
          guard let first = samples.baseAddress else { return }
          for row in 0..<visible.height {
            let place = ((y + row) * size.width + x) * plan.layout.bytesPerPixel
            unsafe plan.store(
              first + row * rowSize, plane: plane, to: start + place, count: visible.width)
          }
        }
      }
    }
  }
}
