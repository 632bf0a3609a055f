import Foundation
import GRDB

// What `shoebox verify` has found in the files of a catalog that is merged.

extension CatalogMerge {
  /// The digests of verified content. Of two checks of one content, the later one counts. Of two contents, that counts which
  /// the file has by its size and time; if both have them, the content has changed without them, and the earlier digest is
  /// that of the sound file, unless the user has accepted the other one since.
  func copyChecks() throws {
    let pairs = try Row.fetchAll(
      database,
      sql: """
        SELECT ours.file_id, \(Self.columns("ours")), \(Self.columns("theirs")), files.size, files.modified
        FROM shard.file_checks AS theirs JOIN merged_files AS own ON own.old = theirs.file_id
        JOIN main.file_checks AS ours ON ours.file_id = own.new JOIN main.files ON files.id = own.new
        WHERE ours.checked_date <> theirs.checked_date OR ours.outcome <> theirs.outcome
          OR ours.digest IS NOT theirs.digest OR ours.modified IS NOT theirs.modified OR ours.size IS NOT theirs.size
        """)
    for row in pairs {
      let (ours, theirs) = (MergedCheck(row, at: 1), MergedCheck(row, at: 1 + Self.names.count))
      let state = (
        size: row[1 + 2 * Self.names.count] as Int64,
        modified: row[2 + 2 * Self.names.count] as Int64
      )
      let merged = MergedCheck.merging(ours, theirs, of: state, now: now)
      guard merged != ours else { continue }
      try database.execute(
        sql: """
          UPDATE main.file_checks SET \(Self.names.map { "\($0) = ?" }.joined(separator: ", ")) WHERE file_id = ?
          """, arguments: merged.values + [row[0] as Int64])
    }
    try insert(
      "file_checks", ["file_id": "own.new"],
      from: "shard.file_checks AS theirs JOIN merged_files AS own ON own.old = theirs.file_id",
      where: "own.new NOT IN (SELECT file_id FROM main.file_checks)")
  }

  private static let names = [
    "checked_date", "outcome", "since", "error", "digest", "size", "modified", "changed", "inode",
  ]

  private static func columns(_ table: String) -> String {
    names.map { "\(table).\($0)" }.joined(separator: ", ")
  }
}

/// A row of `file_checks`.
private struct MergedCheck: Hashable {
  var date: Int64
  var outcome: CheckOutcome
  var since: Int64?
  var error: String?
  /// With the file's state; nil if it was never read.
  var content: Content?

  struct Content: Hashable {
    var digest: Data
    var size, modified, changed, inode: Int64?
  }

  /// - Parameter index: of its first column.
  init(_ row: Row, at index: Int) {
    date = row[index]
    outcome = CheckOutcome(rawValue: row[index + 1]) ?? .unreadable
    (since, error) = (row[index + 2], row[index + 3])
    content = (row[index + 4] as Data?).map {
      Content(
        digest: $0, size: row[index + 5], modified: row[index + 6], changed: row[index + 7],
        inode: row[index + 8])
    }
  }

  var values: StatementArguments {
    [
      date, outcome.rawValue, since, error, content?.digest, content?.size, content?.modified,
      content?.changed, content?.inode,
    ]
  }

  private func isEarlier(than other: MergedCheck, now: Int64) -> Bool {
    // In the future: it was made while a clock was ahead, when is not known.
    (date > now ? 0 : date) < (other.date > now ? 0 : other.date)
  }

  /// Whether the user has accepted its content when the other one was known, or the other catalog had not found anything.
  private func isAccepted(after other: MergedCheck, now: Int64) -> Bool {
    guard outcome == .equal, let accepted = since, accepted <= now else { return false }
    return accepted >= (other.outcome == .rotted ? other.since ?? other.date : other.date)
  }

  private static let difference = """
    another catalog has other content for it, although the size and modification time are the same
    """

  /// - Parameter state: the size and modification time of the file.
  static func merging(
    _ ours: MergedCheck, _ theirs: MergedCheck, of state: (size: Int64, modified: Int64), now: Int64
  ) -> MergedCheck {
    let isOursEarlier = ours.isEarlier(than: theirs, now: now)
    let (earlier, later) = isOursEarlier ? (ours, theirs) : (theirs, ours)
    guard let ownContent = ours.content, let otherContent = theirs.content,
      ownContent.digest != otherContent.digest
    else {
      var merged = later
      merged.content = later.content ?? earlier.content
      if earlier.outcome == later.outcome, let first = earlier.since ?? later.since {
        merged.since = min(first, later.since ?? first)
      }
      return merged
    }
    func isCurrent(_ content: Content) -> Bool {
      content.size == state.size && content.modified == state.modified
    }
    switch (isCurrent(ownContent), isCurrent(otherContent)) {
    case (true, false): return ours
    case (false, true): return theirs
    case (false, false): return later
    case (true, true): break
    }
    if ours.isAccepted(after: theirs, now: now) { return ours }
    if theirs.isAccepted(after: ours, now: now) { return theirs }
    // The digest of a file that is rotted was stored before.
    if (ours.outcome == .rotted) != (theirs.outcome == .rotted) {
      return ours.outcome == .rotted ? ours : theirs
    }
    var merged = earlier
    if later.outcome == .unreadable {
      (merged.date, merged.outcome) = (later.date, .unreadable)
      (merged.since, merged.error) = (later.since, later.error)
    } else if earlier.outcome != .rotted {
      (merged.date, merged.outcome) = (later.date, .rotted)
      (merged.since, merged.error) = (later.date, difference)
    }
    return merged
  }
}
