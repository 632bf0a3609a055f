import Linux
import MediaModel
import WorkerPool

/// Finds results whose sources have another time stamp than recorded but the same content, for example because they
/// were touched, or restored from a backup.
struct ContentCheck: Sendable {
  let request: ExportRequest
  let state: TargetState
  let tree: TargetTree

  /// Files that are read at the same time: one is read while the digest of another is computed.
  private static let lanes = 2

  /// A result that has to be checked.
  struct Candidate: Sendable {
    var key: ExportRecord.Key
    /// The last line about it.
    var entry: ExportRecord.Entry
    var subject: ExportSubject
    var part: ExportPart
    /// The source as it is now.
    var version: ExportRecord.Version
  }

  /// The results whose sources have the recorded size but another time stamp.
  ///
  /// Only lines of this catalog count. Lines without content are of earlier versions of Shoebox, or their source could
  /// not be read again.
  static func candidates(
    _ subjects: [ExportSubject], _ request: ExportRequest, _ record: ExportRecord
  ) -> [Candidate] {
    if record.history.isEmpty { return [] }
    return subjects.flatMap { subject in
      subject.parts(request).compactMap { part in
        let key = ExportRecord.Key(subject.asset, part)
        guard part.kind != .description, let entry = record.latest(key), entry.isOwn,
          entry.content != nil, entry.naming == request.naming,
          let version = subject.version(of: part, request),
          version != entry.source, version.size == entry.source.size
        else { return nil }
        return Candidate(key: key, entry: entry, subject: subject, part: part, version: version)
      }
    }
  }

  /// Reads the sources.
  ///
  /// - Returns: the current versions of those whose content is the recorded one.
  func touched(
    _ candidates: [Candidate]
  ) async -> [ExportRecord.Key: ExportRecord.Version] {
    let queue = WorkQueue(candidates)
    return await withTaskGroup(of: [Candidate].self) { group in
      for _ in 0..<Self.lanes {
        group.addTask { @concurrent in
          var same: [Candidate] = []
          for await candidate in queue {
            if await blocking({ hasSameContent(candidate) }) { same.append(candidate) }
          }
          return same
        }
      }
      var touched: [ExportRecord.Key: ExportRecord.Version] = [:]
      for await same in group {
        for candidate in same { touched[candidate.key] = candidate.version }
      }
      return touched
    }
  }

  private func hasSameContent(_ candidate: Candidate) -> Bool {
    let recorded: String?
    switch candidate.entry.content {
    case .digest(let digits): recorded = digits
    case .copied: recorded = digest(ofResult: candidate.entry)
    case nil: recorded = nil
    }
    guard let recorded else { return false }
    return recorded
      == candidate.subject.contentDigest(of: candidate.part, request) {
        GracefulCancellation.isRequested
      }
  }

  /// A digest of a copy; nil if it is not there, or not as it was made.
  private func digest(ofResult entry: ExportRecord.Entry) -> String? {
    guard entry.made.size == entry.source.size else { return nil }
    do {
      let file = try ReadOnlyFile(
        BytePath(entry.target).lastComponent, in: tree.folder(entry.target.folder))
      guard
        entry.isAbout(
          file.status.stamp, keepsInodes: state.keepsInodes || !entry.isDone)
      else { return nil }
      var digest = ContentDigest()
      return try digest.add(file) { GracefulCancellation.isRequested } ? digest.digits : nil
    } catch {
      return nil
    }
  }
}
