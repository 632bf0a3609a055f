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
    try await makeThumbnails(isQuiet: isQuiet, in: context)
    let file: SheetFile
    do throws(SystemError) {
      file = try SheetFile(target, isReplacing: isReplacing)
    } catch {
      throw Failure(
        .inputOutput, "\(path.display.terminalSafe) cannot be written: \(error.reason)")
    }
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
  /// Makes the thumbnails that the cache does not contain. Starts no worker if there are none.
  private func makeThumbnails(isQuiet: Bool, in context: CommandContext) async throws {
    let assets = try assetsWithoutThumbnail()
    guard !assets.isEmpty else { return }
    let display = CountDisplay(total: assets.count, isShown: context.isErrorTerminal && !isQuiet)
    defer { display.clear() }
    try await cancelledBySignals { [library] in
      try await library.makeImages(of: assets, longerSide: Self.longerSide) { display.add(1) }
    }
  }
}

/// The page while it is being written to a temporary file next to its final name.
final class SheetFile {
  private let file: ResultFile
  /// Bytes written so far.
  private(set) var size: UInt64 = 0

  /// - Parameter isReplacing: whether an earlier page is replaced.
  init(_ target: BytePath, isReplacing: Bool) throws(SystemError) {
    file = try ResultFile(target, isReplacing: isReplacing)
  }

  func write(_ bytes: [UInt8]) throws {
    try file.write(bytes, at: size)
    size += UInt64(bytes.count)
  }

  /// Gives the page its name, unless another file got that name meanwhile.
  func publish() throws { try file.publish() }
}

/// Counts on a terminal how many are done.
final class CountDisplay: Sendable {
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
