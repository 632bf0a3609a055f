import Foundation
import GRDB
package import MediaModel

/// A file that has the fingerprint and size of another, and may be an exact copy of it.
package struct CopyCandidate: Sendable, Hashable {
  package let fileID: Int64
  /// The full path.
  package let path: BytePath
}

extension Fingerprint {
  /// The first fingerprint in order.
  fileprivate static let lowest = Fingerprint(bytes: [])
}

extension CatalogTransaction {
  /// Queues the fingerprints of files for comparison, if several files have them, and takes back that assets with
  /// such a file are spare: what the next settlement of copies decides is not known before the end of the scan,
  /// which may be cut short.
  func markCopiesUnsettled(ofFiles files: RowSet) throws {
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_contents SELECT fingerprint FROM files AS own
      WHERE own.id IN (\(RowSet.sql)) AND own.kind = 'media' AND EXISTS (SELECT 1 FROM files AS other
        WHERE other.fingerprint = own.fingerprint AND other.id <> own.id)
      """, [files.argument])
    // No row changes if no other file has the fingerprint, or if it is queued already.
    if database.changesCount > 0 { try clearSpares(likeFiles: files) }
  }

  /// Queues the fingerprint of a file that was just recorded, as above.
  func markCopiesUnsettled(ofFile id: Int64, _ fingerprint: Fingerprint) throws {
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_contents SELECT fingerprint FROM files
      WHERE fingerprint = ? AND id <> ? LIMIT 1
      """, [fingerprint, id])
    if database.changesCount > 0 { try clearSpares(likeFiles: RowSet([id])) }
  }

  /// Queues the fingerprints of files, as above.
  package func markCopiesUnsettled(ofFiles ids: [Int64]) throws {
    try markCopiesUnsettled(ofFiles: RowSet(ids))
  }

  /// The next fingerprints, after `last`, whose files have to be compared, in order.
  package func unsettledContents(after last: Fingerprint?, limit: Int) throws -> [Fingerprint] {
    try rows(
      """
      SELECT fingerprint FROM unsettled_contents WHERE fingerprint > ? ORDER BY fingerprint LIMIT ?
      """, [last ?? .lowest, limit]
    ) { $0[0] }
  }

  /// How many fingerprints are queued.
  package func unsettledContentCount() throws -> Int {
    try count("SELECT count(*) FROM unsettled_contents")
  }

  /// The files whose content has to be read to compare them, for queued fingerprints after `first` up to
  /// `last`.
  package func copyCandidates(
    after first: Fingerprint?, through last: Fingerprint
  ) throws -> [CopyCandidate] {
    try rows(
      """
      SELECT own.id, roots.path, folders.path, own.name FROM unsettled_contents AS content
      CROSS JOIN files AS own ON own.fingerprint = content.fingerprint
      CROSS JOIN folders ON folders.id = own.folder_id
      CROSS JOIN roots ON roots.id = folders.root_id
      WHERE content.fingerprint > ? AND content.fingerprint <= ? AND \(Self.hasToBeRead)
      """, [first ?? .lowest, last]
    ) { row in
      CopyCandidate(fileID: row[0], path: AssetRow.path(row, root: 1, folder: 2, name: 3))
    }
  }

  /// Whether a file, `own`, has a twin of the same size, and no digest yet. Small files have not: see
  /// ``settleCopies(of:)``.
  private static let hasToBeRead = """
    own.content_digest IS NULL AND own.kind = 'media' AND own.size > \(Fingerprint.wholeFileLimit)
      AND own.status = 'present' AND EXISTS (SELECT 1 FROM files AS other
        WHERE other.fingerprint = own.fingerprint AND other.size = own.size
          AND other.id <> own.id AND other.kind = 'media' AND other.status = 'present')
    """

  /// Keeps the digest of all of a file's content.
  package func setContentDigest(_ digest: [UInt8], file: Int64) throws {
    try execute("UPDATE files SET content_digest = ? WHERE id = ?", [Data(digest), file])
  }

  /// Records which assets with these fingerprints, and which live photos whose clips have one, are duplicates
  /// and which are spare.
  ///
  /// Of a small file the fingerprint is a digest of all of it, and becomes the digest of its content.
  /// Two kinds of digest never meet: which of them a file has follows from its size, and only files of
  /// one size are compared.
  package func settleCopies(of fingerprints: [Fingerprint]) throws {
    var settled: [Fingerprint] = []
    for fingerprint in fingerprints {
      try execute(
        """
        UPDATE files SET content_digest = fingerprint WHERE fingerprint = ? AND kind = 'media'
          AND size <= \(Fingerprint.wholeFileLimit) AND content_digest IS NOT fingerprint
        """, [fingerprint])
      try execute(
        Self.settlingDuplicates(
          """
          SELECT coalesce(asset.absorbed_by, asset.id)
          FROM files JOIN assets AS asset ON asset.id = files.id WHERE files.fingerprint = ?
          UNION SELECT asset.id
          FROM files JOIN assets AS asset ON asset.id = files.id WHERE files.fingerprint = ?
          """), [fingerprint, fingerprint])
      try execute(
        """
        DELETE FROM unsettled_contents WHERE fingerprint = ? AND NOT EXISTS
          (SELECT 1 FROM files AS own WHERE own.fingerprint = ? AND \(Self.hasToBeRead))
        """, [fingerprint, fingerprint])
      // While something is still to be read, nothing is spare.
      if database.changesCount > 0 { settled.append(fingerprint) }
    }
    try settleSpares(of: settled)
  }

  /// Updates which assets are duplicates after files left the catalog.
  func resettleDuplicates() throws {
    let spare = try rows(
      """
      SELECT DISTINCT files.fingerprint FROM assets JOIN files ON files.id = assets.id
      WHERE assets.is_spare <> 0 AND files.fingerprint IS NOT NULL
      """
    ) { row -> Fingerprint in row[0] }
    try execute(Self.settlingDuplicates("SELECT id FROM assets WHERE is_duplicate <> 0"))
    try settleSpares(of: spare)
  }

  /// A statement that records of assets whether their files have copies; for a live photo, its clip too: else a
  /// copy of the still alone would make the whole pair look dispensable.
  ///
  /// Two names of one file, hard links or a folder that is mounted twice, are not copies: they have one inode,
  /// time and device, those of the last scan. Each content is looked up once, however many files have
  /// it.
  ///
  /// - Parameter assets: a query for the IDs of the assets.
  private static func settlingDuplicates(_ assets: String) -> String {
    """
    WITH due(asset) AS MATERIALIZED (\(assets)),
      part(asset, file) AS (
        SELECT asset, asset FROM due
        UNION ALL SELECT due.asset, clip.id FROM due
          CROSS JOIN assets AS clip ON clip.absorbed_by = due.asset
          WHERE clip.absorbed_as = 'pairedVideo'),
      own(asset, digest, size) AS MATERIALIZED (
        SELECT part.asset, iif(files.status = 'present', files.content_digest, NULL), files.size
        FROM part CROSS JOIN files ON files.id = part.file),
      content(digest, size) AS (SELECT DISTINCT digest, size FROM own WHERE digest IS NOT NULL),
      copied(digest, size) AS MATERIALIZED (
        SELECT digest, size FROM content WHERE 1 < (SELECT count(*) FROM (
          SELECT DISTINCT other.inode, other.modified, coalesce(folders.device, roots.device) FROM files AS other
          CROSS JOIN folders ON folders.id = other.folder_id
          CROSS JOIN roots ON roots.id = folders.root_id
          WHERE other.content_digest = content.digest AND other.size = content.size
            AND other.status = 'present' LIMIT 2))),
      single(asset) AS MATERIALIZED (
        SELECT asset FROM own WHERE digest IS NULL
          OR (digest, size) NOT IN (SELECT digest, size FROM copied))
    UPDATE assets SET is_duplicate = id NOT IN (SELECT asset FROM single)
    WHERE id IN (SELECT asset FROM due)
    """
  }
}
