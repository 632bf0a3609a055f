import Foundation
import HTTPTypes

/// What browsers store of the pictures that a page shows: nothing for longer than the session, since other people may
/// use the browser afterwards.
enum BrowserStorage {
  /// The `Cache-Control` of a picture whose address contains its revision, and so always means the same picture.
  ///
  /// - Parameter end: when the session ends. Without this limit, the browser would show the picture after that.
  static func policy(until end: Date) -> String {
    "private, max-age=\(max(0, Int(end.timeIntervalSinceNow))), immutable"
  }

  /// Lets a browser delete what it has stored of this server (W3C Clear Site Data). Browsers do this for servers of this
  /// machine and for those with TLS.
  static let clearing: HTTPFields = {
    var fields = HTTPFields()
    if let name = HTTPField.Name("Clear-Site-Data") { fields[name] = "\"cache\"" }
    return fields
  }()
}
