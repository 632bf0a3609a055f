import ArgumentParser

/// The command tree.
struct Shoebox: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shoebox",
    abstract: "Index, browse and hand out a library of photos and videos.",
    discussion: """
      Begin with a folder, then ask for what is in it:

        shoebox scan ~/Pictures
        shoebox list --type livePhotos --since 2023
        shoebox export --type livePhotos --since 2023 --to ~/Handed-out
      """,
    version: "shoebox \(shoeboxVersion)",
    subcommands: [
      ScanCommand.self, ListCommand.self, ShowCommand.self, ExportCommand.self,
      PresetsCommand.self, StatsCommand.self, SearchesCommand.self, RootsCommand.self,
      ScansCommand.self, DoctorCommand.self, ManualCommand.self,
    ])
}
