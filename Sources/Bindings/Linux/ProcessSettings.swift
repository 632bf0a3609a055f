import Glibc
import Synchronization

/// What a process may settle about itself.
package enum ProcessSettings {
  /// Bounds the address space, so that a file that asks for more than `bytes` fails alone.
  package static func limitMemory(to bytes: UInt64) throws(SystemError) {
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    guard unsafe setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0 else {
      throw .last("setrlimit")
    }
  }

  /// A crash leaves no core file behind.
  package static func disableCoreDumps() {
    var limit = rlimit(rlim_cur: 0, rlim_max: 0)
    unsafe setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }

  /// Writing to a pipe that nobody reads, or more into a file than `ulimit -f` lets, is an error to
  /// handle, not a signal to die of.
  package static func ignoreWriteSignals() {
    signal(SIGPIPE, SIG_IGN)
    signal(SIGXFSZ, SIG_IGN)
  }

  /// Ends the process by a signal in so many seconds, one at least, unless another call puts it off.
  ///
  /// A guard that needs nobody's help: it works even when whoever started this process is gone.
  package static func armWatchdog(seconds: UInt32) {
    alarm(max(1, seconds))
  }

  /// Calls the watchdog off.
  package static func disarmWatchdog() {
    alarm(0)
  }
}

/// Whether somebody has asked this process to stop (Ctrl-C, SIGTERM, SIGHUP).
package enum Interruption {
  private static let requests = Atomic<Int>(0)

  /// How many seconds the process may take to end after the first signal. Whatever it still does then can be
  /// broken off at any moment: a disk that does not answer must not keep it.
  private static let seconds: UInt32 = 15

  /// Starts to listen. The first signal asks to finish what is under way; the second ends the process
  /// at once, as people expect who press Ctrl-C twice, and so does the end of the time it may take.
  package static func listen() {
    _ = requests.load(ordering: .relaxed)  // The handler must find it made.
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
