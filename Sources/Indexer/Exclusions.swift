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

  /// Names that are left out by the full path of the folder they stand in: other roots and the
  /// catalog's files.
  private let namesByFolder: [BytePath: Set<[UInt8]>]
  /// Those of the folder that was entered last.
  private var names: Set<[UInt8]> = []
  private var layers: [Layer] = []

  init(paths: Set<BytePath>) {
    namesByFolder = Dictionary(grouping: paths, by: \.parent)
      .mapValues { Set($0.map(\.lastComponent)) }
  }

  /// These rules as they are inside a folder, with those of its own `.shoeboxignore`, if it has a
  /// readable one.
  ///
  /// - Parameter depth: how many folders lie between the root's folder and this one.
  func entering(_ folder: BytePath, depth: Int, entries: [DirectoryEntry]) -> Exclusions {
    var inside = self
    inside.names = namesByFolder[folder] ?? []
    if let patterns = ignorePatterns(in: folder, entries) {
      inside.layers.append(Layer(depth: depth, patterns: patterns))
    }
    return inside
  }

  private func ignorePatterns(
    in folder: BytePath, _ entries: [DirectoryEntry]
  ) -> IgnorePatterns? {
    guard entries.contains(where: { $0.name == Self.fileName && $0.kind == .regular }),
      let file = try? ReadOnlyFile(path: folder.appending(Self.fileName)),
      let bytes = try? file.read(at: 0, count: 1 << 20)
    else { return nil }
    let patterns = IgnorePatterns(bytes)
    return patterns.isEmpty ? nil : patterns
  }

  /// Whether an entry of the folder that was entered last is left out.
  ///
  /// - Parameter folders: the names from the root's folder down to that folder.
  func excludes(_ entry: DirectoryEntry, below folders: [[UInt8]]) -> Bool {
    if entry.name.first == UInt8(ascii: ".") { return true }
    let isFolder = entry.kind == .directory
    if let first = entry.name.first, Self.mayBeReserved(first),
      Self.reserved.contains(String(decoding: entry.name, as: UTF8.self).lowercased())
    {
      return true
    }
    if !names.isEmpty, names.contains(entry.name) { return true }
    for layer in layers.reversed() {
      let path = folders.dropFirst(layer.depth) + [entry.name]
      if let verdict = layer.patterns.verdict(Array(path), isFolder: isFolder) { return verdict }
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
