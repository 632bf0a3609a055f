import Linux
import MediaModel

/// Rewrites a record without the lines that no longer count, when there are many of them.
///
/// Lines are kept as they are, so that the proofs in them, other catalogs' too, stay valid. The file is read twice
/// and never held whole.
struct RecordRewriting {
  /// Lines up to which a record is rewritten after each export that leaves some that do not count.
  private static let smallCount = 10_000

  private let folder: OpenFolder
  private let lineCount: Int
  private let compactedCount: Int

  /// - Parameters:
  ///   - lineCount: lines of the record now.
  ///   - compactedCount: lines about files that it had when it was rewritten last.
  init(_ folder: OpenFolder, lineCount: Int, compactedCount: Int) {
    (self.folder, self.lineCount, self.compactedCount) = (folder, lineCount, compactedCount)
  }

  func run() throws(SystemError) {
    guard lineCount <= Self.smallCount || lineCount / 2 > compactedCount else { return }
    let record = try ReadOnlyFile(Array(ExportRecord.fileName.utf8), in: folder)
    let (kept, done) = try survey(record)
    let staged = try StagedFile(in: folder)
    try write(record, kept, done, to: staged)
    try staged.file.seal(modified: millisecondsSince1970() * 1_000_000)
    try staged.publish(as: BytePath(ExportRecord.fileName), replacing: true)
    try folder.sync()
  }

  /// The places of the lines that count, among all lines about files, and of those that are done.
  private func survey(
    _ record: borrowing ReadOnlyFile
  ) throws(SystemError) -> (kept: Set<Int>, done: Set<Int>) {
    // Parts by a hash of theirs: a clash would cost a line that another export could use.
    var counting: [Int: [Int]] = [:]
    // Of several files with one inode, only the last can have got its name.
    var pending: [UInt64: (part: Int, place: Int)] = [:]
    var done: Set<Int> = []
    var place = 0
    _ = try record.forEachLine(limit: ExportRecord.lineLimit) { line in
      guard let fields = RecordLine(line) else {
        for inode in ExportRecord.doneInodes(line) {
          guard let (part, place) = pending.removeValue(forKey: inode) else { continue }
          done.insert(place)
          counting[part]?.removeAll { $0 < place }
        }
        return
      }
      defer { place += 1 }
      guard let key = fields.key(line), let inode = fields.inodeNumber(line) else { return }
      let part = key.hashValue
      if fields.isDone {
        counting[part] = [place]
        done.insert(place)
      } else {
        counting[part, default: []].append(place)
        pending[inode] = (part, place)
      }
    }
    return (Set(counting.values.joined()), done)
  }

  private func write(
    _ record: borrowing ReadOnlyFile, _ kept: Set<Int>, _ done: Set<Int>, to staged: StagedFile
  ) throws(SystemError) {
    var buffer: [UInt8] = []
    var (place, offset) = (0, UInt64(0))
    var failure: SystemError?
    func flush(above size: Int) {
      guard buffer.count > size, failure == nil else { return }
      do {
        try staged.file.write(buffer, at: offset)
        offset += UInt64(buffer.count)
        buffer.removeAll(keepingCapacity: true)
      } catch {
        failure = error
      }
    }
    // Small records are rewritten whatever they had before.
    if kept.count > Self.smallCount { buffer += ExportRecord.line(compacted: kept.count) }
    _ = try record.forEachLine(limit: ExportRecord.lineLimit) { line in
      guard let fields = RecordLine(line) else { return }
      defer { place += 1 }
      guard kept.contains(place) else { return }
      let isMarked = done.contains(place) && !fields.isDone
      buffer += line.bytes(0..<line.count - (isMarked ? 1 : 0))
      if isMarked { buffer += RecordLine.doneMark + [UInt8(ascii: "}")] }
      buffer.append(UInt8(ascii: "\n"))
      flush(above: 1 << 20)
    }
    flush(above: 0)
    if let failure { throw failure }
  }
}
