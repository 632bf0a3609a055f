import ArgumentParser
import MediaModel
import Query

/// The flags that select assets for `list` and `stats`.
struct FilterOptions: ParsableArguments {
  @OptionGroup var shared: SharedFilterOptions

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only files whose names match GLOB, for example 'IMG_*.heic'.", valueName: "glob"))
  var name: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Only videos of at most this duration.", valueName: "time"))
  var maxDuration: [String] = []
}

/// The flags that select assets in `export` too, which uses `--name` and `--max-duration` for something else.
struct SharedFilterOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only assets of this kind: \(TypeWord.allCases.map(\.rawValue).joined(separator: ", ")). Repeat to accept any of several kinds.",
      valueName: "kind"), completion: .typeWords)
  var type: [String] = []

  @Option(
    parsing: .singleValue, help: ArgumentHelp("Exclude assets of this kind.", valueName: "kind"),
    completion: .typeWords)
  var notType: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Taken at this time or later, for example 2023, 2023-05-14T16:30, yesterday or 7d.",
      valueName: "date"))
  var since: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Taken at this time or earlier; 2023-05 includes all of May.", valueName: "date"))
  var until: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Added to the catalog at this time or later (UTC): a date, 7d, yesterday, or last-scan.",
      valueName: "date"))
  var addedSince: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only files in DIR or its subfolders.", valueName: "dir"),
    completion: .directory)
  var under: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only assets whose camera make or model contains TEXT.", valueName: "text"))
  var camera: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Only assets whose lens name contains TEXT.", valueName: "text"))
  var lens: [String] = []

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only assets in this album: one of yours, a Takeout's, or a folder of this name.",
      valueName: "name"), completion: .albums)
  var album: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Taken within KM kilometres of a place, for example 47.36,8.54,5.", valueName: "lat,lon,km"))
  var near: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Search names, folders, titles, descriptions, keywords, people and cameras for words; '\"…\"' is a phrase.",
      valueName: "text"))
  var search: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only assets that match an expression, for example 'videos and year = 2023'.",
      valueName: "expression"))
  var `where`: [String] = []

  @Flag(help: "Only assets with a location.")
  var hasLocation = false

  @Flag(help: "Only assets without a location.")
  var noLocation = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only files of at least this size, for example 500kB or 1.5GiB.", valueName: "size"))
  var minSize: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Only files of at most this size.", valueName: "size"))
  var maxSize: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Only videos of at least this duration, for example 90s or 1.5min.", valueName: "time"))
  var minDuration: [String] = []

  @Flag(help: "Only assets whose file is missing.")
  var missing = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("Also apply the saved search NAME.", valueName: "name"),
    completion: .savedSearches)
  var saved: [String] = []

  func validate() throws {
    if hasLocation && noLocation {
      throw ValidationError("--has-location and --no-location exclude each other.")
    }
  }
}
