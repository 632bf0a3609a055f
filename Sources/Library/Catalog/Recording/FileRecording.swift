import GRDB
package import MediaModel

/// What is to be kept of one file that was looked at.
package struct FileRecording: Sendable {
  package var folderID: Int64
  package var name: [UInt8]
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
    folderID: Int64, name: [UInt8], stamp: FileStamp, changed: Int64, fileID: Int64?,
    content: Content
  ) {
    self.folderID = folderID
    self.name = name
    self.stamp = stamp
    self.changed = changed
    self.fileID = fileID
    self.content = content
  }
}

extension CatalogTransaction {
  /// Writes a file's row and all that hangs on it, as if it had never been there before, but for the
  /// asset's identifier and the date it was added.
  package func record(_ recording: FileRecording, now: Int64) throws {
    if let known = recording.fileID {
      try markUnsettled(file: known)
      try execute("DELETE FROM sidecars WHERE file_id = ?", [known])
      try detach(file: known)
    }
    let fileID = try writeFile(recording)
    switch recording.content {
    case .media(let facts, _, let labels):
      try writeAsset(facts, labels, recording, fileID: fileID, status: .present, now: now)
      try markCopiesUnsettled(ofFile: fileID)
    case .unreadable:
      let facts = MediaFacts(promisedBy: FileNameParts(name: recording.name))
      try writeAsset(facts, [], recording, fileID: fileID, status: .unreadable, now: now)
    case .sidecar(let facts, _):
      if recording.fileID != nil { try withdrawAsset(ofFile: fileID) }
      try writeSidecar(facts, fileID: fileID)
    case .other:
      if recording.fileID != nil { try withdrawAsset(ofFile: fileID) }
    }
  }

  private func writeFile(_ recording: FileRecording) throws -> Int64 {
    var row = FileRow(recording)
    row.declaredType = declaredType(of: recording)
    let stamp = recording.stamp
    let common: StatementArguments = [
      recording.folderID, BytePath(bytes: recording.name), stamp.size, stamp.modified,
      Int64(bitPattern: stamp.inode), row.kind.rawValue, row.status.rawValue, row.declaredType,
      row.fingerprint, row.error, row.isTransient, recording.changed,
    ]
    guard let id = recording.fileID else {
      try execute(
        """
        INSERT INTO files (folder_id, name, size, modified, inode, kind, status, declared_type,
          fingerprint, error, is_transient_error, changed)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """, common)
      return database.lastInsertedRowID
    }
    try execute(
      """
      UPDATE files SET folder_id = ?, name = ?, size = ?, modified = ?, inode = ?, kind = ?,
        status = ?, missing_since = NULL, declared_type = ?, fingerprint = ?, error = ?,
        is_transient_error = ?, changed = ?, content_digest = NULL
      WHERE id = ?
      """, common + [id])
    return id
  }

  /// The type the extension promises, where the content is of another.
  private func declaredType(of recording: FileRecording) -> String? {
    guard case .media(let facts, _, _) = recording.content,
      let promised = UniformType(
        fileExtension: FileNameParts(name: recording.name).fileExtension),
      promised != facts.uniformType
    else { return nil }
    return promised.rawValue
  }

  /// A file that was media and is no longer keeps no asset in the listings.
  private func withdrawAsset(ofFile id: Int64) throws {
    try execute(
      "UPDATE assets SET status = 'missing', is_duplicate = 0, is_spare = 0 WHERE file_id = ?", [id]
    )
    try execute("DELETE FROM resources WHERE file_id = ?", [id])
  }
}

/// The columns of `files` that follow from what was found.
private struct FileRow {
  var kind = FileRecord.Kind.media
  var status = AssetStatus.present
  var declaredType: String?
  var fingerprint: Fingerprint?
  var error: String?
  var isTransient = false

  init(_ recording: FileRecording) {
    switch recording.content {
    case .media(_, let digest, _):
      fingerprint = digest
    case .sidecar(_, let digest):
      kind = .sidecar
      fingerprint = digest
    case .other(let isTransient):
      kind = .other
      self.isTransient = isTransient
    case .unreadable(let reason, let isTransient):
      status = .unreadable
      error = reason
      self.isTransient = isTransient
    }
  }
}

extension MediaFacts {
  /// The facts of a file that cannot be read: the type of its extension.
  fileprivate init(promisedBy name: FileNameParts) {
    let type = UniformType(fileExtension: name.fileExtension) ?? .jpeg
    self.init(mediaType: type.mediaType ?? .image, uniformType: type)
  }
}
