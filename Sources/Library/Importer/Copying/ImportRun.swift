package import Catalog
import Exporter
package import Linux
package import MediaModel
import Synchronization
import WorkerPool

/// How far the copying has come.
package struct CopyProgress: Sendable, Hashable {
  package var filesDone = 0
  package var filesTotal: Int
  package var bytesDone: Int64 = 0
  package var bytesTotal: Int64
}

/// What an import has copied.
package struct CopyReport: Sendable {
  /// The outcomes of the planned copies. After a run that met a ``failure``, those that were not tried are failed ones without
  /// a reason; after an interruption, they are left out.
  package var items: [ImportItem] = []
  /// The content of the copies, by their full paths.
  package var contents: [BytePath: RecordedContent] = [:]
  package var isInterrupted = false
  /// What ended the run, such as a full disk.
  package var failure: SystemError?
}

extension SystemError {
  /// EIO and EROFS of asm-generic/errno-base.h: the disk fails, or was mounted again for reading only after a failure.
  private static let diskFailures: Set<Int32> = [5, 30]

  /// Whether no other folder of the target can be written either.
  fileprivate var endsImport: Bool { isDiskFull || Self.diskFailures.contains(code) }

  /// Why a file could not be written, and what to do.
  fileprivate var advice: String {
    let place = path.map(\.display) ?? operation
    if isLink {
      return
        "\(place) is, or is below, a symbolic link, which an import does not follow: replace the link by a folder, or choose other folders with --name"
    }
    if isNotFound {
      return
        "\(place) cannot be used as a folder (\(reason)): if a file has this name or that of a folder above it, rename the file, or choose other folders with --name"
    }
    if isFileTooLarge {
      return "\(description): import it into a folder on a disk with another file system"
    }
    return "\(description): check the permissions of the folder, then import again"
  }
}

