import CLinux
import Glibc

/// An act that the sandbox refuses a worker, for its self-test.
package enum ForbiddenAct: String, Sendable, CaseIterable {
  case openFile = "open /etc/passwd"
  case examineFile = "stat /etc/passwd"
  case createFile = "create a file in /tmp"
  case changeTimes = "set the times of /tmp"
  case changeMode = "change the mode of an open file"
  case connect = "connect to 127.0.0.1"
  case createSocket = "create a Unix socket"
  case fork = "start a process"
  case execute = "execute a program"
  case signalParent = "signal the parent process"
  case readParentMemory = "read the parent process's memory"
  case traceParent = "trace the parent process"
  case readParentLimits = "read the limits of the parent process"
  case createRing = "create an io_uring"
  case createNamespace = "create a namespace"

  /// Tries the act.
  ///
  /// - Returns: whether it was refused. An act that fails for another reason, such as a missing file, was not.
  package var isRefused: Bool {
    errno = 0
    let result = attempt()
    return result < 0 && [EACCES, EPERM, ENOSYS].contains(errno)
  }

  /// Makes the system call. None of these changes anything if it succeeds.
  private func attempt() -> Int {
    switch self {
    case .openFile: return unsafe withPath("/etc/passwd") { unsafe open_and_close($0, O_RDONLY) }
    case .examineFile:
      return unsafe withPath("/etc/passwd") { path in
        var status = stat()
        return unsafe Int(fstatat(AT_FDCWD, path, &status, 0))
      }
    case .createFile:
      // O_TMPFILE: the file has no name, so nothing of it is left.
      return unsafe withPath("/tmp") { unsafe open_and_close($0, O_RDWR | 0o20200000) }
    case .changeTimes:
      // UTIME_OMIT for both times: nothing is changed.
      let keep = timespec(tv_sec: 0, tv_nsec: 0x3FFF_FFFE)
      return unsafe withPath("/tmp") { path in
        unsafe Int(utimensat(AT_FDCWD, path, [keep, keep], 0))
      }
    case .changeMode:
      var status = stat()
      guard unsafe descriptor_status(0, &status) == 0 else { return 0 }
      return Int(fchmod(0, status.st_mode & 0o7777))
    case .connect: return try_connection()
    case .createSocket: return try_unix_socket()
    case .fork: return try_process()
    case .execute:
      return unsafe withPath("/nonexistent/program") { path in
        unsafe Int(execve(path, [nil], [nil]))
      }
    case .signalParent: return Int(kill(getppid(), 0))
    case .readParentMemory: return try_memory_of(getppid())
    case .traceParent: return try_tracing(getppid())
    case .readParentLimits: return try_limits_of(getppid())
    case .createRing: return try_ring()
    case .createNamespace: return try_namespace()
    }
  }

  private func withPath(_ path: StaticString, _ body: (UnsafePointer<CChar>) -> Int) -> Int {
    path.withUTF8Buffer { bytes in
      unsafe bytes.withMemoryRebound(to: CChar.self) { text in
        guard let start = text.baseAddress else { return 0 }
        return unsafe body(start)
      }
    }
  }
}
