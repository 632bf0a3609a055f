// Codec: what the codec process does with a file.
//
// It opens the file once, tells by content what it is, lets one reader of that family take it apart,
// and makes the same kind of facts of every family. Rules that draw on several readers live here, as
// functions over values: when a picture was taken, what its title is, which clues it gives away. What
// can be read from bytes alone is read by Containers; what needs a C library goes through one of the
// doors. Every failure ends as one plain sentence in a reply; none ends the process.
package import CodecMessages
package import MediaModel

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

/// Opens a file and answers with what `body` makes of it, or with why that failed.
func withFile<Reply>(
  _ path: BytePath, failed: (ProbeFailure) -> Reply, _ body: (MediaFile) throws -> Reply
) -> Reply {
  do {
    let file = try MediaFile(path: path)
    let result = Result { try body(file) }
    // A reader that met a broken disk sees damage or an early end, and may be content with what came
    // before; the disk is the reason.
    if let failure = file.failure { return failed(failure) }
    return try result.get()
  } catch {
    return failed(ProbeFailure(error))
  }
}
