import MediaModel

/// A mistake in a file of presets.
package struct PresetProblem: Error, Sendable, Hashable, CustomStringConvertible {
  package var file: String
  /// In a file with a list, the name of the preset that is wrong, or its number if it has none.
  package var preset: String?
  /// The key that is wrong; nil where it is none alone.
  package var key: String?
  /// What is wrong and what to do about it.
  package var complaint: String
  /// The presets that cannot be used: one in most cases. For a file that cannot be read as presets, those that have the
  /// file's name.
  var presets: Set<PresetReference> = []

  package var description: String { "\(file): \(mistake)" }

  /// What is wrong, without the file.
  var mistake: String {
    ([preset.map { "preset \($0)" }, key].compactMap(\.self) + [complaint]).joined(separator: ": ")
  }
}

/// What identifies a preset.
struct PresetReference: Sendable, Hashable {
  var kind: PresetKind
  /// Its name, however it is written.
  var key: String
}

/// A preset as one file has it: checked key by key, but not yet put together with what it extends.
struct WrittenPreset {
  var kind: PresetKind
  var name: String
  var extended: String?
  var aliases: [String] = []
  var description = ""
  var unavailable: String?
  /// What it does, as far as it says.
  var values: [String: JSONValue] = [:]
  var file: String
  /// Its place among the presets of its file.
  var index: Int
  /// What names it in problems, if its file has a list.
  var label: String?
  /// What is wrong with its keys: it cannot be used, but is known to others.
  var mistakes: [PresetProblem] = []

  /// Where a preset is.
  struct Place: Hashable {
    var file: String
    var index: Int
  }

  var place: Place { Place(file: file, index: index) }

  func problem(_ complaint: String, key: String? = nil) -> PresetProblem {
    PresetProblem(
      file: file, preset: label, key: key, complaint: complaint, presets: [reference])
  }

  var reference: PresetReference { PresetReference(kind: kind, key: Self.key(name, kind)) }
}

extension PresetFile {
  /// No honest file of presets is larger, in bytes.
  package static let maximumSize = 1 << 20

  /// No honest file has more presets. Each that extends an unknown one is compared with many names.
  private static let maximumCount = 1000

  /// The names of the presets in this file.
  package var presetNames: [String] { read().presets.map(\.name) }

  /// The presets in this file, one or a list of them, also those with mistakes, and all mistakes.
  func read() -> (presets: [WrittenPreset], problems: [PresetProblem]) {
    guard bytes.count <= Self.maximumSize else {
      return ([], [problem(nil, "it is too large for a file of presets")])
    }
    let value: JSONValue
    do {
      value = try JSONValue(json: bytes)
    } catch {
      return ([], [problem(nil, "this is not JSON: \(error.complaint)")])
    }
    let elements = value.array ?? [value]
    guard elements.count <= Self.maximumCount else {
      return ([], [problem(nil, "it has more than \(Self.maximumCount) presets: split it")])
    }
    var presets: [WrittenPreset] = []
    var problems: [PresetProblem] = []
    for (index, element) in elements.enumerated() {
      var (preset, mistakes) = read(element, index)
      if value.array != nil {
        let label = preset?.name ?? "\(index + 1)"
        for index in mistakes.indices { mistakes[index].preset = label }
        preset?.label = label
      }
      preset?.mistakes = mistakes
      if let preset { presets.append(preset) }
      problems += mistakes
    }
    return (presets, problems)
  }

  /// - Parameters:
  ///   - name: the name of the preset; nil if it is not known.
  ///   - kind: its kind; nil if it is not known.
  private func problem(
    _ key: String?, _ complaint: String, name: String? = nil, kind: PresetKind? = nil
  ) -> PresetProblem {
    let name = name ?? stem
    let kinds = kind.map { [$0] } ?? PresetKind.allCases
    return PresetProblem(
      file: self.name, key: key, complaint: complaint,
      presets: Set(kinds.map { PresetReference(kind: $0, key: WrittenPreset.key(name, $0)) }))
  }

  /// The file's name without folder and extension.
  private var stem: String {
    let file = name.split(separator: "/").last.map(String.init) ?? name
    return file.split(separator: ".", omittingEmptySubsequences: false).first.map(String.init)
      ?? file
  }

  private func read(_ value: JSONValue, _ index: Int) -> (WrittenPreset?, [PresetProblem]) {
    guard case .object(let members) = value else {
      return (nil, [problem(nil, "write a preset as an object, {\"kind\": …}")])
    }
    let kinds = PresetKind.allCases.map(\.rawValue)
    let name = members["name"]?.text.flatMap { Self.isName($0) ? $0 : nil }
    let kind = members["kind"]?.text.flatMap(PresetKind.init(rawValue:))
    var unidentified: [PresetProblem] = []
    if kind == nil {
      let remedy = "write one of " + kinds.map { "\"\($0)\"" }.joined(separator: ", ")
      unidentified.append(problem("kind", remedy, name: name))
    }
    if name == nil {
      unidentified.append(problem("name", "write a name of letters, digits, - and _", kind: kind))
    }
    guard let kind, let name else { return (nil, unidentified) }
    var preset = WrittenPreset(kind: kind, name: name, file: self.name, index: index)
    var problems: [PresetProblem] = []
    for (key, value) in members.sorted(by: { $0.key < $1.key }) {
      guard let complaint = preset.take(key, value) else { continue }
      problems.append(problem(key, complaint, name: name, kind: kind))
    }
    return (preset, problems)
  }

  fileprivate static func isName(_ text: String) -> Bool {
    (1...80).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "-" || $0 == "_"
      }
  }
}

extension WrittenPreset {
  /// Takes one key over, unless something is wrong with it.
  fileprivate mutating func take(_ key: String, _ value: JSONValue) -> String? {
    switch key {
    case "kind", "name": return nil
    case "extends":
      extended = value.text
      return extended == nil ? "write the name of the preset to build on" : nil
    case "description", "unavailable":
      guard let text = value.text, !text.isEmpty else { return "write a sentence" }
      if key == "description" { description = text } else { unavailable = text }
      return nil
    case "aliases":
      let names = value.array?.compactMap(\.text).filter(PresetFile.isName) ?? []
      guard let given = value.array, names.count == given.count else {
        return "write a list of names, as [\"typeHigh\"]"
      }
      aliases = names
      return nil
    default: return takeSetting(key, value)
    }
  }

  private mutating func takeSetting(_ name: String, _ value: JSONValue) -> String? {
    let keys = PresetSchema.keys(of: kind)
    guard let key = keys.first(where: { $0.name == name }) else {
      let known = PresetSchema.headerKeys + keys.map(\.name)
      return UnknownWord(
        name, kind: "key", among: known,
        remedy: "'shoebox presets show' lists the keys of a preset"
      ).description
    }
    if let complaint = key.complaint(about: value) { return complaint }
    values[name] = value
    return nil
  }
}
