import ArgumentParser
import Foundation
import ShoeboxKit

/// `shoebox-picker pick`: one choice. It reads the picking configuration as JSON from the first line of standard input,
/// and prints the ``Choice`` as JSON. It ends with the program that has started it, when standard input ends.
struct PickCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "pick", abstract: "Let a person choose once, and print the choice.")

  /// The person's choice.
  private struct Choice: Encodable {
    /// The ids of the assets, in order.
    let selection: [Asset.ID]
    /// Whether results must not contain places: the configuration or the person demands it.
    let removesLocation: Bool
    /// Whether results must not contain captions.
    let removesCaptions: Bool
  }

  @OptionGroup var options: LibraryOptions

  @Flag(help: "Print the address instead of opening a browser.")
  var noBrowser = false

  func run() async throws {
    let config = try PickingConfig(json: try JSONObject(body: Self.firstLine()))
    let library = try await options.library()
    let folder = try Self.folder()
    defer { folder.delete() }
    // No host uses this server, so its token is not kept.
    let server = try PickerServer(
      library, try SessionStore(path: folder.url.appending(path: "sessions").path),
      token: Secret().digest,
      PickerServer.Options(
        address: .port(host: "127.0.0.1", port: 0), publicAddress: nil,
        lifetime: options.lifetime), logger: options.logger)
    let (session, entry) = try await server.sessions.create(config)
    try await server.run {
      try await withThrowingTaskGroup { group in
        group.addTask {
          for await event in try await server.sessions.events(of: session.id) where event.isLast {
            // The page's last request is answered first.
            try? await Task.sleep(for: .milliseconds(300))
          }
        }
        group.addTask { await Self.endOfInput() }
        try await group.next()
        group.cancelAll()
      }
    } onRunning: { address in
      let page = "\(address.base)/pick/\(entry.text)"
      Task { [url = folder.url] in
        await invite(to: page, in: url) {
          (try? await server.sessions.session(session.id))?.state == .created
        }
      }
    }
    let ended = try await server.sessions.session(session.id)
    switch ended.state {
    case .done:
      let choice = Choice(
        selection: ended.selection, removesLocation: ended.removesLocation,
        removesCaptions: ended.removesCaptions)
      print(String(decoding: try JSONEncoder().encode(choice), as: UTF8.self))
    case .expired:
      let time = options.minutes == 1 ? "1 minute" : "\(options.minutes) minutes"
      throw ChoiceFailure(description: "nothing was chosen in \(time)")
    case .cancelled: throw ExitCode(1)
    // A signal, or the end of the program that waits for the choice.
    case .created, .opened: throw ExitCode(130)
    }
  }

  /// The first line of standard input.
  private static func firstLine() -> Data {
    var input = Data()
    while !input.contains(UInt8(ascii: "\n")) {
      let more = FileHandle.standardInput.availableData
      if more.isEmpty { break }
      input += more
    }
    return input
  }

  /// Waits until standard input ends, or the task is cancelled.
  private static func endOfInput() async {
    let (ends, end) = AsyncStream.makeStream(of: Never.self)
    let input = FileHandle.standardInput
    input.readabilityHandler = { if $0.availableData.isEmpty { end.finish() } }
    for await _ in ends {}
    input.readabilityHandler = nil
  }

  /// The folder of this choice. A login session has a place for those, which is emptied at its end (XDG Base Directory
  /// Specification).
  private static func folder() throws -> TemporaryFolder {
    if let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"],
      runtime.hasPrefix("/"),
      let folder = try? TemporaryFolder(for: "pick", in: URL(filePath: runtime))
    {
      return folder
    }
    return try TemporaryFolder(for: "pick")
  }

  /// Opens the page in the person's browser. Prints its address if that fails, or if nothing has opened the page soon:
  /// browsers in a sandbox, such as snap packages, may not read the file that leads to it.
  private func invite(
    to page: String, in folder: URL, isWaiting: () async -> Bool
  ) async {
    let browser = try? browser(on: page, in: folder)
    let end = ContinuousClock.now + .seconds(10)
    while let browser, browser.isRunning || browser.terminationStatus == 0,
      ContinuousClock.now < end
    {
      guard await isWaiting() else { return }
      try? await Task.sleep(for: .milliseconds(100))
    }
    if await isWaiting() { Self.show(page) }
  }

  /// Starts the person's browser; nil without a desktop.
  ///
  /// All users of the machine can read the arguments of a program, and the first one who opens the page can choose. So the
  /// browser gets a file that leads to the page.
  private func browser(on page: String, in folder: URL) throws -> Process? {
    let environment = ProcessInfo.processInfo.environment
    let hasDesktop = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    guard !noBrowser, hasDesktop else { return nil }
    let file = folder.appending(path: "open.html")
    let html = """
      <!DOCTYPE html>
      <meta charset="utf-8">
      <meta name="referrer" content="no-referrer">
      <meta http-equiv="refresh" content="0; url=\(page)">
      <title>Photos</title>
      <a href="\(page)">Photos</a>

      """
    guard
      FileManager.default.createFile(
        atPath: file.path, contents: Data(html.utf8), attributes: [.posixPermissions: 0o600])
    else { throw CocoaError(.fileWriteUnknown) }
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["xdg-open", file.path]
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (
      FileHandle.nullDevice, FileHandle.nullDevice
    )
    try process.run()
    return process
  }

  private static func show(_ address: String) {
    FileHandle.standardError.write(Data("Choose in a browser: \(address)\n".utf8))
  }
}

/// Nothing was chosen in time. The program ends with 1, as if the person had cancelled.
struct ChoiceFailure: Error, CustomStringConvertible {
  /// Why.
  let description: String
}
