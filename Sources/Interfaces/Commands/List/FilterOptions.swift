import ArgumentParser
import Catalog
import MediaModel
import Query

/// The flags that choose assets for `list` and `stats`.
struct FilterOptions: ParsableArguments {
  @OptionGroup var shared: SharedFilterOptions

  @Option(
    parsing: .singleValue, help: ArgumentHelp("Named like this, 'IMG_*.heic'.", valueName: "glob"))
  var name: [String] = []

  @Option(
    parsing: .unconditionalSingleValue, help: ArgumentHelp("At most so long.", valueName: "time"))
  var maxDuration: [String] = []
}

/// The flags that choose assets and mean the same to `export`, which has another use for `--name` and
/// `--max-duration`.
struct SharedFilterOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only this kind: \(TypeWord.allCases.map(\.rawValue).joined(separator: ", ")). Repeat for or.",
      valueName: "kind"), completion: .typeWords)
  var type: [String] = []

  @Option(
    parsing: .singleValue, help: ArgumentHelp("Not this kind.", valueName: "kind"),
    completion: .typeWords)
  var notType: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Taken then or later, 2023 or 2023-05-14T16:30.", valueName: "date"))
  var since: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Taken then or earlier; 2023-05 is all of May.", valueName: "date"))
  var until: [String] = []

  @Option(
    parsing: .singleValue, help: ArgumentHelp("In or below this folder.", valueName: "dir"),
    completion: .directory)
  var under: [String] = []

  @Option(
    parsing: .singleValue, help: ArgumentHelp("Camera's make or model.", valueName: "text"))
  var camera: [String] = []

  @Option(parsing: .singleValue, help: ArgumentHelp("Lens's name.", valueName: "text"))
  var lens: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Taken near a place, 47.36,8.54,5.", valueName: "lat,lon,km"))
  var near: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Words in names, folders, titles, descriptions, keywords, cameras; '\"a phrase\"' as it is.",
      valueName: "text"))
  var search: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "An expression: 'all(images, not(screenshots)) and year = 2023'.", valueName: "expression"))
  var `where`: [String] = []

  @Flag(help: "Only those that know where they were taken.")
  var hasLocation = false

  @Flag(help: "Only those that do not know where they were taken.")
  var noLocation = false

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("At least so large, 500kB or 1.5GiB.", valueName: "size"))
  var minSize: [String] = []

  @Option(
    parsing: .unconditionalSingleValue, help: ArgumentHelp("At most so large.", valueName: "size"))
  var maxSize: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("At least so long, 90s or 1.5min.", valueName: "time"))
  var minDuration: [String] = []

  @Flag(help: "Those whose file is gone, instead of those that are there.")
  var missing = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("What `list --save` has kept under a name, too.", valueName: "name"),
    completion: .savedSearches)
  var saved: [String] = []

  func validate() throws {
    if hasLocation && noLocation {
      throw ValidationError("--has-location and --no-location exclude each other.")
    }
  }
}
