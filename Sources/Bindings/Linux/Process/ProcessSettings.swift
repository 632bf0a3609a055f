internal import CLinux
import Glibc

/// Settings of the current process.
package enum ProcessSettings {
  /// The variables of the environment, as Foundation has them, which takes longer for it. Of several variables with one
  /// name it has the first, as `getenv` does.
  ///
  /// Nothing in this process may set variables meanwhile: call it at the start.
  package static func environment() -> [String: String] {
    var variables: [String: String] = [:]
    var next = unsafe process_environment()
    while let entry = unsafe next?.pointee {
      let bytes = unsafe UnsafeBufferPointer(start: entry, count: strlen(entry))
        .map { UInt8(bitPattern: $0) }
      if let end = bytes.firstIndex(of: UInt8(ascii: "=")) {
        let name = String(decoding: bytes[..<end], as: UTF8.self)
        if variables[name] == nil {
          variables[name] = String(decoding: bytes[(end + 1)...], as: UTF8.self)
        }
      }
      unsafe next = next?.advanced(by: 1)
    }
    return variables
  }

  /// Limits the address space, so that a file that needs more than `bytes` fails alone.
  static func limitMemory(to bytes: UInt64) throws(SystemError) {
    try lower(__rlimit_resource_t(RLIMIT_AS.rawValue), to: bytes)
  }

  /// Limits the size of files that the process writes; with 0 it can write to no regular file.
  static func limitFileSize(to bytes: UInt64) throws(SystemError) {
    try lower(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), to: bytes)
  }

  /// Limits the processor time in seconds from now on; ends the process if it needs more.
  package static func limitProcessorTime(to seconds: UInt64) {
    var usage = rusage()
    unsafe getrusage(RUSAGE_SELF.rawValue, &usage)
    let used = UInt64(max(0, usage.ru_utime.tv_sec + usage.ru_stime.tv_sec))
    let resource = __rlimit_resource_t(RLIMIT_CPU.rawValue)
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return }
    limit.rlim_cur = min(limit.rlim_max, rlim_t(used + seconds + 1))
    unsafe setrlimit(resource, &limit)
  }

  private static func lower(
    _ resource: __rlimit_resource_t, to value: UInt64
  ) throws(SystemError) {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { throw .last("getrlimit") }
    limit.rlim_max = min(limit.rlim_max, rlim_t(value))
    limit.rlim_cur = limit.rlim_max
    guard unsafe setrlimit(resource, &limit) == 0 else { throw .last("setrlimit") }
  }

  /// Prevents core files after a crash.
  static func disableCoreDumps() {
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
