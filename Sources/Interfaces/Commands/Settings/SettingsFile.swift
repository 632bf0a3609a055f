import Linux
import MediaModel
import Yams

/// The settings in a configuration file, not yet read as values.
struct SettingsFile {
  /// The largest file that is read, in bytes.
  static let largest = 1 << 20

  /// A setting in the file.
  struct Entry {
    var value: Node
    /// The line of its name, from 1; nil if the parser does not report it.
    var line: Int?

    /// The line of an element of its list.
    func line(ofElement index: Int) -> Int? {
      guard let list = value.sequence, list.indices.contains(index) else { return line }
      return list[index].mark?.line ?? line
    }
  }

  /// The settings by their names, whose parts are joined by dots. A setting without a value is left out: its default
  /// applies.
  private(set) var entries: [String: Entry] = [:]
  /// What is wrong with the file as a whole, and unknown settings.
  private(set) var mistakes: [SettingMistake] = []

  /// - Throws: `Failure` if the file cannot be read.
  init(_ file: BytePath) throws {
    let text: String
    do {
      let bytes = try ReadOnlyFile(path: file).read(at: 0, count: Self.largest)
      text = String(decoding: bytes, as: UTF8.self)
    } catch {
      throw Failure(.badData, "\(file.display) cannot be read: \(error.reason)")
    }
    do {
      let root = try Yams.compose(yaml: text)
      if let mapping = root?.mapping {
        take(mapping)
      } else if !Self.isEmpty(text) {
        mistakes = [
          SettingMistake(place: file.display, "it has no settings: write `roots: [/photos]`")
        ]
      }
    } catch {
      let (line, problem) = Self.problem(error, in: text)
      mistakes = [SettingMistake(place: "\(file.display) is not YAML", line: line, problem)]
    }
    for index in mistakes.indices where mistakes[index].place.isEmpty {
      mistakes[index].place = file.display
    }
  }

  /// Takes the settings, and those of `nightly:`, `notify:` and `log:`.
  private mutating func take(_ mapping: Node.Mapping) {
    let known = SettingName.allCases.map(\.rawValue)
    for (key, value) in mapping {
      let name = key.string ?? ""
      let isSection = known.contains { $0.hasPrefix(name + ".") }
      if value.null != nil, isSection { continue }
      let inner = value.mapping.map {
        $0.map { ("\(name).\($0.key.string ?? "")", $0.key, $0.value) }
      }
      for (name, key, value) in inner ?? [(name, key, value)] {
        let line = key.mark?.line
        guard known.contains(name) else {
          let error = UnknownWord(name, kind: "setting", among: known)
          mistakes.append(SettingMistake(line: line, error.description))
          continue
        }
        if value.null == nil { entries[name] = Entry(value: value, line: line) }
      }
    }
  }

  /// Whether a text has nothing but comments.
  private static func isEmpty(_ text: String) -> Bool {
    text.split(whereSeparator: \.isNewline).allSatisfy { line in
      line.drop(while: \.isWhitespace).first.map { $0 == "#" } ?? true
    }
  }

  /// What is wrong with YAML, with its line. The parser's own text has several lines, and calls a tab "character that
  /// cannot start any token".
  private static func problem(_ error: any Error, in text: String) -> (line: Int?, String) {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let line = lines.indices.contains(mark.line - 1) ? lines[mark.line - 1] : ""
      let isIndentedByTab = line.prefix { $0.isWhitespace }.contains("\t")
      return (
        mark.line, isIndentedByTab ? "it begins with a tab, and YAML needs spaces" : problem
      )
    case .duplicatedKeysInMapping(let names, let context):
      let quoted = names.map { "'\($0)'" }.joined(separator: ", ")
      return (context.mark.line, "\(quoted) is there twice")
    default: return (nil, "\(error)")
    }
  }
}

/// What is wrong with a setting, or with the file.
struct SettingMistake {
  /// The file, or the variable with its `$`; empty if it is not known yet.
  var place: String
  /// The line of the file, from 1.
  var line: Int?
  var complaint: String

  init(place: String = "", line: Int? = nil, _ complaint: String) {
    (self.place, self.line, self.complaint) = (place, line, complaint)
  }

  /// For people: where it is, and what it is.
  var sentence: String {
    [place, line.map { "line \($0)" }, complaint].compactMap(\.self).joined(separator: ": ")
  }
}
