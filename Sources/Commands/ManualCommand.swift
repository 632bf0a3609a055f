import ArgumentParser
import MediaModel
import POSIX

/// `shoebox manual DIR`: the manual pages, for whoever packs or installs Shoebox.
struct ManualCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "manual",
    abstract: "Write the manual page of every command into a folder.",
    usage: "shoebox manual <dir>",
    discussion: """
      The folder must be there, and none of the pages may be in it yet. `make install` does this.

        shoebox manual build/man1
      """,
    shouldDisplay: false)

  @Argument(help: ArgumentHelp("Where they go.", valueName: "dir"), completion: .directory)
  var folder: String

  func run(in context: CommandContext) throws -> ExitStatus {
    try context.givenPath(folder).makeFolders(isShared: true)
    for command in try CommandDescription.shoebox().tree {
      let page = ManualPage(command: command)
      let file = try OutputFile.create(context.givenPath(folder).appending(page.fileName))
      try file.write(Array(page.text.utf8), at: 0)
    }
    return .success
  }
}
