import MediaModel

/// A message that is sent in its own frame.
package protocol WireMessage: Sendable {
  func write(to writer: inout WireWriter)
  init(from reader: inout WireReader) throws(WireError)
}

extension WireMessage {
  /// The message as a frame's payload.
  package var payload: [UInt8] {
    var writer = WireWriter()
    write(to: &writer)
    return writer.bytes
  }

  /// Decodes a frame's payload, which must contain nothing else.
  package init(payload: [UInt8]) throws(WireError) {
    var reader = WireReader(payload)
    try self.init(from: &reader)
    guard reader.isAtEnd else { throw .surplus }
  }
}

extension Hello: WireMessage {
  package func write(to writer: inout WireWriter) {
    writer.write(UInt64(version))
    writer.write(list: libraries) { $0.write($1) }
    writer.write(list: codecs) { $0.write($1) }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    version = UInt32(truncatingIfNeeded: try reader.unsigned())
    libraries = try reader.texts()
    codecs = try reader.texts()
  }
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
    case let other: throw .unknownCase(other)
    }
  }
}

extension ProbeReply {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .media(let facts, let fingerprint):
      writer.write(UInt8(1))
      writer.write(facts)
      writer.write(fingerprint.bytes)
    case .sidecar(let facts, let fingerprint):
      writer.write(UInt8(2))
      writer.write(facts)
      writer.write(fingerprint.bytes)
    case .other: writer.write(UInt8(3))
    case .failed(let failure):
      writer.write(UInt8(4))
      writer.write(failure)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .media(try reader.mediaFacts(), try reader.fingerprint())
    case 2:
      self = .sidecar(try reader.sidecarFacts(), try reader.fingerprint())
    case 3: self = .other
    case 4: self = .failed(try reader.probeFailure())
    case let other: throw .unknownCase(other)
    }
  }
}

extension InspectReply: WireMessage {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .tags(let tags):
      writer.write(UInt8(1))
      writer.write(list: tags) {
        $0.write($1.group)
        $0.write($1.name)
        $0.write($1.value)
      }
    case .failed(let failure):
      writer.write(UInt8(2))
      writer.write(failure)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1:
      self = .tags(
        try reader.list { (reader) throws(WireError) in
          MetadataTag(
            group: try reader.string(), name: try reader.string(), value: try reader.string())
        })
    case 2: self = .failed(try reader.probeFailure())
    case let other: throw .unknownCase(other)
    }
  }
}

extension DigestReply {
  package func write(to writer: inout WireWriter) {
    switch self {
    case .working: writer.write(UInt8(1))
    case .digest(let digest):
      writer.write(UInt8(2))
      writer.write(digest)
    case .failed(let failure):
      writer.write(UInt8(3))
      writer.write(failure)
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .working
    case 2: self = .digest(try reader.byteString())
    case 3: self = .failed(try reader.probeFailure())
    case let other: throw .unknownCase(other)
    }
  }
}

extension WireWriter {
  mutating func write(_ failure: ProbeFailure) {
    write(failure.reason.rawValue)
    write(failure.message)
  }
}

extension WireReader {
  mutating func paths() throws(WireError) -> [BytePath] {
    try list { (reader) throws(WireError) in BytePath(bytes: try reader.byteString()) }
  }

  mutating func probeFailure() throws(WireError) -> ProbeFailure {
    let rawReason = try byte()
    guard let reason = ProbeFailure.Reason(rawValue: rawReason) else {
      throw .unknownCase(rawReason)
    }
    return ProbeFailure(reason, try string())
  }
}
