import MediaModel
import POSIX

/// Which names of a folder are no part of the library: hidden ones, what systems and NAS boxes keep for
/// themselves, what a `.shoeboxignore` names, other roots, and the catalog.
struct Exclusions: Sendable {
  /// The rules of one `.shoeboxignore`, with the depth below the root of the folder it stands in.
  private struct Layer {
    var depth: Int
    var patterns: IgnorePatterns
  }

  /// Folders and files by these names hold no pictures of the user's; compared in lower case.
  private static let reserved: Set<String> = [
    "@eadir", "#recycle", "#snapshot", "@recycle", "@recently-snapshot", "$recycle.bin",
    "system volume information", "lost+found", "recycler",
  ]

  static let fileName = Array(".shoeboxignore".utf8)

  /// Full paths that are left out: other roots and the catalog's files.
  private let paths: Set<BytePath>
  private var layers: [Layer] = []

  init(paths: Set<BytePath>) {
    self.paths = paths
  }

  /// These rules and those of the folder's own `.shoeboxignore`, if it has a readable one.
  func entering(_ folder: BytePath, depth: Int, entries: [DirectoryEntry]) -> Exclusions {
    guard entries.contains(where: { $0.name == Self.fileName && $0.kind == .regular }),
      let file = try? ReadOnlyFile(path: folder.appending(Self.fileName)),
      let bytes = try? file.read(at: 0, count: 1 << 20)
    else { return self }
    let patterns = IgnorePatterns(bytes)
    guard !patterns.isEmpty else { return self }
    var deeper = self
    deeper.layers.append(Layer(depth: depth, patterns: patterns))
    return deeper
  }

  /// Whether an entry is left out.
  ///
  /// - Parameter components: the names from the root's folder to the entry.
  func excludes(_ entry: DirectoryEntry, in folder: BytePath, components: [[UInt8]]) -> Bool {
    if entry.name.first == UInt8(ascii: ".") { return true }
    let isFolder = entry.kind == .directory
    if let first = entry.name.first, Self.mayBeReserved(first),
      Self.reserved.contains(String(decoding: entry.name, as: UTF8.self).lowercased())
    {
      return true
    }
    if !paths.isEmpty, paths.contains(folder.appending(entry.name)) { return true }
    for layer in layers.reversed() {
      let path = Array(components[min(layer.depth, components.count)...])
      if let verdict = layer.patterns.verdict(path, isFolder: isFolder) { return verdict }
    }
    return false
  }

  /// A cheap test before the costly one.
  private static func mayBeReserved(_ first: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "@"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "S"),
      UInt8(ascii: "s"), UInt8(ascii: "l"), UInt8(ascii: "L"), UInt8(ascii: "R"),
      UInt8(ascii: "r"):
      true
    default: false
    }
  }
}
