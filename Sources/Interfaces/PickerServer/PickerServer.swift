// The server of the picker: a web page on which a person chooses from a library, and the API by which programs ask for
// it and receive what was chosen. The program `shoebox-picker` runs it.

import Foundation
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle
import ShoeboxKit
import UnixSignals

/// A server on one library.
struct PickerServer {
  /// What a server is started with.
  struct Options: Sendable {
    /// Where it listens.
    var address: ListenAddress
    /// Where browsers and hosts reach it, if another program passes requests to it.
    var publicAddress: PublicAddress?
    /// How long a person may choose, in seconds.
    var lifetime: TimeInterval
  }

  private let library: PhotoLibrary
  private let options: Options
  private let token: SecretDigest
  private let logger: Logger
  /// What hosts and people do.
  let sessions: PickerSessions
  private let renditions: Renditions

  /// - Parameters:
  ///   - library: what people choose from.
  ///   - store: where sessions are kept.
  ///   - token: the digest of the host token.
  init(
    _ library: PhotoLibrary, _ store: SessionStore, token: SecretDigest, _ options: Options,
    logger: Logger
  ) throws {
    (self.library, self.options, self.token, self.logger) = (library, options, token, logger)
    sessions = try PickerSessions(store, library, lifetime: options.lifetime, logger: logger)
    renditions = try Renditions(of: library, logger: logger)
  }

  /// Serves until a signal ends the program.
  ///
  /// - Parameters:
  ///   - end: ends the server earlier when it returns.
  ///   - onRunning: called when the server accepts connections, with its address.
  /// - Throws: ``ListenFailure``.
  func run(
    until end: @escaping @Sendable () async throws -> Void = suspended,
    onRunning: @escaping @Sendable (PublicAddress) async -> Void
  ) async throws {
    let address = BoundAddress(options.publicAddress)
    let application = Application(
      router: router(at: address),
      server: .http1(
        configuration: .init(
          additionalChannelHandlers: [ConnectionRules()],
          idleTimeout: .seconds(PickerLimits.idleSeconds))),
      configuration: ApplicationConfiguration(
        address: options.address.bindAddress,
        availableConnectionsDelegate: MaximumAvailableConnections(PickerLimits.connections)),
      onServerRunning: { channel in
        let own = channel.localAddress
        await onRunning(address.resolve(host: own?.ipAddress, port: own?.port))
      }, logger: logger)
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [
          .init(service: application),
          .init(service: Sweeping(sessions: sessions, renditions: renditions)),
          .init(service: End(body: end), successTerminationBehavior: .gracefullyShutdownGroup),
        ], gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do {
      if let failure = await ListenFailure(beforeUse: options.address) { throw failure }
      try await group.run()
    } catch {
      await renditions.removeAll()
      if let failure = ListenFailure(error, at: options.address) { throw failure }
      throw error
    }
    await renditions.removeAll()
  }

  /// All routes.
  private func router(at address: BoundAddress) -> Router<PickerContext> {
    let router = Router(context: PickerContext.self, options: .autoGenerateHeadEndpoints)
    router.addMiddleware {
      ResponseRules()
      AddressCheck(address: address)
    }
    let host = router.group("v1").add(middleware: HostTokenCheck(token: token))
    SessionRoutes(sessions: sessions, address: address).add(to: host)
    MediaItemRoutes(
      sessions: sessions, library: library, address: address, folders: renditions.folders
    ).add(to: host)
    MediaRoutes(sessions: sessions, library: library, renditions: renditions).add(to: host)
    router.get("openapi.yaml") { request, _ in
      try PageFile("openapi.yaml").response(to: request)
    }
    let gate = PageGate<PickerContext>(sessions: sessions, library: library)
    EntryRoutes(gate: gate, address: address).add(to: router)
    let page = router.group("s/:session/api").add(middleware: OriginRequirement())
    LibraryRoutes(gate: gate, summaries: LibrarySummaries(of: library)).add(to: page)
    PictureRoutes(gate: gate, renditions: renditions).add(to: page)
    SelectionRoutes(gate: gate).add(to: page)
    return router
  }
}

/// Ends sessions whose time is over and previews that no page waits for, also if no request comes.
private struct Sweeping: Service {
  let sessions: PickerSessions
  let renditions: Renditions

  func run() async {
    await cancelWhenGracefulShutdown {
      while (try? await Task.sleep(for: .seconds(2))) != nil {
        await sessions.sweep()
        await renditions.sweep()
      }
    }
  }
}

/// Ends the server when its body returns.
private struct End: Service {
  let body: @Sendable () async throws -> Void

  func run() async throws { try await cancelWhenGracefulShutdown(body) }
}

/// Returns when the task is cancelled.
@Sendable func suspended() async {
  while (try? await Task.sleep(for: .seconds(3600))) != nil {}
}
