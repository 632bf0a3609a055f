import ArgumentParser
import Configuration
import Foundation
import Linux
import Logging
import Logs
import MediaModel
import Query
import ShoeboxKit
import SystemPackage
import Yams

// Where settings come from: variables `SHOEBOX_…`, then the file.

extension Settings {
  /// The largest file that is read, in bytes.
  private static let largestFile = 1 << 20

  /// The file without `--config`: `$SHOEBOX_CONFIG`, or `$XDG_CONFIG_HOME/shoebox/config.yaml`; nil without a home.
  static func standardFile(environment: [String: String]) -> BytePath? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let named = value("SHOEBOX_CONFIG") { return BytePath(named) }
    let folder = value("XDG_CONFIG_HOME") ?? value("HOME").map { $0 + "/.config" }
    return folder.map { BytePath($0 + "/shoebox/config.yaml") }
  }

  /// Reads the settings.
  ///
  /// - Parameter named: the file that `--config` names; it must exist.
  /// - Throws: `Failure` if the file cannot be read, or contains what it should not.
  static func read(named: BytePath?, environment: [String: String]) async throws -> Settings {
    let file = named ?? standardFile(environment: environment)
    guard let file, try isThere(file, mustBe: named != nil || environment["SHOEBOX_CONFIG"] != nil)
    else {
      // Scripts start a command often, and name the catalog. GlobalOptions reads that variable itself.
      let others = Set(SettingName.allCases.map(\.variable)).subtracting([
        SettingName.catalog.variable
      ])
      guard environment.keys.contains(where: others.contains) else { return Settings() }
      return try Settings(Values([try variables(environment)], file: nil, environment))
    }
    let names = try SettingsFile(file).names
    if names.isEmpty {
      return try Settings(Values([try variables(environment)], file: file, environment))
    }
    let provider: FileProvider<YAMLSnapshot>
    do {
      provider = try await FileProvider<YAMLSnapshot>(
        filePath: SystemPackage.FilePath(file.display))
    } catch {
      throw Failure(.badData, "\(file.display) cannot be read: \(error)")
    }
    return try Settings(
      Values([try variables(environment), provider], file: file, names: names, environment))
  }

  private static func isThere(_ file: BytePath, mustBe: Bool) throws -> Bool {
    let status: FileStatus?
    do {
      status = try file.absolute().status()
    } catch {
      throw Failure(.badData, "\(file.display) cannot be examined: \(error.reason)")
    }
    guard let status else {
      if mustBe {
        throw Failure(.badData, "there is no file \(file.display): name the configuration")
      }
      return false
    }
    guard status.kind == .regular || status.kind == .symbolicLink,
      status.stamp.size <= largestFile
    else {
      throw Failure(
        .badData, "\(file.display) is not a configuration file: it is too large or no file")
    }
    return true
  }

  /// The variables `SHOEBOX_…`; an array has an element a line.
  private static func variables(_ environment: [String: String]) throws -> any ConfigProvider {
    EnvironmentVariablesProvider(
      environmentVariables: environment.filter { !$0.value.isEmpty }, arraySeparator: "\n"
    ).prefixKeys(with: "shoebox")
  }
}

/// The values of the sources, with errors that name their place.
private struct Values {
  private let reader: ConfigReader
  /// The configuration file; nil if there is none.
  let file: BytePath?
  /// The names that the file has.
  private let names: Set<String>
  private let environment: [String: String]

  init(
    _ providers: [any ConfigProvider], file: BytePath?, names: Set<String> = [],
    _ environment: [String: String]
  ) {
    reader = ConfigReader(providers: providers)
    (self.file, self.names, self.environment) = (file, names, environment)
  }

  private func isInEnvironment(_ name: SettingName) -> Bool {
    environment[name.variable].map { !$0.isEmpty } ?? false
  }

  /// An error about a setting, with the variable or the file that has it.
  func failure(_ name: SettingName, _ complaint: String) -> Failure {
    if isInEnvironment(name) { return Failure(.badData, "$\(name.variable): \(complaint)") }
    let place = file.map { "\($0.display): " } ?? ""
    return Failure(.badData, "\(place)\(name.rawValue): \(complaint)")
  }

