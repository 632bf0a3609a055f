import Linux
import MediaModel
import ShoeboxKit
import Terminal

extension ContactSheet {
  /// By what an earlier one is known.
  static var kind: ResultFile.Kind {
    let mark = Array(SheetPage.mark.utf8)
    return ResultFile.Kind("contact sheet", headLength: mark.count) { $0 == mark }
  }

  /// Makes the missing thumbnails and larger pictures, then the page at `path`.
  ///
  /// - Parameter flag: names the page on the command line.
  func make(
    at path: BytePath, flag: String = "--to", as format: ReportFormat = .table, isQuiet: Bool,
    in context: CommandContext
  ) async throws -> ExitStatus {
    let target = try path.absolute()
    let isReplacing = try Self.kind.exists(at: target, flag: flag)
    let missing = try assetsWithoutThumbnail()
    let folder = choices.makesRenditions ? try SheetRenditions(of: target) : nil
    try await Self.makeThumbnails(of: missing, in: library, isQuiet: isQuiet, context)
    let made = try await folder?.make(for: self, isQuiet: isQuiet, context)
    let file = try PageFile(target, isReplacing: isReplacing)
    var summary = try write(to: Output { try file.write($0) }, renditions: made?.links ?? [:])
    try file.publish()
    try images.trim()
    summary.renditionCount = made?.links.count ?? 0
    summary.gaps += made?.failures ?? []
    for gap in summary.gaps {
      context.complain("\(gap.path.display.terminalSafe): \(gap.reason.terminalSafe)")
    }
    switch format {
    case .json: try context.output.write(summary, target, size: file.size)
    case .table:
      if isQuiet { break }
      let stacked =
        summary.stackedCount > 0 ? "\(humanCount(summary.stackedCount)) stacked copies, " : ""
      context.message(
        "\(path.display.terminalSafe): \(humanCount(summary.count)) pictures and videos, \(stacked)"
          + humanBytes(Int64(clamping: file.size)))
    }
    return summary.gaps.isEmpty ? .success : .someFailed
  }
}

extension Output {
  /// Writes what a page shows as one object.
  fileprivate func write(_ summary: SheetSummary, _ path: BytePath, size: UInt64) throws {
    try json { writer in
      writer.object { writer in
        writer.member("path", path: path)
        writer.member("bytes", size)
        writer.member("tiles", summary.count)
        writer.member("stacked", summary.stackedCount)
        writer.member("clips", summary.clipCount)
        writer.member("renditions", summary.renditionCount)
        writer.key("failures")
        writer.array { writer in
          for gap in summary.gaps {
            writer.object { writer in
              writer.member("path", path: gap.path)
              writer.member("error", gap.reason)
            }
          }
        }
      }
    }
  }
}

extension ContactSheet {
  /// Makes thumbnails, and shows how many are made. Starts no worker if there are none to make.
  static func makeThumbnails(
    of assets: [AssetRecord], in library: PhotoLibrary, isQuiet: Bool, _ context: CommandContext
  ) async throws {
    guard !assets.isEmpty else { return }
    let display = ProgressDisplay(isQuiet: isQuiet, in: context)
    try await cancelledBySignals {
      try await counting("previews", total: assets.count, on: display) { isMade in
        try await library.makeImages(of: assets, longerSide: longerSide, progress: isMade)
      }
    }
  }
}
