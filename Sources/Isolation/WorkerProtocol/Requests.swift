package import MediaEdits
package import MediaModel

/// The version of the protocol; both programs must have the same.
package let codecProtocolVersion: UInt32 = 7

/// The first frame a codec process sends.
package struct Hello: Sendable, Hashable {
  package var version: UInt32
  /// The libraries it uses, as `libheif 1.19.7`, for `shoebox doctor`.
  package var libraries: [String]
  /// The decoders, encoders and filters it can use, as `picture decoder hevc`, for `shoebox doctor`.
  package var codecs: [String]

  package init(version: UInt32 = codecProtocolVersion, libraries: [String], codecs: [String]) {
    self.version = version
    self.libraries = libraries
    self.codecs = codecs
  }
}

/// A request to a codec process.
package enum CodecRequest: Sendable, Hashable {
  /// Report the facts of each file; one ``ProbeReply`` each.
  case probe([BytePath])
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

/// The digest of a file's whole content, or why there is none.
package enum DigestReply: BatchReply, Hashable {
  /// Not finished: a large file takes so long that a process without a reply would look hung.
  case working
  /// The digest; not cryptographic.
  case digest([UInt8])
  case failed(ProbeFailure)

  package var isInterim: Bool { self == .working }
}

/// The facts of a file, or why there are none.
package enum ProbeReply: BatchReply, Hashable {
  case media(MediaFacts, Fingerprint)
  case sidecar(SidecarFacts, Fingerprint)
  /// Not a picture, video or sidecar, by content and by name.
  case other
  case failed(ProbeFailure)
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
    /// The codec process crashed.
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

/// All metadata tags of one file, in the file's order, or why there are none.
package enum InspectReply: Sendable, Hashable {
  case tags([MetadataTag])
  case failed(ProbeFailure)
}
