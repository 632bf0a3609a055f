import Catalog
import Linux

extension Catalog {
  /// Takes the lock that keeps a second scan away, for as long as the value lives: up to its last use, so
  /// the caller consumes it when the work is done.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/busy`` if another process holds it.
  func takeScanLock() throws -> FileLock {
    if let lock = try FileLock.take(lockPath) { return lock }
    throw Failure(.busy, "another scan is using the catalog \(path): wait until it has finished")
  }

  /// The last scans, the newest first. One that was killed could not say so itself: if no process holds
  /// the scan lock, none is running.
  func scanHistory(last limit: Int) throws -> [ScanRecord] {
    var scans = try scans(last: limit, failureLimit: .max)
    if scans.contains(where: { $0.outcome == .running }), !FileLock.isHeld(lockPath) {
      // Perhaps the last one has ended in this moment.
      scans = try self.scans(last: limit, failureLimit: .max)
      for index in scans.indices where scans[index].outcome == .running {
        scans[index].outcome = .interrupted
      }
    }
    return scans
  }
}
