import Catalog
import Linux

extension Catalog {
  /// Takes the lock that prevents a second scan. It is held until the value's last use, so the caller consumes it
  /// after the work.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/busy`` if another process holds it.
  func takeScanLock() throws -> FileLock {
    if let lock = try FileLock.take(lockPath) { return lock }
    throw Failure(.busy, "another scan is using the catalog \(path): wait until it has finished")
  }

  /// The last scans, newest first. A killed scan could not record its end, so no scan counts as running while no
  /// process holds the scan lock.
  func scanHistory(last limit: Int) throws -> [ScanRecord] {
    var scans = try scans(last: limit, failureLimit: .max)
    if scans.contains(where: { $0.outcome == .running }), !FileLock.isHeld(lockPath) {
      // The last one may have ended meanwhile.
      scans = try self.scans(last: limit, failureLimit: .max)
      for index in scans.indices where scans[index].outcome == .running {
        scans[index].outcome = .interrupted
      }
    }
    return scans
  }
}
