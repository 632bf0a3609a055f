package import MediaModel

/// The facts of a file, or why there are none.
package enum ProbeReply: BatchReply, Hashable {
  case media(MediaFacts, Fingerprint)
  case sidecar(SidecarFacts, Fingerprint)
  /// Not a picture, video or sidecar, by content and by name.
  case other
  case failed(ProbeFailure)
  /// The program that reads facts cannot read this file; the one with the codecs may.
  case passedOn

  package var needsCodec: Bool { self == .passedOn }
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
    case .passedOn: writer.write(UInt8(5))
    }
  }

  package init(from reader: inout WireReader) throws(WireError) {
    switch try reader.byte() {
    case 1: self = .media(try reader.mediaFacts(), try reader.fingerprint())
    case 2:
      self = .sidecar(try reader.sidecarFacts(), try reader.fingerprint())
    case 3: self = .other
    case 4: self = .failed(try reader.probeFailure())
    case 5: self = .passedOn
    case let other: throw .unknownCase(other)
    }
  }
}

/// Why a media file could not be read.
package struct ProbeFailure: Error, Sendable, Hashable {
  package enum Reason: UInt8, Sendable {
    /// The bytes are damaged, truncated or empty: reading them again gives the same result.
    case damaged = 1
    /// The name has a media extension, but the content is something else.
    case notMedia = 2
    /// A format or feature that this build cannot read.
    case unsupported = 3
    /// The operating system refused: no permission, input/output error, file removed meanwhile.
    case inaccessible = 4
    /// The worker crashed.
    case crashed = 5
    /// It exceeded the time limit for one file.
    case timedOut = 6
    /// It exceeded the memory limit for one file.
    case outOfMemory = 7
    /// The result does not fit on the disk.
    case diskFull = 8

    /// Whether another try may succeed although the file's bytes are unchanged.
    package var isTransient: Bool {
      switch self {
      case .damaged, .notMedia, .unsupported: false
      case .inaccessible, .crashed, .timedOut, .outOfMemory, .diskFull: true
      }
    }
  }

  package var reason: Reason
  /// One sentence for the user, without the path.
  package var message: String

  package init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }
}

extension WireWriter {
  mutating func write(_ failure: ProbeFailure) {
    write(failure.reason.rawValue)
    write(failure.message)
  }
}

extension WireReader {
  mutating func probeFailure() throws(WireError) -> ProbeFailure {
    let rawReason = try byte()
    guard let reason = ProbeFailure.Reason(rawValue: rawReason) else {
      throw .unknownCase(rawReason)
    }
    return ProbeFailure(reason, try string())
  }
}
