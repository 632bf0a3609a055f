import Foundation
import NIOHTTP1
import Workbench

/// Debian's chromium without a window, driven through chromedriver by the WebDriver protocol
/// (https://www.w3.org/TR/webdriver2/).
final class Browser: Sendable {
  /// The browser that tests share.
  static let shared = Task { try await Browser() }

  private static let programs = ["/usr/bin/chromium", "/usr/bin/chromedriver"]

  /// Whether the browser and its driver are installed.
  static var isInstalled: Bool {
    programs.allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }
  }

  private let program: BackgroundProgram
  private let client: LocalClient
  /// For the browser's profiles and logs; removed with this object.
  private let folder: URL

  private init() async throws {
    folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: "shoebox-browser-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    Browser.folders.add(folder.path)
    program = try BackgroundProgram(
      [Self.programs[1], "--port=0"], log: folder.appending(path: "driver.log").path,
      environment: ["TMPDIR": folder.path, "HOME": folder.path])
    let output = try await program.output(after: "started successfully on port ")
    guard let port = Int(output.prefix { $0.isNumber }) else {
      throw PageTestError("no port: \(output)")
    }
    client = LocalClient(port: port)
  }

  private static let folders = FoldersAtExit()

  /// A browser with a profile of its own, which has no cookies.
  ///
  /// - Parameter language: that of its texts and of its requests.
  func profile(language: String = "en-GB") async throws -> Page {
    var arguments: [JSON] = [
      "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars",
      "--no-first-run", "--disable-extensions", "--disable-component-update",
      "--disable-background-networking", "--window-size=1024,768",
      "--autoplay-policy=no-user-gesture-required", .text("--lang=\(language)"),
    ]
    // chromium's sandbox needs an ordinary user.
    if geteuid() == 0 { arguments.append("--no-sandbox") }
    let options: JSON = [
      "binary": .text(Self.programs[0]), "args": .list(arguments),
      "prefs": ["intl": ["accept_languages": .text(language)]],
    ]
    let capabilities: JSON = [
      "browserName": "chrome", "goog:chromeOptions": options,
      "goog:loggingPrefs": ["browser": "ALL"], "timeouts": ["script": 60_000, "pageLoad": 60_000],
    ]
    struct Session: Decodable { var sessionId: String }
    let driver = Driver(client: client, path: "")
    let session: Session = try await driver.post(
      "/session", ["capabilities": ["alwaysMatch": capabilities]])
    return Page(
      driver: Driver(client: client, path: "/session/\(session.sessionId)"), browser: self)
  }
}

/// Commands to chromedriver, below one path.
struct Driver: Sendable {
  let client: LocalClient
  let path: String

  private struct Answer<Value: Decodable>: Decodable { var value: Value }
  private struct Failure: Decodable {
    var error: String
    var message: String
  }

  func get<Value: Decodable>(_ path: String) async throws -> Value {
    try await send(.GET, path, nil)
  }

  func post<Value: Decodable>(_ path: String, _ body: JSON) async throws -> Value {
    try await send(.POST, path, body)
  }

  func delete(_ path: String) async throws {
    _ = try await send(.DELETE, path, nil) as JSON
  }

  private func send<Value: Decodable>(
    _ method: HTTPMethod, _ path: String, _ body: JSON?
  ) async throws -> Value {
    let (status, data) = try await client.send(method, self.path + path, body)
    guard status == 200 else {
      let failure = try? JSONDecoder().decode(Answer<Failure>.self, from: data).value
      throw PageTestError(
        "\(path): \(failure.map { "\($0.error): \($0.message)" } ?? "status \(status)")")
    }
    return try JSONDecoder().decode(Answer<Value>.self, from: data).value
  }
}
