import Foundation
import Hummingbird
import NIOCore
import ShoeboxKit

/// An error as Google's APIs report it: a status with its name, a sentence, and the fields that are wrong.
struct APIError: Error, HTTPResponseError {
  /// The HTTP status.
  var status: HTTPResponse.Status
  /// The name of the status in Google's APIs, such as `INVALID_ARGUMENT`.
  var name: String
  /// A sentence with the cause and the remedy. It contains no path.
  var message: String
  /// The field that is wrong.
  var field: InvalidField?
  /// The same for the page, which has words for it in the person's language.
  var reason: ErrorReason?
  /// Further headers.
  var headers: HTTPFields = [:]

  init(
    _ status: HTTPResponse.Status, _ name: String, _ message: String,
    _ reason: ErrorReason? = nil, field: InvalidField? = nil, headers: HTTPFields = [:]
  ) {
    (self.status, self.name, self.message) = (status, name, message)
    (self.reason, self.field, self.headers) = (reason, field, headers)
  }

  /// The body: `{"error": {…}}`.
  var json: [String: any Sendable] {
    var error: [String: any Sendable] = [
      "code": status.code, "message": message, "status": name,
    ]
    error["reason"] = reason?.rawValue
    if let field {
      let violation = ["field": field.field, "description": field.reason]
      error["details"] =
        [
          [
            "@type": "type.googleapis.com/google.rpc.BadRequest",
            "fieldViolations": [violation],
          ] as [String: any Sendable]
        ]
    }
    return ["error": error]
  }

  func response(from request: Request, context: some RequestContext) throws -> Response {
    var response = Response.json(json, status: status)
    for header in headers { response.headers[header.name] = header.value }
    return response
  }
}

extension APIError {
  /// A request that has a mistake.
  static func invalid(_ message: String, _ reason: ErrorReason? = nil) -> APIError {
    APIError(.badRequest, "INVALID_ARGUMENT", message, reason)
  }

  /// A field of a request that has a mistake.
  static func invalid(_ field: InvalidField) -> APIError {
    APIError(.badRequest, "INVALID_ARGUMENT", field.description + ".", field: field)
  }

  /// Something that does not exist, or that this client may not see; the two are not distinguished.
  static func notFound(_ message: String, _ reason: ErrorReason? = nil) -> APIError {
    APIError(.notFound, "NOT_FOUND", message, reason)
  }

  /// The request is possible, but not now.
  static func failedPrecondition(
    _ message: String, _ reason: ErrorReason? = nil, status: HTTPResponse.Status = .badRequest
  ) -> APIError {
    APIError(status, "FAILED_PRECONDITION", message, reason)
  }

  /// The error of a library, without the paths that its description may contain.
  init(_ error: PhotoLibraryError) {
    switch error {
    case .invalidFilter(let reason):
      self = .invalid("The search cannot be used: \(reason).", .search)
    case .invalidCursor, .invalidRepresentation, .invalidNameTemplate:
      self = .invalid(error.description)
    case .noAsset, .unknownAsset:
      self = .notFound("The item is no longer in the library.", .itemGone)
    case .unreadable:
      self.init(
        .unprocessableContent, "DATA_LOSS",
        "The file is missing or cannot be read. The next scan of the library updates this.",
        .unreadable)
    case .tooManyRequests:
      self.init(
        .serviceUnavailable, "UNAVAILABLE", "Too many items are requested at once. Try again.",
        .busy, headers: [.retryAfter: "1"])
    case .cancelled:
      self.init(
        .serviceUnavailable, "CANCELLED", "The request was cancelled.", .busy,
        headers: [.retryAfter: "1"])
    case .workersMissing, .workers:
      self.init(
        .serviceUnavailable, "UNAVAILABLE",
        "The server cannot open files now: its administrator finds the cause with shoebox doctor.",
        .noWorkers)
    case .export, .busyFolder, .system:
      self.init(
        .insufficientStorage, "RESOURCE_EXHAUSTED",
        "The server cannot write the result: its temporary folder may be full. Try again later.",
        .noSpace, headers: [.retryAfter: "30"])
    default:
      self.init(
        .internalServerError, "INTERNAL",
        "The library cannot be read: the server's log has the cause.", .server)
    }
  }
}

extension HTTPResponse.Status {
  /// RFC 4918: the server cannot store what the request needs.
  static var insufficientStorage: HTTPResponse.Status {
    HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage")
  }
}

extension Response {
  /// A response with a JSON body. `/` is not escaped, so that addresses in it can be read.
  static func json(_ value: [String: any Sendable], status: HTTPResponse.Status = .ok) -> Response {
    let bytes =
      (try? JSONSerialization.data(
        withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])) ?? Data("{}".utf8)
    return json(bytes: bytes, status: status)
  }

  /// A response with a JSON body.
  static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return json(bytes: try encoder.encode(value), status: status)
  }

  private static func json(bytes: Data, status: HTTPResponse.Status) -> Response {
    Response(
      status: status,
      headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }
}
