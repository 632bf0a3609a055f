import ArgumentParser
import Configuration
import Foundation
import Linux
import Logging
import Logs
import MediaModel
import Query
import ShoeboxKit
import Yams

// Where settings come from: variables `SHOEBOX_…`, then the file.

extension Settings {
  /// The file without `--config`: `$SHOEBOX_CONFIG`, or `$XDG_CONFIG_HOME/shoebox/config.yaml`; nil without a home.
  static func standardFile(environment: [String: String]) -> BytePath? {
    func value(_ name: String) -> String? { environment[name].flatMap { $0.isEmpty ? nil : $0 } }
    if let named = value("SHOEBOX_CONFIG") { return BytePath(named) }
    let folder = value("XDG_CONFIG_HOME") ?? value("HOME").map { $0 + "/.config" }
    return folder.map { BytePath($0 + "/shoebox/config.yaml") }
  }

  /// Reads the settings. What is wrong with them is in their `mistakes`; such a setting has its default.
  ///
  /// - Parameter named: the file that `--config` names; it must exist.
  /// - Throws: `Failure` if the file cannot be read.
  static func read(named: BytePath?, environment: [String: String]) throws -> Settings {
    let path = named ?? standardFile(environment: environment)
    guard let path, try isThere(path, mustBe: named != nil || environment["SHOEBOX_CONFIG"] != nil)
    else {
      // Scripts start a command often, and name the catalog. GlobalOptions reads that variable itself.
      let others = Set(SettingName.allCases.map(\.variable)).subtracting([
        SettingName.catalog.variable
      ])
      guard environment.keys.contains(where: others.contains) else { return Settings() }
      var values = Values(nil, of: nil, environment)
      return Settings(&values)
    }
    var values = Values(try SettingsFile(path), of: path, environment)
    return Settings(&values)
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
      status.stamp.size <= SettingsFile.largest
    else {
      throw Failure(
        .badData, "\(file.display) is not a configuration file: it is too large or no file")
    }
    return true
  }
}

/// The values of the sources. What is wrong with them is kept, with its place.
private struct Values {
  /// The variables `SHOEBOX_…`; an array has an element a line.
  private let variables: ConfigReader
  private let environment: [String: String]
  /// The configuration file; nil if there is none.
  let path: BytePath?
  private let file: SettingsFile?
  /// What is wrong with the values that were read so far, and with the file.
  private(set) var mistakes: [SettingMistake]

  init(_ file: SettingsFile?, of path: BytePath?, _ environment: [String: String]) {
    variables = ConfigReader(
      provider: EnvironmentVariablesProvider(
        environmentVariables: environment.filter { !$0.value.isEmpty }, arraySeparator: "\n"
      ).prefixKeys(with: "shoebox"))
    (self.environment, self.path, self.file) = (environment, path, file)
    mistakes = file?.mistakes ?? []
  }

  private func isInEnvironment(_ name: SettingName) -> Bool {
    environment[name.variable].map { !$0.isEmpty } ?? false
  }

  /// Keeps what is wrong with a setting, with the variable or the file and line that has it.
  ///
  /// - Parameter element: the index in its list.
  mutating func complain(_ name: SettingName, element: Int? = nil, _ complaint: String) {
    if isInEnvironment(name) {
      mistakes.append(SettingMistake(place: "$\(name.variable)", complaint))
    } else {
      let entry = file?.entries[name.rawValue]
      mistakes.append(
        SettingMistake(
          place: path?.display ?? "",
          line: element.map { entry?.line(ofElement: $0) } ?? entry?.line,
          "\(name.rawValue): \(complaint)"))
    }
  }

  /// The value of a setting: of its variable, else of the file; nil if neither has it, or has another type.
  private mutating func value<Value>(
    _ name: SettingName, of type: String, variable: (ConfigReader, ConfigKey) -> Value?,
    node: (Node) -> Value?
  ) -> Value? {
    let value: Value?
    if isInEnvironment(name) {
      value = variable(variables, ConfigKey(name.rawValue))
    } else if let entry = file?.entries[name.rawValue] {
      value = node(entry.value)
    } else {
      return nil
    }
    if value == nil { complain(name, "its value must be \(type)") }
    return value
  }

  mutating func text(_ name: SettingName) -> String? {
    value(name, of: "a text", variable: { $0.string(forKey: $1) }, node: { $0.scalar?.string })
  }

  mutating func texts(_ name: SettingName) -> [String]? {
    list(name) { text throws(BadValue) in text }
  }

