import Linux
import MediaModel
import Presets

/// The folder of the user's presets: `$XDG_CONFIG_HOME/shoebox/presets`, or `~/.config/shoebox/presets`.
private func presetFolder(_ environment: [String: String]) -> BytePath? {
  if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
    return BytePath(folder).appending("shoebox").appending("presets")
  }
  guard let home = environment["HOME"], !home.isEmpty else { return nil }
  return [".config", "shoebox", "presets"].reduce(BytePath(home)) { $0.appending($1) }
}

/// All available presets. Mistakes in the user's files are recorded in the library, not thrown. The folder may be a
/// symbolic link to one.
///
/// - Throws: `SystemError` if the folder is there and cannot be read, also if it is a file or a link to nothing.
func presetLibrary(_ environment: [String: String]) throws -> PresetLibrary {
  guard let folder = presetFolder(environment), try folder.status() != nil else {
    return PresetLibrary()
  }
  let names = try OpenFolder(folder).names().filter { $0.kind != .directory }.map(\.name)
  let files =
    try names
    .filter { FileNameParts(name: $0).fileExtension == "json" && $0.first != UInt8(ascii: ".") }
    .sorted { $0.lexicographicallyPrecedes($1) }
    .map { try PresetFile(reading: folder.appending($0)) }
  return PresetLibrary(own: files)
}

extension PresetFile {
  /// Reads a file; of one that is too large, only the first bytes over the limit.
  init(reading path: BytePath) throws(SystemError) {
    let file = try ReadOnlyFile(path: path)
    self.init(
      name: path.display, bytes: try file.read(at: 0, count: Self.maximumSize + 1))
  }
}
