import Foundation
import Hummingbird
import NIOCore

extension Request {
  /// The JSON object in the body.
  ///
  /// - Parameter limit: the most bytes.
  /// - Throws: ``APIError`` with the status 413 for a larger body, ``InvalidField`` for one that is not JSON.
  func object(limit: Int, _ context: some RequestContext) async throws -> JSONObject {
    let tooLarge = APIError(
      .contentTooLarge, "RESOURCE_EXHAUSTED", "The body is larger than \(limit) bytes.")
    if let text = headers[.contentLength], let length = Int(text), length > limit {
      throw tooLarge
    }
    var request = self
    do {
      let buffer = try await request.collectBody(upTo: limit)
      return try JSONObject(body: Data(buffer.readableBytesView))
    } catch is NIOTooManyBytesError {
      throw tooLarge
    }
  }
}
