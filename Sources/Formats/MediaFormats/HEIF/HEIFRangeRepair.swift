package import ByteReading

/// Corrects the range of pictures by Sony's cameras.
///
/// Some of them record limited range in `colr` for pictures in full range. The picture's own parameters are right, but
/// `colr` takes precedence (MIAF, ISO/IEC 23000-22 §7.3.6.4), and libheif would make shadows black and lights white.
package enum HEIFRangeRepair {
  private static let maximumMetaSize: UInt64 = 16 << 20
  /// The offset of the range in the content of `colr`, after the kind and three numbers.
  private static let rangeOffset = 10

  /// The source with the range of the picture's own parameters, or the source itself if there is nothing to correct.
  ///
  /// - Parameter file: the boxes of the same source.
  /// - Throws: the errors of the source.
  package static func repaired(
    _ source: any ByteSource, _ file: HEIFContainer
  ) throws -> any ByteSource {
    guard file.brands?.contains("SHIF") == true else { return source }
    let wrong = file.wronglyLimitedColors
    guard !wrong.isEmpty,
      let meta = try source.boxes(in: 0..<source.count, limit: 256).first(where: {
        $0.type == "meta"
      }), meta.payload.count <= maximumMetaSize,
      var content = try source.content(of: meta, limit: Int(maximumMetaSize))
    else { return source }
    for color in Set(wrong) {
      let box = Array("colr".utf8) + color
      var start = 0
      while let place = content[start...].firstRange(of: box) {
        content[place.lowerBound + 4 + rangeOffset] |= 0x80
        start = place.upperBound
      }
    }
    return PatchedSource(source, content, at: meta.payload.lowerBound)
  }
}

extension HEIFContainer {
  /// The contents of `colr` that record limited range for the primary picture or its parts, which are in full range by
  /// their own parameters.
  fileprivate var wronglyLimitedColors: [[UInt8]] {
    let coded = primaryProperties + properties(of: primaryParts.first)
    guard let configuration = coded.first(where: { $0.type == "hvcC" })?.content,
      VideoParameters(hvcC: configuration)?.isFullRange == true
    else { return [] }
    return coded.filter { $0.colorCoding(isMonochrome: true) == .limitedRange }.map(\.content)
  }
}
