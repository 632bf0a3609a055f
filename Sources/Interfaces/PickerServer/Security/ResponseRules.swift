import HTTPTypes
import Hummingbird
import Logging
import ShoeboxKit

/// Gives each response the fields that keep browsers from doing more with it than showing it, and each error its form.
struct ResponseRules<Context: RequestContext>: RouterMiddleware {
  @concurrent
  func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    var response: Response
    do {
      response = try await next(request, context)
    } catch {
      response = try failure(error, context).response(from: request, context: context)
    }
    // RFC 9110, section 9.3.2. A client that gets content would take it for the next response on the connection. The
    // router does this only for the routes that it finds.
    if request.method == .head { response = response.createHeadResponse() }
    for (name, value) in ResponseFields.all { response.headers[name] = value }
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    // The route, not the path, which may contain the token of a page's address.
    let route = context.endpointPath ?? "(no route)"
    context.logger.debug("\(request.method) \(route): \(response.status.code)")
    return response
  }

  private func failure(_ error: any Error, _ context: Context) -> APIError {
    switch error {
    case let error as APIError: return error
    case let error as InvalidField: return .invalid(error)
    case let error as PhotoLibraryError:
      context.logger.info("\(error)")
      return APIError(error)
    case let error as RenditionFailure:
      context.logger.info("\(error)")
      return APIError(
        .unprocessableContent, "DATA_LOSS",
        error.isSourceGone
          ? "The file is no longer where the last scan of the library found it."
          : "The server cannot make the file in this format. It may be damaged.",
        error.isSourceGone ? .fileGone : .damaged)
    case let error as SessionStore.Failure:
      context.logger.error("\(error)")
      return APIError(
        .insufficientStorage, "RESOURCE_EXHAUSTED",
        "The server cannot store the session: its disk may be full. Try again later.", .noSpace)
    case let error as HTTPError:
      let names: [Int: String] = [
        400: "INVALID_ARGUMENT", 404: "NOT_FOUND", 405: "UNIMPLEMENTED",
        413: "RESOURCE_EXHAUSTED",
      ]
      return APIError(
        error.status, names[error.status.code] ?? "UNKNOWN",
        error.body ?? "\(error.status.reasonPhrase).")
    case is CancellationError: return APIError(.cancelled)
    default:
      context.logger.error("\(error)")
      return APIError(
        .internalServerError, "INTERNAL",
        "The server cannot answer the request: its log has the cause.", .server)
    }
  }
}

/// The fields of every response, by which browsers do no more with it than show it.
enum ResponseFields {
  /// Their names and values.
  static let all: [(HTTPField.Name, String)] = {
    let fields = [
      "Content-Security-Policy":
        "default-src 'self'; img-src 'self' blob:; media-src 'self' blob:; frame-ancestors 'none'; "
        + "base-uri 'none'; form-action 'none'; object-src 'none'",
      "X-Content-Type-Options": "nosniff",
      "X-Frame-Options": "DENY",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    ]
    return fields.compactMap { name, value in HTTPField.Name(name).map { ($0, value) } }
  }()
}
