import Foundation
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// A report as one page that loads no other file: thumbnails are `data:` URLs, and its Content-Security-Policy forbids
/// scripts, connections and every style but its own.
struct ReportPage {
  let text: ReportText
  /// The thumbnails of assets; nil without a cache.
  let images: StoredImages?
  let library: PhotoLibrary

  private var report: LibraryReport { text.report }

  /// The largest number of pictures of one kind, so that a page stays small.
  private static let pictures = 100

  /// The first lines of every page, by which Shoebox recognises one.
  static let mark = """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="generator" content="Shoebox report">

    """

  static var kind: ResultFile.Kind {
    let mark = Array(Self.mark.utf8)
    return ResultFile.Kind("report", headLength: mark.count) { $0 == mark }
  }

  private static let policy =
    "default-src 'none'; img-src data:; style-src 'sha256-\(SheetStyle.digest)'; "
    + "base-uri 'none'; form-action 'none'"

  func write(to output: Output) throws {
    try output.append(beginning.utf8)
    for section in report.sections where section.changes.count > 0 {
      try write(section, to: output)
    }
    try write("Unreadable for the first time", report.newFailures, to: output)
    try write("Still unreadable", report.openFailures, to: output)
    try writeNight(to: output)
    try output.append("</main>\n</body>\n</html>\n".utf8)
    try output.flush()
  }

  private var beginning: String {
    let absent = report.absentFolders
      .map { "<p><strong>\(ReportText.sentence($0).escapedForHTML)</strong></p>\n" }.joined()
    return Self.mark + """
      <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
      <meta name="referrer" content="no-referrer">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(text.summary.escapedForHTML)</title>
      <style>\(SheetStyle.text)</style>
      </head>
      <body>
      <header>
      <h1>Library report</h1>
      <p>Since \(text.start.escapedForHTML): \(text.summary.escapedForHTML)</p>
      \(absent)</header>
      <main>

      """
  }

  private func write(_ section: LibraryReport.Section, to output: Output) throws {
    let changes = section.changes
    try output.line(
      "<h2>\(section.title) <small>\(humanCount(changes.count))</small></h2>\n<ul role=\"list\">")
    let shown = changes.first.prefix(Self.pictures)
    for change in shown { try output.append(item(change)) }
    try output.line("</ul>")
    if changes.count > shown.count {
      try output.line("<p>… and \(humanCount(changes.count - shown.count)) more</p>")
    }
  }

  private func item(_ change: LibraryReport.Change) throws -> [UInt8] {
    let path = BytePath(change.path)
    let name = BytePath(bytes: path.lastComponent).display
    var html = Array("<li title=\"\(ReportText.line(change).escapedForHTML)\">".utf8)
    if let id = change.assetID, let image = try picture(of: id) {
      html +=
        "<span class=\"frame\"><img width=\"\(image.pixelSize.width)\" height=\"\(image.pixelSize.height)\""
        .utf8
      html += " decoding=\"async\" alt=\"\" src=\"data:image/jpeg;base64,".utf8
      html += image.data.base64EncodedData()
      html += "\"></span>".utf8
    } else {
      html += "<span class=\"frame gap\"><span>No preview</span></span>".utf8
    }
    html += "<bdi class=\"name\">\(name.escapedForHTML)</bdi>".utf8
    html += "<time>\(path.parent.display.escapedForHTML)</time></li>\n".utf8
    return html
  }

  /// The thumbnail of an asset, if there is one.
  private func picture(of id: Asset.ID) throws -> EncodedImage? {
    guard let images, let asset = try? library.asset(named: id, paths: { [BytePath($0)] }).asset
    else {
      return nil
    }
    return try images.image(of: asset)
  }

  private func write(_ title: String, _ failures: [KnownFailure], to output: Output) throws {
    guard !failures.isEmpty else { return }
    try output.line("<h2>\(title) <small>\(humanCount(failures.count))</small></h2>\n<dl>")
    for failure in failures.prefix(text.limit) {
      try output.line(
        "<dt>\(BytePath(failure.path).display.escapedForHTML)</dt>"
          + "<dd>\(failure.message.escapedForHTML)</dd>")
    }
    try output.line("</dl>")
    if failures.count > text.limit {
      try output.line("<p>… and \(humanCount(failures.count - text.limit)) more</p>")
    }
  }

  private func writeNight(to output: Output) throws {
    guard report.night != nil, !report.steps.isEmpty else { return }
    try output.line("<h2>Steps</h2>\n<dl>")
    for step in report.steps {
      let details = step.details.prefix(text.limit).map { "<br>\($0.escapedForHTML)" }.joined()
      try output.line(
        "<dt>\(step.name.rawValue)</dt><dd>\(step.summary.escapedForHTML)\(details)</dd>")
    }
    try output.line("</dl>")
  }
}
