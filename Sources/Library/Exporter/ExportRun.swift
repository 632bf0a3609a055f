package import Linux
import MediaModel
import Query
import Synchronization
package import WorkerPool
import WorkerProtocol

/// A dictionary that several tasks write.
private final class SharedDictionary<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let values = Mutex<[Key: Value]>([:])

  var all: [Key: Value] { values.withLock { $0 } }

  subscript(key: Key) -> Value? {
    get { values.withLock { $0[key] } }
    set { values.withLock { $0[key] = newValue } }
  }
}

/// Carries plans out.
package struct Export: Sendable {
  package let request: ExportRequest
  package let target: TargetFolder
  private let workers: MediaWorkers
  /// Where plans are made: all files of an export are examined, which may take long.
  private let threads: BlockingExecutor
  /// The target's state when the plan was made: it is not read again if it has not changed.
  private let found = Found()

  private final class Found: Sendable {
    let state = Mutex<TargetState?>(nil)
  }

  /// - Parameter threads: where plans are made.
  package init(
    _ request: ExportRequest, to target: TargetFolder, workers: MediaWorkers,
    planningOn threads: BlockingExecutor = BlockingExecutor()
  ) {
    self.request = request
    self.target = target
    self.workers = workers
    self.threads = threads
  }

  /// Examines files and makes the plan. Writes nothing.
  ///
  /// - Parameter known: those of some identifiers that assets of the catalog have.
  /// - Throws: ``ExportError``, `WorkerError`, `CancellationError`.
  package func plan(
    _ subjects: [ExportSubject], known: @escaping @Sendable (Set<String>) throws -> Set<String>
  ) async throws -> ExportPlan {
    try await GracefulCancellation.run {
      let plan = try await threads.run { try await makePlan(subjects, known) }
      // Files that were not examined are missing from it.
      if GracefulCancellation.isRequested { throw CancellationError() }
      return plan
    }
  }

  private func makePlan(
    _ subjects: [ExportSubject], _ known: @escaping @Sendable (Set<String>) throws -> Set<String>
  ) async throws -> ExportPlan {
    let results = try target.results(
      among: subjects.flatMap { [$0.asset.path] + $0.asset.copiesInAlbums.map(\.path) })
    let cancellation = GracefulCancellation.current
    let check = { if cancellation?.isRequested == true { throw CancellationError() } }
    try check()
    let subjects = try PlanSubjects(
      subjects.map { $0.without(results) }, request, checking: check)
    let folders = subjects.neededFolders
    let interest = ExportRecord.Interest(
      identifiers: Set(subjects.all.map(\.asset.identifier)), folders: folders)
    var state = try target.state(
      of: interest, listing: request.replacement == .always ? [] : folders,
      comparing: Set(subjects.neededSubjects.map(\.asset.identifier)))
    try check()
    state.followOtherKeys(of: subjects.neededSubjects.filter { request.owns($0.asset) }, request)
    state.touched = await touched(
      subjects.neededSubjects.filter { request.owns($0.asset) }, state)
    state.results = results
    try await UnknownAssetResults(
      subjects: subjects, request: request, target: target, known: known
    ).add(to: &state)
    found.state.withLock { [state] in $0 = state }
    try check()
    let planner = ExportPlanner(request, target: state)
    let examined = try await examine(planner.examinations(subjects, checking: check))
    try check()
    var plan = try planner.plan(subjects, examined: examined, checking: check)
    plan.remainingResults = try target.remainingResults(
      request, besides: interest.identifiers, Set(plan.items.lazy.flatMap(\.files).map(\.target)))
    return plan
  }

  /// The current versions of sources with another time stamp than recorded but the same content.
  private func touched(
    _ subjects: [ExportSubject], _ state: TargetState
  ) async -> [ExportRecord.Key: ExportRecord.Version] {
    // Otherwise nothing that exists is exported again.
    guard request.replacement != .never else { return [:] }
    let candidates = ContentCheck.candidates(subjects, request, state.record)
    guard !candidates.isEmpty, let tree = try? TargetTree(target.path) else { return [:] }
    return await ContentCheck(request: request, state: state, tree: tree).touched(candidates)
  }

  /// The replies for these files. Of a picture with an alpha channel all pixels are decoded, so large ones are examined
  /// within the same memory in which files are made.
  private func examine(_ parts: [ExportPart]) async throws -> [ExamineItem: ExamineReply] {
    var seen = Set<ExamineItem>()
    let files = parts.filter { seen.insert($0.examineItem).inserted }.sorted { $0.path < $1.path }
    guard !files.isEmpty else { return [:] }
    let replies = SharedDictionary<ExamineItem, ExamineReply>()
    let small = files.filter { !$0.isLargePicture }.map(\.examineItem)
    try await workers.examine(WorkQueue(small.inBatches(of: 16)), file: { $0 }) { found in
      for (item, reply) in found { replies[item] = reply }
    }
    let large = files.filter(\.isLargePicture)
    guard !large.isEmpty else { return replies.all }
    let schedule = RenderSchedule<ExamineItem, Examination>(
      large.enumerated().map { index, part in
        .init(
          file: part.examineItem, item: index, cost: .ofExamining(part), isDivisible: false)
      }, cores: workers.configuration.jobs, memory: SystemMemory.limit / 2,
      isStopped: { GracefulCancellation.isRequested },
      begin: { file, _, share in Examination(file: file, share: share) })
    try await workers.examine(schedule, file: \.file) { found in
      for (examination, reply) in found {
        schedule.finish(examination.share)
        replies[examination.file] = reply
      }
    }
    return replies.all
  }

  /// A large picture that is being examined.
  private struct Examination: Sendable {
    var file: ExamineItem
    var share: RenderSchedule<ExamineItem, Examination>.Share
  }

  /// Carries out a plan. After the task is cancelled, it ends soon and reports what is finished.
  ///
  /// - Parameter reporter: receives the progress, and is finished with the export.
  /// - Throws: ``ExportError`` if it cannot begin. What ends it later is in the report.
  package func run(
    _ plan: ExportPlan, reporting reporter: AsyncStream<ExportProgress>.Continuation? = nil
  ) async throws -> ExportReport {
    defer { reporter?.finish() }
    return try await GracefulCancellation.run { try await carryOut(plan, reporter) }
  }

  private func carryOut(
    _ plan: ExportPlan, _ reporter: AsyncStream<ExportProgress>.Continuation?
  ) async throws -> ExportReport {
    let start = ContinuousClock.now
    if plan.items.isEmpty {
      // The target is not made for nothing.
      return ExportLedger(plan, target: target.path, versions: [:], reporting: reporter)
        .report(seconds: 0)
    }
    let folders = plan.folders(making: false)
    let opened =
      if let shard = request.shard {
        try await target.open(for: shard, folders)
      } else {
        try target.open()
      }
    let tree = opened.tree
    let isAlone = request.shard == nil
    let begun = isAlone ? try target.fold(tree) : nil
    let state = try begun == nil ? state(of: plan, in: tree) : stateNow(of: plan, in: tree)
    // What other tasks are making has names like what killed ones have left.
    if isAlone { target.sweep(state.record.folders.union(begun ?? []).union(folders), in: tree) }
    let handOver: HandOver
    do {
      handOver = try HandOver(
        target, tree, request, state: state,
        overwritable: isAlone ? nil : try plan.existingFiles(in: tree))
      try handOver.refresh(state)
      try handOver.begin(plan.folders(making: true).subtracting(state.record.folders))
    } catch {
      throw target.unusable(error)
    }
    let ledger = ExportLedger(
      plan, target: target.path, versions: state.versions, reporting: reporter)
    await make(plan, handOver, ledger)
    do {
      try handOver.finish()
      if !isAlone { try target.finish(opened, folders) }
    } catch {
      ledger.stop(error)
    }
    _ = consume opened
    return ledger.report(seconds: (ContinuousClock.now - start) / .seconds(1))
  }

  /// The target's state while this export holds its lock.
  private func state(of plan: ExportPlan, in tree: TargetTree) throws(ExportError) -> TargetState {
    if let known = found.state.withLock({ $0 }),
      target.isUpToDate(known, in: tree, for: request.shard)
    {
      return known
    }
    return try stateNow(of: plan, in: tree)
  }

  private func stateNow(
    of plan: ExportPlan, in tree: TargetTree
  ) throws(ExportError) -> TargetState {
    let interest = ExportRecord.Interest(
      identifiers: Set(plan.items.map(\.asset.identifier)), folders: [])
    do {
      return try target.state(in: tree, of: interest)
    } catch {
      throw target.unusable(error)
    }
  }

  /// Copies here and renders there, side by side. If workers cannot go on, both end, and keep what is finished.
  private func make(_ plan: ExportPlan, _ handOver: HandOver, _ ledger: ExportLedger) async {
    let open = plan.items.indices.filter { plan.items[$0].fate == .make }
    let (rendered, copied) = open.partitioned { plan.items[$0].needsRendering }
    let copying = FileCopying(plan: plan, handOver: handOver, ledger: ledger)
    let rendering = FileRendering(
      plan: plan, handOver: handOver, ledger: ledger, copying: copying, workers: workers)
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await copying.copy(copied) }
      group.addTask { @concurrent in
        do {
          try await rendering.render(rendered)
        } catch {
          ledger.stop(error)
        }
      }
    }
  }
}

extension ExportPlan {
  /// The folders below the target for its results.
  ///
  /// - Parameter making: whether to return only folders of results that are not made yet.
  fileprivate func folders(making: Bool) -> Set<String> {
    Set(items.lazy.filter { !making || $0.fate == .make }.flatMap(\.files).map(\.target.folder))
  }

  /// The files that have the names of results that are not made yet, by their paths below the target.
  fileprivate func existingFiles(
    in tree: TargetTree
  ) throws(SystemError) -> [String: FileStamp] {
    var files: [String: FileStamp] = [:]
    for item in items where item.fate == .make {
      for file in item.madeFiles {
        files[file.target] = try tree.status(of: file.target)?.stamp
      }
    }
    return files
  }
}

extension ExportItem {
  /// Whether a worker makes one of its files.
  var needsRendering: Bool {
    files.contains { $0.decision.work.isRendering }
  }
}

extension Array {
  /// The elements that `belongs` holds for, and the others.
  fileprivate func partitioned(_ belongs: (Element) -> Bool) -> ([Element], [Element]) {
    (filter(belongs), filter { !belongs($0) })
  }
}
