import Foundation

/// A program that runs as long as this object, and no longer than this process.
final class BackgroundProgram: Sendable {
  private let lifeline: FileHandle
  private let log: String

  /// The shell waits for the end of its input, which comes also if this process is killed. Then it ends the program
  /// and what that has started.
  private static let script = """
    log=$1; shift
    setsid "$@" >"$log" 2>&1 </dev/null &
    program=$!
    cat >/dev/null
    kill -TERM -- -$program 2>/dev/null
    for _ in {1..30}; do kill -0 -- -$program 2>/dev/null || exit 0; sleep 0.1; done
    kill -KILL -- -$program 2>/dev/null
    """

  /// - Parameters:
  ///   - arguments: the program, by its path, and its arguments.
  ///   - log: the file that gets its output.
  ///   - environment: added to this process's.
  init(_ arguments: [String], log: String, environment: [String: String] = [:]) throws {
    let process = Process()
    let input = Pipe()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["-c", Self.script, "background-program", log] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = input
    try process.run()
    lifeline = input.fileHandleForWriting
    self.log = log
  }

  deinit { try? lifeline.close() }

  /// What follows `words` in the program's output, up to the end of the line; waits for it.
  func output(after words: String) async throws -> String {
    var text = ""
    for _ in 0..<600 {
      text = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
      if let range = text.range(of: words) {
        let rest = text[range.upperBound...]
        if let end = rest.firstIndex(of: "\n") { return String(rest[..<end]) }
      }
      try await Task.sleep(for: .milliseconds(50))
    }
    throw PageTestError("the program did not print '\(words)' but: \(text)")
  }
}
