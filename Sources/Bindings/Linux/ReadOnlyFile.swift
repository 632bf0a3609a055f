import CLinux
import Glibc
package import MediaModel

/// Linux's `O_NOATIME`, which Glibc shows only to C programs that ask for GNU extensions; the value is
/// the kernel's for every architecture that Swift runs on.
private let keepAccessTime: Int32 = 0o1000000

/// A regular file, opened for reading only.
package struct ReadOnlyFile: ~Copyable {
  let descriptor: Int32
  package let path: BytePath
  /// At the time of opening.
  package let status: FileStatus

  /// The size in bytes at the time of opening.
  package var size: UInt64 { UInt64(max(0, status.stamp.size)) }

  /// Opens a file without waiting (a FIFO would block) and, if permitted, without changing its access time.
  /// Throws if it is not a regular file.
  package init(path: BytePath) throws(SystemError) {
    (descriptor, status) = try openToRead(path)
    self.path = path
  }

  /// Opens a file of Shoebox's own in a folder that other users may write to.
  ///
  /// - Throws: `SystemError`: ``SystemError/isLink`` for a symbolic link, `EINVAL` for anything else that is
  ///   not a regular file.
  package init(_ name: [UInt8], in folder: OpenFolder) throws(SystemError) {
    (descriptor, status) = try openOwnFile(name, in: folder, O_RDONLY)
    path = folder.path.appending(name)
  }

  /// A file that another process has opened and sent.
  ///
  /// - Parameter name: for messages and rules; this process has no path.
  /// - Throws: `SystemError`: `EINVAL` for anything that is not a regular file.
  package init(received file: SharedFile, name: BytePath) throws(SystemError) {
    let status = try descriptorStatus(file.descriptor, name)
    guard status.kind == .regular else {
      throw SystemError(code: EINVAL, operation: "open", path: name)
    }
    descriptor = file.take()
    path = name
    self.status = status
  }

  deinit {
    close(descriptor)
  }

  /// The file's current status.
  package func statusNow() throws(SystemError) -> FileStatus {
    try descriptorStatus(descriptor, path)
  }

  /// Up to `count` bytes at `offset`: fewer at the file's end, none after it.
  package func read(at offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
    try readBytes(of: descriptor, path, at: offset, count: count)
  }
}

/// Up to `count` bytes of an open file at `offset`: fewer at its end, none after it.
func readBytes(
  of descriptor: Int32, _ path: BytePath, at offset: UInt64, count: Int
) throws(SystemError) -> [UInt8] {
  // Offsets come from hostile files: one that no file can have is after the end.
  guard count > 0, let start = off_t(exactly: offset),
    !start.addingReportingOverflow(off_t(count)).overflow
  else { return [] }
  var failure: SystemError?
  let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
    while filled < count {
      guard let base = buffer.baseAddress else { return }
      let got = unsafe pread(
        descriptor, base + filled, count - filled, start + off_t(filled))
      if got > 0 {
        filled += got
      } else if got == 0 {
        return
      } else if errno != EINTR {
        failure = .last("read", path)
        return
      }
    }
  }
  if let failure { throw failure }
  return bytes
}

/// Opens a regular file without waiting and, if permitted, without changing its access time.
func openToRead(_ path: BytePath) throws(SystemError) -> (descriptor: Int32, status: FileStatus) {
  let descriptor = try unsafe path.call("open") { name in
    keepingAccessTime { unsafe open(name, $0) }
  }
  return try checkRegular(descriptor, path)
}

/// Calls `open` with the flags for reading: first with `O_NOATIME`, which only the owner may use.
func keepingAccessTime(_ open: (_ flags: Int32) -> Int32) -> Int32 {
  let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
  let opened = open(flags | keepAccessTime)
  return opened < 0 && errno == EPERM ? open(flags) : opened
}

/// The status of a file that was just opened.
///
/// - Throws: `SystemError` if it is not a regular file; it is then closed.
func checkRegular(
  _ descriptor: Int32, _ path: BytePath
) throws(SystemError) -> (descriptor: Int32, status: FileStatus) {
  do throws(SystemError) {
    let status = try descriptorStatus(descriptor, path)
    guard status.kind != .regular else { return (descriptor, status) }
    throw SystemError(
      code: status.kind == .directory ? EISDIR : EINVAL, operation: "open", path: path)
  } catch {
    close(descriptor)
    throw error
  }
}

/// The status of an open file, by a call that the filter of a worker permits.
func descriptorStatus(_ descriptor: Int32, _ path: BytePath) throws(SystemError) -> FileStatus {
  var found = stat()
  guard unsafe descriptor_status(descriptor, &found) == 0 else { throw .last("stat", path) }
  return FileStatus(found)
}
