import Linux
import MediaModel
import WorkerPool

/// Copies the files that are exported unchanged.
struct FileCopying: Sendable {
  let plan: ExportPlan
  let handOver: HandOver
  let ledger: ExportLedger

  /// Items whose files are synced together: it takes about as long for all as for one.
  private static let batchSize = 64
  private static let lanes = 2
  /// Descriptors that the rest of an export needs at most.
  private static let otherDescriptors = 100

  /// Copies items that need no rendering. Several batches run concurrently, so that one is copied while
  /// another waits for the disk.
  func copy(_ indices: [Int]) async {
    let batches = WorkQueue(batches(indices))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<Self.lanes { group.addTask { @concurrent in await copy(batches) } }
    }
  }

  /// The items in batches. All files of a batch are open at once, so all lanes together use at most half of the descriptors;
  /// only an item with more files than that is a batch of its own.
  private func batches(_ indices: [Int]) -> [[Int]] {
    let share = (indices.count + Self.lanes - 1) / Self.lanes
    let size = min(Self.batchSize, share)
    let limit = (OpenFileLimit.count - Self.otherDescriptors) / (2 * Self.lanes)
    var batches: [[Int]] = []
    var descriptors = 0
    for index in indices {
      // The folder of the results is open, too.
      let own = plan.items[index].madeFiles.count + 1
      if let last = batches.indices.last, batches[last].count < size, descriptors + own <= limit {
        batches[last].append(index)
        descriptors += own
      } else {
        batches.append([index])
        descriptors = own
      }
    }
    return batches
  }

  private func copy(_ batches: WorkQueue<[Int]>) async {
    for await batch in batches {
      await blocking { copyTogether(batch) }
      if ledger.isStopped { return }
    }
  }

  private func copyTogether(_ batch: [Int]) {
    // Names are given when all are on the disk: a name between two files would make the disk write
    // its journal for each.
    let staged = attempt(batch.map { ($0, ()) }) { index, _ in
      // Files that were copied before the interruption are still published.
      ledger.isStopped ? nil : try plan.items[index].madeFiles.map { try copy($0, of: index) }
    }
    let finished = attempt(staged) { _, files in
      for staged in files { try staged.file.sync() }
      return files
    }
    publish(finished.map { ($0.index, $0.files, MakingReport()) })
  }

  /// Does the next thing to the files of each item; what fails is noted and left out.
  private func attempt<Before, After>(
    _ items: [(index: Int, files: Before)], _ work: (Int, Before) throws -> After?
  ) -> [(index: Int, files: After)] {
    items.compactMap { index, files in
      do {
        return try work(index, files).map { (index, $0) }
      } catch {
        settle(index, error)
        return nil
      }
    }
  }

  /// A copy of a file, or of the clip inside it, or an XMP file, without its final name, with its sync started.
  func copy(_ file: PlannedFile, of index: Int) throws -> StagedFile {
    if let sidecar = plan.items[index].sidecar(file) {
      let staged = try handOver.stage(file)
      try staged.file.write(sidecar.bytes, at: 0)
      staged.file.setModeAndTime(modified: plan.items[index].subject.moment)
      staged.file.beginSync()
      return staged
    }
    let source = try ReadOnlyFile(path: file.part.path)
    let subject = plan.items[index].subject
    let state = try SourceState(source.status, file.part.path, subject)
    if file.decision.promisesPicture { try PictureData.require(in: source, file.part.uniformType) }
    let staged = try handOver.stage(file)
    let count = file.part.range?.length ?? source.size
    let copied = try staged.file.copy(source, range: file.part.range) { ledger.isStopped }
    try state.verify(source.statusNow())
    guard copied == count else { throw SourceState.changed }
    staged.file.setModeAndTime(modified: subject.moment)
    staged.file.beginSync()
    return staged
  }

  /// Gives items' files, which are on the disk, their names, and waits until those are on the disk too.
  func publish(_ finished: [(index: Int, files: [StagedFile], report: MakingReport)]) {
    let results = handOver.publish(
      finished.map { index, files, _ in
        let item = plan.items[index]
        let contents = item.madeFiles.map { file in
          item.subject.content(of: file, handOver.request) { ledger.isStopped }
        }
        return HandOver.Finished(item: item, staged: files, contents: contents)
      })
    for ((index, _, report), result) in zip(finished, results) {
      switch result {
      case .success(let made): ledger.settle(index, made: made, report)
      case .failure(let error): settle(index, error)
      }
    }
    do {
      try handOver.confirm()
    } catch {
      ledger.stop(error)
    }
  }

  /// Notes a failure; a full disk ends the export, and what is broken off then has not failed.
  func settle(_ index: Int, _ error: any Error) {
    let error = error as? HandOverError ?? HandOverError(error)
    if let cause = error.cause, cause.isDiskFull { return ledger.stop(cause) }
    if ledger.isStopped { return }
    ledger.fail(index, error.sentence)
  }
}
