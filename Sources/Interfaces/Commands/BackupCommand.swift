import ArgumentParser
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// `shoebox backup FILE`: copies the catalog.
struct BackupCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "backup",
    abstract: "Copy the catalog to a file, also while a scan runs.",
    usage: "shoebox backup <file> [<options>]",
    discussion: """
      The copy is complete and synced, or does not appear. It replaces an earlier
      backup, but no other file. To use it, copy it to where the catalog was, or name
      it with --catalog. It does not contain pictures.

        shoebox backup /media/disk/shoebox-backup.sqlite
      """)

  @Argument(
    help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
  var file: String

  @Option(choosing: "Print the report in this format.", valueName: "format")
  var format = ReportFormat.table

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    // To be used, it is named with --catalog.
    _ = try context.catalogName(file)
    let target = try context.path(file)
    let library = try global.openLibrary(in: context)
    let size = try await cancelledBySignals { try await library.backup(to: FilePath(target)) }
    switch format {
    case .json:
      try context.output.json { writer in
        writer.object { writer in
          writer.member("path", path: target)
          writer.member("bytes", size)
        }
      }
    case .table:
      if global.quiet { break }
      try context.output.line(
        "\(target.display.terminalSafe): \(humanBytes(size))")
    }
    return .success
  }
}
