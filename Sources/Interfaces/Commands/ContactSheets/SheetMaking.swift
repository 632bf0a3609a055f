import Linux
import MediaModel
import ShoeboxKit
import Synchronization
import Terminal

extension ContactSheet {
  /// By what an earlier one is known.
  static var kind: ResultFile.Kind {
    let mark = Array(SheetPage.mark.utf8)
    return ResultFile.Kind("contact sheet", headLength: mark.count) { $0 == mark }
  }

  /// Makes the missing thumbnails, then the page at `path`.
  func make(
    at path: BytePath, isQuiet: Bool, in context: CommandContext
  ) async throws -> ExitStatus {
    let target = try path.absolute()
    let isReplacing = try Self.kind.exists(at: target, flag: "--to")
    try await Self.makeThumbnails(
      of: try assetsWithoutThumbnail(), in: library, isQuiet: isQuiet, context)
    let file = try PageFile(target, isReplacing: isReplacing)
    let summary = try write(to: Output { try file.write($0) })
    try file.publish()
    try images.trim()
    for gap in summary.gaps {
      context.complain("\(gap.path.display.terminalSafe): \(gap.reason.terminalSafe)")
    }
    if !isQuiet {
      context.message(
        "\(path.display.terminalSafe): \(humanCount(summary.count)) pictures and videos, "
          + humanBytes(Int64(clamping: file.size)))
    }
    return summary.gaps.isEmpty ? .success : .someFailed
  }
}

extension ContactSheet {
  /// Makes thumbnails, and counts them on a terminal. Starts no worker if there are none to make.
  static func makeThumbnails(
    of assets: [AssetRecord], in library: PhotoLibrary, isQuiet: Bool, _ context: CommandContext
  ) async throws {
    guard !assets.isEmpty else { return }
    let display = CountDisplay(total: assets.count, isShown: context.isErrorTerminal && !isQuiet)
    defer { display.clear() }
    try await cancelledBySignals {
      try await library.makeImages(of: assets, longerSide: longerSide) { display.add(1) }
    }
  }
}

/// Counts on a terminal how many are done.
private final class CountDisplay: Sendable {
  private let total: Int
  private let isShown: Bool
  private let state = Mutex((done: 0, shown: ContinuousClock.now))

  init(total: Int, isShown: Bool) {
    self.total = total
    self.isShown = isShown
  }

  func add(_ count: Int) {
    let line = state.withLock { state -> String? in
      state.done += count
      guard isShown, .now - state.shown > .milliseconds(200) else { return nil }
      state.shown = .now
      return "\r\u{1B}[Kpreviews: \(humanCount(state.done)) of \(humanCount(total))"
    }
    if let line { show(line) }
  }

  func clear() {
    if isShown { show("\r\u{1B}[K") }
  }

  private func show(_ text: String) {
    // A failure to show the count does not end the command.
    try? StandardStream.error.write(Array(text.utf8))
  }
}
