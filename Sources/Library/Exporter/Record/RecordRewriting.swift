package import Linux
import MediaModel

/// Rewrites a record without the lines that no longer count, when there are many of them.
///
/// Lines are kept as they are, so that the proofs in them, other catalogs' too, stay valid. The file is read twice
/// and never held whole.
package struct RecordRewriting {
  /// Lines up to which a record is rewritten after each export that leaves some that do not count.
  private static let smallCount = 10_000

  private let folder: OpenFolder
  private let lineCount: Int
  private let compactedCount: Int

  /// - Parameters:
  ///   - lineCount: lines of the record now.
  ///   - compactedCount: lines about files that it had when it was rewritten last.
  package init(_ folder: OpenFolder, lineCount: Int, compactedCount: Int) {
    (self.folder, self.lineCount, self.compactedCount) = (folder, lineCount, compactedCount)
  }

  /// Where the disk has no space for a second copy, the record stays as it is, which is as valid.
  package func run() throws(SystemError) {
    guard lineCount <= Self.smallCount || lineCount / 2 > compactedCount else { return }
    do {
      try rewrite()
    } catch {
      guard error.isDiskFull else { throw error }
    }
  }

  private func rewrite() throws(SystemError) {
    let record = try ReadOnlyFile(Array(ExportRecord.fileName.utf8), in: folder)
    let survey = try survey(record)
    let staged = try StagedFile(in: folder)
    try write(record, survey, to: staged)
    try staged.file.seal(modified: millisecondsSince1970() * 1_000_000)
    try staged.publish(as: BytePath(ExportRecord.fileName), replacing: true)
    try folder.sync()
  }

  /// Which lines about files count, and which of them are done, by their place among the lines about files.
  private struct Survey {
    var isKept: [Bool] = []
    var isDone: [Bool] = []
  }

  private func survey(_ record: borrowing ReadOnlyFile) throws(SystemError) -> Survey {
    var survey = Survey()
    survey.isKept.reserveCapacity(lineCount)
    survey.isDone.reserveCapacity(lineCount)
    // The places of the lines that count, by the hash of their part of an asset. A collision would cost a line
    // that another export could use. Nearly all parts have one such line: only the others need an array.
    var only: [Int: Int] = [:]
    var several: [Int: [Int]] = [:]
    // If several files have one inode, only the last can have got its name.
    var pending: [UInt64: (part: Int, place: Int)] = [:]
    /// Of a part's lines that count, keeps those at places that meet the condition.
    func keep(_ part: Int, where isKept: (Int) -> Bool) {
      var places = several[part] ?? only[part].map { [$0] } ?? []
      for place in places where !isKept(place) { survey.isKept[place] = false }
      places.removeAll { !isKept($0) }
      only[part] = places.first
      several[part] = places.count > 1 ? places : nil
    }
    /// Of a part's lines that count, drops the second one if there are too many, as ``ExportRecord`` does.
    func dropOldest(_ part: Int) {
      guard let count = several[part]?.count, count > ExportRecord.pendingLimit + 1,
        let place = several[part]?.remove(at: 1)
      else { return }
      survey.isKept[place] = false
    }
    _ = try record.forEachLine(limit: ExportRecord.lineLimit) { line in
      guard let fields = RecordLine(line) else {
        for inode in ExportRecord.doneInodes(line) {
          guard let (part, place) = pending.removeValue(forKey: inode), survey.isKept[place] else {
            continue
          }
          survey.isDone[place] = true
          keep(part) { $0 >= place }
        }
        return
      }
      let place = survey.isKept.count
      guard let part = fields.partHash(line), let inode = fields.inodeNumber(line) else {
        survey.isKept.append(false)
        survey.isDone.append(false)
        return
      }
      survey.isKept.append(true)
      survey.isDone.append(fields.isDone)
      if fields.isDone { keep(part) { _ in false } }
      if let first = only[part] {
        several[part, default: [first]].append(place)
        dropOldest(part)
      } else {
        only[part] = place
      }
      if !fields.isDone { pending[inode] = (part, place) }
    }
    return survey
  }

  private func write(
    _ record: borrowing ReadOnlyFile, _ survey: Survey, to staged: StagedFile
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
    let keptCount = survey.isKept.count { $0 }
    if keptCount > Self.smallCount { buffer += ExportRecord.line(compacted: keptCount) }
    _ = try record.forEachLine(limit: ExportRecord.lineLimit) { line in
      guard let fields = RecordLine(line) else { return }
      defer { place += 1 }
      // Another process may have changed the file meanwhile.
      guard place < survey.isKept.count, survey.isKept[place] else { return }
      let isMarked = survey.isDone[place] && !fields.isDone
      buffer += line.bytes(0..<line.count - (isMarked ? 1 : 0))
      if isMarked { buffer += RecordLine.doneMark + [UInt8(ascii: "}")] }
      buffer.append(UInt8(ascii: "\n"))
      flush(above: 1 << 20)
    }
    flush(above: 0)
    if let failure { throw failure }
  }
}
