import Hummingbird

/// Where the server listens.
enum ListenAddress: Sendable, Equatable, CustomStringConvertible {
  /// A TCP port; 0 for one that is free.
  case port(host: String, port: Int)
  /// A Unix socket.
  case unix(path: String)

  /// - Parameter text: `HOST:PORT`, `[::1]:PORT` or `unix:PATH`; nil if it has another form.
  init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = String(text.dropFirst("unix:".count))
      guard !path.isEmpty else { return nil }
      self = .unix(path: path)
      return
    }
    guard let colon = text.lastIndex(of: ":"),
      let port = Int(text[text.index(after: colon)...]), (0...65_535).contains(port)
    else { return nil }
    var host = String(text[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else { return nil }
    self = .port(host: host, port: port)
  }

  /// In the form of ``init(_:)``.
  var description: String {
    switch self {
    case .port(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }

  /// Whether only programs of this machine reach it.
  var isLocal: Bool {
    switch self {
    case .port(let host, _):
      host == "localhost" || host == "::1"
        || (host.hasPrefix("127.") && host.split(separator: ".").count == 4
          && host.utf8.allSatisfy { $0 == UInt8(ascii: ".") || (0x30...0x39).contains($0) })
    case .unix: true
    }
  }

  /// The server's form.
  var bindAddress: BindAddress {
    switch self {
    case .port(let host, let port): .hostname(host, port: port)
    case .unix(let path): .unixDomainSocket(path: path)
    }
  }
}
