import Hummingbird
import ShoeboxKit

/// Finds the session of a page's request by its id in the address and the cookie.
struct PageGate<Context: RequestContext> {
  let sessions: PickerSessions
  let library: PhotoLibrary

  /// The name of the cookie. Its path is that of the session, so one browser can have several.
  static var cookieName: String { "shoebox-picker" }

  /// The session of a request.
  ///
  /// - Parameter mustBeOpen: whether the person must still be choosing.
  func session(
    _ request: Request, _ context: Context, mustBeOpen: Bool = true
  ) async throws -> PickerSession {
    try await sessions.session(
      context.parameters.require("session"),
      cookie: request.cookies[Self.cookieName].flatMap { Secret($0.value) }, mustBeOpen: mustBeOpen)
  }

  /// What the person of a session may see.
  func limited(_ session: PickerSession) throws -> LimitedLibrary {
    library.limited(to: try session.assetFilter)
  }

  /// The asset that a request names, and the library that has it.
  func asset(
    _ request: Request, _ context: Context
  ) async throws -> (asset: Asset, library: LimitedLibrary) {
    let limited = try limited(try await session(request, context))
    guard let asset = try await limited.asset(context.parameters.require("asset")) else {
      throw APIError.notFound("The item is no longer in the library.", .itemGone)
    }
    return (asset, limited)
  }
}
