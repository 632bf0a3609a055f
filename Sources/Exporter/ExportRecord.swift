package import Catalog
import Foundation
package import MediaModel

/// What earlier exports made in a target folder, as its file `.shoebox-export.jsonl` has it: one JSON
/// object a line, appended before each file gets its name, the last one for an asset's part counting.
package struct ExportRecord: Sendable, Hashable {
  /// The record's name in the target's folder.
  package static let fileName = ".shoebox-export.jsonl"

  /// What a line is about.
  package struct Key: Sendable, Hashable {
    package var identifier: String
    package var resource: ResourceType
    /// Tells several files of that type apart; empty where the asset has one.
    package var variant = ""

    package init(identifier: String, resource: ResourceType, variant: String = "") {
      self.identifier = identifier
      self.resource = resource
      self.variant = variant
    }
  }

  /// What a line says.
  package struct Entry: Sendable, Hashable {
    /// The source's size in bytes and modification time in nanoseconds.
    package var source: Version
    /// A digest of all that was asked for.
    package var settings: String
    /// The template its name came from.
    package var naming: String
    /// Below the target's folder.
    package var target: String
    /// The file that was made.
    package var made: Version
    /// Its inode: proof against a file of the same size and time, where it is kept.
    package var inode: UInt64
  }

  /// By what a file is known to be as it was.
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

    /// Whether a file that was this is so still: FAT keeps every second second only.
    func isStill(_ other: Version) -> Bool {
      let (distance, isTooFar) = modified.subtractingReportingOverflow(other.modified)
      return size == other.size && !isTooFar && distance.magnitude < 2_000_000_000
    }
  }

  package private(set) var entries: [Key: Entry] = [:]
  /// Folders below the target's that exports began to write into which may not have come to their end.
  package private(set) var begunFolders: Set<String> = []
  /// Of as many at most; whoever wrote the record, the next export is not kept busy by it.
  static let begunLimit = 100_000
  /// Lines that no longer count.
  private(set) var staleLines = 0

  package init() {}

  /// Reads a record; what is no line of one, as a last line cut off by a crash, is passed over.
  package init(_ bytes: [UInt8]) {
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      let (line, decoder) = (Data(line), JSONDecoder())
      if let (key, entry) = (try? decoder.decode(Line.self, from: line))?.said {
        add(key, entry)
      } else {
        begin((try? decoder.decode(BeginningLine.self, from: line))?.beginning ?? [])
      }
    }
  }

  /// Notes folders that are about to be written into, until the record is written anew.
  package mutating func begin(_ folders: [String]) {
    let room = max(0, Self.begunLimit - begunFolders.count)
    begunFolders.formUnion(folders.lazy.filter(isBelow).prefix(room))
    staleLines += 1
  }

  /// A line that says so.
  package static func line(beginning folders: [String]) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { $0.member("beginning", folders) }
    return writer.bytes + [UInt8(ascii: "\n")]
  }

  package mutating func add(_ key: Key, _ entry: Entry) {
    if entries.updateValue(entry, forKey: key) != nil { staleLines += 1 }
  }

  /// The folders below the target's that may hold what killed exports have left.
  var folders: Set<String> { begunFolders.union(entries.values.map(\.target.folder)) }

  /// The whole record anew, an asset's parts together.
  package var bytes: [UInt8] {
    entries.sorted {
      ($0.key.identifier, $0.key.resource.rawValue, $0.key.variant)
        < ($1.key.identifier, $1.key.resource.rawValue, $1.key.variant)
    }
    .flatMap { Self.line($0.key, $0.value) }
  }

  /// One line, with its end.
  package static func line(_ key: Key, _ entry: Entry) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("id", key.identifier)
      writer.member("resource", key.resource.rawValue)
      if !key.variant.isEmpty { writer.member("variant", key.variant) }
      // Nanoseconds are more than a JSON number holds everywhere.
      writer.member("sourceSize", entry.source.size)
      writer.member("sourceModified", String(entry.source.modified))
      writer.member("settings", entry.settings)
      writer.member("naming", entry.naming)
      writer.member("target", entry.target)
      writer.member("size", entry.made.size)
      writer.member("modified", String(entry.made.modified))
      writer.member("inode", String(entry.inode))
    }
    return writer.bytes + [UInt8(ascii: "\n")]
  }
}

/// A line as it stands in the file.
private struct Line: Decodable {
  var id, resource, settings, naming, target, inode: String
  var variant: String?
  var sourceSize, size: Int64
  var sourceModified, modified: String

  /// What it says; nil for what no export has written.
  var said: (ExportRecord.Key, ExportRecord.Entry)? {
    guard let resource = ResourceType(rawValue: resource), isBelow(target),
      let sourceModified = Int64(sourceModified), let modified = Int64(modified),
      let inode = UInt64(inode)
    else { return nil }
    let entry = ExportRecord.Entry(
      source: ExportRecord.Version(size: sourceSize, modified: sourceModified),
      settings: settings, naming: naming, target: target,
      made: ExportRecord.Version(size: size, modified: modified), inode: inode)
    return (ExportRecord.Key(identifier: id, resource: resource, variant: variant ?? ""), entry)
  }
}

/// A line about folders that are about to be written into.
private struct BeginningLine: Decodable {
  var beginning: [String]
}

/// Whether a path stays in the target's folder, whoever wrote the record.
private func isBelow(_ path: String) -> Bool {
  let components = path.split(separator: "/", omittingEmptySubsequences: false)
  return components.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0") }
}

extension String {
  /// The folder of a path below the target's; empty for the target's own.
  var folder: String { split(separator: "/").dropLast().joined(separator: "/") }
}
