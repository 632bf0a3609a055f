import CodecMessages
import Containers
import MediaModel
import POSIX

/// The file under examination: opened once, read through one cache by every reader and library.
final class MediaFile: ByteSource {
  private let file: ReadOnlyFile
  /// Why a part of the file could not be read, for readers that only see an early end.
  private(set) var failure: ProbeFailure?

  init(path: BytePath) throws(SystemError) {
    file = try ReadOnlyFile(path: path)
  }

  var count: UInt64 { file.size }
  var path: BytePath { file.path }

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

/// How libheif reads from a source, to which what cannot be read is not there; see ``withFile(_:failed:_:)``.
func reading(_ source: any ByteSource) -> (_ offset: UInt64, _ count: Int) -> [UInt8] {
  { offset, count in (try? source.bytes(at: offset, count: count)) ?? [] }
}
