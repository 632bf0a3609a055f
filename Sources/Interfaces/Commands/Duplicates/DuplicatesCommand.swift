import ArgumentParser
import Linux
import MediaModel
import Query
import ShoeboxKit
import Terminal

/// `shoebox duplicates`: which assets are the same, which to keep, and why.
struct DuplicatesCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "duplicates", _superCommandName: "shoebox",
    abstract: "List exact copies and similar pictures, and which of each set to keep.",
    usage: "shoebox duplicates [<options>]",
    discussion: """
      Shoebox deletes nothing. Every asset is listed as keep or spare, with the reason. \
      A live photo counts with its clip, a RAW with its JPEG. Hard links and a folder \
      that is mounted twice are never spare.

      The filter selects the assets that may be spare. All others are kept: --under \
      ~/Downloads lists what is in Downloads and again elsewhere.

      Exact copies have the same bytes, by the digests of the last scan. Similar \
      pictures are re-encoded, scaled, slightly cropped or brightened; videos are not \
      compared. The first search makes a preview of each picture. Frames of a burst and \
      pictures of different moments are not similar. Look at them before you remove any: \
      --format sheet shows them.

      --script prints a shell script that removes the spare files. Read it, delete the \
      lines you do not want, then run it. It compares both files again right before.

        shoebox duplicates
        shoebox duplicates --under ~/Downloads --format paths
        shoebox duplicates --similar --format sheet --to similar.html
        shoebox duplicates --script --move-to ~/spare
      """)

  static var endsWithReader: Bool { true }

  @OptionGroup(title: "Filter") var filterOptions: FilterOptions

  @Flag(help: "List exact copies (the default without --similar).")
  var exact = false

  @Flag(help: "List pictures that look the same; with --exact, both.")
  var similar = false

  @Option(
    help: ArgumentHelp(
      "Similar pictures agree to at least N per cent, 50 to 100 (default: \(Self.usualThreshold)).",
      valueName: "n"))
  var threshold: Int?

  private static let usualThreshold = 90

  @Flag(help: "Print a shell script that removes the spare files, for you to review and run.")
  var script = false

  @Option(
    help: ArgumentHelp("Let the script move spare files below DIR.", valueName: "dir"),
    completion: .directory)
  var moveTo: String?

  @Option(
    name: .customLong("format"),
    choosing:
      "Output format. paths and paths0 print the files of spare assets; sheet writes an HTML page of previews.",
    valueName: "format", standard: .printed(.table))
  var typedFormat: ListFormat?

  @Flag(name: .customShort("0"), help: "The same as --format paths0.")
  var endsPathsWithNUL = false

  private var format: ListFormat {
    endsPathsWithNUL ? .printed(.paths0) : typedFormat ?? .printed(.table)
  }

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write the page of --format sheet to FILE.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var to: String?

  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp(
      "Run at most N workers for previews (default: one for each core).", valueName: "n"))
  var jobs: Int?

  @OptionGroup var workerOptions: WorkerOptions
  @OptionGroup(title: "Global options") var global: GlobalOptions

  func validate() throws {
    if endsPathsWithNUL, let typedFormat, typedFormat != .printed(.paths0) {
      throw ValidationError("-0 is --format paths0: leave out --format \(typedFormat.word).")
    }
    if (format == .sheet) != (to != nil) {
      throw ValidationError("--format sheet and --to FILE go together.")
    }
    if let threshold, !(50...100).contains(threshold) {
      throw ValidationError("--threshold must be between 50 and 100.")
    }
    if threshold != nil && !similar { throw ValidationError("--threshold is for --similar.") }
    if script && format != .printed(.table) {
      throw ValidationError("--script and --format exclude each other.")
    }
    if moveTo != nil && !script { throw ValidationError("--move-to is for --script.") }
    if moveTo == "" { throw ValidationError("--move-to is empty: name a folder.") }
    try checkJobs(jobs)
  }

  func run(in context: CommandContext) async throws -> ExitStatus {
    let settings = try WorkerSettings(jobs: jobs, workerOptions, in: context)
    let library = try global.openLibrary(in: context, settings)
    let filter = try filterOptions.filter(in: context, library)
    var sets = exact || !similar ? try library.exactCopies(sparing: filter) : []
    if similar { sets += try await similarPictures(in: library, filter, context) }
    var status = ExitStatus.success
    if script {
      let folder = try moveTo.map { try context.givenPath($0).absolute() }
      try DuplicateScript(sets, movingTo: folder).write(to: context.output)
    } else {
      switch format {
      case .sheet:
        let sheet = try DuplicateSheet(library, sets)
        status = try await sheet.make(
          at: context.givenPath(to ?? ""), isQuiet: global.quiet, in: context)
      case .printed(let format):
        try sets.print(as: format, style: global.style(in: context), to: context.output)
      }
    }
    try context.output.flush()
    if !global.quiet { context.message(DuplicateSummary(sets).text) }
    return status
  }

  private func similarPictures(
    in library: PhotoLibrary, _ filter: Query::AssetFilter, _ context: CommandContext
  ) async throws -> [DuplicateSet] {
    let display = ProgressDisplay(global, in: context)
    let text = DuplicateProgressText()
    let least = Double(threshold ?? Self.usualThreshold) / 100
    return try await cancelledBySignals {
      try await showing(on: display) { (display, event: DuplicateProgress) in
        text.line(event, on: display)
      } _: { report in
        try await library.similarPictures(sparing: filter, threshold: least, progress: report)
      }
    }
  }
}

/// The numbers of a listing of duplicates.
struct DuplicateSummary {
  private let sets: [DuplicateSet]

  init(_ sets: [DuplicateSet]) { self.sets = sets }

  /// `12 sets, 15 spare assets, 48 MB`
  var text: String {
    guard !sets.isEmpty else { return "no duplicates" }
    let spares = sets.reduce(0) { $0 + $1.spares.count }
    let bytes = sets.reduce(Int64(0)) {
      $0.addingReportingOverflow($1.reclaimableBytes).partialValue
    }
    return "\(humanCount(sets.count)) \(sets.count == 1 ? "set" : "sets"), "
      + "\(humanCount(spares)) spare \(spares == 1 ? "asset" : "assets"), \(humanBytes(bytes))"
  }
}
