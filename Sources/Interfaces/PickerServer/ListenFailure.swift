import Linux
import MediaModel
import NIOCore
import NIOPosix
import SystemPackage

/// The server cannot listen.
struct ListenFailure: Error, CustomStringConvertible {
  /// Where it was to listen.
  let address: ListenAddress
  /// Why it cannot.
  let reason: String

  var description: String {
    "cannot listen on \(address): \(reason); name another address with --listen"
  }

  /// - Parameter error: of a server that was to listen; nil if it has another cause.
  init?(_ error: any Error, at address: ListenAddress) {
    self.address = address
    switch error {
    case let error as IOError: reason = "\(Errno(rawValue: error.errnoCode))"
    case let error as SocketAddressError.UnknownHost: reason = error.errorDescription
    case SocketAddressError.unixDomainSocketPathTooLong:
      reason = "the path is longer than the system permits for sockets"
    default: return nil
    }
  }

  /// The failure of an address that has no error of its own: a Unix socket would take the place of another file, or of the
  /// socket of a server that runs.
  init?(beforeUse address: ListenAddress) async {
    guard case .unix(let path) = address, let status = try? BytePath(path).status() else {
      return nil
    }
    self.address = address
    if status.kind != .other {
      reason = "\(path) exists and is not a socket"
    } else if await Self.isServed(path) {
      reason = "another server listens there"
    } else {
      return nil
    }
  }

  /// Whether a server accepts connections at a Unix socket. One that has ended leaves its socket, but not this.
  private static func isServed(_ path: String) async -> Bool {
    let client = ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
      .connectTimeout(.seconds(1))
    let connection = client.connect(unixDomainSocketPath: path)
    guard let channel = try? await connection.get() else { return false }
    try? await channel.close()
    return true
  }
}
