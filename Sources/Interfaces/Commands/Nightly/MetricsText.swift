import Foundation
import Linux
import MediaModel
import ShoeboxKit

/// The figures of a nightly run in the text format of Prometheus, for the node exporter's textfile collector.
struct MetricsText {
  let report: LibraryReport
  let steps: [NightStep]
  let status: ExitStatus

  /// The text. Names follow Prometheus' conventions: a unit at the end, seconds since 1970.
  var text: String {
    var lines: [String] = []
    func gauge(_ name: String, _ help: String, _ values: [(labels: String, value: String)]) {
      guard !values.isEmpty else { return }
      lines.append("# HELP shoebox_\(name) \(help)")
      lines.append("# TYPE shoebox_\(name) gauge")
      lines += values.map { "shoebox_\(name)\($0.labels) \($0.value)" }
    }
    gauge(
      "nightly_status", "Exit status of the last nightly run.", [("", "\(status.rawValue)")])
    gauge(
      "nightly_finished_timestamp_seconds", "When the last nightly run ended.",
      [("", "\(Int64(Date().timeIntervalSince1970))")])
    gauge(
      "nightly_step_seconds", "Duration of each step of the last nightly run.",
      steps.map { ("{step=\"\($0.name.rawValue)\"}", String(format: "%.3f", $0.seconds)) })
    gauge(
      "nightly_changes", "Files that the last nightly run found changed, by kind.",
      report.sections.map { ("{kind=\"\($0.word)\"}", "\($0.changes.count)") })
    gauge(
      "failures", "Files and folders that cannot be read, by state.",
      [
        ("{state=\"new\"}", "\(report.newFailures.count)"),
        ("{state=\"open\"}", "\(report.openFailures.count)"),
        ("{state=\"acknowledged\"}", "\(report.acknowledgedCount)"),
      ])
    gauge(
      "absent_roots", "Library folders that the last scan left as they were.",
      [("", "\(report.absentFolders.count)")])
    if let scan = report.scans.last {
      gauge(
        "scanned_files", "Media files that the last scan saw.", [("", "\(scan.counts.scanned)")])
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static var kind: ResultFile.Kind {
    let mark = Array("# HELP shoebox_".utf8)
    return ResultFile.Kind("file of Shoebox's figures", headLength: mark.count) { $0 == mark }
  }

  /// Writes the file, which is complete or does not appear: a collector may read it at any time.
  func write(to target: BytePath) throws {
    let file = try ResultFile(
      target, isReplacing: try Self.kind.exists(at: target), isNamed: true)
    try file.write(Array(text.utf8), at: 0)
    try file.publish()
  }
}