  /// - Throws: `Failure` if a source has the name with a value of another type.
  private func required<Value>(_ name: SettingName, _ value: Value?, _ type: String) throws
    -> Value?
  {
    if value == nil, names.contains(name.rawValue) || isInEnvironment(name) {
      throw failure(name, "its value must be \(type)")
    }
    return value
  }

  func text(_ name: SettingName) throws -> String? {
    try required(name, reader.string(forKey: ConfigKey(name.rawValue)), "a text")
  }

  func texts(_ name: SettingName) throws -> [String]? {
    try required(
      name, reader.stringArray(forKey: ConfigKey(name.rawValue)), "a list of texts, as [a, b]")
  }

  func flag(_ name: SettingName) throws -> Bool? {
    try required(name, reader.bool(forKey: ConfigKey(name.rawValue)), "true or false")
  }

  func number(_ name: SettingName, in range: ClosedRange<Int>) throws -> Int? {
    let complaint = "a number from \(range.lowerBound) to \(range.upperBound)"
    let value = try required(name, reader.int(forKey: ConfigKey(name.rawValue)), complaint)
    if let value, !range.contains(value) { throw failure(name, "its value must be \(complaint)") }
    return value
  }

  /// A text that `read` understands.
  func value<Value>(_ name: SettingName, _ read: (String) throws -> Value) throws -> Value? {
    guard let text = try text(name) else { return nil }
    do {
      return try read(text)
    } catch let error as BadValue {
      throw failure(name, error.description)
    }
  }

