package import Logging
import Linux

// Logs: messages of a service for the journal or for programs that collect logs, by swift-log.

/// The form of log messages and where they go.
package enum LogFormat: String, Sendable, Hashable, CaseIterable {
  /// The journal, if standard error is connected to it; otherwise Shoebox writes no log.
  case auto
  /// No log, only the messages for people.
  case off
  /// Lines for people on standard error, with their time.
  case text
  /// A JSON object a line on standard error.
  case json
  /// The journal of systemd, with fields.
  case journal

  /// What makes the handlers; nil without a log.
  ///
  /// - Parameters:
  ///   - level: messages below it are dropped.
  ///   - environment: of the process; `$JOURNAL_STREAM` decides about ``auto``.
  package func handlers(
    level: Logger.Level, environment: [String: String]
  ) -> (@Sendable (String) -> any LogHandler)? {
    switch self {
    case .off: return nil
    case .auto:
      guard StandardStream.error.isJournal(environment["JOURNAL_STREAM"]) else { return nil }
      return Self.journal.handlers(level: level, environment: environment)
    case .text:
      return { label in
        var handler = StreamLogHandler.standardError(label: label)
        handler.logLevel = level
        return handler
      }
    case .json: return { JSONLogHandler(label: $0, level: level) }
    case .journal:
      let socket = try? LocalDatagram(to: JournalLogHandler.socketPath)
      return { label in
        guard let socket else { return JSONLogHandler(label: label, level: level) }
        return JournalLogHandler(label: label, level: level) { try socket.send($0) }
      }
    }
  }
}
