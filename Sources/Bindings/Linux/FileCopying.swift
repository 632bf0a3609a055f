import CLinux
import Glibc
package import MediaModel

/// `FICLONE` of `linux/fs.h`, a macro that Swift does not import.
private let cloneFile: UInt = 0x4004_9409

extension OutputFile {
  /// The number of bytes copied before `isStopped` is called again.
  private static var stride: UInt64 { 32 << 20 }

  /// Fills this empty file with the bytes of another file, or with a range of them.
  ///
  /// If the file system supports it, the two files share their blocks. Otherwise the kernel copies; if it
  /// cannot, this process does.
  ///
  /// - Parameter isStopped: called regularly; true ends the copy.
  /// - Returns: the number of bytes copied: fewer than requested if the source ends early or the copy was
  ///   stopped.
  package func copy(
    _ source: borrowing ReadOnlyFile, range: ByteRange? = nil,
    isStopped: () -> Bool = { false }
  ) throws(SystemError) -> UInt64 {
    if range == nil, ioctl(descriptor, cloneFile, source.descriptor) == 0 { return source.size }
    let start = range?.offset ?? 0
    let count = range?.length ?? source.size
    var copied: UInt64 = 0
    var isKernelCopying = true
    while copied < count, !isStopped() {
      let wanted = min(Self.stride, count - copied)
      let got: UInt64
      if isKernelCopying, let taken = try kernelCopy(source, start + copied, wanted, to: copied) {
        got = taken
      } else {
        isKernelCopying = false
        let bytes = try source.read(at: start + copied, count: Int(min(wanted, 1 << 20)))
        try write(bytes, at: copied)
        got = UInt64(bytes.count)
      }
      if got == 0 { break }
      copied += got
    }
    return copied
  }

  /// Copies with `copy_file_range`; nil if this pair of file systems does not support it.
  private func kernelCopy(
    _ source: borrowing ReadOnlyFile, _ offset: UInt64, _ count: UInt64, to target: UInt64
  ) throws(SystemError) -> UInt64? {
    guard var from = off_t(exactly: offset), var to = off_t(exactly: target) else { return 0 }
    while true {
      let got = unsafe copy_file_range(
        source.descriptor, &from, descriptor, &to, Int(count), 0)
      if got >= 0 { return UInt64(got) }
      switch errno {
      case EINTR: continue
      case EXDEV, ENOSYS, EINVAL, EOPNOTSUPP, EBADF, EPERM, ETXTBSY: return nil
      default: throw .last("write", path)
      }
    }
  }

  /// Starts writing to the disk, without waiting for it.
  package func beginSync() {
    // SYNC_FILE_RANGE_WRITE: only saves time in `sync`, which reports errors.
    _ = sync_file_range(descriptor, 0, 0, 2)
  }
}
