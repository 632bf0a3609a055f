import Hummingbird
import ShoeboxKit

/// What the page lists: months, items, chips and albums.
struct LibraryRoutes<Context: RequestContext> {
  let gate: PageGate<Context>
  let summaries: LibrarySummaries

  /// The most items in one response.
  private static var mostItems: Int { 500 }
  /// The most assets of a range, of which the page deselects up to half.
  private static var mostInRange: Int { 200_000 }

  func add(to group: RouterGroup<Context>) {
    group.get("session", use: session)
    group.get("filters", use: filters)
    group.get("albums", use: albums)
    group.get("library", use: library)
    group.get("items", use: items)
    group.get("items/:asset", use: item)
    group.get("ids", use: identifiers)
  }

  @Sendable private func session(_ request: Request, _ context: Context) async throws -> Response {
    .json(SessionJSON.fields(of: try await gate.session(request, context)))
  }

  @Sendable private func filters(_ request: Request, _ context: Context) async throws -> Response {
    let session = try await gate.session(request, context)
    guard !session.config.disabledCapabilities.contains(.collectionNavigation) else {
      return .json(["kinds": [[String: any Sendable]]()])
    }
    let kinds = try await summaries.kinds(of: try gate.limited(session), session.assetFilter)
    return .json([
      "kinds": kinds.map {
        ["name": $0.kind.rawValue, "count": $0.count] as [String: any Sendable]
      }
    ])
  }

  @Sendable private func albums(_ request: Request, _ context: Context) async throws -> Response {
    let session = try await gate.session(request, context)
    guard !session.config.disabledCapabilities.contains(.collectionNavigation) else {
      return .json(["albums": [[String: any Sendable]]()])
    }
    let albums = try await summaries.albums(of: try gate.limited(session), session.assetFilter)
    return .json([
      "albums": albums.map { ["name": $0.name, "count": $0.count] as [String: any Sendable] }
    ])
  }

  @Sendable private func library(_ request: Request, _ context: Context) async throws -> Response {
    let session = try await gate.session(request, context)
    let query = try PageQuery(request.parameters, in: session)
    return try .json(
      try await summaries.months(of: try gate.limited(session), session.assetFilter, query))
  }

  @Sendable private func items(_ request: Request, _ context: Context) async throws -> Response {
    let assets = try await assets(request, context, most: Self.mostItems)
    return try .json(["items": assets.map(PageItem.init)] as [String: [PageItem]])
  }

  /// The ids of a list; or those from one item through another, and which of them were added or changed since the page has
  /// listed the library.
  @Sendable private func identifiers(
    _ request: Request, _ context: Context
  ) async throws -> Response {
    let parameters = request.parameters
    guard let first = parameters["from"], let last = parameters["through"] else {
      let assets = try await assets(request, context, most: PickerLimits.selection)
      return .json(["ids": assets.filter { $0.status == .present }.map(\.id)])
    }
    let session = try await gate.session(request, context)
    guard let token = ChangeToken(String(parameters["token"] ?? "")) else {
      throw InvalidField(field: "token", reason: "is not the token of a library's state")
    }
    let found = try await gate.limited(session)
      .fetchAssets(try PageQuery(parameters, in: session).filter)
    guard
      let excerpt = try await found.excerpt(
        from: String(first), through: String(last), changedSince: token, most: Self.mostInRange)
    else {
      throw APIError.failedPrecondition(
        "The library has changed. Load the page again, and choose the range again.",
        .libraryChanged, status: .conflict)
    }
    let ids = excerpt.assets.filter { $0.status == .present }.map(\.id)
    return .json(["ids": ids, "changed": ids.filter(excerpt.changed.contains)])
  }

  private func assets(
    _ request: Request, _ context: Context, most: Int
  ) async throws -> [Asset] {
    let session = try await gate.session(request, context)
    let parameters = request.parameters
    let filter = try PageQuery(parameters, in: session).filter
    let offset = try parameters.number("offset", in: 0...Int(Int32.max)) ?? 0
    let limit = try parameters.number("limit", in: 1...most) ?? min(most, 200)
    let found = try await gate.limited(session).fetchAssets(filter)
    return try await found.page(at: offset, size: limit)
  }

  @Sendable private func item(_ request: Request, _ context: Context) async throws -> Response {
    try .json(PageItem(try await gate.asset(request, context).asset))
  }
}
