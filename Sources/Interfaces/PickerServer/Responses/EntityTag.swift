import Foundation
import HTTPTypes
import Hummingbird

extension Request {
  /// Whether `If-None-Match` names a version of the content (RFC 9110, section 13.1.2), so that the client has it.
  ///
  /// - Parameter tag: the version's entity tag, with its quotation marks.
  func hasVersion(_ tag: String) -> Bool {
    guard let condition = headers[.ifNoneMatch] else { return false }
    return condition.split(separator: ",").contains { entry in
      let entry = entry.trimmingCharacters(in: .whitespaces)
      return entry == "*" || entry == tag || entry == "W/" + tag
    }
  }
}
