import Hummingbird

/// A page of one sentence, which needs no script.
enum Notice {
  /// Leads on to another page of this server at once.
  case entering(String)
  /// Explains why the page cannot be opened.
  case failure(APIError)

  /// The page in the language that the browser asks for.
  func response(to request: Request, status: HTTPResponse.Status) -> Response {
    let words = PageWords(for: request)
    let head: String
    let body: String
    switch self {
    case .entering(let path):
      head = "<meta http-equiv=\"refresh\" content=\"0; url=\(path)\">"
      body = "<a href=\"\(path)\">\(Self.escaped(words.photos))</a>"
    case .failure(let error):
      head = ""
      body =
        "<h1>\(Self.escaped(words.cannotBeOpened))</h1>"
        + "<p>\(Self.escaped(words.sentence(for: error)))</p>"
    }
    let html = """
      <!DOCTYPE html>
      <html lang="\(words.language)">
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width">
      <title>\(Self.escaped(words.photos))</title>
      <link rel="stylesheet" href="/page/picker.css">
      \(head)
      <main class="notice">\(body)</main>
      </html>

      """
    return Response(
      status: status, headers: [.contentType: "text/html; charset=utf-8"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
  }

  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }
}
