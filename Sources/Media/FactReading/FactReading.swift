// FactReading: what a media file records about itself; no pixel is decoded.
//
// It opens the file once, recognises its format by content, and reads it with the reader of that format. Rules that use
// several readers are here, as functions over values: when a picture was taken, what its title is, which clues it
// contains. MediaFormats reads what needs only bytes. The module LibraryFacts has the readers that need libheif or FFmpeg.
// Every failure becomes one plain sentence in a reply; none ends the process.
package import Linux
package import MediaModel
package import WorkerProtocol

/// Reads the facts of one file.
///
/// - Parameters:
///   - file: the open file.
///   - name: the last component of its path, for rules about names.
///   - readers: used where our own readers do not suffice; nil to answer ``ProbeReply/passedOn``.
package func probe(
  _ file: SharedFile, name: BytePath, readers: CodecReaders? = nil
) -> ProbeReply {
  withFile(file, name: name, failed: ProbeReply.failed) { file throws in
    do {
      return try file.probe(readers: readers)
    } catch is NeedsCodec {
      return .passedOn
    }
  }
}

/// Reads all metadata tags of one file.
///
/// - Parameter readers: as for ``probe(_:name:readers:)``.
package func inspect(
  _ file: SharedFile, name: BytePath, readers: CodecReaders? = nil
) -> InspectReply {
  withFile(file, name: name, failed: InspectReply.failed) { file throws in
    do {
      return .tags(try file.tags(readers: readers))
    } catch is NeedsCodec {
      return .passedOn
    }
  }
}

/// Computes the digest of a file's whole content.
///
/// - Parameter progress: called regularly, so that the pool knows that the process is not hung.
package func digest(
  _ file: SharedFile, name: BytePath, progress: () throws -> Void
) -> DigestReply {
  withFile(file, name: name, failed: DigestReply.failed) { file throws in
    .digest(try file.contentDigest(progress: progress))
  }
}
