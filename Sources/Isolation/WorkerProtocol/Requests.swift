package import MediaEdits
package import MediaModel

/// The version of this conversation; both programs must speak the same one.
package let codecProtocolVersion: UInt32 = 7

/// The first frame a codec process sends.
package struct Hello: Sendable, Hashable {
  package var version: UInt32
  /// The libraries it stands on, as `libheif 1.19.7`, for `shoebox doctor`.
  package var libraries: [String]
  /// The decoders, encoders and filters it can use, as `picture decoder hevc`, for `shoebox doctor`.
  package var codecs: [String]

  package init(version: UInt32 = codecProtocolVersion, libraries: [String], codecs: [String]) {
    self.version = version
    self.libraries = libraries
    self.codecs = codecs
  }
}

/// What a codec process can be asked to do.
package enum CodecRequest: Sendable, Hashable {
  /// Look at each file and tell what it is; one ``ProbeReply`` each.
  case probe([BytePath])
  /// Tell every metadata tag of one file, for `shoebox show`; one ``InspectReply``.
  case inspect(BytePath)
  /// Read all of each file and tell the digest of its content; ``DigestReply`` frames for each.
  case digest([BytePath])
  /// Tell of each file what planning its export needs; one ``ExamineReply`` each.
  case examine([ExamineItem])
  /// Make each file; ``RenderReply`` frames for each.
  case render([RenderStep])
  /// Make a small picture of each file, so many pixels on its longer side; one ``ThumbnailReply`` each.
  case thumbnails([ThumbnailItem], longerSide: Int)
}

/// A reply of which a batch gets one for each of its files.
package protocol BatchReply: WireMessage {
  /// The reply for a file that could not be looked at.
  static func failed(_ failure: ProbeFailure) -> Self
  /// Whether it only says that the work goes on, and the reply proper follows.
  var isInterim: Bool { get }
}

extension BatchReply {
  package var isInterim: Bool { false }
}

/// The digest of all of a file's bytes, or why there is none.
package enum DigestReply: BatchReply, Hashable {
  /// Not there yet: a file may be so large that silence would look like a hang.
  case working
  /// Of all of a file's bytes; not cryptographic.
  case digest([UInt8])
  case failed(ProbeFailure)

  package var isInterim: Bool { self == .working }
}

/// What one look at a file found.
package enum ProbeReply: BatchReply, Hashable {
  case media(MediaFacts, Fingerprint)
  case sidecar(SidecarFacts, Fingerprint)
  /// Neither a picture, a video nor a sidecar, by content and by name.
  case other
  case failed(ProbeFailure)
}

/// Why a file that should hold media could not be read.
package struct ProbeFailure: Error, Sendable, Hashable {
  package enum Reason: UInt8, Sendable {
    /// The bytes are damaged, cut off or empty: reading them again gives the same.
    case damaged = 1
    /// The name promises media, the content is something else.
    case notMedia = 2
    /// A format or feature that this build cannot read.
    case unsupported = 3
    /// The operating system refused: permission, input/output error, gone in the meantime.
    case inaccessible = 4
    /// The codec process died of it.
    case crashed = 5
    /// It took longer than one file may take.
    case timedOut = 6
    /// It asked for more memory than one file may cost.
    case outOfMemory = 7
    /// What was being made does not fit on the disk.
    case diskFull = 8

    /// Whether another try may end differently though the file's bytes stay the same.
    package var isTransient: Bool {
      switch self {
      case .damaged, .notMedia, .unsupported: false
      case .inaccessible, .crashed, .timedOut, .outOfMemory, .diskFull: true
      }
    }
  }

  package var reason: Reason
  /// One clear sentence for a person, without the path.
  package var message: String

  package init(_ reason: Reason, _ message: String) {
    self.reason = reason
    self.message = message
  }
}

/// One metadata tag, for people.
package struct MetadataTag: Sendable, Hashable {
  /// The block it stands in: `EXIF IFD0`, `EXIF GPS`, `Apple`, `XMP`, `IPTC`, `QuickTime` …
  package var group: String
  package var name: String
  package var value: String

  package init(group: String, name: String, value: String) {
    self.group = group
    self.name = name
    self.value = value
  }
}

/// Every metadata tag of one file, in the file's own order, or why there are none.
package enum InspectReply: Sendable, Hashable {
  case tags([MetadataTag])
  case failed(ProbeFailure)
}