  /// A list, each text of which `read` understands. The others are left out.
  mutating func list<Value>(
    _ name: SettingName, _ read: (String) throws(BadValue) -> Value
  ) -> [Value]? {
    let elements: [String?]? = value(
      name, of: "a list of texts, as [a, b]", variable: { $0.stringArray(forKey: $1) },
      node: { $0.sequence?.map { $0.scalar?.string } })
    return elements?.enumerated().compactMap { index, element -> Value? in
      guard let element else {
        complain(name, element: index, "each element must be a text")
        return nil
      }
      do throws(BadValue) {
        return try read(element)
      } catch {
        complain(name, element: index, error.description)
        return nil
      }
    }
  }

  mutating func flag(_ name: SettingName) -> Bool? {
    value(name, of: "true or false", variable: { $0.bool(forKey: $1) }, node: \.bool)
  }

  mutating func number(_ name: SettingName, in range: ClosedRange<Int>) -> Int? {
    value(
      name, of: "a number from \(range.lowerBound) to \(range.upperBound)",
      variable: { reader, key in reader.int(forKey: key).flatMap { range.contains($0) ? $0 : nil }
      },
      node: { node in node.int.flatMap { range.contains($0) ? $0 : nil } })
  }

  /// A text that `read` understands.
  mutating func value<Value>(
    _ name: SettingName, _ read: (String) throws(BadValue) -> Value
  ) -> Value? {
    guard let text = text(name) else { return nil }
    do {
      return try read(text)
    } catch {
      complain(name, error.description)
      return nil
    }
  }

  /// One of several words.
  mutating func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: SettingName, _ type: Choice.Type
  ) -> Choice? {
    value(name) { word throws(BadValue) in
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
  mutating func path(_ name: SettingName) -> String? { text(name).map(expanded) }

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
  fileprivate init(_ values: inout Values) {
    file = values.path
    catalog = values.path(.catalog)
    roots =
      values.list(.roots) { folder throws(BadValue) in
        guard !folder.isEmpty else { throw BadValue(folder, "is not a folder: write its path") }
        return folder
      }?.map(values.expanded) ?? []
    exclude =
      values.list(.exclude) { pattern throws(BadValue) in
        guard ScanOptions.isExclusion(pattern) else {
          throw BadValue(pattern, "excludes nothing: write a pattern")
        }
        return pattern
      } ?? []
    oneFileSystem = values.flag(.oneFileSystem) ?? false
    followLinks = values.flag(.followLinks) ?? false
    jobs = values.number(.jobs, in: 1...1024)
    nightly = Nightly(&values)
    if let command = values.texts(.notifyCommand), !command.isEmpty {
      notification = Notification(command: command.map(values.expanded))
    }
    let occasion = values.choice(.notifyWhen, Notification.Occasion.self)
    if let occasion { notification?.occasion = occasion }
    logFormat = values.choice(.logFormat, LogFormat.self) ?? logFormat
    logLevel = values.choice(.logLevel, Logger.Level.self) ?? logLevel
    mistakes = values.mistakes.sorted { ($0.line ?? 0) < ($1.line ?? 0) }.map(\.sentence)
  }
}

extension Settings.Nightly {
  fileprivate init(_ values: inout Values) {
    wait = values.value(.wait, Self.waitingTime) ?? wait
    backup = values.path(.backup)
    backupsKept = values.number(.backupsKept, in: 1...10_000) ?? backupsKept
    thumbnails = values.flag(.thumbnails) ?? thumbnails
    verification = values.value(.verify, Settings.VerificationAmount.init(typed:)) ?? verification
    maximumLoss = values.value(.maximumLoss, partOfWhole(typed:)) ?? maximumLoss
    absentNights = values.number(.absentNights, in: 1...10_000) ?? absentNights
    report = values.path(.report)
    metrics = values.path(.metrics)
    exports =
      values.list(.exports, Self.exportArguments)?.map { $0.map(values.expandedOption) } ?? []
  }

  /// The arguments of an export.
  ///
  /// - Throws: `BadValue` if `shoebox export` would not accept them, alone or with the options that a night adds.
  private static func exportArguments(_ line: String) throws(BadValue) -> [String] {
    let words = try shellWords(line)
    do {
      _ = try ExportCommand.parse(words)
    } catch {
      throw BadValue(line, "is not an export: \(ExportCommand.message(for: error))")
    }
    do {
      _ = try ExportCommand.parse(NightlyExport.words(words, catalog: "catalog"))
    } catch {
      let added = NightlyExport.output.joined(separator: " ")
      throw BadValue(
        line,
        "cannot run at night, which adds \(added): \(ExportCommand.message(for: error))")
    }
    return words
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
