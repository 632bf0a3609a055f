import ByteReading
import Linux
package import MediaModel
package import WorkerProtocol

/// The file that is being read: opened once, and shared by all readers and libraries.
package final class MediaFile: ByteSource {
  private let file: ReadOnlyFile
  /// Why a part of the file could not be read, for readers that only notice an early end.
  private(set) var failure: ProbeFailure?

  init(path: BytePath) throws(SystemError) {
    file = try ReadOnlyFile(path: path)
  }

  var count: UInt64 { file.size }
  package var path: BytePath { file.path }

  func bytes(at offset: UInt64, count wanted: Int) throws -> [UInt8] {
    do throws(SystemError) {
      let found = try file.read(at: offset, count: wanted)
      let promised = offset < count ? min(UInt64(max(0, wanted)), count - offset) : 0
      if UInt64(found.count) >= promised { return found }
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

/// Opens a file and returns the result of `body`, or a failure.
package func withFile<Reply>(
  _ path: BytePath, failed: (ProbeFailure) -> Reply, _ body: (MediaFile) throws -> Reply
) -> Reply {
  do {
    let file = try MediaFile(path: path)
    let result = Result { try body(file) }
    // A reader that met a read error reports damage or an early end, or succeeds with what it has read. The
    // read error is the cause.
    if let failure = file.failure { return failed(failure) }
    return try result.get()
  } catch {
    return failed(ProbeFailure(error))
  }
}