/// Copies what was planned.
package struct ImportRun: Sendable {
  private let request: ImportRequest
  private let copies: [[PlannedCopy]]

  package init(_ plan: ImportPlan, _ request: ImportRequest) {
    (self.request, copies) = (request, plan.copies)
  }

  private struct State {
    var report = CopyReport()
    var progress: CopyProgress
    /// The folders that have new names, by their paths below the root. They are not kept open, because there may be a
    /// thousand.
    var folders: Set<String> = []
  }

  /// Copies the groups. A file that cannot be copied does not keep the others of its group. After the task is cancelled, it
  /// ends soon and keeps what has a name.
  ///
  /// - Parameter report: receives the progress.
  /// - Throws: `SystemError` if the root cannot be opened.
  package func run(
    reporting report: @escaping @Sendable (CopyProgress) -> Void
  ) async throws -> CopyReport {
    let root = try await blocking {
      let root = try OpenFolder(request.root)
      for folder in Set(copies.joined().map(\.folder)) {
        StagedFile.removeLeftovers(in: request.root.appending(Array(folder.utf8)))
      }
      return root
    }
    let total = copies.joined().reduce(into: CopyProgress(filesTotal: 0, bytesTotal: 0)) {
      $0.filesTotal += 1
      $0.bytesTotal = $0.bytesTotal.adding(size: $1.source.stamp.size)
    }
    let state = Mutexed(State(progress: total))
    let queue = WorkQueue(copies)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<max(1, request.jobs) {
        group.addTask { @concurrent in
          for await copies in queue {
            guard !GracefulCancellation.isRequested, !hasEnded(before: copies, state) else {
              continue
            }
            await blocking { copy(copies, root, state, report) }
          }
        }
      }
    }
    return await blocking { finish(root, state) }
  }

  private final class Mutexed: Sendable {
    let value: Mutex<State>

    init(_ state: sending State) { value = Mutex(state) }
  }

  /// Copies the files of a group, then gives them their names: pictures and videos first, so that a run that is killed in
  /// between leaves no sidecar without its picture. If another program has taken one of the names, none gets one.
  private func copy(
    _ copies: [PlannedCopy], _ root: OpenFolder, _ state: Mutexed,
    _ report: (CopyProgress) -> Void
  ) {
    var finished: [(copy: PlannedCopy, made: VerifiedCopy)] = []
    var failed: [ImportItem] = []
    for (index, copy) in copies.enumerated() {
      do throws(CopyError) {
        let folder = try self.folder(copy.folder, root)
        let made = try VerifiedCopy(of: copy.source, in: folder) { count in
          report(
            state.value.withLock { state in
              state.progress.bytesDone += Int64(count)
              return state.progress
            })
          return !GracefulCancellation.isRequested
        }
        finished.append((copy, made))
      } catch {
        switch error {
        case .stopped: return state.value.withLock { $0.report.items += failed }
        case .target(let error):
          guard error.endsImport else {
            failed.append(item(copy, .failed, error.advice))
            continue
          }
          let untried = finished.map(\.copy) + copies[index...]
          return end(error, failed + untried.map { item($0, .failed, nil) }, state)
        case .source(let reason): failed.append(item(copy, .failed, reason))
        case .differs:
          failed.append(
            item(
              copy, .failed,
              "the copy, read again, differs from what was written: check the disk, its cable and the memory"
            ))
        }
      }
    }
    // A file of another program that has one of the names since would belong to the others.
    var taken = finished.map { path($0.copy) }.first { (try? FileStatus(of: $0)) != nil }
    for (copy, made) in finished {
      let path = self.path(copy)
      if let taken {
        failed.append(item(copy, .failed, Self.isTaken(taken)))
        continue
      }
      do {
        try made.staged.publish(as: path, replacing: false)
        try made.staged.syncNamed()
        // The name has changed the change time.
        let status = try made.staged.file.status()
        state.value.withLock { state in
          state.folders.insert(copy.folder)
          state.report.contents[path] = RecordedContent(
            digest: made.digest, stamp: status.stamp, changed: status.changed)
          state.report.items.append(item(copy, .copied, copy.source.error))
        }
      } catch {
        if error.isTaken { taken = path }
        failed.append(item(copy, .failed, error.isTaken ? Self.isTaken(path) : error.advice))
        if error.endsImport { end(error, [], state) }
      }
    }
    report(
      state.value.withLock { state in
        state.report.items += failed
        state.progress.filesDone += copies.count
        return state.progress
      })
  }

  private static func isTaken(_ path: BytePath) -> String {
    "\(path.display) was created by another program meanwhile: import again"
  }

  /// Ends the run early.
  ///
  /// - Parameter items: the files of the group that met the error.
  private func end(_ error: SystemError, _ items: [ImportItem], _ state: Mutexed) {
    state.value.withLock { state in
      state.report.failure = state.report.failure ?? error
      state.report.items += items
    }
  }

  /// Whether the run has ended early; then the files of a group count as failed.
  private func hasEnded(before copies: [PlannedCopy], _ state: Mutexed) -> Bool {
    let items = copies.map { item($0, .failed, nil) }
    return state.value.withLock { state in
      if state.report.failure == nil { return false }
      state.report.items += items
      return true
    }
  }

  private func item(_ copy: PlannedCopy, _ action: ImportAction, _ error: String?) -> ImportItem {
    ImportItem(
      source: copy.source.path, target: path(copy), action: action, size: copy.source.stamp.size,
      error: error, absentTwin: action == .copied ? copy.absentTwin : nil)
  }

  private func path(_ copy: PlannedCopy) -> BytePath {
    request.root.appending(Array(copy.folder.utf8)).appending(copy.name)
  }

  private func folder(_ relative: String, _ root: OpenFolder) throws(CopyError) -> OpenFolder {
    do {
      return try root.folder(BytePath(relative), making: true)
    } catch {
      throw .target(error)
    }
  }

  /// Waits until all names are on the disk.
  private func finish(_ root: OpenFolder, _ state: Mutexed) -> CopyReport {
    var (report, folders) = state.value.withLock { ($0.report, $0.folders) }
    do throws(SystemError) {
      // Folders above them may be new too.
      var unsynced = folders
      for folder in folders {
        var above = BytePath(folder).parent
        while !above.bytes.isEmpty {
          unsynced.insert(above.display)
          above = above.parent
        }
      }
      for folder in unsynced { try root.folder(BytePath(folder)).sync() }
      try root.sync()
    } catch {
      report.failure = report.failure ?? error
    }
    report.isInterrupted = GracefulCancellation.isRequested
    report.items.sort { $0.source < $1.source }
    return report
  }
}
