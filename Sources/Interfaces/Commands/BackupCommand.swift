import ArgumentParser
import Catalog
import Exporter
import Linux
import MediaModel
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

  /// An SQLite file of Shoebox without a write-ahead log: no process has written it since it was made. (Database File
  /// Format, 1.3: the header's bytes 18 and 19 are 1, the application id is at 68.)
  private static var earlier: EarlierFile {
    EarlierFile(kind: "backup of a catalog", flag: nil, headLength: 72) { head in
      head.count == 72 && head.starts(with: Array("SQLite format 3\0".utf8))
        && head[18] == 1 && head[19] == 1 && head[68...].elementsEqual(Array("Shbx".utf8))
    }
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let catalog = try global.openCatalog(.readOnly, in: context)
    let target = try context.path(file)
    let isReplacing = try Self.earlier.exists(at: target)
    let staged: StagedFile
    do throws(SystemError) {
      StagedFile.removeLeftovers(in: target.parent)
      staged = try StagedFile(in: target.parent, isLocked: true, isNamed: true)
    } catch {
      throw Failure(
        .inputOutput, "\(target.display.terminalSafe) cannot be written: \(error.reason)")
    }
    try await cancelledBySignals { try await catalog.copy(to: staged.path) }
    try staged.file.sync()
    let size = try staged.file.size()
    try staged.publish(chosen: target, isReplacing: isReplacing)
    try staged.folder.sync()
    switch format {
    case .json:
      try context.output.json { writer in
        writer.object { writer in
          writer.member("path", path: target)
          writer.member("bytes", Int64(clamping: size))
        }
      }
    case .table:
      if global.quiet { break }
      try context.output.line(
        "\(target.display.terminalSafe): \(humanBytes(Int64(clamping: size)))")
    }
    return .success
  }
}
