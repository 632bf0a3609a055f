package import MediaEdits
package import MediaModel

/// A request to a codec process.
package enum CodecRequest: Sendable, Hashable {
  /// Report the facts of each file; one ``ProbeReply`` each.
  case probe([BytePath])
  /// Report the program's libraries and codecs, for `shoebox doctor`; one ``ProgramDescription``.
  case describe
  /// Report all metadata tags of one file, for `shoebox show`; one ``InspectReply``.
  case inspect(BytePath)
  /// Compute the digest of each file's whole content; ``DigestReply`` frames for each.
  case digest([BytePath])
  /// Describe each file for planning its export; one ``ExamineReply`` each.
  case examine([ExamineItem])
  /// Make each file; ``RenderReply`` frames for each.
  case render([RenderStep])
  /// Make a thumbnail of each file, with at most `longerSide` pixels on its longer side; one
  /// ``ThumbnailReply`` each.
  case thumbnails([ThumbnailItem], longerSide: Int)
}

extension CodecRequest: WireMessage {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .probe(let paths):
      writer.write(UInt8(1))
      writer.write(list: paths) { $0.write($1.bytes) }
    case .inspect(let path):
      writer.write(UInt8(2))
      writer.write(path.bytes)
    case .digest(let paths):
      writer.write(UInt8(3))
      writer.write(list: paths) { $0.write($1.bytes) }
    case .examine(let items):
      writer.write(UInt8(4))
      writer.write(list: items) { $0.write($1) }
    case .render(let steps):
      writer.write(UInt8(5))
      writer.write(list: steps) { $0.write($1) }
    case .thumbnails(let items, let longerSide):
      writer.write(UInt8(6))
      writer.write(list: items) { $0.write($1) }
      writer.write(longerSide)
    case .describe: writer.write(UInt8(7))
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .probe(try reader.paths())
    case 2: self = .inspect(BytePath(bytes: try reader.byteString()))
    case 3: self = .digest(try reader.paths())
    case 4:
      self = .examine(
        try reader.list { (reader) throws(WireError) in try reader.examineItem() })
    case 5:
      self = .render(try reader.list { (reader) throws(WireError) in try reader.renderStep() })
    case 6:
      self = .thumbnails(
        try reader.list { (reader) throws(WireError) in try reader.thumbnailItem() },
        longerSide: try reader.integer())
    case 7: self = .describe
    case let other: throw .unknownCase(other)
    }
  }
}

extension WireReader {
  fileprivate mutating func paths() throws(WireError) -> [BytePath] {
    try list { (reader) throws(WireError) in BytePath(bytes: try reader.byteString()) }
  }
}

/// The reply to one file of a batch.
package protocol BatchReply: WireMessage {
  /// The reply for a file that could not be read.
  static func failed(_ failure: ProbeFailure) -> Self
  /// Whether it only reports that the work continues; the final reply follows.
  var isInterim: Bool { get }
}

extension BatchReply {
  package var isInterim: Bool { false }
}
