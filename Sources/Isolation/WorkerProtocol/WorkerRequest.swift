package import MediaEdits
package import MediaModel

/// A request to a worker.
///
/// The files travel with it as open descriptors, in the order of the items. A worker gets no path: each item has only the
/// last component of its file's, for rules about names.
package enum WorkerRequest: Sendable, Hashable {
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
  /// Make each file; ``RenderReply`` frames for each. Two descriptors each: the source, and an empty file to fill.
  case render([RenderStep])
  /// Make a thumbnail of each file, with at most `longerSide` pixels on its longer side; one
  /// ``ThumbnailReply`` each.
  case thumbnails([ThumbnailItem], longerSide: Int)
  /// Try what the sandbox refuses; one ``SelfTestReply``.
  case selfTest

  /// The number of descriptors that are sent with the request.
  package var fileCount: Int {
    switch self {
    case .describe, .selfTest: 0
    case .inspect: 1
    case .probe(let files), .digest(let files): files.count
    case .examine(let items): items.count
    case .render(let steps): steps.count * 2
    case .thumbnails(let items, _): items.count
    }
  }
}

extension WorkerRequest: WireMessage {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .probe(let files):
      writer.write(UInt8(1))
      writer.write(list: files) { $0.write(nameOf: $1) }
    case .inspect(let file):
      writer.write(UInt8(2))
      writer.write(nameOf: file)
    case .digest(let files):
      writer.write(UInt8(3))
      writer.write(list: files) { $0.write(nameOf: $1) }
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
    case .selfTest: writer.write(UInt8(8))
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .probe(try reader.names())
    case 2: self = .inspect(try reader.fileName())
    case 3: self = .digest(try reader.names())
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
    case 8: self = .selfTest
    case let other: throw .unknownCase(other)
    }
  }
}

extension WireWriter {
  /// Writes the last component of a file's path.
  mutating func write(nameOf file: BytePath) { write(file.lastComponent) }
}

extension WireReader {
  /// A name without a folder.
  mutating func fileName() throws(WireError) -> BytePath {
    let name = try byteString()
    guard !name.contains(UInt8(ascii: "/")) else { throw .outOfRange }
    return BytePath(bytes: name)
  }

  fileprivate mutating func names() throws(WireError) -> [BytePath] {
    try list { (reader) throws(WireError) in try reader.fileName() }
  }
}

/// The reply to one file of a batch.
package protocol BatchReply: WireMessage {
  /// The reply for a file that could not be read.
  static func failed(_ failure: ProbeFailure) -> Self
  /// Whether it only reports that the work continues; the final reply follows.
  var isInterim: Bool { get }
  /// Whether the program that reads facts passes the file on to the one with the codecs.
  var needsCodec: Bool { get }
}

extension BatchReply {
  package var isInterim: Bool { false }
  package var needsCodec: Bool { false }
}
