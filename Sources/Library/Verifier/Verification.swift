package import Catalog
import Linux
import MediaModel
import Synchronization
import WorkerPool

/// How much of the content one run reads.
package enum VerificationExtent: Sendable, Hashable {
  case all
  /// Files until they have this many bytes; the last one is read completely.
  case bytes(Int64)
  /// This part of all bytes, 0 to 1.
  case share(Double)
}

/// How far a verification has come.
package struct VerificationProgress: Sendable, Hashable {
  package var filesDone = 0
  package var filesTotal: Int
  package var bytesDone: Int64 = 0
  package var bytesTotal: Int64
}

/// One run over the content of files.
package struct Verification: Sendable {
  private let catalog: Catalog
  private let files: FilesToVerify
  private let extent: VerificationExtent
  /// The rows of the roots that are available.
  private let roots: [Int64]
  private let isAccepting: Bool
  private let jobs: Int
  private let timeout: Duration

  /// Files whose rows are read at a time.
  private static let pageSize = 64

  /// - Parameters:
  ///   - roots: the rows of the roots that are available. Files in others are left out.
  ///   - isAccepting: whether other content than the recorded one becomes the recorded one.
  ///   - jobs: files that are read at the same time.
  ///   - timeout: how long a file may take without a byte, before its disk counts as one that does not respond.
  package init(
    _ files: FilesToVerify, in catalog: Catalog, _ extent: VerificationExtent, roots: [Int64],
    isAccepting: Bool, jobs: Int, timeout: Duration
  ) {
    (self.files, self.catalog, self.extent, self.roots) = (files, catalog, extent, roots)
    (self.isAccepting, self.jobs, self.timeout) = (isAccepting, jobs, timeout)
  }

  /// Reads the files. After the task is cancelled, it ends soon, keeps what was checked and reports it as interrupted.
  ///
  /// - Parameter reporter: receives events, and is finished with the run.
  /// - Throws: ``CatalogError``; `SystemError` if this process lacks descriptors or memory; `BlockedThreads` if a disk does
  ///   not respond for too many files.
  package func run(
    reporting reporter: AsyncStream<VerificationProgress>.Continuation? = nil
  ) async throws -> VerificationReport {
    defer { reporter?.finish() }
    return try await GracefulCancellation.run { try await carryOut(reporter) }
  }

  private func carryOut(
    _ reporter: AsyncStream<VerificationProgress>.Continuation?
  ) async throws -> VerificationReport {
    let start = ContinuousClock.now
    let known = try catalog.filesToVerify(
      files, inRoots: roots, now: millisecondsSince1970())
    var selection = VerificationSelection(known, extent)
    let expected = selection.remainder
    let ledger = VerificationLedger(
      catalog, VerificationProgress(filesTotal: expected.count, bytesTotal: expected.bytes),
      reporter)
    let threads = WatchedThreads(limit: timeout)
    while !GracefulCancellation.isRequested,
      case let page = selection.next(Self.pageSize), !page.isEmpty
    {
      do {
        try await check(catalog.filesToVerify(page[...]), threads, ledger)
      } catch {
        // Results for other files are kept.
        try? ledger.flush()
        throw error
      }
      // Others are read in the place of files that are gone, or that a scan has to read first.
      let skipped = ledger.skipped
      ledger.expect(more: selection.giveBack(skipped))
    }
    try ledger.flush()
    var report = ledger.report
    report.remainingFiles = known.count - report.settledFiles
    report.isInterrupted = GracefulCancellation.isRequested
    let skipped = ledger.skipped
    for failed in try catalog.failedChecks(files, inRoots: roots)
    where !skipped.contains(failed.fileID) {
      if failed.outcome == .rotted {
        report.rotted.append(failed)
      } else {
        report.unreadable.append(failed)
      }
    }
    report.seconds = (ContinuousClock.now - start) / .seconds(1)
    return report
  }

  private func check(
    _ files: [FileToVerify], _ threads: WatchedThreads, _ ledger: VerificationLedger
  ) async throws {
    let queue = WorkQueue(files)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<min(jobs, files.count) {
        group.addTask { @concurrent in
          for await file in queue where !GracefulCancellation.isRequested {
            try await ledger.note(check(file, threads, ledger), of: file)
          }
        }
      }
      while try await group.next() != nil {}
    }
  }

  /// Reads one file on a thread that is abandoned if the disk does not respond.
  private func check(
    _ file: FileToVerify, _ threads: WatchedThreads, _ ledger: VerificationLedger
  ) async throws -> FileFinding {
    do {
      return try await threads.value { work in
        Result { () throws(SystemError) in try read(file, work, ledger) }
      }.get()
    } catch let abandonment as WatchedThreads.Abandonment {
      switch abandonment {
      case .unresponsive:
        return .unreadable(reason: "its disk or network share does not respond")
      case .interrupted: return .stopped
      }
    }
  }

  private func read(
    _ file: FileToVerify, _ work: WatchedWork, _ ledger: VerificationLedger
  ) throws(SystemError) -> FileFinding {
    do {
      let source = try ReadOnlyFile(path: file.path)
      guard file.isWorthReading(source.status) else { return .unscanned }
      source.dropCache()
      let fingerprint = file.content == nil ? try ContentReading.fingerprint(of: source) : nil
      guard work.advance() else { return .stopped }
      let digest = try ContentReading.digest(of: source) { count in
        guard work.advance() else { return false }
        ledger.note(bytes: count)
        return true
      }
      let status = try source.statusNow()
      // A program writes it now.
      guard status.stamp == source.status.stamp, status.changed == source.status.changed else {
        return .unscanned
      }
      guard let digest else { return .stopped }
      return finding(
        FileJudgement(digest, fingerprint: fingerprint, status, file),
        RecordedContent(digest, status), file)
    } catch {
      // What is gone is left to scans.
      if error.isNotFound { return .missing }
      if error.isShortage { throw error }
      // A disk that was pulled out, or a server that is gone, says nothing about the file.
      if (try? Directory(glancingAt: file.root, limit: 1)) == nil { return .missing }
      return .unreadable(reason: error.reason)
    }
  }

  private func finding(
    _ judgement: FileJudgement, _ content: RecordedContent, _ file: FileToVerify
  ) -> FileFinding {
    switch judgement {
    case .equal: .equal(content, hasRecovered: file.outcome.map { $0 != .equal } ?? false)
    case .first: .first(content)
    case .edited: .edited(content)
    case .rotted where isAccepting: .accepted(content)
    case .rotted(let evidence): .rotted(evidence)
    case .unscanned: .unscanned
    }
  }
}
