/// The digest of a file's whole content, or why there is none.
package enum DigestReply: BatchReply, Hashable {
  /// Not finished: a large file takes so long that a process without a reply would look hung.
  case working
  /// The digest; not cryptographic.
  case digest([UInt8])
  case failed(ProbeFailure)

  package var isInterim: Bool { self == .working }
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
