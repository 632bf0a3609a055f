import ArgumentParser

/// The command tree.
struct Shoebox: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shoebox",
    abstract: "Index, search and export a library of photos and videos.",
    discussion: """
      Scan a folder first, then list or export its assets:

        shoebox scan ~/Pictures
        shoebox list --type livePhotos --since 2023
        shoebox export --type livePhotos --since 2023 --to ~/Exports
      """,
    version: versionText,
    subcommands: [
      ScanCommand.self, ListCommand.self, ShowCommand.self, SheetCommand.self,
      ExportCommand.self, PresetsCommand.self, StatsCommand.self, AlbumsCommand.self,
      SearchesCommand.self, RootsCommand.self, ScansCommand.self, MissingCommand.self,
      FailuresCommand.self, ReportCommand.self, NightlyCommand.self, ConfigCommand.self,
      DuplicatesCommand.self, PickCommand.self, PickerCommand.self, ImportCommand.self,
      BackupCommand.self, CatalogCommand.self, VerifyCommand.self, DoctorCommand.self,
      ManualCommand.self,
    ])

  /// One of its commands.
  static func subcommand(named name: String) -> (any ParsableCommand.Type)? {
    configuration.subcommands.first { $0.configuration.commandName == name }
  }
}
