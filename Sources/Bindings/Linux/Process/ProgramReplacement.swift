import Glibc
package import MediaModel

/// Replaces this process by another program, which keeps its id, its terminal and its place in a service manager.
package enum ProgramReplacement {
  /// Starts the program with the environment of this process. Returns only by an error.
  ///
  /// - Parameters:
  ///   - program: the path of its file; `PATH` is not searched.
  ///   - arguments: the arguments after the program's name.
  /// - Throws: `SystemError` of `execv(3)`.
  package static func run(_ program: BytePath, arguments: [String]) throws(SystemError) -> Never {
    let name = String(decoding: program.lastComponent, as: UTF8.self)
    let code = unsafe program.withCString { path in
      unsafe withCStrings([name] + arguments) { arguments in
        unsafe execv(path, arguments)
        return errno
      }
    }
    throw SystemError(code: code, operation: "start", path: program)
  }
}
