import ArgumentParser
import MediaModel

/// The formats of `list`: those of all listings, and the contact sheet.
enum ListFormat: WordChoice, Equatable {
  case printed(OutputFormat)
  case sheet

  private static let sheetWord = "sheet"

  static var words: [String] { OutputFormat.words + [sheetWord] }

  var word: String {
    switch self {
    case .printed(let format): format.word
    case .sheet: Self.sheetWord
    }
  }

  init?(word: String) {
    if word == Self.sheetWord {
      self = .sheet
      return
    }
    guard let format = OutputFormat(word: word) else { return nil }
    self = .printed(format)
  }
}

/// The option that selects the format, and the options of a contact sheet.
struct ListFormatOptions: ParsableArguments {
  @Option(
    name: .customLong("format"),
    choosing:
      "Output format. paths0 ends each path with NUL; sheet writes an HTML page of previews.",
    valueName: "format", standard: .printed(.table))
  var typed: ListFormat?

  @Flag(name: .customShort("0"), help: "The same as --format paths0.")
  var endsPathsWithNUL = false

  var format: ListFormat {
    endsPathsWithNUL ? .printed(.paths0) : typed ?? .printed(.table)
  }

  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp("Write the page of --format sheet to FILE.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var to: String?

  @Option(
    choosing: "Group the previews of a sheet by this unit (default: chosen by the dates).",
    valueName: "time")
  var heading: SheetHeading?

  @Option(
    name: [.customShort("j"), .long],
    help: ArgumentHelp(
      "Run at most N workers for a sheet (default: one for each core).", valueName: "n"))
  var jobs: Int?

  func validate() throws {
    if endsPathsWithNUL, let typed, typed != .printed(.paths0) {
      throw ValidationError("-0 is --format paths0: leave out --format \(typed.word).")
    }
    if (format == .sheet) != (to != nil) {
      throw ValidationError("--format sheet and --to FILE go together.")
    }
    if format != .sheet && (heading != nil || jobs != nil) {
      throw ValidationError("--heading and --jobs are for --format sheet.")
    }
    try checkJobs(jobs)
  }
}

/// Into which times a contact sheet is divided.
enum SheetHeading: String, WordChoice, CaseIterable {
  case year, month, day
  /// Not at all.
  case undivided = "none"
}
