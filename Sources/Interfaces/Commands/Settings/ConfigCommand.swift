import ArgumentParser
import Foundation
import Linux
import Logging
import Logs
import MediaModel
import ShoeboxKit
import Terminal

/// `shoebox config`: the configuration file.
struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Check and show the configuration.",
    discussion: """
      Settings come from the configuration file, from variables such as $SHOEBOX_JOBS and \
      $SHOEBOX_NIGHTLY_WAIT, which override the file, and from flags, which override both.

        shoebox config check
        shoebox config show --config /etc/shoebox/photos.yaml
      """,
    subcommands: [ConfigShow.self, ConfigCheck.self], defaultSubcommand: ConfigShow.self)
}

/// `shoebox config show`.
struct ConfigShow: Verb {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the settings that apply.",
    usage: "shoebox config show [<options>]",
    discussion: "  shoebox config show --format json")

  @Option(choosing: "Print the settings in this format.", valueName: "format")
  var format = ReportFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let settings = context.settings
    let catalog = try global.catalogPath(in: context)
    switch format {
    case .json:
      try context.output.json { writer in
        writer.object { writer in
          if let file = settings.file { writer.member("file", path: file) }
          writer.member("catalog", catalog)
          writer.member("roots", settings.roots)
          writer.member("exclude", settings.exclude)
          writer.member("oneFileSystem", settings.oneFileSystem)
          writer.member("followLinks", settings.followLinks)
          writer.member("jobs", settings.jobs)
          writer.key("nightly")
          writer.object { settings.nightly.write(to: &$0) }
          writer.member("notifyCommand", settings.notification?.command ?? [])
          writer.member("notifyWhen", settings.notification?.occasion.rawValue)
          writer.member("logFormat", settings.logFormat.rawValue)
          writer.member("logLevel", settings.logLevel.rawValue)
          writer.member("writable", settings.writableFolders(catalog: catalog))
        }
      }
    case .table:
      for line in settings.lines(catalog: catalog) { try context.output.line(line) }
    }
    return .success
  }
}

/// `shoebox config check`.
struct ConfigCheck: Verb {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check the configuration, and that its folders and its program exist.",
    usage: "shoebox config check [<options>]",
    discussion: "  shoebox config check --config ~/.config/shoebox/config.yaml")

  @OptionGroup(title: "Global options") var global: GlobalOptions

  static var acceptsInvalidSettings: Bool { true }

  func run(in context: CommandContext) throws -> ExitStatus {
    let settings = context.settings
    for mistake in settings.mistakes { context.complain(mistake.terminalSafe) }
    guard let file = settings.file else {
      context.complain("there is no configuration file: `shoebox config show` shows the defaults")
      return .badData
    }
    var problems: [String] = []
    // A disk may be absent; the nightly run reports that.
    for root in settings.roots where !Self.isFolder(root) {
      problems.append("roots: there is no folder \(root)")
    }
    // The first scan creates the folder of the catalog.
    for folder in settings.writableFolders(catalog: try global.catalogPath(in: context)).dropFirst()
    where !Self.isFolder(folder) {
      problems.append("there is no folder \(folder), into which a nightly run writes")
    }
    if let program = settings.notification?.command.first,
      !Self.isProgram(program, path: context.environment["PATH"] ?? "")
    {
      problems.append("notify: there is no program \(program)")
    }
    for problem in problems { context.complain("\(file.display): \(problem)".terminalSafe) }
    if !settings.mistakes.isEmpty { return .badData }
    if problems.isEmpty, !global.quiet {
      try context.output.line("\(file.display.terminalSafe): OK")
    }
    return problems.isEmpty ? .success : .someFailed
  }

  /// Whether the notification's command can be started: a path, or a name in `$PATH`.
  private static func isProgram(_ name: String, path: String) -> Bool {
    let candidates =
      name.contains("/") ? [name] : path.split(separator: ":").map { "\($0)/\(name)" }
    return candidates.contains {
      FileManager.default.isExecutableFile(atPath: $0) && !isFolder($0)
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    (try? FileStatus(of: BytePath(path), followingLinks: true))?.kind == .directory
  }
}

extension Settings {
  /// The folders into which a nightly run writes.
  func writableFolders(catalog: String) -> [String] {
    func parent(_ path: String) -> String {
      (try? BytePath(path).absolute().parent.display) ?? path
    }
    var folders = [parent(catalog)]
    folders += [nightly.backup].compactMap(\.self)
    folders += [nightly.report, nightly.metrics].compactMap(\.self).map(parent)
    for words in nightly.exports {
      if let export = try? ExportCommand.parse(words) { folders.append(export.to) }
    }
    var seen: Set<String> = []
    return folders.filter { seen.insert($0).inserted }
  }
}

extension Settings.Nightly {
  fileprivate func write(to writer: inout JSONWriter) {
    writer.member("wait", wait)
    writer.member("backup", backup)
    writer.member("backupsKept", backupsKept)
    writer.member("thumbnails", thumbnails)
    writer.member("verify", verification.text)
    writer.member("maximumLoss", maximumLoss)
    writer.member("absentNights", absentNights)
    writer.member("exports", exportLines)
    writer.member("report", report)
    writer.member("metrics", metrics)
  }
}
