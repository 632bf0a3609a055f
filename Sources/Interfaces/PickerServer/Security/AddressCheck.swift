import HTTPTypes
import Hummingbird
import Synchronization

/// Where the server is reached.
struct PublicAddress: Sendable {
  /// The beginning of all addresses, without a slash at the end: `http://127.0.0.1:8437`.
  let base: String
  /// The values of the `Host` field that are answered, in lower case.
  let hosts: Set<String>
  /// The values of the `Origin` field that are answered.
  let origins: Set<String>

  /// Whether browsers reach the server by TLS, so that cookies need it.
  var isSecure: Bool { base.hasPrefix("https:") }

  /// A server on a port of this machine.
  ///
  /// - Parameters:
  ///   - host: the IP address on which it listens: 127.0.0.1, or another one that only this machine reaches.
  ///   - port: clients omit port 80, and use it for a Unix socket.
  init(host: String, port: Int) {
    let name = host.contains(":") ? "[\(host)]" : host
    let suffixes = port == 80 ? ["", ":80"] : [":\(port)"]
    base = "http://\(name)" + suffixes[0]
    hosts = Set(
      [name, "127.0.0.1", "localhost", "[::1]"].flatMap { name in suffixes.map { name + $0 } })
    origins = Set(hosts.map { "http://\($0)" })
  }

  /// A server that another program passes requests to.
  ///
  /// - Parameter url: `https://photos.example`, perhaps with a port; nil if it has another form.
  init?(url: String) {
    let url = url.hasSuffix("/") ? String(url.dropLast()) : url
    guard let scheme = ["http://", "https://"].first(where: url.hasPrefix) else { return nil }
    let host = url.dropFirst(scheme.count).lowercased()
    let isHost = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["),
        UInt8(ascii: "]"):
        true
      default: false
      }
    }
    guard !host.isEmpty, isHost else { return nil }
    // Browsers omit the default port (URL standard, section 4.5).
    let port = scheme == "https://" ? ":443" : ":80"
    let name = host.hasSuffix(port) ? String(host.dropLast(port.count)) : host
    guard !name.isEmpty else { return nil }
    // The colons of an IPv6 address are in brackets.
    let hasPort = !name.hasSuffix("]") && name.contains(":")
    base = scheme + name
    hosts = hasPort ? [name] : [name, name + port]
    origins = Set(hosts.map { scheme + $0 })
  }
}

/// The address of a server, which is known when it listens: a name may have several addresses, and the system chooses
/// the port if none is named.
final class BoundAddress: Sendable {
  private let state: Mutex<PublicAddress?>

  /// - Parameter known: the address, if it does not depend on where the server listens.
  init(_ known: PublicAddress?) { state = Mutex(known) }

  /// Completes the address.
  ///
  /// - Parameters:
  ///   - host: the IP address; nil for a Unix socket.
  ///   - port: the TCP port; nil for a Unix socket.
  func resolve(host: String?, port: Int?) -> PublicAddress {
    state.withLock { state in
      let address = state ?? PublicAddress(host: host ?? "127.0.0.1", port: port ?? 80)
      state = address
      return address
    }
  }

  /// - Throws: ``APIError`` in the moment before the server knows it.
  var current: PublicAddress {
    get throws(APIError) {
      guard let address = state.withLock({ $0 }) else {
        throw APIError(
          .serviceUnavailable, "UNAVAILABLE", "The server is starting. Try again.",
          headers: [.retryAfter: "1"])
      }
      return address
    }
  }
}

/// Answers only requests to the server's own name, so that no foreign page reaches it by a name of its own that resolves
/// to this machine (DNS rebinding), and no page of another origin changes anything.
struct AddressCheck<Context: RequestContext>: RouterMiddleware {
  let address: BoundAddress

  @concurrent
  func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    let address = try address.current
    // RFC 9112, section 3.2. The first one is the authority.
    guard !request.headers.contains(where: { $0.name.canonicalName == "host" }) else {
      throw APIError.invalid("The request has several Host fields.")
    }
    guard let host = request.head.authority, address.hosts.contains(host.lowercased()) else {
      throw APIError(
        .forbidden, "PERMISSION_DENIED",
        "The server does not answer to this host name. Use \(address.base).")
    }
    if let origin = request.headers[.origin], !address.origins.contains(origin) {
      throw APIError(
        .forbidden, "PERMISSION_DENIED", "Pages of another origin may not use the server.")
    }
    return try await next(request, context)
  }
}

/// Requires that a request which changes something comes from a page of the server itself.
struct OriginRequirement<Context: RequestContext>: RouterMiddleware {
  @concurrent
  func handle(
    _ request: Request, context: Context,
    next: @concurrent (Request, Context) async throws -> Response
  ) async throws -> Response {
    // Other values were refused before.
    guard request.method == .get || request.method == .head || request.headers[.origin] != nil
    else {
      throw APIError(.forbidden, "PERMISSION_DENIED", "The request has no Origin field.")
    }
    // A link on a foreign page may lead to the page, but not to its data.
    if let site = HTTPField.Name("Sec-Fetch-Site"), request.headers[site] == "cross-site" {
      throw APIError(
        .forbidden, "PERMISSION_DENIED", "Pages of another site may not use the server.")
    }
    return try await next(request, context)
  }
}
