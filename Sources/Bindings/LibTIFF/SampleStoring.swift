import MediaEdits

extension SamplePlan {
  /// Whether rows can be copied as they are.
  private var isPlain: Bool {
    let isIdentical =
      channels.count == samples
      && channels.indices.allSatisfy { channels[$0].sample == $0 && channels[$0].use == .level }
    let isLittle = UInt16(1).littleEndian == 1
    return isIdentical
      && (coding == .unsigned(bits: 8) && !layout.isDeep
        || coding == .unsigned(bits: 16) && layout.isDeep && isLittle)
  }

  /// Writes samples to a row of the raster.
  ///
  /// - Parameters:
  ///   - row: decoded samples.
  ///   - plane: the sample that the row consists of, if each has rows of its own; nil if the samples of a pixel follow
  ///     one another.
  ///   - target: the place of the first pixel.
  ///   - count: the number of pixels.
  func store(
    _ row: UnsafePointer<UInt8>, plane: Int?, to target: UnsafeMutablePointer<UInt8>, count: Int
  ) {
    if plane == nil, isPlain {
      unsafe target.update(from: row, count: count * layout.bytesPerPixel)
      return
    }
    let step = plane == nil ? samples : 1
    for (index, channel) in channels.enumerated() where plane == nil || plane == channel.sample {
      let first = plane == nil ? channel.sample : 0
      if layout.isDeep {
        unsafe storeDeep(row, first, step, channel.use, to: target + index * 2, count)
      } else {
        unsafe storeShallow(row, first, step, channel.use, to: target + index, count)
      }
    }
  }

  private func storeDeep(
    _ row: UnsafePointer<UInt8>, _ first: Int, _ step: Int, _ use: Use,
    to target: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let mask: UInt16 = use == .inverted ? .max : use == .balanced ? 0x8000 : 0
    let width = layout.bytesPerPixel
    for pixel in 0..<count {
      let number = unsafe coding.number(row, first + pixel * step)
      let level =
        switch use {
        case .lightness: coding.level16(number, scale: 1 / 100)
        case .opponent: coding.level16(number, offset: 128, scale: 256 / 65_535)
        default: coding.level16(number) ^ mask
        }
      unsafe target[pixel * width] = UInt8(truncatingIfNeeded: level)
      unsafe target[pixel * width + 1] = UInt8(truncatingIfNeeded: level >> 8)
    }
  }

  private func storeShallow(
    _ row: UnsafePointer<UInt8>, _ first: Int, _ step: Int, _ use: Use,
    to target: UnsafeMutablePointer<UInt8>, _ count: Int
  ) {
    let width = layout.bytesPerPixel
    if case .palette(let list) = use {
      let colors = palette[list]
      for pixel in 0..<count {
        let number = unsafe Int(truncatingIfNeeded: coding.number(row, first + pixel * step))
        unsafe target[pixel * width] = colors[number]
      }
      return
    }
    let mask: UInt8 = use == .inverted ? .max : use == .balanced ? 0x80 : 0
    for pixel in 0..<count {
      let number = unsafe coding.number(row, first + pixel * step)
      unsafe target[pixel * width] = coding.level8(number) ^ mask
    }
  }
}
