import Exporter
import FactReading
import Foundation
import Indexer
import Linux
import MediaModel
import Presets
import Query
import Recognition
import ShoeboxKit

// The readers of texts: what users and clients type, file names, ignore files and export records.

func readExpression(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  _ = try? Condition(expression: text)
  _ = try? SearchText(typed: text)
  _ = try? WallDate(typed: text)
}

func readPreset(_ bytes: [UInt8]) {
  _ = PresetLibrary(shipped: [], own: [PresetFile(name: "fuzz.json", bytes: bytes)])
}

func readTemplate(_ bytes: [UInt8]) {
  _ = try? NameTemplate(typed: String(decoding: bytes, as: UTF8.self))
}

/// A place in a listing that a client of a server sends.
func readCursor(_ bytes: [UInt8]) {
  guard let cursor = Cursor(String(decoding: bytes, as: UTF8.self)) else { return }
  precondition(Cursor(cursor.description) == cursor)
}

/// The first line is the name that the rules are applied to.
func readIgnoreFile(_ bytes: [UInt8]) {
  let parts = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
  guard let path = parts.first?.split(separator: UInt8(ascii: "/")).map(Array.init), !path.isEmpty
  else { return }
  let patterns = IgnorePatterns(parts.count > 1 ? Array(parts[1]) : [])
  for isFolder in [false, true] { _ = patterns.verdict(path, isFolder: isFolder) }
}

/// File names, a line each, of files in one folder.
func readNames(_ bytes: [UInt8]) {
  let names = bytes.split(separator: UInt8(ascii: "\n")).prefix(50).map(Array.init)
  for name in names {
    _ = FileNameParts(name: name)
    _ = BurstName(name)
    _ = PictureReading().facts(type: .jpeg, name: name)
  }
  let items = names.map { FolderItem(name: $0, mediaType: .image, isRaw: false) }
  let matching = SidecarMatching(items)
  for name in names {
    let described = String(decoding: name, as: UTF8.self)
    for kind in [SidecarKind.xmp, .adjustmentData, .takeoutJSON] {
      _ = matching.owners(of: name, kind, describing: described)
    }
    _ = FamilyKey(name)
  }
}

/// A record that another user has put into the target of an export: it is read, and then rewritten as an export leaves
/// it, which must not add anything.
func readRecord(_ bytes: [UInt8]) {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
    "shoebox-fuzz-\(ProcessInfo.processInfo.processIdentifier)")
  let path = folder.appendingPathComponent(ExportRecord.fileName)
  try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  guard (try? Data(bytes).write(to: path)) != nil, let before = record(at: path.path) else {
    fatalError("cannot write \(path.path)")
  }
  guard let open = try? OpenFolder(BytePath(folder.path)),
    (try? RecordRewriting(open, lineCount: before.lineCount, compactedCount: 0).run()) != nil,
    let after = record(at: path.path)
  else { fatalError("cannot rewrite \(path.path)") }
  precondition(after.lineCount <= before.lineCount)
  precondition(Set(after.history.keys).isSubset(of: before.history.keys))
}

/// The key of the catalog that exports.
let recordKey = [UInt8](repeating: 7, count: 32)

private func record(at path: String) -> ExportRecord? {
  guard let file = try? ReadOnlyFile(path: BytePath(path)) else { return nil }
  _ = try? ExportRecord(
    file, key: nil, interest: ExportRecord.Interest(identifiers: ["a"], folders: ["", "b"]))
  return try? ExportRecord(file, key: recordKey)
}
