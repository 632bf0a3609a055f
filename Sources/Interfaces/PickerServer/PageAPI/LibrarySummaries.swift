import ShoeboxKit

/// Numbers that take long to count in a large library. They are counted once for each state of the library, for all
/// sessions with one filter.
actor LibrarySummaries {
  /// The months that a page shows, newest first.
  struct Months: Encodable, Sendable {
    /// The number of assets in all months.
    let count: Int
    /// Names the library's state.
    let token: String
    /// The months; the one without a start has the assets whose time is unknown.
    let months: [Month]
  }

  /// A month.
  struct Month: Encodable, Sendable {
    /// `2024-06`.
    let start: String?
    /// The number of assets.
    let count: Int

    private enum CodingKeys: String, CodingKey { case start, count }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      // Null, not absent.
      try container.encode(start, forKey: .start)
      try container.encode(count, forKey: .count)
    }
  }

  private struct MonthsKey: Hashable {
    var filter: AssetFilter
    var query: PageQuery
  }

  private let library: PhotoLibrary
  private var token = ""
  private var months: [MonthsKey: Task<Months, any Error>] = [:]
  private var kinds: [AssetFilter: Task<[(kind: PageQuery.Kind, count: Int)], any Error>] = [:]
  private var albums: [AssetFilter: Task<[(name: String, count: Int)], any Error>] = [:]

  /// The most answers of a kind that are kept.
  private static let mostKept = 200

  init(of library: PhotoLibrary) { self.library = library }

  /// Forgets what was counted in an earlier state of the library.
  private func checkState() async throws {
    let now = try await library.changeToken.description
    guard now != token || months.count + kinds.count + albums.count > Self.mostKept else { return }
    (token, months, kinds, albums) = (now, [:], [:], [:])
  }

  /// The months of a query.
  ///
  /// - Parameters:
  ///   - limited: what the host's filter allows.
  ///   - filter: the host's filter.
  func months(
    of limited: LimitedLibrary, _ filter: AssetFilter, _ query: PageQuery
  ) async throws -> Months {
    try await checkState()
    let key = MonthsKey(filter: filter, query: query)
    if let known = months[key] { return try await known.value }
    let work = Task { [token] in
      let found = try await limited.fetchAssets(query.filter)
      let months = try await found.buckets(by: .month)
        .map { Month(start: $0.start, count: $0.count) }
      return Months(count: months.reduce(0) { $0 + $1.count }, token: token, months: months)
    }
    months[key] = work
    do {
      return try await work.value
    } catch {
      months[key] = nil
      throw error
    }
  }

  /// The kinds that the host's filter leaves, with their numbers.
  func kinds(
    of limited: LimitedLibrary, _ filter: AssetFilter
  ) async throws -> [(kind: PageQuery.Kind, count: Int)] {
    try await checkState()
    if let known = kinds[filter] { return try await known.value }
    let work = Task {
      var counts: [(kind: PageQuery.Kind, count: Int)] = []
      for kind in PageQuery.Kind.allCases {
        let count = try await limited.fetchAssets(kind.filter).count
        if count > 0 { counts.append((kind, count)) }
      }
      return counts
    }
    kinds[filter] = work
    do {
      return try await work.value
    } catch {
      kinds[filter] = nil
      throw error
    }
  }

  /// The albums that the host's filter leaves: the user's, and folders by their names.
  func albums(
    of limited: LimitedLibrary, _ filter: AssetFilter
  ) async throws -> [(name: String, count: Int)] {
    try await checkState()
    if let known = albums[filter] { return try await known.value }
    let work = Task {
      try await limited.fetchAssets().albums().map { (name: $0.name, count: $0.count) }
    }
    albums[filter] = work
    do {
      return try await work.value
    } catch {
      albums[filter] = nil
      throw error
    }
  }
}
