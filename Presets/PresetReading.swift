import MediaModel

/// A mistake in a file of presets.
package struct PresetProblem: Error, Sendable, Hashable, CustomStringConvertible {
  package var file: String
  /// From 1.
  package var line: Int
  /// The key that is wrong; nil where it is none alone.
  package var key: String?
  /// What is wrong and what to do about it.
  package var complaint: String

  package var description: String {
    "\(file), line \(line): " + (key.map { "\($0): " } ?? "") + complaint
  }
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
  var values: [String: JSONValue.Content] = [:]
  var file: String
  var line: Int
  /// Its place among the presets of its file.
  var index: Int

  func isSame(as other: WrittenPreset) -> Bool {
    file == other.file && index == other.index
  }

  func problem(_ complaint: String, key: String? = nil) -> PresetProblem {
    PresetProblem(file: file, line: line, key: key, complaint: complaint)
  }
}

extension PresetFile {
  /// No honest file of presets is larger, in bytes.
  package static let maximumSize = 1 << 20

  /// The presets in this file, one or a list of them, and all that is wrong with it.
  func read() -> (presets: [WrittenPreset], problems: [PresetProblem]) {
    guard bytes.count <= Self.maximumSize else {
      return ([], [problem(1, nil, "it is too large for a file of presets")])
    }
    let value: JSONValue
    do {
      value = try JSONReader.value(bytes)
    } catch {
      return ([], [problem(error.line, nil, "this is no JSON: \(error.complaint)")])
    }
    var presets: [WrittenPreset] = []
    var problems: [PresetProblem] = []
    for (index, element) in (value.array ?? [value]).enumerated() {
      let (preset, mistakes) = read(element, index)
      if let preset, mistakes.isEmpty { presets.append(preset) }
      problems += mistakes
    }
    return (presets, problems)
  }

  private func problem(_ line: Int, _ key: String?, _ complaint: String) -> PresetProblem {
    PresetProblem(file: name, line: line, key: key, complaint: complaint)
  }

  private func read(_ value: JSONValue, _ index: Int) -> (WrittenPreset?, [PresetProblem]) {
    guard case .object(let members) = value.content else {
      return (nil, [problem(value.line, nil, "write a preset as an object, {\"kind\": …}")])
    }
    let kinds = PresetKind.allCases.map(\.rawValue)
    guard let kind = value["kind"]?.text.flatMap(PresetKind.init(rawValue:)) else {
      let remedy = "write one of " + kinds.map { "\"\($0)\"" }.joined(separator: ", ")
      return (nil, [problem(value["kind"]?.line ?? value.line, "kind", remedy)])
    }
    guard let name = value["name"]?.text, Self.isName(name) else {
      let remedy = "write a name of letters, digits, - and _"
      return (nil, [problem(value["name"]?.line ?? value.line, "name", remedy)])
    }
    var preset = WrittenPreset(
      kind: kind, name: name, file: self.name, line: value.line, index: index)
    var problems: [PresetProblem] = []
    for member in members {
      guard let complaint = preset.take(member) else { continue }
      problems.append(problem(member.value.line, member.name, complaint))
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
  fileprivate mutating func take(_ member: JSONValue.Member) -> String? {
    switch member.name {
    case "kind", "name": return nil
    case "extends":
      extended = member.value.text
      return extended == nil ? "write the name of the preset to build on" : nil
    case "description", "unavailable":
      guard let text = member.value.text, !text.isEmpty else { return "write a sentence" }
      if member.name == "description" { description = text } else { unavailable = text }
      return nil
    case "aliases":
      let names = member.value.array?.compactMap(\.text).filter(PresetFile.isName) ?? []
      guard let given = member.value.array, names.count == given.count else {
        return "write a list of names, as [\"typeHigh\"]"
      }
      aliases = names
      return nil
    default: return takeValue(member)
    }
  }

  private mutating func takeValue(_ member: JSONValue.Member) -> String? {
    let keys = PresetSchema.keys(of: kind)
    guard let key = keys.first(where: { $0.name == member.name }) else {
      let known = PresetSchema.headerKeys + keys.map(\.name)
      return UnknownWord(member.name, kind: "key", among: known).description
    }
    if let complaint = key.complaint(about: member.value) { return complaint }
    values[key.name] = member.value.content
    return nil
  }
}
