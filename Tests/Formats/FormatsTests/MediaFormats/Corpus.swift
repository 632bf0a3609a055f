import Foundation

/// The corpus of real files in the folder `SHOEBOX_CORPUS`: `manifest.tsv` with the results of other programs for each
/// file in `library/`, and damaged files in `hostile/`. Without it, tests that need it are skipped.
struct Corpus {
  /// One line of the manifest.
  struct Entry {
    var path: String
    var columns: [String: String]

    /// A column's value; nil if it is empty.
    subscript(_ column: String) -> String? {
      columns[column].flatMap { $0.isEmpty ? nil : $0 }
    }
  }

  static let shared = ProcessInfo.processInfo.environment["SHOEBOX_CORPUS"].map(Corpus.init)

  static var isPresent: Bool { shared != nil }

  let root: URL

  init(path: String) {
    root = URL(fileURLWithPath: path, isDirectory: true)
  }

  /// The lines of the manifest that refer to a file.
  func entries() throws -> [Entry] {
    let table = try String(contentsOf: root.appendingPathComponent("manifest.tsv"), encoding: .utf8)
    let lines = table.split(separator: "\n", omittingEmptySubsequences: true)
    let names = lines.first.map { $0.components(separatedBy: "\t") } ?? []
    return lines.dropFirst().map { line in
      let values = line.components(separatedBy: "\t")
      return Entry(
        path: values.first ?? "",
        columns: Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first }))
    }
  }

  func library(_ path: String) throws -> [UInt8] {
    Array(try Data(contentsOf: root.appendingPathComponent("library").appendingPathComponent(path)))
  }

  /// Every file below a folder, in a fixed order.
  func files(in folder: String) -> [URL] {
    let base = root.appendingPathComponent(folder)
    let found = FileManager.default.enumerator(at: base, includingPropertiesForKeys: nil)
    return (found?.allObjects.compactMap { $0 as? URL } ?? [])
      .filter { !$0.hasDirectoryPath }.sorted { $0.path < $1.path }
  }
}

/// The extension of a path in lower case.
func fileExtension(of path: String) -> String {
  (path as NSString).pathExtension.lowercased()
}
