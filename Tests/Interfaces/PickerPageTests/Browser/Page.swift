import Foundation
import Workbench

/// A browser with one profile: loads pages, runs scripts in them, and waits for what they show.
struct Page: Sendable {
  let driver: Driver
  /// Keeps the browser's driver running.
  let browser: Browser

  /// How long a page may take to show what it should. A loaded machine is slow.
  private static let patience = Duration.seconds(40)

  func close() async throws { try await driver.delete("") }

  func load(_ address: String) async throws {
    let _: JSON = try await driver.post("/url", ["url": .text(address)])
  }

  func reload() async throws { let _: JSON = try await driver.post("/refresh", [:]) }

  var address: String { get async throws { try await driver.get("/url") } }

  /// What a function's body returns in the page; a promise is awaited.
  func run<Value: Decodable>(
    _ body: String, _ arguments: JSON..., as type: Value.Type = Value.self
  ) async throws -> Value {
    try await driver.post("/execute/sync", ["script": .text(body), "args": .list(arguments)])
  }

  /// The value of an expression.
  func value<Value: Decodable>(
    _ expression: String, as type: Value.Type = Value.self
  ) async throws -> Value {
    try await run("return (\(expression))")
  }

  /// The text of the first element that a selector matches.
  func text(_ selector: String) async throws -> String {
    try await run("return document.querySelector(arguments[0])?.textContent ?? ''", .text(selector))
  }

  /// Waits until an expression, or the promise that it returns, is true.
  ///
  /// - Throws: an error with the text of the page if it does not become so.
  func wait(until expression: String) async throws {
    let start = ContinuousClock.now
    while true {
      // While a page is replaced by another one, an expression may fail.
      let isTrue = try? await run(
        "return (async () => Boolean(await (\(expression))))()", as: Bool.self)
      if isTrue == true { return }
      guard ContinuousClock.now - start < Self.patience else { break }
      try await Task.sleep(for: .milliseconds(25))
    }
    let shown = (try? await value("document.body.innerText", as: String.self)) ?? ""
    throw PageTestError("the page never had: \(expression)\nIt shows: \(shown.prefix(600))")
  }

  /// A command of the Chrome DevTools protocol.
  func devTools(_ command: String, _ parameters: JSON) async throws {
    let _: JSON = try await driver.post(
      "/goog/cdp/execute", ["cmd": .text(command), "params": parameters])
  }

  /// Shows pages as to a person who prefers this scheme.
  func prefer(_ scheme: ColorScheme) async throws {
    try await devTools(
      "Emulation.setEmulatedMedia",
      ["features": [["name": "prefers-color-scheme", "value": .text(scheme.rawValue)]]])
  }

  /// Shows pages in a window of this size, in CSS pixels.
  func resize(width: Int, height: Int) async throws {
    try await devTools(
      "Emulation.setDeviceMetricsOverride",
      [
        "width": .number(Double(width)), "height": .number(Double(height)), "deviceScaleFactor": 1,
        "mobile": false,
      ])
  }

  /// A picture of the window, as PNG.
  func screenshot() async throws -> Data {
    guard let data = Data(base64Encoded: try await driver.get("/screenshot") as String) else {
      throw PageTestError("the screenshot is not Base64")
    }
    return data
  }

  /// Opens a tab in the same profile, and continues there.
  ///
  /// - Returns: the earlier tab.
  func openTab() async throws -> String {
    struct Tab: Decodable { var handle: String }
    let earlier: String = try await driver.get("/window")
    let tab: Tab = try await driver.post("/window/new", ["type": "tab"])
    try await switchTo(tab: tab.handle)
    return earlier
  }

  /// Closes this tab and continues in another.
  func closeTab(backTo handle: String) async throws {
    try await driver.delete("/window")
    try await switchTo(tab: handle)
  }

  private func switchTo(tab handle: String) async throws {
    let _: JSON = try await driver.post("/window", ["handle": .text(handle)])
  }
}

/// What a person can prefer.
enum ColorScheme: String, CaseIterable, Sendable {
  case light, dark
}
