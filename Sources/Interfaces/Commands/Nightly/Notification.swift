import Foundation
import Glibc
import Linux
import MediaModel
import ShoeboxKit
import Synchronization
import Terminal

extension Settings.Notification {
  /// How long the command may take.
  private static let timeLimit = 60.0

  /// Whether a report is one that the user wants to receive.
  func wants(_ report: LibraryReport, status: Int) -> Bool {
    switch occasion {
    case .always: true
    case .changes: status != 0 || !report.isUneventful
    case .problems: status != 0
    }
  }

  /// Runs the command with the report on its standard input. In its arguments, `{summary}` and `{status}` are replaced;
  /// no shell reads them.
  ///
  /// - Throws: `Failure` if the command cannot be started, fails, or takes longer than a minute.
  func send(_ text: ReportText, status: Int) throws {
    var body: [UInt8] = []
    let output = Output { body += $0 }
    try text.write(to: output)
    try output.flush()
    try run(with: body, summary: text.summary.terminalSafe, status: status)
  }

  /// The same with a text.
  func run(with body: [UInt8], summary: String, status: Int) throws {
    let arguments = command.map {
      // In this order, because a summary may contain any text.
      $0.replacing("{status}", with: String(status)).replacing("{summary}", with: summary)
    }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    let input = Pipe()
    process.standardInput = input
    // What it prints is not the result of this command.
    process.standardOutput = FileHandle.standardError
    do {
      try process.run()
    } catch {
      throw Failure(.inputOutput, "the notification cannot be sent: \(error.localizedDescription)")
    }
    let isLate = Atomic(false)
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + Self.timeLimit, repeating: 5)
    timer.setEventHandler {
      // The second time it does not ask.
      if isLate.exchange(true, ordering: .relaxed) {
        kill(process.processIdentifier, SIGKILL)
      } else {
        process.terminate()
      }
    }
    timer.activate()
    // A command may ignore its input. Writing in this thread would then block it.
    DispatchQueue.global().async {
      try? input.fileHandleForWriting.write(contentsOf: Data(body))
      try? input.fileHandleForWriting.close()
    }
    process.waitUntilExit()
    timer.cancel()
    guard process.terminationStatus == 0, process.terminationReason == .exit else {
      let reason =
        isLate.load(ordering: .relaxed)
        ? "it took longer than \(Int(Self.timeLimit)) seconds"
        : "it ended with status \(process.terminationStatus)"
      throw Failure(
        .inputOutput, "the notification was not sent: \(command.first ?? ""): \(reason)")
    }
  }
}
