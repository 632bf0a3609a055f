import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Synchronization
import Terminal

// The report of a verification: for scripts one JSON object, which is printed last, and a summary for people.

extension Output {
  /// The report as one line of JSON.
  func write(_ report: VerificationReport) throws {
    try json { writer in
      writer.object { writer in
        for (name, count) in report.counts { writer.member(name, count) }
        writer.member("bytes", report.bytes)
        writer.member("seconds", report.duration / .seconds(1))
        writer.member("rotted", report.rotted)
        writer.member("unreadable", report.unreadable)
        writer.key("unavailableRoots")
        writer.array { writer in
          for folder in report.unavailableFolders {
            writer.object { writer in
              writer.member("path", path: BytePath(folder.path))
              writer.member("reason", folder.reason)
            }
          }
        }
      }
    }
  }

  /// The report in a few lines, with each file that rotted or cannot be read.
  func summarize(_ report: VerificationReport) throws {
    for finding in report.rotted + report.unreadable {
      let date = JSONWriter.instant(milliseconds: finding.since.milliseconds).prefix(10)
      try line(
        "\(BytePath(finding.path).display.terminalSafe): \(finding.message.terminalSafe); "
          + "found first on \(date)")
    }
    if !report.rotted.isEmpty {
      try line(
        "restore these files from a backup; if their present content is right, name them with --accept"
      )
    }
    let seconds = report.duration / .seconds(1)
    let took = "\(humanBytes(report.bytes)) in \(humanDuration(seconds))"
    let verb = report.isInterrupted ? "interrupted after" : "verified"
    try line("\(verb) \(Self.files(report.checked)), \(took)")
    let results = Self.phrases([
      (report.rotted.count, "with bit rot"), (report.unreadable.count, "unreadable"),
    ])
    if !results.isEmpty {
      try line(results.joined(separator: ", "))
    } else if report.checked > 0 {
      try line("all content is as it was")
    }
    let first = report.first == 1 ? "file checked" : "files checked"
    let changes = Self.phrases([
      (report.first, "\(first) for the first time"), (report.edited, "edited since the last check"),
      (report.recovered, "recovered"), (report.accepted, "accepted"),
      (report.unscanned, "left out until the next scan"), (report.missing, "gone"),
      (report.remainingFiles, "left for later runs"),
    ])
    for change in changes { try line(change) }
  }

  private static func files(_ count: Int) -> String {
    "\(humanCount(count)) \(count == 1 ? "file" : "files")"
  }

  private static func phrases(_ counts: [(Int, String)]) -> [String] {
    counts.filter { $0.0 > 0 }.map { "\(humanCount($0.0)) \($0.1)" }
  }
}

extension VerificationReport {
  /// The counts, with the names and in the order of the report.
  fileprivate var counts: [(name: String, count: Int)] {
    [
      ("checked", checked), ("first", first), ("edited", edited), ("recovered", recovered),
      ("accepted", accepted), ("unscanned", unscanned), ("missing", missing),
      ("remaining", remainingFiles),
    ]
  }
}

extension JSONWriter {
  fileprivate mutating func member(
    _ name: String, _ findings: [VerificationReport.Finding]
  ) {
    key(name)
    array { writer in
      for finding in findings {
        writer.object { writer in
          writer.member("path", path: BytePath(finding.path))
          writer.member("error", finding.message)
          writer.member("since", milliseconds: finding.since.milliseconds)
        }
      }
    }
  }
}

extension ProgressDisplay {
  /// Follows a verification to its end. The time goes into reading, so bytes measure it.
  func follow(_ verification: VerificationSession) async {
    let estimate = Mutex(RemainingTime(start: .now))
    await show(verification) { event in
      let (done, total) = (Int(clamping: event.bytesDone), Int(clamping: event.bytesTotal))
      return estimate.withLock { estimate in
        estimate.note(settled: done, at: .now)
        return line(
          done, of: total, "\(humanBytes(event.bytesDone)) of \(humanBytes(event.bytesTotal))",
          estimate, more: "\(humanCount(event.filesDone)) of \(humanCount(event.filesTotal)) files")
      }
    }
  }
}
