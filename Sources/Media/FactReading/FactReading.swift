// FactReading: what a media file records about itself; no pixel is decoded.
//
// It opens the file once, recognises its format by content, and reads it with the reader of that format. Rules that use
// several readers are here, as functions over values: when a picture was taken, what its title is, which clues it
// contains. MediaFormats reads what needs only bytes. The module LibraryFacts has the readers that need libheif. Every
// failure becomes one plain sentence in a reply; none ends the process.
package import MediaModel
package import WorkerProtocol

/// Reads the facts of one file.
///
/// - Parameter readers: used where our own readers do not suffice.
package func probe(_ path: BytePath, readers: CodecReaders? = nil) -> ProbeReply {
  withFile(path, failed: ProbeReply.failed) { file throws in try file.probe(readers: readers) }
}

/// Reads all metadata tags of one file.
///
/// - Parameter readers: used where our own readers do not suffice.
package func inspect(_ path: BytePath, readers: CodecReaders? = nil) -> InspectReply {
  withFile(path, failed: InspectReply.failed) { file throws in
    .tags(try file.tags(readers: readers))
  }
}

/// Computes the digest of a file's whole content.
///
/// - Parameter progress: called regularly, so that the pool knows that the process is not hung.
package func digest(_ path: BytePath, progress: () throws -> Void) -> DigestReply {
  withFile(path, failed: DigestReply.failed) { file throws in
    .digest(try file.contentDigest(progress: progress))
  }
}
