import ArgumentParser
import Linux
import MediaModel
import WorkerPool

/// The options of commands that start workers.
struct WorkerOptions: ParsableArguments {
  @Option(
    choosing:
      "Confine workers as far as the kernel supports it, completely or else fail, or not at all.",
    valueName: "mode")
  var sandbox = SandboxMode.auto
}

extension SandboxMode: WordChoice {}

extension CommandContext {
  /// The workers of a command.
  ///
  /// - Parameters:
  ///   - usualTimeout: the time limit for one file, unless `$SHOEBOX_FILE_TIMEOUT` names another one.
  ///   - isOptional: whether a missing program is reported only when it is needed.
  ///   - adjust: changes further settings.
  /// - Throws: `WorkerError` if a program is missing.
  func workers(
    jobs: Int, _ options: WorkerOptions, usualTimeout: Duration = .seconds(20),
    isOptional: Bool = false,
    adjust: (inout WorkerConfiguration) -> Void = { _ in }
  ) throws -> MediaWorkers {
    let programs = WorkerPrograms(environment)
    var configuration = WorkerConfiguration(
      probe: try programs.probe(), codec: try programs.codec(isOptional: isOptional), jobs: jobs,
      fileTimeout: try fileTimeout(usually: usualTimeout), sandbox: options.sandbox)
    adjust(&configuration)
    return MediaWorkers(configuration) { lack in
      // The work goes on even if this cannot be written.
      try? StandardStream.error.write(
        Array(
          "shoebox: workers are less confined: this kernel does not support \(lack); see `shoebox doctor`\n"
            .utf8))
    }
  }
}

/// Where the worker programs are.
struct WorkerPrograms {
  private let environment: [String: String]

  init(_ environment: [String: String]) {
    self.environment = environment
  }

  /// The program `shoebox-codec`: `$SHOEBOX_CODEC`, or the one next to this program, or the one in `../libexec`.
  ///
  /// - Parameter isOptional: whether to return the expected path of a program that does not exist.
  /// - Throws: `WorkerError` if it does not exist or cannot be accessed.
  func codec(isOptional: Bool = false) throws -> BytePath {
    do throws(WorkerError) {
      if let named = try named("SHOEBOX_CODEC") { return named }
      let candidates = try candidates("shoebox-codec")
      for candidate in candidates where try candidate.isRegularFile { return candidate }
      throw .notFound(candidates[0])
    } catch {
      guard isOptional, case .notFound(let path) = error else { throw error }
      return path
    }
  }

  /// The program `shoebox-probe`: `$SHOEBOX_PROBE`, or the one next to `$SHOEBOX_CODEC`, else next to this program or in
  /// `../libexec`. Nil if there is none: the codec program then does its work.
  ///
  /// - Throws: as ``codec()``.
  func probe() throws -> BytePath? {
    if let named = try self.named("SHOEBOX_PROBE") { return named }
    let name = "shoebox-probe"
    var candidates = try candidates(name)
    if let codec = environment["SHOEBOX_CODEC"], !codec.isEmpty {
      candidates = [try BytePath(codec).absolute().parent.appending(name)]
    }
    return try candidates.first { try $0.isRegularFile }
  }

  private func named(_ variable: String) throws(WorkerError) -> BytePath? {
    guard let named = environment[variable], !named.isEmpty else { return nil }
    let path = try resolving { () throws(SystemError) in try BytePath(named).absolute() }
    guard try path.isRegularFile else { throw .notFound(path) }
    return path
  }

  private func candidates(_ name: String) throws(WorkerError) -> [BytePath] {
    let folder = try resolving { () throws(SystemError) in try executablePath() }.parent
    return [folder.appending(name), folder.parent.appending("libexec/\(name)")]
  }
}

/// A path that depends on the working directory or on this program's own.
private func resolving(
  _ body: () throws(SystemError) -> BytePath
) throws(WorkerError) -> BytePath {
  do {
    return try body()
  } catch {
    throw .unreachable(error.path ?? BytePath("."), error.reason)
  }
}

extension BytePath {
  /// - Throws: `WorkerError.unreachable` if that is unknown.
  fileprivate var isRegularFile: Bool {
    get throws(WorkerError) {
      do {
        return try FileStatus(of: self, followingLinks: true).kind == .regular
      } catch  where error.isNotFound {
        return false
      } catch {
        throw WorkerError.unreachable(self, error.reason)
      }
    }
  }
}
