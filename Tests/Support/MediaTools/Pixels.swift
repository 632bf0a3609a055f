import Foundation

// Pictures as other programs decode them, for comparison.

extension ScratchFolder {
  /// Makes a picture with soft colours and without symmetry, in the format of the name's extension.
  package func makeSoftPicture(
    _ name: String, size: String = "96x64", _ options: [String] = []
  ) async throws {
    try await make(
      name, with: .imageMagick,
      ["-seed", "7", "-size", size, "plasma:tomato-steelblue", "-blur", "0x3", "-depth", "8"]
        + options)
  }

  /// Converts one file to another with ImageMagick.
  package func convert(_ name: String, _ options: [String] = [], to result: String) async throws {
    try await Tool.imageMagick.run([path(name) + "[0]"] + options + [path(result)])
  }

  /// A picture's pixels as ImageMagick decodes them, in 8-bit RGB over white, turned upright by EXIF.
  package func pixels(_ name: String, _ options: [String] = []) async throws -> [UInt8] {
    let raw = name + ".rgb"
    try await Tool.imageMagick.run(
      [path(name) + "[0]", "-auto-orient"] + options
        + ["-background", "white", "-alpha", "remove", "-alpha", "off", "-depth", "8"]
        + ["rgb:" + path(raw)])
    return try bytes(raw)
  }

  /// A picture's pixels as libheif's own program decodes them.
  package func heifPixels(_ name: String) async throws -> [UInt8] {
    try await Tool.heifDecoder.run([path(name), "-o", path(name + ".png")])
    return try await pixels(name + ".png")
  }
}

/// The similarity of two pictures: peak signal-to-noise ratio in decibels; 0 for different sizes.
package func peakSignalToNoise(_ left: [UInt8], _ right: [UInt8]) -> Double {
  guard left.count == right.count, !left.isEmpty else { return 0 }
  let squares = zip(left, right).reduce(0) { sum, pair in
    let difference = Int(pair.0) - Int(pair.1)
    return sum + difference * difference
  }
  guard squares > 0 else { return .infinity }
  return 10 * log10(255 * 255 * Double(left.count) / Double(squares))
}
