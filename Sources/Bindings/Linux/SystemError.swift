import Glibc
package import MediaModel

/// A system call that failed.
package struct SystemError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value of `errno`.
  package let code: Int32
  /// What was being done, as `open`.
  package let operation: String
  package let path: BytePath?

  package init(code: Int32, operation: String, path: BytePath? = nil) {
    self.code = code
    self.operation = operation
    self.path = path
  }

  /// The error that the call just made has left in `errno`.
  static func last(_ operation: String, _ path: BytePath? = nil) -> SystemError {
    SystemError(code: errno, operation: operation, path: path)
  }

  /// The system's own words, as `No such file or directory`.
  package var reason: String {
    guard let text = unsafe strerror(code) else { return "error \(code)" }
    return unsafe String(cString: text)
  }

  package var description: String {
    path.map { "\($0.display): \(reason)" } ?? "\(operation): \(reason)"
  }

  /// Nothing is there under that name.
  package var isNotFound: Bool { code == ENOENT || code == ENOTDIR }

  /// A symbolic link is where none may be.
  package var isLink: Bool { code == ELOOP }

  /// What is there is not a regular file, where one must be.
  package var isNotRegular: Bool { [EINVAL, EISDIR, ENXIO].contains(code) }

  /// Another file or folder has the path of the one that is meant.
  package var isReplaced: Bool { code == ESTALE }

  /// That another file or folder has a path by now.
  package static func replaced(_ path: BytePath) -> SystemError {
    SystemError(code: ESTALE, operation: "open", path: path)
  }

  /// That a file is larger than what is read of one.
  package static func tooLarge(_ path: BytePath) -> SystemError {
    SystemError(code: EFBIG, operation: "read", path: path)
  }

  /// The name is taken already.
  package var isTaken: Bool { code == EEXIST }

  /// The reader of a pipe is gone.
  package var isBrokenPipe: Bool { code == EPIPE }

  /// No space or quota is left on the disk.
  package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

  /// The process or the machine lacks descriptors, memory or processes; the file has no part in it.
  package var isShortage: Bool { [EMFILE, ENFILE, EAGAIN, ENOMEM].contains(code) }

  /// The file has become larger than its file system (FAT: 4 GiB) or `ulimit -f` lets one be. Smaller
  /// ones still fit.
  package var isFileTooLarge: Bool { code == EFBIG }
}

extension BytePath {
  /// Calls `body` with the path as a C string.
  func withCString<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    var terminated = bytes
    terminated.append(0)
    return unsafe terminated.withUnsafeBytes { buffer in
      // The buffer holds one byte at least, so its base address exists.
      unsafe buffer.withMemoryRebound(to: CChar.self) { text in
        guard let start = text.baseAddress else { return unsafe body("") }
        return unsafe body(start)
      }
    }
  }

  /// Makes a system call with the path as a C string.
  ///
  /// - Parameters:
  ///   - operation: what the call is, for the error.
  ///   - body: returns what the call did, something negative where it failed.
  @discardableResult
  func call(
    _ operation: String, _ body: (UnsafePointer<CChar>) -> Int32
  ) throws(SystemError) -> Int32 {
    let (result, code) = unsafe withCString { text in
      let result = unsafe body(text)
      // Before the string is freed, which may set it anew.
      return (result, errno)
    }
    guard result >= 0 else { throw SystemError(code: code, operation: operation, path: self) }
    return result
  }
}

extension SystemError {
  /// A signal's name in words, as `Segmentation fault`.
  package static func signalName(_ number: Int32) -> String {
    guard let text = unsafe strsignal(number) else { return "signal \(number)" }
    return unsafe String(cString: text)
  }
}
