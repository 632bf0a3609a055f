import MediaModel
import POSIX

/// Makes the files whose bytes stay as they are.
struct FileCopying: Sendable {
  let plan: ExportPlan
  let handOver: HandOver
  let ledger: ExportLedger

  /// So many files wait for the disk together: it takes about as long for all as for one.
  private static let batchSize = 64

  /// Copies items none of whose files have to be rendered.
  func copy(_ indices: [Int]) {
    for batch in indices.inBatches(of: Self.batchSize) {
      var staged: [(index: Int, files: [StagedFile])] = []
      for index in batch {
        if ledger.isStopped { break }
        do {
          staged.append((index, try plan.items[index].files.map(copy)))
        } catch {
          settle(index, error)
        }
      }
      for (index, files) in staged {
        publish(index, files)
      }
      do {
        try handOver.syncFolders()
      } catch {
        ledger.stop(error)
      }
      if ledger.isStopped { return }
    }
  }

  /// A copy of a file, or of the clip inside it, under a passing name.
  func copy(_ file: PlannedFile) throws -> StagedFile {
    let source = try ReadOnlyFile(path: file.part.path)
    let staged = try handOver.stage(file)
    let count = file.part.range?.length ?? source.size
    let copied = try staged.file.copy(source, range: file.part.range) { ledger.isStopped }
    guard copied == count else {
      throw HandOverError(sentence: "The file became shorter while it was copied.")
    }
    staged.file.beginSync()
    return staged
  }

  /// Gives an item's files their names.
  func publish(_ index: Int, _ files: [StagedFile], notes: [String] = []) {
    do {
      let made = try handOver.publish(plan.items[index], files)
      ledger.settle(index, made: made, notes: notes)
    } catch {
      settle(index, error)
    }
  }

  /// Notes a failure; a full disk, and a copy that was broken off, end the export.
  func settle(_ index: Int, _ error: any Error) {
    let error = error as? HandOverError ?? HandOverError(error)
    if let cause = error.cause, cause.isDiskFull { return ledger.stop(cause) }
    if Interruption.isRequested { return }
    ledger.fail(index, error.sentence)
  }
}
