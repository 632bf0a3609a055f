import Glibc

/// How many files this process may have open at once (`ulimit -n`).
package enum OpenFileLimit {
  /// Descriptors that must be free when a process starts: 16 for the folders that the walk reads at once, the
  /// others for the catalog and the runtime's timers. The runtime ends the process if it cannot open them.
  package static let startReserve = 40

  /// Raises the limit as far as this process may, up to 4096, ensures that the three standard streams are
  /// open, and checks that enough descriptors are left.
  ///
  /// A missing standard stream is replaced by `/dev/null`, so that no other file gets its number.
  ///
  /// - Throws: `EMFILE` if fewer than ``startReserve`` descriptors are free.
  package static func prepare() throws(SystemError) {
    for stream: Int32 in 0...2 where fcntl(stream, F_GETFD) < 0 && errno == EBADF {
      guard unsafe open("/dev/null", O_RDWR) >= 0 else { throw .last("open") }
    }
    if var limit = current, limit.rlim_cur < 4096, limit.rlim_cur < limit.rlim_max {
      limit.rlim_cur = min(limit.rlim_max, 4096)
      unsafe setrlimit(openFiles, &limit)
    }
    let probe = fcntl(0, F_DUPFD_CLOEXEC, 3)
    guard probe >= 0 else { throw .last("open") }
    close(probe)
    try requireFree(startReserve, above: probe - 1)
  }

  /// How many files this process may have open; that of most systems if it is unknown.
  package static var count: Int { current.map { Int(clamping: $0.rlim_cur) } ?? 1024 }

  /// Lowers the limit to `count` permanently.
  static func lower(to count: UInt64) {
    guard var limit = current else { return }
    limit.rlim_max = min(limit.rlim_max, rlim_t(count))
    limit.rlim_cur = min(limit.rlim_cur, limit.rlim_max)
    unsafe setrlimit(openFiles, &limit)
  }

  /// Checks that `count` more files can be opened.
  ///
  /// - Parameter descriptor: the descriptor that was opened last. The kernel assigns the lowest free number,
  ///   so all lower ones are taken.
  /// - Throws: `EMFILE`.
  static func requireFree(_ count: Int, above descriptor: Int32) throws(SystemError) {
    guard let limit = current else { return }
    guard UInt64(limit.rlim_cur) > UInt64(max(0, Int(descriptor) + count)) else {
      throw SystemError(code: EMFILE, operation: "open")
    }
  }

  private static var openFiles: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }

  private static var current: rlimit? {
    var limit = rlimit()
    return unsafe getrlimit(openFiles, &limit) == 0 ? limit : nil
  }
}
