import ArgumentParser
import Foundation
import Linux
import Logging
import Logs
import ShoeboxKit

/// The command tree of `shoebox-picker`, which `shoebox picker serve` and `shoebox pick` start.
struct PickerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "shoebox-picker",
    abstract: "Let people choose from a library in a browser.",
    discussion: "shoebox picker serve and shoebox pick start this program.",
    subcommands: [ServeCommand.self, PickCommand.self])
}

/// Runs the command line of `shoebox-picker`, and ends the process. Messages begin with the program that the user knows.
package func runPicker() async -> Never {
  do {
    var command = try PickerCommand.parseAsRoot()
    if var command = command as? any AsyncParsableCommand {
      try await command.run()
    } else {
      try command.run()
    }
    exit(EX_OK)
  } catch let code as ExitCode {
    exit(code.rawValue)
  } catch {
    guard PickerCommand.exitCode(for: error) != .success else {
      PickerCommand.exit(withError: error)
    }
    let isUsage = PickerCommand.exitCode(for: error) == .validationFailure
    let sentence = isUsage ? PickerCommand.message(for: error) : "\(error)"
    FileHandle.standardError.write(Data("shoebox: \(sentence)\n".utf8))
    exit(
      isUsage
        ? EX_USAGE : error is InvalidField ? EX_DATAERR : error is ChoiceFailure ? 1 : EX_IOERR)
  }
}

/// What both commands need.
struct LibraryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Use the catalog FILE.", valueName: "file"),
    transform: { URL(filePath: $0).path })
  var catalog: String

  @Option(
    help: ArgumentHelp("Confine the worker programs: auto, required or off.", valueName: "mode"))
  var sandbox = "auto"

  @Option(help: ArgumentHelp("Let a person choose for N minutes.", valueName: "n"))
  var minutes = 60

  @Flag(help: "Log every request to standard error.")
  var verbose = false

  func validate() throws {
    guard PhotoLibrary.Sandbox(rawValue: sandbox) != nil else {
      throw ValidationError("--sandbox \(sandbox): the values are auto, required and off")
    }
    guard (1...1440).contains(minutes) else {
      throw ValidationError("--minutes \(minutes): the value is a number from 1 to 1440")
    }
  }

  /// Opens the library. It must exist: nothing is chosen from an empty one.
  func library() async throws -> PhotoLibrary {
    var configuration = PhotoLibrary.Configuration(
      catalog: FilePath(catalog), jobs: PickerLimits.workers, access: .readOnly,
      sandbox: PhotoLibrary.Sandbox(rawValue: sandbox) ?? .auto)
    configuration.pendingImages = 2_000
    return try await PhotoLibrary.open(configuration)
  }

  /// How long a person may choose, in seconds.
  var lifetime: TimeInterval { TimeInterval(minutes) * 60 }

  /// Writes to standard error, or as `$SHOEBOX_LOG_FORMAT` says, or to the journal if a service manager connects it.
  var logger: Logger {
    let level: Logger.Level = verbose ? .debug : .notice
    let environment = ProcessSettings.environment()
    let named = environment["SHOEBOX_LOG_FORMAT"].flatMap(LogFormat.init(rawValue:)) ?? .auto
    let handlers = named.handlers(level: level, environment: environment)
    var logger = Logger(label: "shoebox-picker") { label in
      handlers?(label) ?? StreamLogHandler.standardError(label: label)
    }
    logger.logLevel = level
    return logger
  }
}
