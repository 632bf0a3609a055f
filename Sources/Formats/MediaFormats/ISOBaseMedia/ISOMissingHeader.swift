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
  /// The number of other boxes, and bytes of each, that are searched.
  private static let searchedBoxes = 64
  private static let searchedBytes = 64 << 10

  /// Why ``init(_:)`` finds no movie header.
  ///
  /// - Returns: nil if the file has one, or may have one in an unusual place, where other readers find it: in a box
  ///   that programs overwrote with `free`, or inside of another box.
  package static func missingHeader(in source: any ByteSource) throws -> MissingHeader? {
    let top = try source.boxes(in: 0..<source.count, limit: 4096)
    let others = top.filter { !plainTypes.contains($0.type) }
    guard let last = top.last, top.allSatisfy(\.type.isPlausible), others.count <= searchedBoxes
    else { return nil }
    for box in others {
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

  /// A longer box in the header is not searched for tracks.
  private static let searchedHeader = 1 << 20

  /// Whether no reader finds a track in the movie header: not in a box of another kind, and not in a compressed header.
  /// Readers skip boxes whose types are not printable.
  static func hasNoTracks(_ moov: ISOBox, _ source: any ByteSource) throws -> Bool {
    let boxes = try source.boxes(inside: moov).filter(\.type.isPlausible)
    guard !boxes.contains(where: { $0.type == "trak" || $0.type == "cmov" }) else { return false }
    return try boxes.allSatisfy { box in
      guard let content = try source.content(of: box, limit: searchedHeader) else { return false }
      return ["trak", "cmov"].allSatisfy { content.firstIndex(of: $0) == nil }
    }
  }
}
