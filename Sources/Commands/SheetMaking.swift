import Catalog
import CodecPool
import Exporter
import MediaModel
import POSIX
import Synchronization
import Thumbnails

extension ContactSheet {
  /// Bytes that thumbnails may take beside the catalog.
  private static let cacheLimit = 512 << 20

  /// Makes what thumbnails are missing, then the page at `path`.
  func make(
    at path: BytePath, jobs: Int, isQuiet: Bool, in context: CommandContext
  ) async throws -> ExitStatus {
    let target = path.absolute()
    try target.expectNothingButASheet()
    Interruption.listen()
    try await makeThumbnails(jobs: jobs, isQuiet: isQuiet, in: context)
    if Interruption.isRequested { return .interrupted }
    let file: SheetFile
    do throws(SystemError) {
      file = try SheetFile(target)
    } catch {
      throw Failure(
        .inputOutput, "\(path.display.harmless) cannot be written: \(error.reason)")
    }
    let summary = try write(to: Output { try file.write($0) })
    try file.publish()
    try cache.trim(to: Self.cacheLimit)
    for gap in summary.gaps {
      context.complain("\(gap.path.display.harmless): \(gap.reason.harmless)")
    }
    if !isQuiet {
      context.message(
        "\(path.display.harmless): \(humanCount(summary.count)) pictures and videos, "
          + humanBytes(Int64(clamping: file.size)))
    }
    return summary.gaps.isEmpty ? .success : .someFailed
  }
}

extension ContactSheet {
  /// Has every thumbnail made that the cache lacks; starts no codec process if there is none.
  private func makeThumbnails(
    jobs: Int, isQuiet: Bool, in context: CommandContext
  ) async throws {
    let wishes = try wishes()
    guard !wishes.isEmpty else { return }
    let pool = CodecPool(
      executable: try codecExecutable(context.environment), jobs: jobs,
      fileTimeout: try context.fileTimeout())
    let display = CountDisplay(total: wishes.count, isShown: context.isErrorTerminal && !isQuiet)
    defer { display.clear() }
    try await ThumbnailMaking(cache: cache, pool: pool, longerSide: Self.longerSide)
      .make(wishes) { display.add($0) }
  }
}

/// The page while it is being written, under a passing name beside its final one.
private final class SheetFile {
  private let target: BytePath
  private let staged: StagedFile
  /// Bytes written so far.
  private(set) var size: UInt64 = 0

  init(_ target: BytePath) throws(SystemError) {
    self.target = target
    StagedFile.removeLeftovers(in: target.parent)
    staged = try StagedFile(in: target.parent, isLocked: true)
  }

  func write(_ bytes: [UInt8]) throws {
    try staged.file.write(bytes, at: size)
    size += UInt64(bytes.count)
  }

  /// Gives it its name, in place of an earlier page.
  func publish() throws {
    try staged.file.seal(modified: millisecondsSince1970() * 1_000_000)
    try staged.publish(as: target, replacing: true)
  }
}

extension BytePath {
  /// Lets only an earlier contact sheet be written over: what else has that name may be an original.
  ///
  /// - Throws: ``Failure`` with ``ExitStatus/usage``.
  fileprivate func expectNothingButASheet() throws {
    guard (try? FileStatus(of: self)) != nil else { return }
    let mark = Array(SheetPage.mark.utf8)
    let start = try? ReadOnlyFile(path: self).read(at: 0, count: mark.count)
    guard start == mark else {
      throw Failure(
        .usage,
        "\(display.harmless) is there already and no contact sheet: name another file with --to")
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
    // A count that cannot be shown is no reason to stop.
    try? StandardStream.error.write(Array(text.utf8))
  }
}
