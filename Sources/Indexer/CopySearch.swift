import AsyncAlgorithms
import Catalog
import CodecMessages
import CodecPool
import MediaModel
import POSIX

/// Finds exact copies among what has changed: reads the whole content of files whose fingerprints and
/// sizes are equal, and of no others.
///
/// What cannot be read now, because its disk is not mounted or the scan is stopped, is left to the next
/// scan.
struct CopySearch {
  let catalog: Catalog
  let pool: CodecPool

  /// Files sent to a codec process at once: few, as each is read from end to end.
  private static let batchSize = 8
  /// How many fingerprints are looked at, and settled, at a time.
  private static let pageSize = 64

  /// Settles which files are copies, once all of those in question have been read.
  func run() async throws {
    try await readContents()
    try forEachPage { fingerprints in
      try catalog.write { transaction in
        for fingerprint in fingerprints { try transaction.settleCopies(of: fingerprint) }
      }
    }
  }

  /// Reads what is in question now. What has been read is not read again, so this may run ahead while
  /// others still settle what files are to each other.
  func readContents() async throws {
    guard try !page(after: nil).isEmpty else { return }
    let batches = AsyncChannel<[CopyCandidate]>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { @concurrent in
        defer { batches.finish() }
        try await sendCandidates(to: batches)
      }
      group.addTask { @concurrent in
        try await pool.digest(batches, path: \.path) { try keep($0) }
      }
      do {
        while try await group.next() != nil {}
      } catch {
        // Whoever still waits for the other end of the channel must not wait for ever.
        batches.finish()
        throw error
      }
    }
  }

  private func sendCandidates(to batches: AsyncChannel<[CopyCandidate]>) async throws {
    var last: Fingerprint?
    while case let fingerprints = try page(after: last), !fingerprints.isEmpty {
      last = fingerprints.last
      let candidates = try catalog.look { transaction in
        try fingerprints.flatMap { try transaction.copyCandidates(of: $0) }
      }
      for start in stride(from: 0, to: candidates.count, by: Self.batchSize) {
        if Interruption.isRequested { return }
        await batches.send(
          Array(candidates[start..<min(start + Self.batchSize, candidates.count)]))
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

  private func forEachPage(_ body: ([Fingerprint]) throws -> Void) throws {
    var last: Fingerprint?
    while !Interruption.isRequested, case let fingerprints = try page(after: last),
      !fingerprints.isEmpty
    {
      last = fingerprints.last
      try body(fingerprints)
    }
  }

  private func page(after last: Fingerprint?) throws -> [Fingerprint] {
    try catalog.look { try $0.unsettledContents(after: last, limit: Self.pageSize) }
  }
}
