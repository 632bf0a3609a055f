import Linux
import MediaModel

/// Why the rules of a `.shoeboxignore` are not known.
enum IgnoreFileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The operating system's reason.
  case unreadable(String)
  case tooLong

  /// The largest file that is read, in bytes.
  static let limit: UInt64 = 16 << 20

  var description: String {
    switch self {
    case .unreadable(let reason):
      "The file cannot be read: \(reason.lowercased()). Its folder was left as it is."
    case .tooLong:
      "The file is larger than \(Self.limit >> 20) MiB. Its folder was left as it is."
    }
  }
}

/// Which names in a folder do not belong to the library: hidden ones, the private folders of systems and NAS
/// boxes, what a `.shoeboxignore` or a rule for this scan names, other roots, and the catalog.
struct Exclusions: Sendable {
  /// The rules of one `.shoeboxignore`, with the depth of its folder below the root.
  private struct Layer {
    var depth: Int
    var patterns: IgnorePatterns
  }

  /// Folders and files by these names hold no pictures of the user's; compared in lower case.
  private static let reserved: Set<String> = [
    "@eadir", "#recycle", "#snapshot", "@recycle", "@recently-snapshot", "$recycle.bin",
    "system volume information", "lost+found", "recycler",
  ]

  /// The hidden folder in which Ente's command-line program keeps a JSON file about each picture.
  private static let metadataFolder = Array(".meta".utf8)

  static let fileName = Array(".shoeboxignore".utf8)

  /// Excluded names by the full paths of their folders: other roots and the catalog's files.
  private let namesByFolder: [BytePath: Set<[UInt8]>]
  /// Those of the folder that was entered last.
  private var names: Set<[UInt8]> = []
  private var layers: [Layer] = []
  /// The rules for this scan, relative to the root's folder. They override those of every `.shoeboxignore`, as
  /// patterns on git's command line override files.
  private let patterns: IgnorePatterns

  /// - Parameters:
  ///   - paths: other roots and the catalog's files.
  ///   - patterns: the rules for this scan.
  init(paths: Set<BytePath>, patterns: IgnorePatterns) {
    self.patterns = patterns
    namesByFolder = Dictionary(grouping: paths, by: \.parent)
      .mapValues { Set($0.map(\.lastComponent)) }
  }

  /// These rules as they are inside a folder, with those of its own `.shoeboxignore`, if it has one.
  ///
  /// - Parameter depth: the number of folders between the root's folder and this one.
  /// - Throws: ``IgnoreFileError`` if its rules are not known: what they leave out must not be indexed.
  func entering(
    _ folder: BytePath, depth: Int, entries: DirectoryEntries
  ) throws(IgnoreFileError) -> Exclusions {
    var inside = self
    inside.names = namesByFolder[folder] ?? []
    let patterns = try ignorePatterns(in: folder, entries)
    if !patterns.isEmpty { inside.layers.append(Layer(depth: depth, patterns: patterns)) }
    return inside
  }

  /// The rules of a folder's `.shoeboxignore`, which may be a symbolic link to a file.
  private func ignorePatterns(
    in folder: BytePath, _ entries: DirectoryEntries
  ) throws(IgnoreFileError) -> IgnorePatterns {
    guard let entry = entries.firstIndex(named: Self.fileName).map({ entries[$0] }) else {
      return IgnorePatterns([])
    }
    let isLink = entry.kind == .symbolicLink
    guard isLink || entry.kind == .regular || entry.failure != nil else {
      return IgnorePatterns([])
    }
    do {
      let file = try ReadOnlyFile(path: folder.appending(Self.fileName))
      guard file.size <= IgnoreFileError.limit else { throw IgnoreFileError.tooLong }
      return IgnorePatterns(try file.read(at: 0, count: Int(file.size)))
    } catch let error as SystemError {
      // Deleted since the folder was read; a link that leads nowhere is not that.
      if error.isNotFound, !isLink { return IgnorePatterns([]) }
      throw .unreadable(error.reason)
    } catch {
      throw .tooLong
    }
  }

  /// Whether an entry of the folder that was entered last is left out.
  ///
  /// - Parameter folders: the names from the root's folder down to that folder.
  func excludes(_ name: ArraySlice<UInt8>, isFolder: Bool, below folders: [[UInt8]]) -> Bool {
    guard let first = name.first else { return true }
    if first == UInt8(ascii: ".") { return !isFolder || !name.elementsEqual(Self.metadataFolder) }
    if Self.mayBeReserved(first),
      Self.reserved.contains(String(decoding: name, as: UTF8.self).lowercased())
    {
      return true
    }
    // Most folders have no other rules; then the name need not be copied.
    if names.isEmpty, patterns.isEmpty, layers.isEmpty { return false }
    let name = Array(name)
    if names.contains(name) { return true }
    if let verdict = patterns.verdict(folders + [name], isFolder: isFolder) { return verdict }
    for layer in layers.reversed() {
      let path = folders.dropFirst(layer.depth) + [name]
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
