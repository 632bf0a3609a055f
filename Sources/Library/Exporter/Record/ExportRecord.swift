import Foundation
package import Linux
package import MediaModel

/// The results of earlier exports in a target folder, from its file `.shoebox-export.jsonl`: one JSON object
/// per line.
///
/// A line about a file is written before the file gets its name (the intent). After the name is on the disk, a
/// line `{"done":["INODE",…]}` follows. A line that is not done counts only if the file of that name is the one that
/// was made: if its inode, size and time are those of the line.
///
/// Other users may be able to write into a target. Therefore each line contains a proof, a message authentication code
/// that only the catalog with the key can compute. Because of a line without a valid proof Shoebox never replaces a
/// file.
package struct ExportRecord: Sendable, Hashable {
  /// The record's name in the target's folder.
  package static let fileName = ".shoebox-export.jsonl"
  /// The largest record in bytes that is read.
  package static let sizeLimit: UInt64 = 4 << 30
  /// The longest line in bytes; longer ones are skipped.
  package static let lineLimit = 1 << 16
  /// The number of lines of a part that count besides the first of them, so that a hostile record does not slow down exports.
  static let pendingLimit = 16

  /// The part of an asset that a line describes.
  package struct Key: Sendable, Hashable {
    package var identifier: String
    package var resource: ResourceType
    /// Distinguishes several files of that type; empty if the asset has one.
    package var variant = ""

    package init(identifier: String, resource: ResourceType, variant: String = "") {
      self.identifier = identifier
      self.resource = resource
      self.variant = variant
    }
  }

  /// The content of a line.
  package struct Entry: Sendable, Hashable {
    /// The source's size in bytes and modification time in nanoseconds.
    package var source: Version
    /// What is known of the source's content; nil in lines of earlier versions of Shoebox.
    package var content: SourceContent?
    /// A digest of the export's settings.
    package var settings: String
    /// The template of its name.
    package var naming: String
    /// The path below the target folder.
    package var target: String
    /// The file that was made.
    package var made: Version
    /// Its inode, which distinguishes it from a file of the same size and time if the file system has stable inodes.
    package var inode: UInt64
    /// Whether the file has its name, and the name is on the disk.
    package var isDone = false
    /// Whether this catalog has written the line.
    package var isOwn = false

    package init(
      source: Version, content: SourceContent? = nil, settings: String, naming: String,
      target: String, made: Version, inode: UInt64, isDone: Bool = false, isOwn: Bool = false
    ) {
      (self.source, self.content) = (source, content)
      (self.settings, self.naming) = (settings, naming)
      (self.target, self.made, self.inode) = (target, made, inode)
      (self.isDone, self.isOwn) = (isDone, isOwn)
    }

    /// Whether a file is the one that was made.
    func isExactly(_ stamp: FileStamp) -> Bool {
      inode == stamp.inode && made.isStill(Version(stamp))
    }
  }

  /// A file's size and modification time, by which a change is noticed.
  package struct Version: Sendable, Hashable {
    package var size: Int64
    package var modified: Int64

    package init(size: Int64, modified: Int64) {
      self.size = size
      self.modified = modified
    }

    package init(_ stamp: FileStamp) {
      self.init(size: stamp.size, modified: stamp.modified)
    }

    /// Whether a file is unchanged. FAT stores times in steps of two seconds.
    func isStill(_ other: Version) -> Bool {
      let (distance, isTooFar) = modified.subtractingReportingOverflow(other.modified)
      return size == other.size && !isTooFar && distance.magnitude < 2_000_000_000
    }
  }

  /// The lines that an export needs from a record, which may have a million.
  package struct Interest: Sendable, Hashable {
    /// The assets that are exported.
    package var identifiers: Set<String>
    /// The folders below the target in which their results may get names.
    package var folders: Set<String>
    /// Results whose lines are needed whatever their assets are, by their paths below the target.
    package var targets: Set<String>

    package init(identifiers: Set<String>, folders: Set<String>, targets: Set<String> = []) {
      self.identifiers = identifiers
      self.folders = Set(folders.map(\.caseFolded))
      self.targets = targets
    }
  }

  /// The lines that count for each part of an asset: the last one and, if it is not done, those before it back to the
  /// last one that is done. All lines of a part are of this catalog, or all are of others.
  package private(set) var history: [Key: [Entry]] = [:]
  /// The keys of ``history`` by their assets.
  private var keys: [String: Set<Key>] = [:]
  /// The names of other catalogs' files in the folders of interest.
  package private(set) var otherNames: Set<String> = []
  /// The folders below the target into which exports have written, or begun to write.
  package private(set) var folders: Set<String> = []
  /// The largest number of such folders, so that a hostile record does not slow down the next export.
  static let folderLimit = 100_000
  /// The number of lines in the target's own record, including those that no longer count.
  package private(set) var lineCount = 0
  /// The number of lines about files when the record was last rewritten.
  package private(set) var compactedCount = 0
  /// Whether the file's last line has an end.
  private(set) var isEnded = true

  /// The parts with lines that are not done, by the files' inodes. Of several with one inode the last counts, because a
  /// file system reuses an inode only after its file is removed.
  private var pending: [UInt64: Key] = [:]

  package init() {}

  /// Reads a record from a file; skips invalid lines, such as a last line that a crash cut off.
  ///
  /// - Parameters:
  ///   - key: the catalog's.
  ///   - interest: nil for all of it.
  package init(
    _ file: borrowing ReadOnlyFile, key: [UInt8]?, interest: Interest? = nil
  ) throws(SystemError) {
    self.init()
    isEnded = try add(file, key: key, interest)
    pending = [:]
  }

  /// Adds the lines of a task that exports a shard. They are newer than those about the same assets here.
  mutating func add(
    shardRecord file: borrowing ReadOnlyFile, key: [UInt8]?, _ interest: Interest?
  ) throws(SystemError) {
    let count = lineCount
    _ = try add(file, key: key, interest)
    (lineCount, pending) = (count, [:])
  }

  /// - Returns: whether the file's last line has an end.
  private mutating func add(
    _ file: borrowing ReadOnlyFile, key: [UInt8]?, _ interest: Interest?
  ) throws(SystemError) -> Bool {
    // The previous line's folder, which most lines share.
    var folder = (bytes: [UInt8](), matters: false)
    folder.matters = interest?.folders.contains("") ?? true
    return try file.forEachLine(limit: Self.lineLimit) { line in
      read(line, key: key, interest, &folder)
    }
  }

  private mutating func read(
    _ line: Span<UInt8>, key: [UInt8]?, _ interest: Interest?,
    _ folder: inout (bytes: [UInt8], matters: Bool)
  ) {
    guard !line.isEmpty else { return }
    lineCount += 1
    guard let fields = RecordLine(line) else { return readOther(line) }
    let own = line.folder(fields.target)
    if own != folder.bytes.count || !line.begins(fields.target, with: folder.bytes) {
      guard let text = line.string(fields.target)?.folder else { return }
      folder.bytes = line.bytes(fields.target.lowerBound..<fields.target.lowerBound + own)
      folder.matters = interest?.folders.contains(text.caseFolded) ?? true
      note(folder: text)
    }
    if interest?.needs(fields, line) ?? true {
      guard let part = fields.key(line), let entry = fields.entry(line, key: key) else { return }
      add(part, entry)
    } else {
      // What was meant for an inode that another file has by now has failed.
      if !pending.isEmpty, let inode = fields.inodeNumber(line) { pending[inode] = nil }
      guard folder.matters, let name = line.string(fields.target), name.isBelow else { return }
      otherNames.insert(name)
    }
  }

  /// Reads a line that is not about one file.
  private mutating func readOther(_ line: Span<UInt8>) {
    guard
      let said = try? JSONDecoder().decode(OtherLine.self, from: Data(line.bytes(0..<line.count)))
    else { return }
    for folder in said.beginning ?? [] { note(folder: folder) }
    for inode in said.done ?? [] { if let inode = UInt64(inode) { finish(inode) } }
    if let count = said.compacted { compactedCount = max(0, count) }
  }

  /// The inodes of files that a line says have got their names.
  static func doneInodes(_ line: Span<UInt8>) -> [UInt64] {
    let said = try? JSONDecoder().decode(OtherLine.self, from: Data(line.bytes(0..<line.count)))
    return (said?.done ?? []).compactMap { UInt64($0) }
  }

  private mutating func note(folder: String) {
    guard folders.count < Self.folderLimit, folder.isBelow else { return }
    folders.insert(folder)
  }

  /// Adds what a line says: what is done takes the place of everything before it.
  package mutating func add(_ key: Key, _ entry: Entry) {
    var entries = history[key, default: []]
    // Another's line does not push this catalog's aside.
    if !entry.isOwn, entries.contains(where: \.isOwn) { return }
    entries.removeAll { entry.isOwn && !$0.isOwn || entry.isDone }
    // Whatever wrote them; the first is the one that is done.
    if entries.count > Self.pendingLimit { entries.remove(at: 1) }
    entries.append(entry)
    history[key] = entries
    keys[key.identifier, default: []].insert(key)
    // A file that is made under an inode ends what an earlier, failed one of that inode was meant for.
    if !entry.isDone { pending[entry.inode] = key }
  }

  /// The file with this inode has got its name.
  private mutating func finish(_ inode: UInt64) {
    guard let key = pending.removeValue(forKey: inode), var entries = history[key],
      let index = entries.lastIndex(where: { $0.inode == inode && !$0.isDone })
    else { return }
    entries[index].isDone = true
    entries.removeFirst(index)
    history[key] = entries
  }

  /// The parts of an asset that the record has, in a fixed order.
  func parts(of identifier: String) -> [Key] {
    (keys[identifier] ?? []).sorted {
      ($0.resource.rawValue, $0.variant) < ($1.resource.rawValue, $1.variant)
    }
  }

  /// The last line about a part.
  package func latest(_ key: Key) -> Entry? { history[key]?.last }

  /// All names that the record has in the folders of interest.
  package var names: Set<String> {
    otherNames.union(history.values.lazy.compactMap { $0.last?.target })
  }

  // MARK: Lines

  /// A line that says which folders are about to be written into.
  package static func line(beginning folders: [String]) -> [UInt8] {
    line { $0.member("beginning", folders) }
  }

  /// A line that says of files that they have their names.
  package static func line(done inodes: [UInt64]) -> [UInt8] {
    line { $0.member("done", inodes.map { String($0) }) }
  }

  /// A line that says how many lines about files a rewritten record has.
  static func line(compacted count: Int) -> [UInt8] {
    line { $0.member("compacted", count) }
  }

  private static func line(_ body: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(body)
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  /// A line about a file, with its end.
  ///
  /// - Parameters:
  ///   - proof: the catalog's key.
  ///   - isDone: whether the file has its name already, and the name is on the disk.
  package static func line(
    _ key: Key, _ entry: Entry, proof: [UInt8]?, isDone: Bool = false
  ) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", key.identifier)
      writer.member("resource", key.resource.rawValue)
      if !key.variant.isEmpty { writer.member("variant", key.variant) }
      // Nanoseconds are more than a JSON number holds everywhere.
      writer.member("sourceSize", entry.source.size)
      writer.member("sourceModified", String(entry.source.modified))
      if let content = entry.content { writer.member("content", content.text) }
      writer.member("settings", entry.settings)
      writer.member("naming", entry.naming)
      writer.member("target", entry.target)
      writer.member("size", entry.made.size)
      writer.member("modified", String(entry.made.modified))
      writer.member("inode", String(entry.inode))
    }
    return RecordLine.proving(writer.bytes, key: proof, isDone: isDone)
  }
}

extension ExportRecord.Interest {
  /// Whether the export needs a line about a file.
  fileprivate func needs(_ fields: RecordLine, _ line: Span<UInt8>) -> Bool {
    if line.string(fields.identifier).map(identifiers.contains) == true { return true }
    return !targets.isEmpty && line.string(fields.target).map(targets.contains) == true
  }
}

/// A line that is not about one file.
private struct OtherLine: Decodable {
  var beginning: [String]?
  var done: [String]?
  var compacted: Int?
}

extension Span<UInt8> {
  /// How many bytes of a path are its folder's.
  fileprivate func folder(_ path: Range<Int>) -> Int {
    var end = path.upperBound
    while end > path.lowerBound, self[end - 1] != UInt8(ascii: "/") { end -= 1 }
    return Swift.max(0, end - 1 - path.lowerBound)
  }

  /// Whether the bytes of a range begin with others.
  fileprivate func begins(_ range: Range<Int>, with bytes: [UInt8]) -> Bool {
    guard range.count >= bytes.count else { return false }
    for index in bytes.indices where self[range.lowerBound + index] != bytes[index] { return false }
    return true
  }
}
