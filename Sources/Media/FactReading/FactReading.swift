// FactReading: what a media file records about itself; no pixel is decoded.
//
// It opens the file once, recognises its format by content, and lets one reader of that format read it. Rules
// that draw on several readers are here, as functions over values: when a picture was taken, what its title is,
// which clues it contains. MediaFormats reads what can be read from bytes alone. LibraryFacts has the readers
// that need libheif or FFmpeg. Every failure becomes one plain sentence in a reply; none ends the process.
package import MediaModel
package import WorkerProtocol

/// Looks at one file and tells what it is.
package func probe(_ path: BytePath) -> ProbeReply {
  withFile(path, failed: ProbeReply.failed) { file throws in try file.probe() }
}

/// Tells every metadata tag of one file.
package func inspect(_ path: BytePath) -> InspectReply {
  withFile(path, failed: InspectReply.failed) { file throws in .tags(try file.tags()) }
}

/// Reads all of a file for the digest of its content.
///
/// - Parameter progress: is called every now and then, that nobody takes the silence for a hang.
package func digest(_ path: BytePath, progress: () throws -> Void) -> DigestReply {
  withFile(path, failed: DigestReply.failed) { file throws in
    .digest(try file.contentDigest(progress: progress))
  }
}
