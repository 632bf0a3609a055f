/// All metadata tags of one file, in the file's order, or why there are none.
package enum InspectReply: Sendable, Hashable {
  case tags([MetadataTag])
  case failed(ProbeFailure)
  /// As ``ProbeReply/passedOn``.
  case passedOn
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
    case .passedOn: writer.write(UInt8(3))
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
    case 3: self = .passedOn
    case let other: throw .unknownCase(other)
    }
  }
}

/// One metadata tag, for display.
package struct MetadataTag: Sendable, Hashable {
  /// The block that contains it: `EXIF IFD0`, `EXIF GPS`, `Apple`, `XMP`, `IPTC`, `QuickTime` …
  package var group: String
  package var name: String
  package var value: String

  package init(group: String, name: String, value: String) {
    self.group = group
    self.name = name
    self.value = value
  }
}
