import CLinux
import Glibc
package import MediaModel
import Synchronization

/// An open file on its way to another process, or from one. Closed with this value.
package final class SharedFile: Sendable {
  /// −1 after the file was taken.
  private let number: Atomic<Int32>

  init(descriptor: Int32) {
    number = Atomic(descriptor)
  }

  deinit {
    let left = take()
    if left >= 0 { close(left) }
  }

  var descriptor: Int32 { number.load(ordering: .relaxed) }

  /// The descriptor, which the caller closes.
  func take() -> Int32 { number.exchange(-1, ordering: .relaxed) }

  /// Opens a regular file for reading, without waiting and, if permitted, without changing its access time.
  ///
  /// - Parameters:
  ///   - path: the file's full path.
  ///   - root: a folder above the file. No symbolic link below it is followed, and no `..`. Nil to follow links.
  package static func source(
    _ path: BytePath, below root: OpenFolder?
  ) throws(SystemError) -> SharedFile {
    guard let root, path.isWithin(root.path),
      case let relative = path.bytes.dropFirst(root.path.bytes.count).drop(while: { $0 == 0x2F }),
      !relative.isEmpty
    else { return SharedFile(descriptor: try openToRead(path).descriptor) }
    do {
      let descriptor = try unsafe root.call("open", Array(relative)) { folder, name in
        keepingAccessTime { unsafe open_beneath(folder, name, UInt32($0)) }
      }
      return SharedFile(descriptor: try checkRegular(descriptor, path).descriptor)
    } catch {
      switch error.code {
      // Kernels before Linux 5.6 do not know the call, some sandboxes refuse it, and a rename elsewhere on the path
      // interrupts it.
      case ENOSYS, EPERM, EAGAIN: break
      default: throw error
      }
    }
    let folder = try root.openStepwise(
      BytePath(bytes: Array(relative)).parent.components, making: false)
    let descriptor = try unsafe folder.call("open", path.lastComponent) { folder, name in
      keepingAccessTime { unsafe openat(folder, name, $0 | O_NOFOLLOW) }
    }
    return SharedFile(descriptor: try checkRegular(descriptor, path).descriptor)
  }

  /// The same open file as `file`, emptied, for a process that fills it.
  package init(emptying file: borrowing OutputFile) throws(SystemError) {
    guard ftruncate(file.descriptor, 0) == 0 else { throw .last("ftruncate", file.path) }
    let copy = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw .last("dup", file.path) }
    number = Atomic(copy)
  }
}

/// A worker's end of the socket that connects it with the process that started it: standard input and output.
package enum WorkerSocket {
  /// Waits for bytes, and for the files that were sent with them.
  ///
  /// - Returns: no bytes at the end.
  /// - Throws: `SystemError`, also if standard input is not a socket.
  package static func receive(
    upTo count: Int
  ) throws(SystemError) -> (bytes: [UInt8], files: [SharedFile]) {
    var descriptors = [Int32](repeating: -1, count: ChildProcess.maximumFiles)
    var received = 0
    var failure: SystemError?
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while true {
        let got = unsafe receive_with_descriptors(
          StandardStream.input.rawValue, buffer.baseAddress, count, &descriptors, &received)
        if got >= 0 {
          filled = got
          return
        }
        if errno == EINTR { continue }
        failure = .last("read")
        return
      }
    }
    if let failure { throw failure }
    return (bytes, descriptors.prefix(received).map(SharedFile.init(descriptor:)))
  }

  /// Sends all of `bytes`.
  package static func send(_ bytes: [UInt8]) throws(SystemError) {
    try StandardStream.output.write(bytes)
  }
}
