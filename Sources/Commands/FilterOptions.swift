import ArgumentParser
import Catalog
import MediaModel

/// The flags that choose assets for `list` and `stats`.
struct FilterOptions: ParsableArguments {
  @OptionGroup var shared: SharedFilterOptions

  @Option(
    parsing: .singleValue, help: ArgumentHelp("Named like this, 'IMG_*.heic'.", valueName: "glob"))
  var name: [String] = []

  @Option(help: ArgumentHelp("At most so long.", valueName: "time"))
  var maxDuration: String?

  /// The filter these flags ask for.
  ///
  /// - Throws: `BadValue`, `UnknownWord`, `Failure`: what was typed means nothing.
  func filter(in context: CommandContext) throws -> AssetFilter {
    var filter = try shared.filter(in: context)
    filter.names = try name.map(fileNamePattern(typed:))
    filter.maximumDuration = try maxDuration.map(seconds(typed:))
    return filter
  }
}

/// The flags that choose assets and mean the same to `export`, which has another use for `--name` and
/// `--max-duration`.
struct SharedFilterOptions: ParsableArguments {
  @Option(
    parsing: .singleValue,
    help: ArgumentHelp(
      "Only this kind: \(TypeWord.allCases.map(\.rawValue).joined(separator: ", ")). Repeat for or.",
      valueName: "kind"))
  var type: [String] = []

  @Option(parsing: .singleValue, help: ArgumentHelp("Not this kind.", valueName: "kind"))
  var notType: [String] = []

  @Option(help: ArgumentHelp("Taken then or later, 2023 or 2023-05-14T16:30.", valueName: "date"))
  var since: String?

  @Option(help: ArgumentHelp("Taken then or earlier; 2023-05 is all of May.", valueName: "date"))
  var until: String?

  @Option(parsing: .singleValue, help: ArgumentHelp("In or below this folder.", valueName: "dir"))
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
      "An expression: 'all(images, not(screenshots)) and year = 2023'.", valueName: "expression"))
  var `where`: [String] = []

  @Flag(exclusivity: .exclusive, help: "Only those that know where they were taken, or do not.")
  var location: LocationFlag?

  @Option(help: ArgumentHelp("At least so large, 500kB or 1.5GiB.", valueName: "size"))
  var minSize: String?

  @Option(help: ArgumentHelp("At most so large.", valueName: "size"))
  var maxSize: String?

  @Option(help: ArgumentHelp("At least so long, 90s or 1.5min.", valueName: "time"))
  var minDuration: String?

  @Flag(help: "Those whose file is gone, instead of those that are there.")
  var missing = false
}

/// `--has-location` and `--no-location`.
enum LocationFlag: EnumerableFlag {
  case hasLocation, noLocation
}

/// A shell pattern for file names.
func fileNamePattern(typed text: String) throws -> String {
  // SQLite compares patterns up to some length only, and no file's name is as long as this.
  guard text.utf8.count <= 1024 else { throw BadValue(text, "is longer than any file's name") }
  return text
}

extension SharedFilterOptions {
  /// The filter these flags ask for.
  ///
  /// - Throws: `BadValue`, `UnknownWord`, `Failure`: what was typed means nothing.
  func filter(in context: CommandContext) throws -> AssetFilter {
    var filter = AssetFilter()
    filter.types = try type.map(TypeWord.init(typed:))
    filter.excludedTypes = try notType.map(TypeWord.init(typed:))
    filter.since = try since.map(WallDate.init(typed:))
    filter.until = try until.map(WallDate.init(typed:))
    filter.folders = under.map(context.path)
    filter.cameras = camera
    filter.lenses = lens
    filter.hasLocation = location.map { $0 == .hasLocation }
    filter.minimumSize = try minSize.map(byteCount(typed:))
    filter.maximumSize = try maxSize.map(byteCount(typed:))
    filter.minimumDuration = try minDuration.map(seconds(typed:))
    filter.isMissing = missing
    filter.places = try near.map(Condition.init(near:))
    filter.expressions = try `where`.map { try condition($0, in: context) }
    guard filter.expressions.count < 2 || !filter.expressions.contains(where: \.isMissing) else {
      throw BadValue("missing", "stands in one --where only, since it chooses what is listed")
    }
    return filter
  }

  private func condition(_ text: String, in context: CommandContext) throws -> Condition {
    do {
      return try Condition(expression: text).mapFolders { folder in
        folder.bytes.first == UInt8(ascii: "/") ? context.path(folder.display) : folder
      }
    } catch {
      throw Failure(.badData, error.shown)
    }
  }
}
