import HTTPTypes
import Hummingbird

/// Requires the host token, as `Authorization: Bearer TOKEN` (RFC 6750).
struct HostTokenCheck<Context: RequestContext>: RouterMiddleware {
  let token: SecretDigest

  @concurrent
  func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let parts = (request.headers[.authorization] ?? "").split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer",
      // Digests are compared, so the time of the comparison reveals nothing of the token.
      Secret(parts[1])?.digest == token
    else {
      throw APIError(
        .unauthorized, "UNAUTHENTICATED",
        "The request needs the host token: Authorization: Bearer TOKEN.",
        headers: [.wwwAuthenticate: "Bearer"])
    }
    return try await next(request, context)
  }
}
