import ArgumentParser
import MediaModel
import Query
import ShoeboxKit

extension FilterOptions {
  /// The filter as one expression, for a program that takes no flags; nil for the whole library.
  ///
  /// - Throws: `BadValue`, `UnknownWord`, `Failure` for invalid values.
  func expression(in context: CommandContext, _ library: PhotoLibrary) throws -> String? {
    // Reports mistakes as the other commands do.
    let filter = try filter(in: context, library)
    var parts = try shared.expressions(in: context, library)
    if let added = filter.addedSince { parts.append("addedDate >= \(added.text)") }
    parts += alternatives(name) { "name like \(quoted($0))" }
    if let longest = try maxDuration.map(seconds(typed:)).max() {
      parts.append("duration <= \(longest)s")
    }
    guard !parts.isEmpty else { return nil }
    return parts.count == 1 ? parts[0] : "all(\(parts.joined(separator: ", ")))"
  }
}

extension SharedFilterOptions {
  /// The expressions that must all hold.
  fileprivate func expressions(
    in context: CommandContext, _ library: PhotoLibrary
  ) throws -> [String] {
    if missing { throw Failure(.usage, "missing assets cannot be chosen: omit --missing") }
    var parts: [String] = []
    parts += alternatives(type) { "type = \(quoted($0))" }
    parts += notType.map { "type != \(quoted($0))" }
    parts += alternatives(since) { "captureDate >= \(quoted($0))" }
    parts += alternatives(until) { "captureDate <= \(quoted($0))" }
    let folders = try folders(in: context, library).map { path in
      guard let text = path.text else {
        throw BadValue(path.display, "is not UTF-8, so the picker cannot use it")
      }
      return text
    }
    parts += alternatives(folders) { "under \(quoted($0))" }
    parts += alternatives(camera) { "camera ~ \(quoted($0))" }
    parts += alternatives(lens) { "lens ~ \(quoted($0))" }
    parts += alternatives(album) { "album = \(quoted($0))" }
    parts += alternatives(near) { "near(\($0))" }
    parts += alternatives(search) { "search(\(quoted($0)))" }
    parts += alternatives(`where`) { "(\($0))" }
    if hasLocation { parts.append("has(location)") }
    if noLocation { parts.append("not has(location)") }
    parts += alternatives(minSize) { "size >= \($0)" }
    parts += alternatives(maxSize) { "size <= \($0)" }
    parts += alternatives(minDuration) { "duration >= \($0)" }
    parts += try alternatives(
      saved.map { name in
        let search = try library.savedSearch(name)
        let options = try FilterOptions.parse(search.arguments)
        return try options.expression(in: context, library) ?? "any(images, videos)"
      }
    ) { $0 }
    return parts
  }
}

/// An expression that holds if one of the values fits; none without values.
private func alternatives(_ values: [String], _ expression: (String) -> String) -> [String] {
  switch values.count {
  case 0: []
  case 1: [expression(values[0])]
  default: ["any(\(values.map(expression).joined(separator: ", ")))"]
  }
}

/// A text in an expression: a quote in it is doubled.
private func quoted(_ text: String) -> String { "\"\(text.replacing("\"", with: "\"\""))\"" }
