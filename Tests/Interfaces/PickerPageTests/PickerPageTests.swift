// PickerPageTests: uses the picker's page as a person does, in Debian's chromium, at the real server on a library of real
// media. The page is judged by its fixed roles and names (docs/picker.md), and the result by the host API.

import Testing
import Workbench

/// All tests of the page, one after the other: they share a browser.
@Suite(
  .serialized, .timeLimit(.minutes(3)),
  .enabled("chromium and chromedriver are installed") { Browser.isInstalled })
struct PickerPageTests {
  /// The profile that most tests share. Each has its own session.
  private static let profile = Task { try await Browser.shared.value.profile() }

  /// Begins a session on the shared library and opens its page.
  static func visit(_ config: JSON) async throws -> Visit {
    try await PickerBench.shared.value.visit(config, in: try await profile.value)
  }

  /// The shared profile.
  static var page: Page { get async throws { try await profile.value } }

  /// A profile of its own, which is closed in the end.
  static func withProfile(
    language: String = "en-GB", _ body: (Page) async throws -> Void
  ) async throws {
    let page = try await Browser.shared.value.profile(language: language)
    do {
      try await body(page)
    } catch {
      try? await page.close()
      throw error
    }
    try await page.close()
  }
}
