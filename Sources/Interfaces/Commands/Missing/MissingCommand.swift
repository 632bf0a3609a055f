import ArgumentParser
import Foundation
import Linux
import MediaModel
import ShoeboxKit
import SystemPackage
import Terminal

/// `shoebox missing`: the files that are gone.
struct MissingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "missing",
    abstract: "List files that are gone, and remove them from the catalog.",
    discussion: """
        shoebox missing
        shoebox missing purge --older-than 90d
      """,
    subcommands: [MissingList.self, MissingPurge.self],
    defaultSubcommand: MissingList.self)
}

/// `shoebox missing list`.
struct MissingList: Verb {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the pictures and videos that scans found gone, the longest missing first.",
    usage: "shoebox missing list [<options>]",
    discussion: """
      Shoebox keeps them in the catalog in case they return. Files on a disk that is not \
      mounted are not missing.

        shoebox missing list --older-than 30d
      """)

  static var endsWithReader: Bool { true }

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Only files that were gone before DATE, such as 90d or 2026-05-14.", valueName: "date"))
  var olderThan: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only files in DIR or below.", valueName: "dir"), completion: .directory)
  var under: String?

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let library = try global.openLibrary(in: context)
    let files = try library.listedMissingFiles(
      before: try olderThan.map { try Date(typed: $0) },
      under: try under.map { FilePath(try context.path($0)) })
    let printer = try formatOption.format.printer(
      .missingFiles, style: global.style(in: context), to: context.output)
    for file in files { try printer.print(file) }
    try printer.finish()
    return .success
  }
}

/// `shoebox missing purge`.
struct MissingPurge: Verb {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Remove files from the catalog that have been gone for a long time.",
    usage: "shoebox missing purge --older-than <date> [<options>]",
    discussion: """
      No file on a disk is touched. A file that returns later gets a new id. Files in your \
      albums stay, except with --albums.

        shoebox missing purge --older-than 90d --dry-run
        shoebox missing purge --older-than 90d --under /media/archive
      """)

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Remove files that were gone before DATE, such as 90d or 2026-05-14.", valueName: "date"))
  var olderThan: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Only files in DIR or below.", valueName: "dir"), completion: .directory)
  var under: String?

  @Flag(help: "Remove files, too, that are in your albums.")
  var albums = false

  @Flag(
    name: [.customShort("n"), .long], help: "List the files that would be removed; remove nothing.")
  var dryRun = false

  @OptionGroup var formatOption: FormatOption
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) async throws -> ExitStatus {
    let date = try Date(typed: olderThan)
    let folder = try under.map { FilePath(try context.path($0)) }
    let library = try global.openExistingLibrary(in: context)
    let all = try library.listedMissingFiles(before: date, under: folder)
    let kept = albums ? 0 : all.count(where: \.isInAlbum)
    let files =
      dryRun
      ? all.filter { albums || !$0.isInAlbum }
      : try await library.purgeMissingFiles(before: date, under: folder, includesAlbums: albums)
    if dryRun || formatOption.format != .table || global.verbose {
      let printer = try formatOption.format.printer(
        .missingFiles, style: global.style(in: context), to: context.output)
      for file in files { try printer.print(file) }
      try printer.finish()
    }
    if !global.quiet {
      let count = "\(humanCount(files.count)) missing file\(files.count == 1 ? "" : "s")"
      context.message(
        dryRun ? "\(count) would be removed from the catalog" : "removed \(count) from the catalog")
      if kept > 0 {
        context.message("kept \(humanCount(kept)) in your albums: --albums removes them, too")
      }
    }
    return .success
  }
}

extension Presentation where Item == MissingFile {
  fileprivate static var missingFiles: Presentation {
    Presentation(
      columns: [
        TableColumn("SINCE (UTC)", width: 11) {
          String(wallText($0.missingSince.milliseconds).prefix(10))
        },
        TableColumn("SIZE", width: 9, alignment: .right) { humanBytes($0.size) },
        TableColumn("PATH", cut: .beginning) { BytePath($0.path).display },
      ],
      fields: [
        CSVField("id") { $0.assetID },
        CSVField("path") { BytePath($0.path).display },
        CSVField("size") { String($0.size) },
        CSVField("missingSince") {
          JSONWriter.instant(milliseconds: $0.missingSince.milliseconds)
        },
      ],
      json: { writer, file in
        writer.object { writer in
          writer.member("id", file.assetID)
          writer.member("path", path: BytePath(file.path))
          writer.member("size", file.size)
          writer.member("missingSince", milliseconds: file.missingSince.milliseconds)
        }
      },
      paths: { [BytePath($0.path)] })
  }
}
