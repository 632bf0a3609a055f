import Glibc
package import MediaModel

/// A system call that failed.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value of `errno`.
  package let code: Int32
  /// The operation, such as `open`.
  package let operation: String
  package let path: BytePath?

  package init(code: Int32, operation: String, path: BytePath? = nil) {
    self.code = code
    self.operation = operation
    self.path = path
  }

  /// The error in `errno`, left by the last call.
  static func last(_ operation: String, _ path: BytePath? = nil) -> SystemError {
    SystemError(code: errno, operation: operation, path: path)
  }

  /// The system's message, such as `No such file or directory`.
  package var reason: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  package var description: String {
    path.map { "\($0.display): \(reason)" } ?? "\(operation): \(reason)"
  }

  /// Nothing has the path.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// The path is a symbolic link where none is allowed.
  package var isLink: Bool { code == ELOOP }

  /// The path is not a regular file where one is required.
  package var isNotRegular: Bool { [EINVAL, EISDIR, ENXIO].contains(code) }

  /// Another file or folder has the path by now.
  package var isReplaced: Bool { code == ESTALE }

  /// The error for ``isReplaced``.
  package static func replaced(_ path: BytePath) -> SystemError {
    SystemError(code: ESTALE, operation: "open", path: path)
  }

  /// The error for a file that is larger than the limit on reading.
  package static func tooLarge(_ path: BytePath) -> SystemError {
    SystemError(code: EFBIG, operation: "read", path: path)
  }

  /// The name is already taken.
  package var isTaken: Bool { code == EEXIST }

  /// The pipe's read end is closed.
  package var isBrokenPipe: Bool { code == EPIPE }

  /// The disk has no space, or the user no quota, left.
  package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

  /// The process or the machine lacks descriptors, memory or processes; the file is not the cause.
  package var isShortage: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM].contains(code) }

  /// The file exceeds the limit of its file system (FAT: 4 GiB) or `ulimit -f`. Smaller files still fit.
  package var isFileTooLarge: Bool { code == EFBIG }
}

extension BytePath {
  /// Calls `body` with the path as a C string.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    var terminated = bytes
    terminated.append(0)
    return unsafe terminated.withUnsafeBytes { buffer in
      // The buffer has at least one byte, so its base address exists.
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        guard let start = text.baseAddress else { return unsafe body("") }
        return unsafe body(start)
      }
    }
  }

  /// Makes a system call with the path as a C string.
  ///
  /// - Parameters:
  ///   - operation: the call's name, for the error.
  ///   - body: returns the call's result, negative on failure.
  @discardableResult
  func call(
    _ operation: String, _ body: (UnsafePointer<CChar>) -> Int32
  ) throws(SystemError) -> Int32 {
    let (result, code) = unsafe withCString { text in
      let result = unsafe body(text)
      // Read before the string is freed, which may change it.
      return (result, errno)
    }
    guard result >= 0 else { throw SystemError(code: code, operation: operation, path: self) }
    return result
  }
}

extension SystemError {
  /// A signal's name, such as `Segmentation fault`.
  package static func signalName(_ number: Int32) -> String {
    guard let text = unsafe strsignal(number) else { return "signal \(number)" }
    return unsafe String(cString: text)
  }
}
