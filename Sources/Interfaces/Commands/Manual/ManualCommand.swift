import ArgumentParser
import Linux
import MediaModel
import Terminal

/// `shoebox manual DIR`: writes the manual pages, for packages and `make install`.
struct ManualCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Write the manual page of every command into a folder.",
    usage: "shoebox manual <dir>",
    discussion: """
      Creates the folder if necessary. It must not contain any of the pages yet. \
      `make install` runs this command.

        shoebox manual build/man1
      """,
    shouldDisplay: false)

  @Argument(
    help: ArgumentHelp("The folder for the pages.", valueName: "dir"), completion: .directory)
  var folder: String

  @OptionGroup(title: "Global options") var global: GlobalOptions

  func run(in context: CommandContext) throws -> ExitStatus {
    let folder = try context.givenPath(folder)
    try folder.makeFolders(isShared: true)
    let pages = try CommandDescription.shoebox().tree.map(ManualPage.init)
    for page in pages where (try? FileStatus(of: folder.appending(page.fileName))) != nil {
      throw Failure(
        .inputOutput,
        "\(folder.display.terminalSafe) has pages in it, as \(page.fileName): remove them first")
    }
    for page in pages {
      let file = try OutputFile.create(folder.appending(page.fileName))
      try file.write(Array(page.text.utf8), at: 0)
    }
    return .success
  }
}
