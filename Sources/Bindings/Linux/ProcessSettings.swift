import Glibc
import Synchronization

/// Settings of the current process.
package enum ProcessSettings {
  /// Limits the address space, so that a file that needs more than `bytes` fails alone.
  package static func limitMemory(to bytes: UInt64) throws(SystemError) {
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
      throw .last("setrlimit")
    }
  }

  /// Prevents core files after a crash.
  package static func disableCoreDumps() {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }

  /// Makes it an error, not a fatal signal, to write to a closed pipe or to exceed `ulimit -f`.
  package static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Ends the process by a signal in `seconds` (at least 1), unless another call resets the time.
  ///
  /// This works even if the parent process has ended.
  package static func armWatchdog(seconds: UInt32) {
    alarm(max(1, seconds))
  }

  /// Cancels the watchdog.
  package static func disarmWatchdog() {
    alarm(0)
  }
}

/// Whether the user has asked this process to stop (Ctrl-C, SIGTERM, SIGHUP).
package enum Interruption {
  private static let requests = Atomic<Int>(0)

  /// How many seconds the process may take to end after the first signal. It is then ended at any point, so
  /// that a disk that does not respond cannot delay it.
  private static let seconds: UInt32 = 15

  /// Installs the signal handlers. The first signal asks the process to finish its current work. The second
  /// one ends it at once, as users expect when they press Ctrl-C twice.
  package static func listen() {
    _ = requests.load(ordering: .relaxed)  // Initialises the counter before a handler uses it.
    signal(SIGALRM) { _ in _exit(130) }
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in
        if Interruption.requests.add(1, ordering: .relaxed).newValue > 1 { _exit(130) }
        alarm(Interruption.seconds)
      }
    }
  }

  package static var isRequested: Bool { requests.load(ordering: .relaxed) > 0 }
}
