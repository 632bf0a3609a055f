/// A track of subtitles in a Matroska movie (RFC 9559 §5.1.4), in which drones and dashcams record where
/// they were.
struct MatroskaSubtitles {
  var number: UInt64
  /// Whether its texts are compressed.
  var isEncoded: Bool

  /// Nil for a track of another kind.
  init?(_ track: [MatroskaRedaction.Element], _ source: any ByteSource) throws {
    func value(_ id: UInt64) throws -> UInt64? {
      guard let item = track.first(where: { $0.id == id }), (1...8).contains(item.payload.count)
      else { return nil }
      let bytes = try source.bytes(at: item.payload.lowerBound, count: item.payload.count)
      return bytes.unsigned(at: 0, width: bytes.count)
    }
    guard try value(MatroskaRedaction.ID.trackType) == 17,
      let number = try value(MatroskaRedaction.ID.trackNumber)
    else { return nil }
    self.number = number
    isEncoded = track.contains { $0.id == MatroskaRedaction.ID.encodings }
  }

  /// Whether one of its texts, as stored, tells a place; true for what cannot be read.
  func tellsPlace(_ stored: [UInt8]) -> Bool {
    guard isEncoded else { return LocationNames.isTold(in: stored) }
    return inflateZlib(stored, limit: 1 << 20).map { LocationNames.isTold(in: $0) } ?? true
  }
}

extension MatroskaRedaction {
  private static let maximumText = 1 << 20

  mutating func visit(cluster: Element) throws {
    var position = cluster.payload.lowerBound
    while let item = try element(at: position, before: cluster.payload.upperBound) {
      position = item.payload.upperBound
      try visit(clusterItem: item)
    }
  }

  /// - Throws: ``RedactionRefusal`` for a subtitle that tells a place.
  mutating func visit(clusterItem item: Element) throws {
    guard !subtitles.isEmpty else { return }
    switch item.id {
    case ID.simpleBlock: try check(block: item.payload)
    case ID.blockGroup:
      for block in try children(of: item) where block.id == ID.block {
        try check(block: block.payload)
      }
    default: return
    }
  }

  /// A block is its track's number, its time in two bytes, flags, and what it holds (§10).
  private func check(block: Range<UInt64>) throws {
    let head = try source.bytes(at: block.lowerBound, count: min(block.count, 8))
    guard let lead = head.first, lead != 0, case let width = lead.leadingZeroBitCount + 1,
      let coded = head.unsigned(at: 0, width: width)
    else { return }
    let number = coded & (UInt64.max >> UInt64(64 - 7 * width))
    guard let track = subtitles.first(where: { $0.number == number }) else { return }
    let text = try source.bytes(in: block.dropping(width + 3), limit: Self.maximumText)
    guard text.map(track.tellsPlace) ?? true else { return }
    throw RedactionRefusal(
      """
      The movie has subtitles that record places and cannot be taken out of a copy; the video preset \
      `compatible` makes a new video without them.
      """
    )
  }
}
