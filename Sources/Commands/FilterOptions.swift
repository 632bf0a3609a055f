import ArgumentParser
import Catalog
import MediaModel

/// The flags that choose assets: `list`, `stats` and `export` share them.
struct FilterOptions: ParsableArguments {
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
    parsing: .singleValue, help: ArgumentHelp("Named like this, 'IMG_*.heic'.", valueName: "glob"))
  var name: [String] = []

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

  @Flag(exclusivity: .exclusive, help: "Only those that know where they were taken, or do not.")
  var location: LocationFlag?

  @Option(help: ArgumentHelp("At least so large, 500kB or 1.5GiB.", valueName: "size"))
  var minSize: String?

  @Option(help: ArgumentHelp("At most so large.", valueName: "size"))
  var maxSize: String?

  @Option(help: ArgumentHelp("At least so long, 90s or 1.5min.", valueName: "time"))
  var minDuration: String?

  @Option(help: ArgumentHelp("At most so long.", valueName: "time"))
  var maxDuration: String?

  @Flag(help: "Those whose file is gone, instead of those that are there.")
  var missing = false

  @Option(
    parsing: .singleValue,
    help: ArgumentHelp("What `list --save` has kept under a name, too.", valueName: "name"))
  var saved: [String] = []
}

/// `--has-location` and `--no-location`.
enum LocationFlag: EnumerableFlag {
  case hasLocation, noLocation
}

extension FilterOptions {
  /// SQLite compares patterns up to some length only, and no file's name is as long as this.
  private static let longestPattern = 1024

  /// The filter these flags ask for, together with the saved searches they name.
  ///
  /// - Throws: `BadValue`, `UnknownWord`, `Failure`: what was typed means nothing.
  func filter(in context: CommandContext, _ catalog: Catalog) throws -> AssetFilter {
    var filter = try ownFilter(in: context)
    filter.others = try saved.map { name in
      let search = try catalog.savedSearch(name)
      do {
        return try FilterOptions.parse(search.arguments).ownFilter(in: context)
      } catch let error as Failure {
        throw error
      } catch {
        // What an earlier version has saved, this one may not understand.
        throw Failure(
          .badData, "the saved search '\(search.name)': \(FilterOptions.message(for: error))")
      }
    }
    guard filter.canBeAsked else {
      throw BadValue("missing", "stands in one --where only, since it chooses what is listed")
    }
    return filter
  }

  /// The filter these flags ask for by themselves.
  ///
  /// - Throws: as ``filter(in:_:)``.
  func ownFilter(in context: CommandContext) throws -> AssetFilter {
    var filter = AssetFilter()
    filter.types = try type.map(TypeWord.init(typed:))
    filter.excludedTypes = try notType.map(TypeWord.init(typed:))
    filter.since = try since.map(WallDate.init(typed:))
    filter.until = try until.map(WallDate.init(typed:))
    filter.folders = under.map(context.path)
    if let long = name.first(where: { $0.utf8.count > Self.longestPattern }) {
      throw BadValue(long, "is longer than any file's name")
    }
    filter.names = name
    filter.cameras = camera
    filter.lenses = lens
    filter.hasLocation = location.map { $0 == .hasLocation }
    filter.minimumSize = try minSize.map(byteCount(typed:))
    filter.maximumSize = try maxSize.map(byteCount(typed:))
    filter.minimumDuration = try minDuration.map(seconds(typed:))
    filter.maximumDuration = try maxDuration.map(seconds(typed:))
    filter.isMissing = missing
    filter.places = try near.map(Condition.init(near:))
    filter.searches = try search.map(SearchText.init(typed:))
    filter.expressions = try `where`.map { try condition($0, in: context) }
    return filter
  }

  /// The flags as they were given, in the form of a command line; folders become absolute.
  func arguments(in context: CommandContext) throws -> [String] {
    var arguments: [String] = []
    func add(_ flag: String, _ values: [String]) {
      // A value that looks like a flag stands behind its own.
      arguments += values.flatMap { $0.hasPrefix("-") ? ["\(flag)=\($0)"] : [flag, $0] }
    }
    add("--type", type)
    add("--not-type", notType)
    add("--since", since.map { [$0] } ?? [])
    add("--until", until.map { [$0] } ?? [])
    add("--under", try under.map { try Self.text(of: context.path($0)) })
    add("--name", name)
    add("--camera", camera)
    add("--lens", lens)
    add("--near", near)
    add("--search", search)
    add("--where", `where`)
    switch location {
    case .hasLocation: arguments.append("--has-location")
    case .noLocation: arguments.append("--no-location")
    case nil: break
    }
    add("--min-size", minSize.map { [$0] } ?? [])
    add("--max-size", maxSize.map { [$0] } ?? [])
    add("--min-duration", minDuration.map { [$0] } ?? [])
    add("--max-duration", maxDuration.map { [$0] } ?? [])
    if missing { arguments.append("--missing") }
    return arguments
  }

  private static func text(of folder: BytePath) throws -> String {
    guard let text = folder.text else {
      throw BadValue(folder.display, "is not UTF-8, so a search with it cannot be saved")
    }
    return text
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
