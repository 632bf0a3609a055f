package import ByteReading

extension HEIFContainer {
  /// Bytes that a compressed metadata item may become.
  private static let maximumMetadata = 4 << 20
  /// Compressed metadata items that are tried.
  private static let maximumItems = 64

  /// Why the file must not reach libheif, as a sentence; nil where it may.
  ///
  /// libheif 1.19 inflates without a limit and, where the data ends early, without an end. Two places hold such
  /// data: pictures with the property `cmpC` (ISO/IEC 23001-17 §9), which no camera writes, and metadata with a
  /// content encoding (ISO/IEC 14496-12 §8.11.6), which is tried here first.
  package func compressionObstacle(in source: any ByteSource) throws -> String? {
    if properties.contains(where: { $0.type == "cmpC" }) {
      return
        "HEIF pictures whose pixels are compressed as a whole (ISO/IEC 23001-17) cannot be decoded here."
    }
    let compressed = items.filter { $0.contentEncoding != nil }
    for item in compressed.prefix(Self.maximumItems) {
      let content = try content(of: item, from: source) ?? []
      let inflated =
        switch item.contentEncoding {
        case "deflate": inflateRaw(content, limit: Self.maximumMetadata)
        case "compress_zlib": inflateZlib(content, limit: Self.maximumMetadata)
        // Others are not inflated by libheif.
        default: [UInt8]?.some([])
        }
      if inflated == nil { return "The HEIF picture's compressed metadata is damaged." }
    }
    return compressed.count > Self.maximumItems
      ? "The HEIF picture has \(compressed.count) compressed metadata items, which is too many."
      : nil
  }
}
