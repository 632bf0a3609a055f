import ByteReading
package import Linux
package import MediaModel
package import WorkerProtocol

/// The file that is being read: opened once, and shared by all readers and libraries.
package final class MediaFile: ByteSource {
  private let file: ReadOnlyFile
  /// Why a part of the file could not be read, for readers that only notice an early end.
  private(set) var failure: ProbeFailure?

  init(_ received: SharedFile, name: BytePath) throws(SystemError) {
    file = try ReadOnlyFile(received: received, name: name)
  }

  var count: UInt64 { file.size }
  /// Only the last component of the file's path.
  package var path: BytePath { file.path }

  func bytes(at offset: UInt64, count wanted: Int) throws -> [UInt8] {
    let promised = offset < count ? Int(clamping: min(UInt64(max(0, wanted)), count - offset)) : 0
    do throws(SystemError) {
      // No more than the file has: a reader that asks for a large window gets a small file in one call. A file whose
      // size is unknown to its file system has the size 0.
      let found = try file.read(at: offset, count: count > 0 ? promised : wanted)
      if found.count >= promised { return found }
    } catch {
      throw failed(ProbeFailure(error))
    }
    throw failed(ProbeFailure(.inaccessible, "The file became shorter while it was read."))
  }

  private func failed(_ reason: ProbeFailure) -> ProbeFailure {
    failure = failure ?? reason
    return reason
  }
}

/// Returns the result of `body` for an open file, or a failure.
///
/// - Parameter name: the last component of the file's path.
package func withFile<Reply>(
  _ file: SharedFile, name: BytePath, failed: (ProbeFailure) -> Reply,
  _ body: (MediaFile) throws -> Reply
) -> Reply {
  do {
    let file = try MediaFile(file, name: name)
    let result = Result { try body(file) }
    // A reader that met a read error reports damage or an early end, or succeeds with what it has read. The
    // read error is the cause.
    if let failure = file.failure { return failed(failure) }
    return try result.get()
  } catch {
    return failed(ProbeFailure(error))
  }
}
