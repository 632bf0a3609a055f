import Foundation
import Linux
import MediaModel
import ShoeboxKit
import Synchronization
import SystemPackage

/// The program `shoebox-picker`, which contains the web server.
struct PickerProgram {
  private let path: BytePath

  /// Looks for it in `$SHOEBOX_PICKER`, next to this program, in its `../libexec`, and in the system's.
  ///
  /// - Throws: `Failure` if it is in none of them.
  init(in context: CommandContext) throws {
    if let named = context.environment["SHOEBOX_PICKER"], !named.isEmpty {
      path = BytePath(named)
      return
    }
    let folder = try executablePath().parent
    let folders = [folder, folder.parent.appending("libexec")]
    let candidates = (folders + ["/usr/local/libexec", "/usr/libexec"].map { BytePath($0) })
      .map { $0.appending("shoebox-picker") }
    let found = try candidates.first {
      try $0.status() != nil
    }
    guard let found else {
      throw Failure(
        .inputOutput,
        "the program \(candidates[0].display) is missing: install Shoebox again, or name it in "
          + "$SHOEBOX_PICKER")
    }
    path = found
  }

  /// Replaces this process by the program.
  func replaceProcess(_ arguments: [String]) throws(Failure) -> Never {
    do {
      try ProgramReplacement.run(path, arguments: arguments)
    } catch {
      throw failure("cannot be started: \(Errno(rawValue: error.code))")
    }
  }

  /// The error for a program that cannot be used.
  ///
  /// - Parameter reason: the rest of the sentence that begins with the program's path.
  func failure(_ reason: String) -> Failure {
    Failure(
      .inputOutput,
      "the program \(path.display) \(reason); install Shoebox again, or name another one in "
        + "$SHOEBOX_PICKER")
  }

  /// How the program ended, and what it printed.
  struct Result {
    /// Its exit status; 128 and the signal's number if a signal ended it.
    var status: Int32
    /// Its standard output.
    var output: Data
  }

  /// Runs the program. Its messages go to this process's standard error. A signal that ends this process ends it, too:
  /// it is in a process group of its own, so that Ctrl-C does not reach it.
  ///
  /// - Parameter input: the first line of its standard input, which stays open. The program ends when this process has
  ///   ended, however it ended, because that closes the input.
  /// - Throws: `CancellationError` after such a signal, `Failure` if the program cannot be started.
  func run(_ arguments: [String], input: Data) async throws -> Result {
    try await cancelledBySignals { [self] in
      let process = StoppableProcess()
      let result = try await withTaskCancellationHandler {
        try run(process, arguments, input: input)
      } onCancel: {
        process.stop()
      }
      try Task.checkCancellation()
      return result
    }
  }

  /// Runs the program in a process that has not started yet, and waits for its end.
  private func run(
    _ stoppable: StoppableProcess, _ arguments: [String], input: Data
  ) throws -> Result {
    let process = stoppable.process
    process.executableURL = URL(filePath: path.display)
    process.arguments = arguments
    let (inputPipe, outputPipe) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (inputPipe, outputPipe)
    do {
      guard try stoppable.start() else { throw CancellationError() }
    } catch let error as CancellationError {
      throw error
    } catch {
      throw failure("cannot be started: \(Self.reason(of: error))")
    }
    // A program that has ended does not read.
    try? inputPipe.fileHandleForWriting.write(contentsOf: input + [UInt8(ascii: "\n")])
    let output = try outputPipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try? inputPipe.fileHandleForWriting.close()
    let signal = process.terminationReason == .uncaughtSignal
    return Result(
      status: (signal ? 128 : 0) + process.terminationStatus, output: output)
  }

  /// The system's words for an error of Foundation.
  private static func reason(of error: any Error) -> String {
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    guard cause.domain == NSPOSIXErrorDomain, let code = CInt(exactly: cause.code) else {
      return error.localizedDescription
    }
    return "\(Errno(rawValue: code))"
  }
}

/// A process that another task may end at any time. Foundation's `Process` must not be asked to terminate before it has
/// started.
private final class StoppableProcess: Sendable {
  private enum State { case new, running, stopped }

  let process = Process()
  private let state = Mutex(State.new)

  /// Starts the process.
  ///
  /// - Returns: false if it was stopped before.
  func start() throws -> Bool {
    try state.withLock { state in
      guard state == .new else { return false }
      try process.run()
      state = .running
      return true
    }
  }

  /// Terminates the process, or prevents its start.
  func stop() {
    state.withLock { state in
      if state == .running { process.terminate() }
      state = .stopped
    }
  }
}
