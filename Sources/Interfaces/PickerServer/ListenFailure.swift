import Linux
import MediaModel
import NIOCore
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

  /// The failure of an address that has no error of its own: a Unix socket would take the place of another file.
  init?(beforeUse address: ListenAddress) {
    guard case .unix(let path) = address, let status = try? BytePath(path).status(),
      status.kind != .other
    else { return nil }
    self.address = address
    reason = "\(path) exists and is not a socket"
  }
}
