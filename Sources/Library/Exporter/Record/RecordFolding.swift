import Linux
import MediaModel

/// Moves the lines of the records of shards into the target's record.
///
/// The lines are appended and synced before the records of the shards are removed. So a line may be there twice after a
/// crash, which does no harm, but none is lost. This process must hold the lock of the target exclusively.
struct RecordFolding {
  /// Bytes that are read at a time.
  private static let blockSize = 1 << 20

  private let folder: OpenFolder

  init(_ folder: OpenFolder) {
    self.folder = folder
  }

  /// - Returns: the folders below the target into which exports have written, or begun to write; nil if no shard has a
  ///   record.
  func run() throws(SystemError) -> Set<String>? {
    let shards = try ShardRecord.all(in: folder)
    guard !shards.isEmpty else { return nil }
    let name = Array(ExportRecord.fileName.utf8)
    do {
      let log = try AppendFile(name, in: folder)
      try endLine(of: name, log)
      for shard in shards { try append(shard.name, to: log) }
      try log.sync()
    }
    try folder.sync()
    let record = try ExportRecord(
      ReadOnlyFile(name, in: folder), key: nil,
      interest: ExportRecord.Interest(identifiers: [], folders: []))
    try RecordRewriting(
      folder, lineCount: record.lineCount, compactedCount: record.compactedCount
    ).run()
    // Last: tasks that begin meanwhile wait as long as these files are there.
    for shard in shards {
      try folder.removeFile(shard.name)
      try folder.removeFile(shard.lockName)
    }
    try folder.sync()
    return record.folders
  }

  private func append(_ name: [UInt8], to log: borrowing AppendFile) throws(SystemError) {
    let file: ReadOnlyFile
    do {
      file = try ReadOnlyFile(name, in: folder)
    } catch  where error.isNotFound {
      return
    }
    guard file.size <= ExportRecord.sizeLimit else { throw .tooLarge(file.path) }
    var offset: UInt64 = 0
    while offset < file.size {
      let bytes = try file.read(at: offset, count: Self.blockSize)
      if bytes.isEmpty { break }
      try log.append(bytes)
      offset += UInt64(bytes.count)
    }
    try endLine(of: name, log)
  }

  /// Ends a last line that a crash has cut off.
  private func endLine(of name: [UInt8], _ log: borrowing AppendFile) throws(SystemError) {
    let file = try ReadOnlyFile(name, in: folder)
    guard file.size > 0 else { return }
    let last = try file.read(at: file.size - 1, count: 1)
    if last != [UInt8(ascii: "\n")] { try log.append([UInt8(ascii: "\n")]) }
  }
}
