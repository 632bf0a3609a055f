import Catalog
import MediaModel
import WorkerPool
import WorkerProtocol

/// Finds exact copies among changed files: reads the whole content only of files that have equal fingerprints and
/// sizes.
///
/// Files that cannot be read now, because their disk is not mounted or the scan is stopped, are left to the next scan.
struct CopySearch {
  let catalog: Catalog
  let workers: MediaWorkers
  /// The file of a path.
  let source: @Sendable (BytePath) -> SourceFile
  /// Receives how many fingerprints of possible copies are done, and how many there are.
  let progress: @Sendable (_ completed: Int, _ total: Int) -> Void

  /// The number of files sent to a worker at once; small, because each is read completely.
  private static let batchSize = 8
  /// The number of fingerprints that are compared in one transaction.
  private static let pageSize = 64

  /// Reads all files that may be copies, then records which are.
  func run() async throws {
    try await readContents()
    let total = try catalog.read { try $0.unsettledContentCount() }
    var completed = 0
    var last: Fingerprint?
    while !GracefulCancellation.isRequested, case let fingerprints = try page(after: last),
      !fingerprints.isEmpty
    {
      last = fingerprints.last
      try catalog.write { try $0.settleCopies(of: fingerprints) }
      completed += fingerprints.count
      progress(completed, total)
    }
  }

  /// Reads what is in question now. What has been read is not read again, so this may run ahead while
  /// others still settle what files are to each other.
  func readContents() async throws {
    guard try !page(after: nil).isEmpty else { return }
    try await BatchFeed<CopyCandidate>.run {
      try await sendCandidates(to: $0)
    } working: {
      try await workers.digest($0, source: { source($0.path) }) { try keep($0) }
    }
  }

  private func sendCandidates(to feed: BatchFeed<CopyCandidate>) async throws {
    let total = try catalog.read { try $0.unsettledContentCount() }
    var completed = 0
    var first: Fingerprint?
    while case let page = try page(after: first), let last = page.last {
      progress(completed, total)
      completed += page.count
      let candidates = try catalog.read { try $0.copyCandidates(after: first, through: last) }
      first = last
      for batch in candidates.inBatches(of: Self.batchSize) {
        if GracefulCancellation.isRequested { return }
        await feed.send(batch)
      }
    }
  }

  private func keep(_ replies: [(item: CopyCandidate, reply: DigestReply)]) throws {
    try catalog.write { transaction in
      for case (let file, .digest(let digest)) in replies {
        try transaction.setContentDigest(digest, file: file.fileID)
      }
    }
  }

  private func page(after last: Fingerprint?) throws -> [Fingerprint] {
    try catalog.read { try $0.unsettledContents(after: last, limit: Self.pageSize) }
  }
}
