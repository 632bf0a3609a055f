import CLinux
import Glibc
import Synchronization

/// The signals by which users and the system ask this process to end: SIGINT (Ctrl-C), SIGTERM and SIGHUP.
///
/// A signal that is ignored at the start stays ignored: `nohup` ignores SIGHUP, and a shell without job control SIGINT for
/// what it starts in the background.
package enum TerminationSignals {
  private static let count = Atomic<Int>(0)
  /// The descriptor that a handler writes to, since hardly anything else is allowed in it.
  private static let descriptor = Atomic<Int32>(-1)
  private static let action = Mutex<(@Sendable () -> Void)?>(nil)

  /// How many seconds the process may take to end after the first signal. It is then ended at any point, so
  /// that a disk that does not respond cannot delay it.
  private static let seconds: UInt32 = 15

  /// Calls `action` on a thread of its own after the first signal; at once if it came before. The second signal
  /// ends the process, as users expect when they press Ctrl-C twice.
  ///
  /// A later call replaces the action of an earlier one.
  ///
  /// - Throws: `SystemError` if the process lacks descriptors or threads.
  package static func handle(_ action: @escaping @Sendable () -> Void) throws(SystemError) {
    let isListening = self.action.withLock { current in
      defer { current = action }
      return current != nil
    }
    if count.load(ordering: .relaxed) > 0 { return action() }
    guard !isListening else { return }
    do throws(SystemError) {
      try listen()
    } catch {
      self.action.withLock { $0 = nil }
      throw error
    }
  }

  private static func listen() throws(SystemError) {
    let event = eventfd(0, Int32(EFD_CLOEXEC))
    guard event >= 0 else { throw .last("eventfd") }
    descriptor.store(event, ordering: .relaxed)
    try startThread {
      var signals: UInt64 = 0
      while unsafe eventfd_read(event, &signals) != 0, errno == EINTR {}
      let action = TerminationSignals.action.withLock { $0 }
      action?()
    }
    signal(SIGALRM) { _ in _exit(130) }
    for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) {
      signal(number) { _ in
        let before = errno
        if TerminationSignals.count.add(1, ordering: .relaxed).newValue > 1 { _exit(130) }
        alarm(TerminationSignals.seconds)
        _ = eventfd_write(TerminationSignals.descriptor.load(ordering: .relaxed), 1)
        errno = before
      }
    }
  }

  private static func isIgnored(_ number: Int32) -> Bool {
    var current = sigaction()
    guard unsafe sigaction(number, nil, &current) == 0 else { return false }
    let handler = unsafe unsafeBitCast(current.__sigaction_handler.sa_handler, to: Int.self)
    return unsafe handler == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
