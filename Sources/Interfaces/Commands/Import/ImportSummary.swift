import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Synchronization
import Terminal

// The report of an import: for scripts one JSON object, which is printed last, and a summary for people.

extension Output {
  /// The report as one line of JSON.
  func write(_ report: ImportReport, isDryRun: Bool) throws {
    try json { writer in
      writer.object { writer in
        if isDryRun { writer.member("dryRun", true) }
        for action in ImportReport.Action.allCases {
          writer.member(action.rawValue, report.count(action))
        }
        writer.member("left", report.leftFiles.count)
        writer.member("bytes", report.bytesCopied)
        writer.member("seconds", report.duration / .seconds(1))
        writer.key("files")
        writer.array { writer in
          for file in report.files { writer.value(file) }
        }
        writer.key("leftFiles")
        writer.array { writer in
          for path in report.leftFiles {
            writer.object { $0.member("path", path: BytePath(path)) }
          }
        }
        writer.member(failures: report.failures)
      }
    }
  }

  /// The report in a few lines, with each failure and each damaged file.
  ///
  /// - Parameter isVerbose: whether every file is named.
  func summarize(_ report: ImportReport, isVerbose: Bool, isDryRun: Bool) throws {
    for file in report.files where isVerbose || file.message != nil { try line(file.line) }
    for failure in report.failures {
      try line("\(Self.text(failure.path)): \(failure.message.terminalSafe)")
    }
    if isVerbose {
      for path in report.leftFiles {
        try line("\(Self.text(path)): left, not a picture or video of its own")
      }
    }
    let verb =
      isDryRun ? "would copy" : report.isInterrupted ? "interrupted after copying" : "copied"
    let took = isDryRun ? "" : " in \(humanDuration(report.duration / .seconds(1)))"
    try line(
      "\(verb) \(Self.files(report.count(.copied))), \(humanBytes(report.bytesCopied))\(took)")
    let doubtful = report.files.compactMap(\.absentTwin)
    if let example = doubtful.first {
      try line(
        "\(humanCount(doubtful.count)) of them may be duplicates: the catalog has them in places where they are not, such as "
          + "\(Self.text(example)); if you moved them, run `shoebox scan` before an import")
    }
    let damaged = report.files.count { $0.action == .copied && $0.message != nil }
    for (count, text) in [
      (damaged, "of them damaged"), (report.count(.known), "in the library already"),
      (report.count(.kept), "sidecars of which the library keeps another version"),
      (report.count(.failed) + report.failures.count, "failed"),
      (report.leftFiles.count, "left on the source: not pictures or videos of their own"),
    ] where count > 0 {
      try line("\(humanCount(count)) \(text)")
    }
    if let scan = report.scan { try summarize(scan) }
  }

  private static func files(_ count: Int) -> String {
    "\(humanCount(count)) \(count == 1 ? "file" : "files")"
  }

  fileprivate static func text(_ path: FilePath) -> String { BytePath(path).display.terminalSafe }
}

extension ImportReport.File {
  /// As `/card/DCIM/1.JPG -> /photos/2024/2024-06/1.JPG`.
  fileprivate var line: String {
    let source = Output.text(source)
    let target = target.map(Output.text)
    let reason = message.map { "\($0.terminalSafe)" }
    let damage = reason.map { ": damaged: \($0)" } ?? ""
    switch action {
    case .copied: return "\(source) -> \(target ?? "")" + damage
    case .known: return "\(source): in the library" + (target.map { " as \($0)" } ?? "") + damage
    case .kept: return "\(source): the library keeps " + (target ?? "what it has")
    case .failed: return "\(source): \(reason ?? "not tried, because the import ended early")"
    }
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ file: ImportReport.File) {
    object { writer in
      writer.member("sourcePath", path: BytePath(file.source))
      if let target = file.target { writer.member("path", path: BytePath(target)) }
      writer.member("action", file.action.rawValue)
      writer.member("size", file.size)
      writer.member("error", file.message)
      if let twin = file.absentTwin { writer.member("absentTwin", path: BytePath(twin)) }
    }
  }
}

extension ProgressDisplay {
  /// Follows an import to its end. The time goes into copying, so bytes measure that part.
  func follow(_ session: ImportSession) async {
    let estimate = Mutex<RemainingTime?>(nil)
    await show(session) { event in
      let count = humanCount(event.completed)
      let total = event.total > 0 ? " of \(humanCount(event.total))" : ""
      switch event.phase {
      case .reading: return "reading the source: \(count) files"
      case .comparing: return "comparing: \(count)\(total) groups of files"
      case .scanning: return "scanning the library folder: \(count)\(total)"
      case .copying:
        let done = Int(clamping: event.bytesDone)
        return estimate.withLock { estimate in
          var current = estimate ?? RemainingTime(start: .now)
          current.note(settled: done, at: .now)
          estimate = current
          return line(
            done, of: Int(clamping: event.bytesTotal),
            "copying \(humanBytes(event.bytesDone)) of \(humanBytes(event.bytesTotal))", current,
            more: "\(count)\(total) files")
        }
      }
    }
  }
}
