import Linux
import MediaEdits
import MediaModel
import Synchronization
import WorkerPool
import WorkerProtocol

/// Makes the files that a worker has to make.
struct FileRendering: Sendable {
  let plan: ExportPlan
  let handOver: HandOver
  let ledger: ExportLedger
  let copying: FileCopying
  let workers: MediaWorkers

  /// One file for a worker.
  private struct RenderJob: Sendable {
    var index: Int
    /// Which of the item's files.
    var file: FileNumber
    var staged: StagedFile
    var step: RenderStep
    var share: Schedule.Share
    /// How the source was before.
    var source: SourceState
  }

  /// One of an item's files, or the clip that is appended to it.
  private struct FileNumber: Hashable {
    var index: Int
    var isClip = false
  }

  private typealias Schedule = RenderSchedule<(index: Int, file: FileNumber), RenderJob>

  /// What is finished of the items under way.
  private final class Progress: Sendable {
    struct Item {
      var staged: [FileNumber: StagedFile] = [:]
      var report = MakingReport()
      var hasFailed = false
    }

    let items = Mutex<[Int: Item]>([:])
  }

  /// Renders items; the files of one that are copied are copied when the others are made.
  func render(_ indices: [Int]) async throws {
    let progress = Progress()
    let entries = indices.flatMap { index in
      rendered(plan.items[index]).map { entry(index, $0) }
    }
    guard !entries.isEmpty else { return }
    let schedule = Schedule(
      entries, cores: workers.configuration.jobs, memory: SystemMemory.limit / 2,
      isStopped: { ledger.isStopped },
      begin: { file, threads, share in
        begin(file.index, file.file, threads: threads, share, progress)
      })
    try await workers.render(
      schedule, step: \.step,
      target: { (job) throws(SystemError) in try SharedFile(emptying: job.staged.file) },
      progress: { job, position in
        // A picture reports 0, also while its item's clip is being made.
        if case .movie = job.step.work { ledger.note(position: position, of: job.index) }
      },
      deliver: { replies in
        for (job, reply) in replies {
          schedule.finish(job.share)
          // It may copy and sync other files of the item, and read the source again.
          await blocking { take(reply, for: job, progress) }
        }
      })
  }

  /// The files of an item that workers make.
  private func rendered(_ item: ExportItem) -> [FileNumber] {
    item.files.enumerated().flatMap { index, file in
      var numbers: [FileNumber] = []
      if file.decision.work.isRendering { numbers.append(FileNumber(index: index)) }
      if file.clip?.decision.work.isRendering == true {
        numbers.append(FileNumber(index: index, isClip: true))
      }
      return numbers
    }
  }

  private func entry(_ index: Int, _ number: FileNumber) -> Schedule.Entry {
    let (part, decision) = partAndDecision(index, number)
    var isDivisible = false
    if case .render(.movie, _) = decision.work { isDivisible = true }
    return Schedule.Entry(
      file: (index, number), item: index,
      cost: ExpectedCost.of(decision, part, plan.items[index].asset), isDivisible: isDivisible)
  }

  private func partAndDecision(
    _ index: Int, _ number: FileNumber
  ) -> (ExportPart, FileDecision) {
    let file = plan.items[index].files[number.index]
    return number.isClip
      ? (file.clip?.part ?? file.part, file.clip?.decision ?? file.decision)
      : (file.part, file.decision)
  }

  /// Makes the empty file that is to be filled; nil if its item has failed.
  private func begin(
    _ index: Int, _ number: FileNumber, threads: Int, _ share: Schedule.Share,
    _ progress: Progress
  ) -> RenderJob? {
    let hasFailed = progress.items.withLock { $0[index]?.hasFailed ?? false }
    let file = plan.items[index].files[number.index]
    let (part, decision) = partAndDecision(index, number)
    guard !hasFailed, case .render(let work, let metadata) = decision.work else { return nil }
    do {
      let source = try SourceState(of: part.path, in: plan.items[index].subject)
      if decision.promisesPicture {
        try PictureData.require(in: ReadOnlyFile(path: part.path), part.uniformType)
      }
      let staged = try handOver.stage(file)
      let step = RenderStep(
        source: part.path, range: part.range,
        work: work.using(threads), metadata: metadata,
        removesGainMap: decision.removesGainMap, livePhoto: decision.livePhoto,
        facts: decision.facts)
      return RenderJob(
        index: index, file: number, staged: staged, step: step, share: share, source: source)
    } catch {
      abandon(index, error, progress)
      return nil
    }
  }

  private func take(_ reply: RenderReply, for job: RenderJob, _ progress: Progress) {
    switch reply {
    case .working: break
    case .failed(let failure) where failure.reason == .diskFull:
      ledger.stop(ExportError.diskFull(job.staged.file.path.parent))
    case .failed(let failure):
      abandon(job.index, HandOverError(sentence: failure.message), progress)
    case .done(let result):
      do {
        try job.source.verify(FileStatus(of: job.step.source, followingLinks: true))
        finish(job, result, progress)
      } catch {
        abandon(job.index, error, progress)
      }
    }
  }

  /// Publishes the item if this was its last file to be rendered.
  private func finish(_ job: RenderJob, _ result: RenderResult, _ progress: Progress) {
    let item = plan.items[job.index]
    let wanted = rendered(item)
    let finished = progress.items.withLock { items -> Progress.Item? in
      items[job.index, default: Progress.Item()].staged[job.file] = job.staged
      items[job.index]?.report.notes += result.notes
      if result.isReencoded { items[job.index]?.report.isReencoded = true }
      guard let state = items[job.index], !state.hasFailed, state.staged.count == wanted.count
      else {
        return nil
      }
      items[job.index] = nil
      return state
    }
    guard let finished else { return }
    do {
      let staged = try item.files.enumerated().compactMap { number, file in
        if file.decision.work == .keep { return nil as StagedFile? }
        let staged =
          try finished.staged[FileNumber(index: number)] ?? copying.copy(file, of: job.index)
        if let clip = file.clip {
          try copying.append(
            clip, finished.staged[FileNumber(index: number, isClip: true)], to: staged,
            of: job.index)
        }
        return staged
      }
      for file in staged { try file.file.seal(modified: item.subject.moment) }
      copying.publish([(job.index, staged, finished.report)])
    } catch {
      copying.settle(job.index, error)
    }
  }

  /// Gives an item up, with what was finished of it.
  private func abandon(_ index: Int, _ error: any Error, _ progress: Progress) {
    progress.items.withLock { $0[index] = Progress.Item(hasFailed: true) }
    copying.settle(index, error)
  }
}
