import ArgumentParser
import Linux
import ShoeboxKit
import SystemPackage

/// The options of commands that start workers.
struct WorkerOptions: ParsableArguments {
  @Option(
    choosing:
      "Confine workers as far as the kernel supports it, completely or else fail, or not at all.",
    valueName: "mode")
  var sandbox = PhotoLibrary.Sandbox.auto
}

extension PhotoLibrary.Sandbox: WordChoice {}

/// The settings of the workers of one command.
struct WorkerSettings {
  /// How many workers of each kind may work at once; nil for one for each core.
  var jobs: Int?
  var sandbox = PhotoLibrary.Sandbox.auto
  /// The time limit for one file; nil for the usual one.
  var fileTimeout: Duration?

  /// - Throws: `Failure` if `$SHOEBOX_FILE_TIMEOUT` is no number of seconds.
  init(jobs: Int?, _ options: WorkerOptions, in context: CommandContext) throws {
    self.jobs = jobs ?? context.settings.jobs
    sandbox = options.sandbox
    fileTimeout = try context.fileTimeout()
  }

  init(sandbox: PhotoLibrary.Sandbox = .auto) { self.sandbox = sandbox }

  /// The configuration of a library.
  func configuration(
    _ path: String, _ access: PhotoLibrary.Access
  ) -> PhotoLibrary.Configuration {
    PhotoLibrary.Configuration(
      catalog: FilePath(path), jobs: jobs, access: access, sandbox: sandbox,
      fileTimeout: fileTimeout)
  }

  /// Opens a library.
  func library(
    at path: String, _ access: PhotoLibrary.Access, in context: CommandContext
  ) throws -> PhotoLibrary {
    try PhotoLibrary.opened(
      at: path, configuration(path, access), environment: context.environment,
      reportingLack: context.reportsLack)
  }
}

extension CommandContext {
  /// Reports what the kernel's sandbox lacks, unless the command is quiet.
  var reportsLack: @Sendable (String) -> Void {
    if isQuiet { return { _ in } }
    return { lack in
      // The work goes on even if this cannot be written.
      try? StandardStream.error.write(
        Array(
          "shoebox: workers are less confined: this kernel does not support \(lack); see `shoebox doctor`\n"
            .utf8))
    }
  }

  /// The time limit for one file: `$SHOEBOX_FILE_TIMEOUT` seconds; nil for the usual one.
  func fileTimeout() throws -> Duration? {
    guard let text = environment["SHOEBOX_FILE_TIMEOUT"], !text.isEmpty else { return nil }
    guard let seconds = Int(text), (1...3600).contains(seconds) else {
      throw Failure(
        .badData,
        "$SHOEBOX_FILE_TIMEOUT must be a number of seconds between 1 and 3600, not \(text)")
    }
    return .seconds(seconds)
  }
}
