import Linux
package import Logging
import Logs
package import MediaModel
import Query
package import ShoeboxKit
import Synchronization
package import Terminal

/// The world outside, as a command sees it.
package struct CommandContext {
  package var environment: [String: String]
  /// What the configuration file and the environment set.
  package var settings = Settings()
  /// Standard output.
  package var output: Output
  /// Writes one message to standard error, unless the command is quiet.
  package var message: (String) -> Void
  /// Writes one error to standard error.
  private var report: (String) -> Void
  /// The log; nil if there is none, and messages are for people only.
  package var log: Logger?
  /// Starts the log that the settings want; nil for none.
  package var startLog: (Settings) -> Logger? = { _ in nil }
  /// Whether only results and errors are printed.
  private(set) var isQuiet = false
  package var isOutputTerminal: Bool
  package var isErrorTerminal: Bool
  /// Columns of the terminal that shows the output; nil if there is none.
  package var width: Int?
  /// Every metadata tag of an asset's main file.
  package var inspect: (PhotoLibrary, AssetRecord) async throws -> [MetadataTag]
  /// Keeps a library that was opened for reading as long as the process: closing it starts a thread, which a
  /// short listing would notice. The end of the process closes it, too.
  package var keepOpen: (PhotoLibrary) -> Void = { _ in }

  package init(
    environment: [String: String], output: Output, message: @escaping (String) -> Void,
    isOutputTerminal: Bool = false, isErrorTerminal: Bool = false, width: Int? = nil,
    inspect: @escaping (PhotoLibrary, AssetRecord) async throws -> [MetadataTag] = {
      try await $0.metadata(of: $1.identifier)
    }
  ) {
    self.environment = environment
    self.output = output
    self.message = message
    self.report = message
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.width = width
    self.inspect = inspect
  }

  /// Prints an error to standard error, in one sentence.
  func complain(_ sentence: String) {
    if let log {
      log.error("\(ArgumentText.display(sentence))")
    } else {
      report("shoebox: \(sentence)")
    }
  }

  /// Prints a warning to standard error: the work goes on.
  func warn(_ sentence: String) {
    if let log {
      if !isQuiet { log.warning("\(ArgumentText.display(sentence))") }
    } else {
      message("shoebox: \(sentence)")
    }
  }

  /// The same context, which prints no messages but errors.
  func quiet() -> CommandContext {
    var context = self
    context.message = { _ in }
    context.isQuiet = true
    return context
  }

  /// The context of a command that another one runs in this process: its messages and errors are kept.
  ///
  /// The process has the log of the outer command, and can set one up only once.
  func inner(keeping message: @escaping (String) -> Void) -> CommandContext {
    var context = self
    (context.message, context.report) = (message, message)
    (context.log, context.startLog) = (nil, { _ in nil })
    (context.isOutputTerminal, context.isErrorTerminal) = (false, false)
    return context
  }
}

extension CommandContext {
  /// The context of this process.
  static func process(environment: [String: String]) -> CommandContext {
    var context = CommandContext(
      environment: environment,
      output: Output { try StandardStream.output.write($0) },
      // A failure to write to standard error cannot be reported.
      message: { text in
        let lines = ArgumentText.display(text)
          .split(separator: "\n", omittingEmptySubsequences: false)
        let safe = lines.map { String($0).terminalSafe }.joined(separator: "\n")
        try? StandardStream.error.write(Array("\(safe)\n".utf8))
      },
      isOutputTerminal: StandardStream.output.isTerminal,
      isErrorTerminal: StandardStream.error.isTerminal,
      width: terminalWidth(environment))
    context.startLog = { settings in
      guard
        let handlers = settings.logFormat.handlers(
          level: settings.logLevel, environment: environment)
      else { return nil }
      LoggingSystem.bootstrap(handlers)
      return Logger(label: "shoebox")
    }
    let kept = Mutex<[PhotoLibrary]>([])
    context.keepOpen = { library in kept.withLock { $0.append(library) } }
    return context
  }

