import GRDB
package import MediaModel

/// What is to be kept of one file that was read.
package struct FileRecording: Sendable {
  package var folderID: Int64
  package var name: [UInt8]
  /// Equal for all files of a folder whose names may relate them.
  package var family: Int64
  package var stamp: FileStamp
  /// As ``FileRecord/changed``.
  package var changed: Int64
  /// The row of the file that this is, if it was known.
  package var fileID: Int64?
  package var content: Content

  package enum Content: Sendable {
    case media(MediaFacts, Fingerprint, [Label])
    case sidecar(SidecarFacts, Fingerprint)
    /// Neither: kept so that the next scan need not open it again, unless it could not even be opened.
    case other(isTransient: Bool)
    /// A file that should be media and could not be read.
    case unreadable(error: String, isTransient: Bool)
  }

  package init(
    folderID: Int64, name: [UInt8], family: Int64, stamp: FileStamp, changed: Int64,
    fileID: Int64?, content: Content
  ) {
    self.folderID = folderID
    self.name = name
    self.family = family
    self.stamp = stamp
    self.changed = changed
    self.fileID = fileID
    self.content = content
  }
}

extension CatalogTransaction {
  /// Writes a file's row and all that depends on it, as if it had never been there before, except for the
  /// asset's identifier and the date it was added.
  ///
  /// - Returns: the row of a new file, which ``markUnsettled(newFiles:)`` expects in the same transaction.
  package func record(_ recording: FileRecording, now: Int64) throws -> Int64? {
    if let known = recording.fileID {
      let files = RowSet([known])
      try markUnsettled(files: files)
      try execute("DELETE FROM sidecars WHERE file_id = ?", [known])
      try loosenTies(ofFiles: files)
      try openFolder(from: known, movingTo: recording.folderID)
    }
    let fileID = try write(FileRow(recording), recording)
    switch recording.content {
    case .media(let facts, let fingerprint, let labels):
      try writeAsset(facts, labels, recording, fileID: fileID, status: .present, now: now)
      if recording.fileID != nil { try markCopiesUnsettled(ofFile: fileID, fingerprint) }
    case .unreadable:
      let facts = MediaFacts(promisedBy: FileNameParts(name: recording.name))
      try writeAsset(facts, [], recording, fileID: fileID, status: .unreadable, now: now)
    case .sidecar(let facts, _):
      if recording.fileID != nil { try withdrawAsset(ofFile: fileID) }
      try writeSidecar(facts, fileID: fileID)
    case .other:
      if recording.fileID != nil { try withdrawAsset(ofFile: fileID) }
    }
    guard recording.fileID != nil else { return fileID }
    try markUnsettled(family: recording.family, folder: recording.folderID)
    return nil
  }

  /// Queues what new files may be related to: the families that have other members, and the contents that other files
  /// have. A file without relatives needs no settlement; the next of its family finds it. Files next to or in a folder
  /// `metadata` or `.meta` may have relatives there.
  ///
  /// One query for many files takes a fraction of the time of a query for each.
  package func markUnsettled(newFiles ids: [Int64]) throws {
    let files = RowSet(ids)
    try execute(
      """
      INSERT OR IGNORE INTO unsettled_families SELECT folder_id, family FROM files AS own
      WHERE id IN (\(RowSet.sql)) AND (EXISTS (SELECT 1 FROM files AS other
        WHERE other.folder_id = own.folder_id AND other.family = own.family AND other.id <> own.id)
        OR EXISTS (SELECT 1 FROM folders WHERE parent_id = own.folder_id AND name IN ('metadata', '.meta'))
        OR (SELECT name FROM folders WHERE id = own.folder_id) IN ('metadata', '.meta'))
      """, [files.argument])
    try markCopiesUnsettled(ofFiles: files)
  }

  private func write(_ row: FileRow, _ recording: FileRecording) throws -> Int64 {
    let stamp = recording.stamp
    let digest = stamp.digest(name: recording.name[...], changed: recording.changed)
    let numbers = [
      recording.folderID, recording.family, stamp.size, stamp.modified, recording.changed,
      Int64(bitPattern: stamp.inode), Int64(bitPattern: digest), Int64(row.readerVersion),
    ]
    let values =
      numbers.map(\.databaseValue) + [
        BytePath(bytes: recording.name).databaseValue, row.kind.rawValue.databaseValue,
        row.fingerprint?.databaseValue ?? .null, row.declaredType?.databaseValue ?? .null,
        row.error?.databaseValue ?? .null,
      ]
    guard let id = recording.fileID else {
      try write(
        """
        INSERT INTO files (folder_id, family, size, modified, changed, inode, digest, reader_version, name, kind,
          fingerprint, declared_type, error) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, values)
      return database.lastInsertedRowID
    }
    try write(
      """
      UPDATE files SET folder_id = ?, family = ?, size = ?, modified = ?, changed = ?, inode = ?, digest = ?,
        reader_version = ?, name = ?, kind = ?, fingerprint = ?, declared_type = ?, error = ?, missing_since = NULL,
        content_digest = NULL
      WHERE id = ?
      """, values + [id.databaseValue])
    return id
  }

  /// A file that was media and is no longer keeps no asset in the listings.
  private func withdrawAsset(ofFile id: Int64) throws {
    try execute(
      "UPDATE assets SET is_missing = 1, is_duplicate = 0, is_spare = 0 WHERE id = ?", [id])
    try execute("DELETE FROM asset_sidecars WHERE asset_id = ?", [id])
  }
}

/// The columns of `files` that follow from what was found.
private struct FileRow {
  var kind = FileRecord.Kind.media
  var fingerprint: Fingerprint?
  var declaredType: String?
  var error: String?
  /// 0 if the next scan has to read the file again.
  var readerVersion: Int

  init(_ recording: FileRecording) {
    switch recording.content {
    case .media(let facts, let digest, _):
      fingerprint = digest
      readerVersion = ReaderVersion.of(facts.uniformType)
      declaredType = Self.declaredType(facts, recording.name)
    case .sidecar(let facts, let digest):
      kind = .sidecar
      fingerprint = digest
      readerVersion = ReaderVersion.of(facts.kind.uniformType)
    case .other(let isTransient):
      kind = .other
      readerVersion = isTransient ? 0 : ReaderVersion.recognition
    case .unreadable(let reason, _):
      error = reason
      // `known_failures` says when it is read again.
      readerVersion = ReaderVersion.recognition
    }
  }

  /// The type of the extension, if the content is of another type.
  private static func declaredType(_ facts: MediaFacts, _ name: [UInt8]) -> String? {
    let promised = UniformType(fileExtension: FileNameParts(name: name).fileExtension)
    return promised == facts.uniformType ? nil : promised?.rawValue
  }
}

extension MediaFacts {
  /// The facts of a file that cannot be read: the type of its extension.
  fileprivate init(promisedBy name: FileNameParts) {
    let type = UniformType(fileExtension: name.fileExtension) ?? .jpeg
    self.init(mediaType: type.mediaType ?? .image, uniformType: type)
  }
}
