import Crypto
import Foundation
import Hummingbird

/// A file of the page, from the program itself.
struct PageFile {
  private let bytes: [UInt8]
  private let type: String
  private let tag: String

  /// - Parameter name: one of the files in `Page`.
  init(_ name: String) throws(APIError) {
    guard let file = Self.files[name] else { throw .notFound("There is no such file.") }
    self = file
  }

  private init(_ bytes: [UInt8], _ type: String) {
    (self.bytes, self.type) = (bytes, type)
    let digest = SHA256.hash(data: bytes).prefix(16)
    tag = "\"" + digest.map { String(format: "%02x", $0) }.joined() + "\""
  }

  /// A file that everyone may read; nil if there is none of this name.
  static func `public`(_ name: String) -> PageFile? { name == "index.html" ? nil : files[name] }

  /// The content, unless the browser has it.
  func response(to request: Request) -> Response {
    let headers: HTTPFields = [.contentType: type, .eTag: tag, .cacheControl: "no-cache"]
    guard !request.hasVersion(tag) else {
      return Response(status: .notModified, headers: headers)
    }
    return Response(
      status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  private static let files: [String: PageFile] = [
    "index.html": PageFile(PackageResources.index_html, "text/html; charset=utf-8"),
    "picker.css": PageFile(PackageResources.picker_css, "text/css; charset=utf-8"),
    "picker.js": PageFile(PackageResources.picker_js, "text/javascript; charset=utf-8"),
    "en.json": PageFile(PackageResources.en_json, "application/json; charset=utf-8"),
    "de.json": PageFile(PackageResources.de_json, "application/json; charset=utf-8"),
    "icon.svg": PageFile(PackageResources.icon_svg, "image/svg+xml"),
    "openapi.yaml": PageFile(PackageResources.openapi_yaml, "application/yaml"),
  ]
}