  /// The columns of the terminal that shows the output: `$COLUMNS`, as POSIX has it, or what the terminal reports.
  private static func terminalWidth(_ environment: [String: String]) -> Int? {
    guard StandardStream.output.isTerminal else { return nil }
    let chosen = environment["COLUMNS"].flatMap { Int($0) }
    return chosen.flatMap { (1...10_000).contains($0) ? $0 : nil } ?? StandardStream.output.width
  }

  /// The bytes of this process's arguments. The kernel has them in one file, each terminated by NUL.
  static func processArguments() -> [[UInt8]] {
    guard let file = try? ReadOnlyFile(path: BytePath("/proc/self/cmdline")),
      let bytes = try? file.read(at: 0, count: 1 << 22)
    else { return [] }
    let arguments = bytes.split(separator: 0, omittingEmptySubsequences: false)
    return arguments.dropLast(bytes.last == 0 ? 1 : 0).map(Array.init)
  }

  /// The path that an argument names, absolute and without symbolic links as far as it exists.
  ///
  /// - Throws: as ``givenPath(_:)``; `SystemError` if it is relative and the working directory is gone.
  func path(_ argument: String) throws -> BytePath {
    // Without double and trailing slashes, as in the catalog.
    let slash = [UInt8(ascii: "/")]
    let components = try givenPath(argument).absolute().components
    let absolute = BytePath(bytes: slash + components.joined(separator: slash))
    if let resolved = try? absolute.resolved() { return resolved }
    // A file that is gone still has a folder.
    guard let folder = try? absolute.parent.resolved() else { return absolute }
    return folder.appending(absolute.lastComponent)
  }

  /// The paths by which the catalog may know what an argument names, the most literal one first and ``path(_:)`` last.
  ///
  /// A library folder has no symbolic link in its path, but inside it those that a scan has followed keep their names.
  /// A folder that was moved may have left a link.
  ///
  /// - Throws: as ``path(_:)``.
  func catalogPaths(_ argument: String) throws -> [BytePath] {
    let components = try givenPath(argument).absolute().components
    let dots = [Array(".".utf8), Array("..".utf8)]
    let first = (components.lastIndex(where: dots.contains) ?? -1) + 1
    var paths: [BytePath] = []
    for count in first..<max(first, components.count) {
      let folder = components.prefix(count).reduce(BytePath("/")) { $0.appending($1) }
      guard let resolved = try? folder.resolved() else { break }
      let path = components.dropFirst(count).reduce(resolved) { $0.appending($1) }
      if !paths.contains(path) { paths.append(path) }
    }
    let resolved = try path(argument)
    return paths.filter { $0 != resolved } + [resolved]
  }

  /// The path that an argument names, as it was given.
  ///
  /// - Throws: `BadValue` for an empty argument, probably an unset variable of a script: as an absolute path, it would
  ///   be the working directory.
  func givenPath(_ argument: String) throws(BadValue) -> BytePath {
    guard !argument.isEmpty else {
      throw BadValue("", "is not a path: write . for the current folder")
    }
    return BytePath(bytes: ArgumentText.bytes(of: argument))
  }

  /// The name of a catalog's file: SQLite's names are texts.
  ///
  /// - Parameter isArgument: whether it is from the command line. Variables and the configuration file have U+FFFD in place
  ///   of bytes that are not UTF-8.
  /// - Throws: `Failure` for a name that is not UTF-8, `BadValue` for an empty one.
  func catalogName(_ typed: String, isArgument: Bool = true) throws -> String {
    let path = try givenPath(typed)
    guard let name = path.text, isArgument || !name.unicodeScalars.contains("\u{FFFD}") else {
      throw Failure(
        .inputOutput,
        "cannot open the catalog \(path.display.terminalSafe): its name is not valid UTF-8; choose another one"
      )
    }
    return name
  }

  /// Checks texts in arguments: expressions, words, patterns. Texts of a saved search are not arguments of this
  /// process, and pass.
  ///
  /// - Throws: `BadValue` for a text that was not UTF-8: it could not match anything.
  func requireUTF8(_ texts: [String]) throws(BadValue) {
    for text in texts where !ArgumentText.isUTF8(text) {
      throw BadValue(text, "is not UTF-8, as every text to look for must be")
    }
  }
}
