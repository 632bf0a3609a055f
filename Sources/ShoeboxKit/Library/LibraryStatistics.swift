import Catalog
import Linux
import MediaModel
package import Query
public import SystemPackage

/// The number of assets that have something in common, and the bytes of their files.
public struct AssetGroup: Sendable, Hashable, Codable {
  /// The value that they have in common, such as `2023`, `Canon EOS R5` or the text of a path; nil if it is unknown.
  public let name: String?
  /// The folder, if they are grouped by one.
  public let path: FilePath?
  /// The number of assets. An asset and its clip count as one.
  public let count: Int
  /// The bytes of the assets' own files and their clips.
  public let bytes: Int64

  init(_ line: Catalog::LibraryStatistics.Line) {
    name = line.group == Catalog::LibraryStatistics.unknown ? nil : line.name
    path = line.group.path.map(FilePath.init)
    (count, bytes) = (line.tally.count, line.tally.bytes)
  }

  init(_ tally: Tally) {
    (name, path, count, bytes) = (nil, nil, tally.count, tally.bytes)
  }
}

/// The attribute by which assets are grouped.
public enum AssetGrouping: String, Sendable, Hashable, Codable, CaseIterable {
  /// The year of capture.
  case year
  /// The month of capture.
  case month
  /// The day of capture.
  case day
  /// Make and model.
  case camera
  /// The lens.
  case lens
  /// A keyword; an asset is in the group of each of its keywords.
  case keyword
  /// A person; an asset is in the group of each of its people.
  case person
  /// The most specific word for the kind, such as `live` or `video`.
  case type
  /// The folder of the main file.
  case folder
}

/// A library in numbers.
public struct LibraryStatistics: Sendable, Hashable, Codable {
  /// All assets.
  public let total: AssetGroup
  /// By media type, the most frequent first.
  public let types: [AssetGroup]
  /// By kind, in the words of ``MediaSubtypes/names``. An asset may be in several, or in none.
  public let subtypes: [AssetGroup]
  /// By library folder, the largest first.
  public let folders: [AssetGroup]
  /// By year of capture, the newest first.
  public let years: [AssetGroup]
  /// By make and model, the most used first.
  public let cameras: [AssetGroup]
  /// Exact copies beyond one of each: the number that could go, and the bytes that this would save.
  public let spareCopies: AssetGroup

  init(_ statistics: Catalog::LibraryStatistics) {
    total = AssetGroup(statistics.total)
    types = statistics.types.map(AssetGroup.init)
    subtypes = statistics.subtypes.map(AssetGroup.init)
    folders = statistics.roots.map(AssetGroup.init)
    years = statistics.years.map(AssetGroup.init)
    cameras = statistics.cameras.map(AssetGroup.init)
    spareCopies = AssetGroup(statistics.spareCopies)
  }
}

extension FetchResult {
  /// The assets in numbers. ``FetchOptions/limit`` has no effect.
  public var statistics: LibraryStatistics {
    get async throws(PhotoLibraryError) {
      try await library.query { [filter] in LibraryStatistics(try $0.statistics(matching: filter)) }
    }
  }

  /// The assets by what they have in common: times newest first, folders by path, the others by frequency; unknown
  /// values last. ``FetchOptions/limit`` has no effect.
  public func groups(by grouping: AssetGrouping) async throws(PhotoLibraryError) -> [AssetGroup] {
    try await library.query { [filter] in
      try $0.groups(matching: filter, by: .init(grouping)).map(AssetGroup.init)
    }
  }
}

extension PhotoLibrary {
  /// The assets of a filter in numbers, on the caller's thread.
  nonisolated package func statistics(
    matching filter: Query::AssetFilter
  ) throws -> LibraryStatistics {
    try read { LibraryStatistics(try $0.statistics(matching: filter)) }
  }

  /// The groups of a filter's assets, on the caller's thread.
  nonisolated package func groups(
    matching filter: Query::AssetFilter, by grouping: AssetGrouping
  ) throws -> [AssetGroup] {
    try read { try $0.groups(matching: filter, by: .init(grouping)).map(AssetGroup.init) }
  }
}

extension Catalog::AssetGrouping {
  init(_ grouping: AssetGrouping) {
    self =
      switch grouping {
      case .year: .year
      case .month: .month
      case .day: .day
      case .lens: .lens
      case .keyword: .keyword
      case .person: .person
      case .camera: .camera
      case .type: .type
      case .folder: .folder
      }
  }
}
