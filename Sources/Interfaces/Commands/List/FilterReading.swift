import ArgumentParser
import MediaModel
import Query
import ShoeboxKit
import Terminal

// Reads the flags of a filter, and writes them for a saved search.

extension FilterOptions {
  /// The filter of these flags, combined with the saved searches that they name.
  ///
  /// - Throws: `BadValue`, `UnknownWord`, `Failure` for invalid values.
  func filter(in context: CommandContext, _ library: PhotoLibrary) throws -> Query::AssetFilter {
    try complete(shared.filter(in: context, library), context)
  }

  /// The filter of these flags alone.
  ///
  /// - Parameter library: nil to check the flags before the catalog is opened.
  /// - Throws: as ``filter(in:_:)``.
  func ownFilter(in context: CommandContext, _ library: PhotoLibrary?) throws
    -> Query::AssetFilter
  {
    try complete(shared.ownFilter(in: context, library), context)
  }

  private func complete(_ shared: Query::AssetFilter, _ context: CommandContext) throws
    -> Query::AssetFilter
  {
    var filter = shared
    try context.requireUTF8(name)
    filter.names = try name.map(fileNamePattern(typed:))
    filter.maximumDuration = try maxDuration.map(seconds(typed:)).max()
    return filter
  }

  /// The flags in the form of a command line, with absolute folders.
  func arguments(in context: CommandContext) throws -> [String] {
    try shared.arguments(in: context) + commandLine("--name", name)
      + commandLine("--max-duration", maxDuration)
  }
}

extension SharedFilterOptions {
  /// The filter of these flags, combined with the saved searches that they name.
  ///
  /// - Throws: `BadValue`, `UnknownWord`, `Failure` for invalid values.
  func filter(in context: CommandContext, _ library: PhotoLibrary) throws -> Query::AssetFilter {
    var filter = try ownFilter(in: context, library)
    filter.others = try saved.map { name in
      let search = try library.savedSearch(name)
      do {
        return try FilterOptions.parse(search.arguments).ownFilter(in: context, library)
      } catch let error as Failure {
        throw error
      } catch {
        // A search that another version saved may be invalid in this one.
        throw Failure(
          .badData, "the saved search '\(search.name)': \(FilterOptions.message(for: error))")
      }
    }
    guard filter.canBeAsked else {
      throw BadValue("missing", "can be used in only one --where")
    }
    for folder in filter.excludedFolders where try !library.hasFolder(folder) {
      throw Failure(
        .badData,
        "the catalog contains nothing under '\(folder.display.terminalSafe)', so nothing would be left out: "
          + "correct the folder")
    }
    for folder in filter.namedFolders where try !library.hasFolder(folder) {
      context.message("the catalog contains nothing under '\(folder.display.terminalSafe)'")
    }
    return filter
  }

  /// The filter of these flags alone.
  ///
  /// - Parameter library: nil to check the flags before the catalog is opened.
  /// - Throws: as ``filter(in:_:)``.
  func ownFilter(in context: CommandContext, _ library: PhotoLibrary?) throws
    -> Query::AssetFilter
  {
    var filter = Query::AssetFilter()
    try context.requireUTF8(camera + lens + album + search + `where`)
    filter.types = try type.map(TypeWord.init(typed:))
    filter.excludedTypes = try notType.map(TypeWord.init(typed:))
    // Of several limits of one kind, the widest counts, because one of them must hold.
    filter.since = try since.map { try WallDate(typed: $0) }
      .min { $0.firstMillisecond < $1.firstMillisecond }
    filter.until = try until.map { try WallDate(typed: $0) }
      .max { $0.endMillisecond < $1.endMillisecond }
    filter.addedSince = try addedSince.map { text in
      text == "last-scan"
        ? WallDate(millisecond: try library?.startOfLastScan() ?? 0)
        : try WallDate(typed: text, isUTC: true)
    }.min { $0.firstMillisecond < $1.firstMillisecond }
    filter.folders = try folders(in: context, library)
    filter.cameras = try camera.map { try nonBlank($0, "is not a camera: write part of its name") }
    filter.lenses = try lens.map { try nonBlank($0, "is not a lens: write part of its name") }
    filter.albums = try album.map { title in
      try library?.checkAlbum(title)
      return title
    }
    filter.hasLocation = hasLocation ? true : noLocation ? false : nil
    filter.minimumSize = try minSize.map(byteCount(typed:)).min()
    filter.maximumSize = try maxSize.map(byteCount(typed:)).max()
    filter.minimumDuration = try minDuration.map(seconds(typed:)).min()
    filter.isMissing = missing
    filter.places = try near.map(Condition.init(near:))
    filter.searches = try search.map(SearchText.init(typed:))
    filter.expressions = try `where`.map { try condition($0, in: context) }
    return filter
  }

  /// The flags in the form of a command line, with absolute folders.
  func arguments(in context: CommandContext) throws -> [String] {
    var arguments: [String] = []
    func add(_ flag: String, _ values: [String]) {
      arguments += commandLine(flag, values)
    }
    add("--type", type)
    add("--not-type", notType)
    add("--since", since)
    add("--until", until)
    add("--added-since", addedSince)
    add("--under", try folders(in: context).map(Self.text))
    add("--camera", camera)
    add("--lens", lens)
    add("--album", album)
    add("--near", near)
    add("--search", search)
    add("--where", `where`)
    if hasLocation { arguments.append("--has-location") }
    if noLocation { arguments.append("--no-location") }
    add("--min-size", minSize)
    add("--max-size", maxSize)
    add("--min-duration", minDuration)
    if missing { arguments.append("--missing") }
    return arguments
  }

  /// The folders of `--under`.
  ///
  /// - Throws: `BadValue` for an empty one, probably an unset variable of a script.
  func folders(
    in context: CommandContext, _ library: PhotoLibrary? = nil
  ) throws -> [BytePath] {
    if under.contains("") { throw BadValue("", "is not a folder: write . for the current folder") }
    return try under.map { folder in
      let known = try context.catalogPaths(folder).first { try library?.hasFolder($0) == true }
      return try known ?? context.path(folder)
    }
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
        // An absolute path does not need the working directory.
        folder.bytes.first == UInt8(ascii: "/")
          ? (try? context.path(folder.display)) ?? folder : folder
      }
    } catch {
      throw Failure(.badData, error.shown)
    }
  }
}

/// A flag with each of its values, as on a command line.
private func commandLine(_ flag: String, _ values: [String]) -> [String] {
  // A value that looks like a flag is joined to its flag.
  values.flatMap { $0.hasPrefix("-") ? ["\(flag)=\($0)"] : [flag, $0] }
}

/// A text to search for. A text of spaces, probably an unset variable of a script, would match nearly everything and
/// is rejected.
private func nonBlank(_ text: String, _ complaint: String) throws(BadValue) -> String {
  guard text.contains(where: { !$0.isWhitespace }) else { throw BadValue(text, complaint) }
  return text
}

/// A shell pattern for file names.
func fileNamePattern(typed text: String) throws -> String {
  if text.isEmpty {
    throw BadValue(text, "is not a file name: write a name or a pattern such as 'IMG_*'")
  }
  // SQLite limits the length of patterns, and no file name is this long.
  guard text.utf8.count <= 1024 else { throw BadValue(text, "is longer than any file's name") }
  return text
}