  /// One of several words.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: SettingName, _ type: Choice.Type
  ) throws -> Choice? {
    try value(name) { word throws -> Choice in
      // YAML's `off` is `false`.
      let word = word == "false" ? "off" : word
      guard let choice = Choice(rawValue: word) else {
        throw BadValue(
          word, "is none of \(Choice.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      return choice
    }
  }

  /// A path, in which `~/` is the home folder.
  func path(_ name: SettingName) throws -> String? { try text(name).map(expanded) }

  /// The same of an option's value, too, as in `--to=~/share`.
  func expandedOption(_ word: String) -> String {
    guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else { return expanded(word) }
    let value = word.index(after: equals)
    return word[..<value] + expanded(String(word[value...]))
  }

  /// A word with the home folder instead of `~/` at its beginning.
  func expanded(_ word: String) -> String {
    guard let home = environment["HOME"], word == "~" || word.hasPrefix("~/") else { return word }
    return home + word.dropFirst()
  }
}

extension Settings {
  fileprivate init(_ values: Values) throws {
    file = values.file
    catalog = try values.path(.catalog)
    roots = try values.texts(.roots)?.map(values.expanded) ?? []
    exclude = try values.texts(.exclude) ?? []
    if let pattern = exclude.first(where: { !ScanOptions.isExclusion($0) }) {
      throw values.failure(.exclude, "'\(pattern)' excludes nothing: write a pattern")
    }
    oneFileSystem = try values.flag(.oneFileSystem) ?? false
    followLinks = try values.flag(.followLinks) ?? false
    jobs = try values.number(.jobs, in: 1...1024)
    nightly = try Nightly(values)
    if let command = try values.texts(.notifyCommand), !command.isEmpty {
      notification = Notification(command: command.map(values.expanded))
    }
    let occasion = try values.choice(.notifyWhen, Notification.Occasion.self)
    if let occasion { notification?.occasion = occasion }
    logFormat = try values.choice(.logFormat, LogFormat.self) ?? logFormat
    logLevel = try values.choice(.logLevel, Logger.Level.self) ?? logLevel
  }
}

extension Settings.Nightly {
  fileprivate init(_ values: Values) throws {
    wait = try values.value(.wait, Self.waitingTime) ?? wait
    backup = try values.path(.backup)
    backupsKept = try values.number(.backupsKept, in: 1...10_000) ?? backupsKept
    thumbnails = try values.flag(.thumbnails) ?? thumbnails
    verification =
      try values.value(.verify, Settings.VerificationAmount.init(typed:)) ?? verification
    maximumLoss = try values.value(.maximumLoss, partOfWhole(typed:)) ?? maximumLoss
    absentNights = try values.number(.absentNights, in: 1...10_000) ?? absentNights
    report = try values.path(.report)
    metrics = try values.path(.metrics)
    exports = try (values.texts(.exports) ?? []).map { line in
      do {
        let words = try shellWords(line).map(values.expandedOption)
        _ = try ExportCommand.parse(words)
        return words
      } catch let error as BadValue {
        throw values.failure(.exports, error.description)
      } catch {
        throw values.failure(.exports, "'\(line)': \(ExportCommand.message(for: error))")
      }
    }
  }
}

extension Settings.Nightly {
  /// Seconds, at most 30 days.
  private static func waitingTime(_ text: String) throws(BadValue) -> Double {
    let time = try seconds(typed: text)
    guard time <= 30 * 86_400 else { throw BadValue(text, "is too long: write at most 720h") }
    return time
  }
}

extension Settings.VerificationAmount {
  /// `off`, `all`, a share or a size with its unit.
  fileprivate init(typed text: String) throws(BadValue) {
    switch text.lowercased() {
    // YAML's `off` is `false`.
    case "off", "false", "no": self = .nothing
    case "all": self = .share(1)
    case _ where text.contains("/") || text.hasSuffix("%"):
      self = .share(try partOfWhole(typed: text))
    // A number alone would be that of bytes.
    case _ where Double(text) != nil: throw BadValue(text, "has no unit: write 3%, 1/30 or 20GB")
    default: self = .bytes(try byteCount(typed: text))
    }
  }
}

/// The names in a configuration file.
private struct SettingsFile {
  /// Names of settings, the parts joined by dots.
  let names: Set<String>

  /// What is wrong with YAML, in one line. The parser's own text has several, and calls a tab "character that cannot start
  /// any token".
  private static func sentence(_ error: any Error, in text: String) -> String {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      let line = lines.indices.contains(mark.line - 1) ? lines[mark.line - 1] : ""
      let isIndentedByTab = line.prefix { $0.isWhitespace }.contains("\t")
      return "line \(mark.line): "
        + (isIndentedByTab ? "it begins with a tab, and YAML needs spaces" : problem)
    default: return "\(error)"
    }
  }

  /// - Throws: `Failure` if the file is not YAML, or contains an unknown setting.
  init(_ file: BytePath) throws {
    let text: String
    do {
      let bytes = try ReadOnlyFile(path: file).read(at: 0, count: 1 << 20)
      text = String(decoding: bytes, as: UTF8.self)
    } catch {
      throw Failure(.badData, "\(file.display) cannot be read: \(error.reason)")
    }
    let root: Node?
    do {
      root = try Yams.compose(yaml: text)
    } catch {
      throw Failure(.badData, "\(file.display) is not YAML: \(Self.sentence(error, in: text))")
    }
    guard let mapping = root?.mapping else {
      if text.split(whereSeparator: \.isNewline).allSatisfy({
        $0.allSatisfy(\.isWhitespace) || $0.drop { $0.isWhitespace }.hasPrefix("#")
      }) {
        names = []
        return
      }
      throw Failure(.badData, "\(file.display) has no settings: write `roots: [/photos]`")
    }
    let known = SettingName.allCases.map(\.rawValue)
    var found: Set<String> = []
    for (key, value) in mapping {
      let name = key.string ?? ""
      // `nightly:`, `notify:` and `log:` have settings of their own.
      let inner: [String]? = value.mapping.map { $0.keys.map { "\(name).\($0.string ?? "")" } }
      for name in inner ?? [name] where !known.contains(name) {
        if inner == nil, value.null != nil, known.contains(where: { $0.hasPrefix(name + ".") }) {
          continue
        }
        let error = UnknownWord(name, kind: "setting", among: known)
        throw Failure(.badData, "\(file.display): \(error.description)")
      }
      found.formUnion(inner ?? [name])
    }
    names = found
  }
}
