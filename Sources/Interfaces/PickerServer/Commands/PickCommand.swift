import ArgumentParser
import Foundation
import ShoeboxKit

/// `shoebox-picker pick`: one choice. It reads the picking configuration as JSON from standard input and prints the
/// chosen identifiers, a line each.
struct PickCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pick", abstract: "Let a person choose once, and print the identifiers.")

  @OptionGroup var options: LibraryOptions

  @Flag(help: "Print the address instead of opening a browser.")
  var noBrowser = false

  func run() async throws {
    let input = try FileHandle.standardInput.readToEnd() ?? Data()
    let config = try PickingConfig(json: try JSONObject(body: input))
    let library = try await options.library()
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "shoebox-pick-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(at: folder) }
    // No host uses this server, so its token is not kept.
    let server = try PickerServer(
      library, try SessionStore(path: folder.appending(path: "sessions").path),
      token: Secret().digest,
      PickerServer.Options(
        address: .port(host: "127.0.0.1", port: 0), publicAddress: nil,
        lifetime: options.lifetime), logger: options.logger)
    let (session, entry) = try await server.sessions.create(config)
    try await server.run {
      for await event in try await server.sessions.events(of: session.id) where event.isLast {
        // The page's last request is answered first.
        try? await Task.sleep(for: .milliseconds(300))
      }
    } onRunning: { address in
      open("\(address.base)/pick/\(entry.text)")
    }
    let ended = try await server.sessions.session(session.id)
    switch ended.state {
    case .done: for id in ended.selection { print(id) }
    case .expired:
      throw ChoiceFailure(description: "nothing was chosen in \(options.minutes) minutes")
    case .cancelled: throw ExitCode(1)
    // A signal.
    case .created, .opened: throw ExitCode(130)
    }
  }

  /// Opens the address in the person's browser, or prints it.
  private func open(_ address: String) {
    let environment = ProcessInfo.processInfo.environment
    let hasDesktop = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    if !noBrowser, hasDesktop {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/xdg-open")
      process.arguments = [address]
      (process.standardOutput, process.standardError) = (
        FileHandle.nullDevice, FileHandle.nullDevice
      )
      // It fails if the desktop has no browser.
      process.terminationHandler = { if $0.terminationStatus != 0 { Self.show(address) } }
      if (try? process.run()) != nil { return }
    }
    Self.show(address)
  }

  private static func show(_ address: String) {
    FileHandle.standardError.write(Data("Choose in a browser: \(address)\n".utf8))
  }
}

/// Nothing was chosen.
struct ChoiceFailure: Error, CustomStringConvertible {
  /// Why.
  let description: String
}
