import Glibc

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
