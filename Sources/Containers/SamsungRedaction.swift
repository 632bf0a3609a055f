/// Finds what tells a place in the trailer that Samsung's phones write.
enum SamsungRedaction {
  /// The mobile network's country.
  private static let networkCountry: UInt16 = 0x0AA1

  /// - Parameter depth: how many files the picture with the trailer lies in.
  static func location(
    of trailer: SamsungTrailer, in source: any ByteSource, depth: Int
  ) throws -> Redaction {
    var redaction = Redaction()
    var coverage = ByteCoverage()
    coverage.add(trailer.directory.lowerBound..<source.count)
    for block in trailer.blocks {
      let payload = block.payload
      coverage.add(block.range)
      if LocationNames.isTold(in: Array(block.name.utf8)) {
        redaction.fill(block.range.lowerBound + 8..<payload.lowerBound, with: 0x20)
      }
      let start = try source.bytes(at: payload.lowerBound, count: min(16, payload.count))
      let part = source.part(payload)
      if block.type == networkCountry {
        redaction.fill(payload, with: UInt8(ascii: "0"))
      } else if start.hasBytes([0xFF, 0xD8, 0xFF]) {
        redaction.add(
          try JPEGRedaction.location(in: part, depth: depth + 1, keepsLength: true),
          at: payload.lowerBound)
      } else if start.hasText("ftyp", at: 4) {
        redaction.add(try ISORedaction.location(in: part, depth: depth + 1), at: payload.lowerBound)
      } else if let content = try source.bytes(in: payload, limit: 1 << 20) {
        if LocationNames.isTold(in: content) { redaction.fill(payload) }
      }
    }
    // A motion clip may be named by its place in the file alone.
    if let clip = try trailer.motionVideo(in: source) { coverage.add(clip) }
    for gap in coverage.gaps(in: trailer.start..<source.count) { redaction.fill(gap) }
    return redaction
  }
}
