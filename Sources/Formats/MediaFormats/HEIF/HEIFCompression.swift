package import ByteReading

extension HEIFContainer {
  /// The bytes to which a compressed metadata item may expand.
  private static let maximumMetadata = 4 << 20
  /// The number of compressed metadata items that are checked.
  private static let maximumItems = 64

  /// The reason why libheif must not open the file, as a sentence; nil if it may.
  ///
  /// libheif 1.19 inflates without a limit, and it never returns if the data ends early. Two kinds of data are
  /// inflated: pictures with the property `cmpC` (ISO/IEC 23001-17 §9), which no camera writes, and metadata with a
  /// content encoding (ISO/IEC 14496-12 §8.11.6). This function refuses the first kind and inflates the second one
  /// with limits.
  package func compressionObstacle(in source: any ByteSource) throws -> String? {
    if properties.contains(where: { $0.type == "cmpC" }) {
      return
        "HEIF pictures with all pixels compressed together (ISO/IEC 23001-17) cannot be decoded here."
    }
    let compressed = items.filter { $0.contentEncoding != nil }
    // libheif does not inflate other encodings.
    for item in compressed.prefix(Self.maximumItems) where item.isDeflated {
      let content = try content(of: item, from: source) ?? []
      if inflated(content, of: item) == nil {
        return "The HEIF picture's compressed metadata is damaged."
      }
    }
    return compressed.count > Self.maximumItems
      ? "The HEIF picture has \(compressed.count) compressed metadata items, which is too many."
      : nil
  }

  /// A metadata item's bytes, inflated if they are compressed; nil if they are missing, damaged, or longer than 4 MiB.
  func metadata(in item: HEIFItem, from source: any ByteSource) throws -> [UInt8]? {
    guard let content = try content(of: item, from: source, limit: Self.maximumMetadata)
    else { return nil }
    return item.contentEncoding == nil ? content : inflated(content, of: item)
  }

  /// The content of a compressed item; nil if it is damaged or its encoding is unknown.
  private func inflated(_ content: [UInt8], of item: HEIFItem) -> [UInt8]? {
    switch item.contentEncoding {
    case "deflate": inflateRaw(content, limit: Self.maximumMetadata)
    case "compress_zlib": inflateZlib(content, limit: Self.maximumMetadata)
    default: nil
    }
  }
}

extension HEIFItem {
  /// Whether the content is compressed in a format that libheif and this module inflate.
  fileprivate var isDeflated: Bool {
    contentEncoding == "deflate" || contentEncoding == "compress_zlib"
  }
}
