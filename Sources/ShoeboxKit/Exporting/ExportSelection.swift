import Catalog
import Exporter
package import MediaModel
package import Query

/// An asset that the user named, and how.
package struct NamedAsset: Sendable {
  /// The asset.
  package let asset: AssetRecord
  /// Its files that were named; none if it was named by its id.
  package private(set) var files: Set<BytePath>

  private var isWhole: Bool { files.isEmpty }

  init(_ asset: AssetRecord, files: Set<BytePath> = []) {
    (self.asset, self.files) = (asset, files)
  }

  /// Adds the file that another argument names of the same asset. An id names the whole asset.
  package mutating func merge(_ other: NamedAsset) {
    files = isWhole || other.isWhole ? [] : files.union(other.files)
  }
}

/// The assets of an export.
package enum ExportSelection: Sendable {
  /// Those that match. One that could not be read is skipped.
  case matching(Query::AssetFilter, AssetOrder)
  /// These. One that could not be read is a failure.
  case named([NamedAsset])
}

extension PhotoLibrary {
  /// The asset that a text names, with the file if the text is a path.
  ///
  /// - Throws: as ``record(named:paths:)``.
  nonisolated package func asset(
    named text: String, paths: (String) throws -> [BytePath]
  ) throws -> NamedAsset {
    let asset = try record(named: text, paths: paths)
    let files = (try? paths(text))?.lazy.compactMap { asset.file(at: $0) }
    return NamedAsset(asset, files: (files?.first).map { [$0] } ?? [])
  }

  /// The assets of a selection, with the current state of their files.
  ///
  /// - Throws: `CancellationError` soon after the task is cancelled, and errors of the catalog.
  nonisolated func subjects(
    _ selection: ExportSelection, for request: ExportRequest
  ) throws -> [ExportSubject] {
    let roots = try catalog.roots().map(\.record.path)
    var subjects: [ExportSubject] = []
    switch selection {
    case .matching(let filter, let order):
      try catalog.forEachAsset(matching: filter, in: order, with: request.neededParts) { asset in
        try Task.checkCancellation()
        subjects.append(ExportSubject(asset, roots: roots, for: request))
      }
    case .named(let assets):
      subjects = try assets.map {
        try Task.checkCancellation()
        return ExportSubject($0.asset, roots: roots, for: request, isNamed: true, named: $0.files)
      }
    }
    return subjects
  }
}
