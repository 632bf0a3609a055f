import ByteReading
import MediaEdits
import MediaFormats

/// A track of subtitles in a Matroska movie (RFC 9559 §5.1.4), in which drones and dashcams record their
/// positions.
struct MatroskaSubtitles {
  var number: UInt64
  /// Whether its texts are compressed.
  var isEncoded: Bool
  /// Whether its subtitles are pictures, as on DVDs and Blu-ray discs.
  var isPictures: Bool

  private static let pictureCodecs: Set<String> = ["S_VOBSUB", "S_HDMV/PGS", "S_DVBSUB"]

  /// Nil for a track of another kind.
  init?(_ track: [EBMLElement], _ source: any ByteSource) throws {
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
    let codec = try track.first { $0.id == MatroskaRedaction.ID.codec }.flatMap {
      try source.bytes(in: $0.payload, limit: 64)
    }
    isPictures = codec.map { Self.pictureCodecs.contains($0.text) } ?? false
  }

  /// Whether one of the track's texts records a place; true for a text that cannot be decompressed.
  ///
  /// - Parameter stored: the text as the block contains it.
  func recordsPlace(_ stored: [UInt8]) -> Bool {
    guard let content = isEncoded ? inflateZlib(stored, limit: 1 << 20) : stored else {
      return true
    }
    return isPictures
      ? LocationDetection.recordsPlace(inData: content) : LocationDetection.recordsPlace(content)
  }
}

extension MatroskaRedaction {
  private static let maximumSubtitle = 1 << 20
  /// A longer addition to a block is longer than a frame of video.
  private static let maximumAddition = 64 << 20

  mutating func visit(cluster: EBMLElement) throws {
    var position = cluster.payload.lowerBound
    while let item = try element(at: position, before: cluster.payload.upperBound) {
      position = item.payload.upperBound
      try visit(clusterItem: item)
    }
    clearTail(of: cluster, from: position)
  }

  /// - Throws: ``RedactionRefusal`` for a subtitle that records a place.
  mutating func visit(clusterItem item: EBMLElement) throws {
    switch item.id {
    case ID.simpleBlock:
      if try !visit(block: item.payload) { try erase(item) }
    case ID.blockGroup:
      var position = item.payload.lowerBound
      while let part = try element(at: position, before: item.payload.upperBound) {
        position = part.payload.upperBound
        switch part.id {
        case ID.block:
          if try !visit(block: part.payload) { return try erase(item) }
        case ID.blockAdditions: try visit(additions: part)
        case let id where MatroskaElements.blockGroup.contains(id):
          try redaction.blankPlaces(in: part.payload, of: source, policy)
        default: try erase(part)
        }
      }
      clearTail(of: item, from: position)
    case let id where MatroskaElements.cluster.contains(id):
      try redaction.blankPlaces(in: item.payload, of: source, policy)
    default: try erase(item)
    }
  }

  /// Visits additions to a block (§5.1.3.5.2). Those of its codec, such as an alpha channel, and HDR values stay.
  private mutating func visit(additions: EBMLElement) throws {
    for more in try children(of: additions) {
      guard more.id == ID.blockMore else {
        try erase(more)
        continue
      }
      let parts = try children(of: more)
      let kind = try parts.first { $0.id == ID.blockAddID }.flatMap(number) ?? 1
      for part in parts {
        switch part.id {
        case ID.blockAddID: continue
        case ID.blockAdditional where kind == 1 || kind == 4:
          let content = try source.bytes(in: part.payload, limit: Self.maximumAddition)
          if content.map({ policy.removes(data: $0) }) ?? policy.removesLocation {
            return try erase(additions)
          }
        case ID.blockAdditional: return try erase(additions)
        default: try erase(part)
        }
      }
    }
  }

  /// Overwrites user data in a block. A block contains its track's number, its time in two bytes, flags, and
  /// frames (§10).
  ///
  /// - Returns: whether the block belongs to a track.
  /// - Throws: ``RedactionRefusal`` for a subtitle that records a place, and for video in which user data
  ///   cannot be found.
  private mutating func visit(block: Range<UInt64>) throws -> Bool {
    let lead = try source.bytes(at: block.lowerBound, count: min(block.count, 12))
    guard let first = lead.first, first != 0, case let width = first.leadingZeroBitCount + 1,
      let coded = lead.unsigned(at: 0, width: width)
    else { return false }
    let number = coded & (UInt64.max >> UInt64(64 - 7 * width))
    hasBlocks = true
    // A stream may name its tracks later.
    guard trackNumbers.isEmpty || trackNumbers.contains(number) else { return false }
    let content = block.dropping(width + 3)
    if let track = subtitles[number] {
      try check(text: content, of: track)
    }
    if let flags = lead.u8(at: width + 2) {
      try visit(frames: content, flags: flags, ofTrack: number)
    }
    return true
  }

  private func check(text range: Range<UInt64>, of track: MatroskaSubtitles) throws {
    let text = try source.bytes(in: range, limit: Self.maximumSubtitle)
    guard text.map(track.recordsPlace) ?? true else { return }
    throw RedactionRefusal(
      """
      The movie has subtitles that record places and cannot be taken out of a copy; the video preset \
      `compatible` makes a new video without them.
      """
    )
  }
}
