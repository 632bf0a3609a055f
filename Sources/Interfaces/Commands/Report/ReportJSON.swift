import Foundation
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

extension Output {
  /// A report as one line of JSON.
  func write(_ report: LibraryReport) throws {
    try json { writer in
      writer.object { writer in
        writer.member("since", milliseconds: report.startDate.milliseconds)
        writer.member("scans", report.scans.count)
        writer.members(changesIn: report)
        writer.member("openFailures", failures: report.openFailures)
        writer.member("acknowledgedFailures", report.acknowledgedCount)
        writer.key("absentRoots")
        writer.array { writer in
          for folder in report.absentFolders { writer.value(folder) }
        }
        if let night = report.night { writer.member("night", night, report.steps) }
      }
    }
  }

  /// A run that the catalog does not have, as one line of JSON: as a report without all that is in the catalog.
  func write(_ outcome: NightOutcome) throws {
    try json { writer in
      writer.object { writer in
        writer.key("night")
        writer.object { writer in
          writer.member("status", outcome.status)
          writer.member("steps", outcome.steps)
        }
      }
    }
  }
}

extension JSONWriter {
  /// A member for each kind of change, and one for new failures.
  mutating func members(changesIn report: LibraryReport) {
    for section in report.sections {
      key(section.word)
      object { writer in
        writer.member("count", section.changes.count)
        writer.key("first")
        writer.array { writer in
          for change in section.changes.first { writer.value(change) }
        }
      }
    }
    member("newFailures", failures: report.newFailures)
  }

  fileprivate mutating func value(_ change: LibraryReport.Change) {
    object { writer in
      writer.member("id", change.assetID)
      writer.member("path", path: BytePath(change.path))
      if let oldPath = change.oldPath { writer.member("oldPath", path: BytePath(oldPath)) }
      if change.isFolder { writer.member("isFolder", true) }
    }
  }

  fileprivate mutating func value(_ folder: LibraryReport.AbsentFolder) {
    object { writer in
      writer.member("path", path: BytePath(folder.path))
      writer.member("reason", folder.reason)
      writer.member("nights", folder.nights)
      if folder.isLoss { writer.member("isLoss", true) }
    }
  }

  fileprivate mutating func member(_ name: String, failures: [KnownFailure]) {
    key(name)
    array { writer in
      for failure in failures { writer.value(failure) }
    }
  }

  mutating func value(_ failure: KnownFailure) {
    object { writer in
      writer.member("id", failure.assetID)
      writer.member("path", path: BytePath(failure.path))
      writer.member("error", failure.message)
      writer.member("firstDate", milliseconds: failure.firstDate.milliseconds)
      writer.member("lastDate", milliseconds: failure.lastDate.milliseconds)
      writer.member("attempts", failure.attempts)
      writer.member("nextAttemptDate", milliseconds: failure.nextAttemptDate?.milliseconds)
      writer.member("acknowledgedDate", milliseconds: failure.acknowledgedDate?.milliseconds)
    }
  }

  fileprivate mutating func member(_ name: String, _ night: Night, _ steps: [NightStep]) {
    key(name)
    object { writer in
      writer.member("startedDate", milliseconds: night.startDate.milliseconds)
      writer.member("finishedDate", milliseconds: night.endDate?.milliseconds)
      writer.member("status", night.status)
      writer.member("steps", steps)
    }
  }

  fileprivate mutating func member(_ name: String, _ steps: [NightStep]) {
    key(name)
    array { writer in
      for step in steps {
        writer.object { writer in
          writer.member("name", step.name.rawValue)
          writer.member("outcome", step.outcome.rawValue)
          writer.member("summary", step.summary)
          writer.member("seconds", step.seconds)
          writer.member("details", step.details)
        }
      }
    }
  }
}
