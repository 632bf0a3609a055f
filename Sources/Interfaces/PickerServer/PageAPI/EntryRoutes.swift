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

/// A page of one sentence, which needs no script.
struct Notice {
  private let head: String
  private let body: String

  /// Leads on to another page of this server at once.
  static func entering(_ path: String) -> Notice {
    Notice(
      head: "<meta http-equiv=\"refresh\" content=\"0; url=\(path)\">",
      body: "<a href=\"\(path)\">Photos</a>")
  }

  /// Says why there is no choice.
  static func failure(_ sentence: String) -> Notice {
    Notice(
      head: "", body: "<h1>This page cannot be opened</h1><p>\(escaped(sentence))</p>")
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  func response(status: HTTPResponse.Status) -> Response {
    let html = """
      <!DOCTYPE html>
      <html lang="en">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>Photos</title>
      <link rel="stylesheet" href="/page/picker.css">
      \(head)
      <main class="notice">\(body)</main>
      </html>

      """
    return Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }
}
