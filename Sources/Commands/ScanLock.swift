import Catalog
import POSIX

extension Catalog {
  /// Takes the lock that keeps a second scan away, for as long as the value lives.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/busy`` if another process holds it.
  func takeScanLock() throws -> FileLock {
    guard let lock = try FileLock.take(lockPath) else {
      throw Failure(.busy, "another scan is using the catalog \(path): wait until it has finished")
    }
    return lock
  }
}
