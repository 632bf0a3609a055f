package import ByteReading

extension ISOMovie {
  /// Why a file without a movie header at its place has none.
  package enum MissingHeader: Sendable, Hashable {
    /// The file ends in another box.
    case truncated
    case unfinished
  }

  /// Boxes with media data, or without a meaning. Their content is not searched.
  private static let plainTypes: Set<FourCC> = ["mdat", "ftyp", "wide", "skip", "uuid", "pnot"]
  /// Bytes of another box that are searched.
  private static let searchedBytes = 64 << 10

  /// Why ``init(_:)`` finds no movie header.
  ///
  /// - Returns: nil if the file has one, or may have one in an unusual place, where other readers find it: in a box
  ///   that programs overwrote with `free`, or inside of another box.
  package static func missingHeader(in source: any ByteSource) throws -> MissingHeader? {
    let top = try source.boxes(in: 0..<source.count, limit: 4096)
    guard let last = top.last, top.allSatisfy(\.type.isPlausible) else { return nil }
    for box in top where !plainTypes.contains(box.type) {
      if box.type == "moov" { return nil }
      let content = try source.start(of: box, Self.searchedBytes)
      if ["moov", "mvhd", "cmov"].contains(where: { content.firstIndex(of: $0) != nil }) {
        return nil
      }
    }
    // Fewer than 8 bytes may follow.
    guard last.isTruncated || source.count - last.end < 8 else { return nil }
    return last.isTruncated ? .truncated : .unfinished
  }
}
