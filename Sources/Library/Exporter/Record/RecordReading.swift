import Linux
import MediaModel

/// Reads what exports have recorded in a target: its record, and the records of shards that are not in it yet.
struct RecordReading {
  /// A shard's record may move into the target's record while both are read; so often at most.
  private static let attemptCount = 10

  private let folder: OpenFolder
  private let key: [UInt8]?

  /// - Parameter key: the catalog's.
  init(_ folder: OpenFolder, key: [UInt8]?) {
    (self.folder, self.key) = (folder, key)
  }

  /// All lines together.
  ///
  /// - Returns: the stamps of the files too, by their names.
  func records(
    _ interest: ExportRecord.Interest?
  ) throws(SystemError) -> (ExportRecord, [[UInt8]: FileStamp]) {
    var attempt = 1
    while true {
      let shards = try ShardRecord.all(in: folder)
      var (record, stamps) = (ExportRecord(), [[UInt8]: FileStamp]())
      let name = Array(ExportRecord.fileName.utf8)
      if let file = try open(name) {
        record = try ExportRecord(file, key: key, interest: interest)
        stamps[name] = file.status.stamp
      }
      for shard in shards {
        guard let file = try open(shard.name) else { continue }
        try record.add(shardRecord: file, key: key, interest)
        stamps[shard.name] = file.status.stamp
      }
      if shards.isEmpty || attempt == Self.attemptCount { return (record, stamps) }
      // Nothing was moved from one to the other meanwhile.
      if try Set(shards).isSubset(of: ShardRecord.all(in: folder)) { return (record, stamps) }
      attempt += 1
    }
  }

  private func open(_ name: [UInt8]) throws(SystemError) -> ReadOnlyFile? {
    let file: ReadOnlyFile
    do {
      file = try ReadOnlyFile(name, in: folder)
    } catch  where error.isNotFound {
      return nil
    }
    guard file.size <= ExportRecord.sizeLimit else { throw .tooLarge(file.path) }
    return file
  }
}
