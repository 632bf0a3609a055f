import Exporter
import Linux
import MediaModel

/// The names that are taken in the folders of the target: by files that are there, and by groups of this run.
struct TargetNames {
  private let root: BytePath
  /// Of each folder, by its path below the root: the names of its files, by what belongs together.
  private var present: [String: [String: [String]]] = [:]
  /// Of each folder, by its path below the root: the sizes of its files.
  private var sizes: [String: Set<Int64>] = [:]
  private var reserved: Set<String> = []

  init(root: BytePath) { self.root = root }

  /// The files of a folder whose names belong together with one of these.
  mutating func relatives(of names: [String], in folder: String) -> [String] {
    let known = files(in: folder)
    let stems = Set(names.map { commonStem(Array($0.utf8)) })
    return stems.flatMap { known[$0] ?? [] }
  }

  /// The name of a file that is there, if it is the same to a file system that ignores case.
  mutating func existing(_ name: String, in folder: String) -> String? {
    let key = name.caseFolded
    return files(in: folder)[commonStem(Array(name.utf8))]?.first { $0.caseFolded == key }
  }

  /// Whether a folder has a file with one of these sizes, in bytes.
  mutating func hasFile(ofSizes wanted: [Int64], in folder: String) -> Bool {
    if let known = sizes[folder] { return !known.isDisjoint(with: wanted) }
    var found: Set<Int64> = []
    if let open = try? OpenFolder(root.appending(Array(folder.utf8))),
      let entries = try? open.names()
    {
      for entry in entries {
        if let status = try? open.status(of: entry.name) { found.insert(status.stamp.size) }
      }
    }
    sizes[folder] = found
    return !found.isDisjoint(with: wanted)
  }

  /// Whether a group of this run has names that belong together with one of these.
  func isReserved(_ names: [String], in folder: String) -> Bool {
    names.contains { reserved.contains(Self.key($0, folder)) }
  }

  mutating func reserve(_ names: [String], in folder: String) {
    for name in names { reserved.insert(Self.key(name, folder)) }
  }

  private static func key(_ name: String, _ folder: String) -> String {
    folder.caseFolded + "/" + commonStem(Array(name.utf8))
  }

  private mutating func files(in folder: String) -> [String: [String]] {
    if let known = present[folder] { return known }
    let path = root.appending(Array(folder.utf8))
    // A folder that does not exist has no files. One that cannot be read fails when a file is written into it.
    let entries = (try? OpenFolder(path).names()) ?? []
    var files: [String: [String]] = [:]
    for entry in entries where !StagedFile.isTemporaryName(entry.name) {
      files[commonStem(entry.name), default: []].append(readableName(entry.name))
    }
    present[folder] = files
    return files
  }
}
