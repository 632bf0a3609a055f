import Hummingbird

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

  /// Explains why the page cannot be opened.
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
