import Foundation
import Hummingbird

/// The address that a host gives to a person, the page, and the page's files.
struct EntryRoutes<Context: RequestContext> {
  let gate: PageGate<Context>
  let address: BoundAddress

  func add(to router: Router<Context>) {
    // Clients of Google's API may append the latter. The page is the same.
    for path: RouterPath in ["pick/:entry", "pick/:entry/autoclose"] {
      router.get(path, use: enter)
      router.head(path, use: look)
    }
    router.get("s/:session", use: page)
    router.get("page/:file", use: file)
    router.get("favicon.ico") { _, _ in Response(status: .noContent) }
  }

  /// Exchanges the address for a cookie, and leads to the page.
  ///
  /// A redirection would not do: the browser comes from another site, and then sends no cookie that is SameSite=Strict.
  @Sendable private func enter(_ request: Request, _ context: Context) async throws -> Response {
    // A browser that loads the page in advance would use up the address before the person opens it.
    guard request.headers[.secPurpose]?.hasPrefix("prefetch") != true else {
      return Response(status: .serviceUnavailable)
    }
    do {
      let (session, cookie) = try await gate.sessions.open(entry(context))
      var response = Notice.entering("/s/\(session.id)/").response(to: request, status: .ok)
      response.setCookie(
        Cookie(
          name: PageGate<Context>.cookieName, value: cookie.text, path: "/s/\(session.id)",
          secure: try address.current.isSecure, httpOnly: true, sameSite: .strict))
      return response
    } catch let error as APIError {
      return Notice.failure(error).response(to: request, status: error.status)
    }
  }

  /// What ``enter(_:_:)`` would answer, without the use of the address: HEAD is safe (RFC 9110, section 9.2.1).
  @Sendable private func look(_ request: Request, _ context: Context) async throws -> Response {
    do {
      let session = try await gate.sessions.session(entry: entry(context))
      return Notice.entering("/s/\(session.id)/").response(to: request, status: .ok)
        .createHeadResponse()
    } catch let error as APIError {
      return Notice.failure(error).response(to: request, status: error.status).createHeadResponse()
    }
  }

  private func entry(_ context: Context) throws -> Secret {
    guard let entry = Secret(try context.parameters.require("entry")) else {
      throw APIError.gone("This is not the address of a choice.", .noAddress)
    }
    return entry
  }

  @Sendable private func page(_ request: Request, _ context: Context) async throws -> Response {
    do {
      _ = try await gate.session(request, context, mustBeOpen: false)
    } catch let error as APIError {
      return Notice.failure(error).response(to: request, status: error.status)
    }
    return try PageFile("index.html").response(to: request)
  }

  @Sendable private func file(_ request: Request, _ context: Context) async throws -> Response {
    guard let file = PageFile.public(context.parameters.get("file") ?? "") else {
      throw APIError.notFound("There is no such file.")
    }
    return file.response(to: request)
  }
}
