import Foundation
import Hummingbird

/// The address that a host gives to a person, the page, and the page's files.
struct EntryRoutes<Context: RequestContext> {
  let gate: PageGate<Context>
  let address: BoundAddress

  func add(to router: Router<Context>) {
    router.get("pick/:entry", use: enter)
    // Clients of Google's API may append this. The page is the same.
    router.get("pick/:entry/autoclose", use: enter)
    router.get("s/:session", use: page)
    router.get("page/:file", use: file)
    router.get("favicon.ico") { _, _ in Response(status: .noContent) }
  }

  /// Exchanges the address for a cookie, and leads to the page.
  ///
  /// A redirection would not do: the browser comes from another site, and then sends no cookie that is SameSite=Strict.
  @Sendable private func enter(_ request: Request, _ context: Context) async throws -> Response {
    do {
      guard let entry = Secret(try context.parameters.require("entry")) else {
        throw APIError.gone("This is not the address of a choice.")
      }
      let (session, cookie) = try await gate.sessions.open(entry)
      var response = Notice.entering("/s/\(session.id)/").response(status: .ok)
      response.setCookie(
        Cookie(
          name: PageGate<Context>.cookieName, value: cookie.text, path: "/s/\(session.id)",
          secure: try address.current.isSecure, httpOnly: true, sameSite: .strict))
      return response
    } catch let error as APIError {
      return Notice.failure(error.message).response(status: error.status)
    }
  }

  @Sendable private func page(_ request: Request, _ context: Context) async throws -> Response {
    do {
      _ = try await gate.session(request, context, mustBeOpen: false)
    } catch let error as APIError {
      return Notice.failure(error.message).response(status: error.status)
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
