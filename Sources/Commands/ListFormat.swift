import ArgumentParser
import MediaModel

/// The forms of `list`: those in which everything is printed, and the contact sheet.
enum ListFormat: ExpressibleByArgument, Equatable {
  case printed(OutputFormat)
  case sheet

  private static let sheetWord = "sheet"

  init?(argument: String) {
    if argument == Self.sheetWord {
      self = .sheet
      return
    }
    guard let format = OutputFormat(rawValue: argument) else { return nil }
    self = .printed(format)
  }

  static var allValueStrings: [String] { OutputFormat.allCases.map(\.rawValue) + [sheetWord] }

  static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

  var defaultValueDescription: String {
    switch self {
    case .printed(let format): format.rawValue
    case .sheet: Self.sheetWord
    }
  }
}

/// The option that chooses the form, and what a contact sheet wants to know.
struct ListFormatOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "How to print; paths0 ends each path with NUL, sheet makes a page with pictures.",
      valueName: "format"))
  var format = ListFormat.printed(.table)

  @Option(
    help: ArgumentHelp("Where --format sheet writes its page.", valueName: "file"),
    completion: .file(extensions: ["html"]))
  var to: String?

  @Option(
    help: ArgumentHelp(
      "What stands over the pictures of a sheet; else what divides it best.", valueName: "time"))
  var heading: SheetHeading?

  @Option(
    help: ArgumentHelp(
      "Codec processes at once for a sheet; else one for each core.", valueName: "count"))
  var jobs: Int?

  func validate() throws {
    if (format == .sheet) != (to != nil) {
      throw ValidationError("--format sheet and --to FILE go together.")
    }
    if format != .sheet && (heading != nil || jobs != nil) {
      throw ValidationError("--heading and --jobs are for --format sheet.")
    }
    if let jobs, !(1...1024).contains(jobs) {
      throw ValidationError("--jobs is between 1 and 1024.")
    }
  }
}

/// Into which times a contact sheet is divided.
enum SheetHeading: String, ExpressibleByArgument, CaseIterable {
  case year, month, day
  /// Not at all.
  case undivided = "none"
}
