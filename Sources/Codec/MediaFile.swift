import Containers
import MediaModel
import POSIX

/// The file under examination: opened once, read through one cache by every reader and library.
final class MediaFile: ByteSource {
  private let file: ReadOnlyFile
  /// What the system last refused, for readers that only see an early end.
  private(set) var failure: SystemError?

  init(path: BytePath) throws(SystemError) {
    file = try ReadOnlyFile(path: path)
  }

  var count: UInt64 { file.size }
  var path: BytePath { file.path }

  func bytes(at offset: UInt64, count: Int) throws -> [UInt8] {
    do {
      return try file.read(at: offset, count: count)
    } catch {
      failure = error
      throw error
    }
  }
}

/// How a door that takes a closure reads from a source: what cannot be read is not there.
func reading(_ source: any ByteSource) -> (_ offset: UInt64, _ count: Int) -> [UInt8] {
  { offset, count in (try? source.bytes(at: offset, count: count)) ?? [] }
}
