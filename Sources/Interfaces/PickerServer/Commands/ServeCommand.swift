import ArgumentParser
import Foundation
import ShoeboxKit

/// `shoebox-picker serve`: runs until it is stopped.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Serve the picker to programs and people.")

  @OptionGroup var options: LibraryOptions

  @Option(help: ArgumentHelp("Listen on HOST:PORT or unix:PATH.", valueName: "address"))
  var listen = "127.0.0.1:8437"

  @Option(
    help: ArgumentHelp(
      "Name the address that browsers use, if a proxy passes requests on.", valueName: "address"))
  var url: String?

  @Flag(
    name: .customLong("i-have-tls-in-front"),
    help: "Listen on an address of the network: a proxy encrypts the connections.")
  var hasTLSInFront = false

  func validate() throws {
    guard let address = ListenAddress(listen) else {
      throw ValidationError("--listen \(listen): the value is HOST:PORT or unix:PATH")
    }
    guard url == nil || publicAddress != nil else {
      throw ValidationError(
        "--url \(url ?? ""): the value is http://HOST or https://HOST, optionally with :PORT")
    }
    guard address.isLocal || (hasTLSInFront && url != nil) else {
      throw ValidationError(
        "--listen \(listen): other machines reach this address; put a proxy with TLS in front of it, "
          + "and add --i-have-tls-in-front and --url https://HOST")
    }
  }

  private var publicAddress: PublicAddress? { url.flatMap { PublicAddress(url: $0) } }

  func run() async throws {
    guard let address = ListenAddress(listen) else { return }
    let library = try await options.library()
    let lock = try ServerLock(path: options.catalog + ".picker-lock")
    defer { withExtendedLifetime(lock) {} }
    let token = try HostToken(path: options.catalog + ".picker-token")
    let server = try PickerServer(
      library, try SessionStore(path: options.catalog + ".picker"), token: token.secret.digest,
      PickerServer.Options(
        address: address, publicAddress: publicAddress, lifetime: options.lifetime),
      logger: options.logger)
    try await server.run { address in
      print("Host token: \(token.path)")
      print("Address: \(address.base)")
      fflush(nil)
    }
  }
}
