import Foundation
import Testing
import Workbench

/// axe-core, as the set-up installs it.
private enum AxeCore {
  /// Its source; nil if it is not installed.
  static let script: String? = {
    let root = URL(filePath: Workbench.supportFolder).deletingLastPathComponent()
      .deletingLastPathComponent()
    let file = root.appending(path: ".build/axe/axe_playwright_python/axe.min.js")
    return try? String(contentsOf: file, encoding: .utf8)
  }()
}

extension PickerPageTests {
  /// axe-core's rules on every view, in both colour schemes. `.ci/setup all` installs axe-core.
  @Suite(.enabled("axe-core is installed") { AxeCore.script != nil })
  struct Accessibility {
    private struct Finding: Decodable {
      var id: String
      var impact: String?
      var nodes: [String]
    }
    private struct Findings: Decodable {
      var violations: [Finding]
      var contrastPasses: Int
    }

    /// Expects that axe finds nothing serious in what the page shows.
    private func expectAccessible(_ page: Page, _ view: String) async throws {
      let findings: Findings = try await page.run(
        """
        if (!window.axe) (0, eval)(arguments[0]);
        return window.axe.run(document).then(({violations, passes}) => ({
          violations: violations.map(({id, impact, nodes}) =>
            ({id, impact, nodes: nodes.slice(0, 5).map((node) => node.html + ' ' + node.failureSummary)})),
          contrastPasses: passes.filter(({id}) => id === 'color-contrast').flatMap(({nodes}) => nodes).length,
        }))
        """, .text(AxeCore.script ?? ""))
      let serious = findings.violations.filter {
        ["serious", "critical"].contains($0.impact ?? "") || $0.id == "color-contrast"
      }
      #expect(serious.isEmpty, "\(view)")
      #expect(findings.contrastPasses > 0, "\(view)")
    }

    @Test(arguments: ColorScheme.allCases)
    func `no view has a serious problem`(scheme: ColorScheme) async throws {
      let page = try await PickerPageTests.page
      try await page.prefer(scheme)
      let visit = try await PickerPageTests.visit(["selectionLimit": 2, "selection": "ordered"])
      try await page.wait(until: "document.querySelector('#chips [role=checkbox]')")
      try await expectAccessible(page, "grid")
      try await visit.choose(0, 1, 2)
      try await page.click("[data-kind=images]")
      try await page.wait(
        until: "document.querySelector('[data-kind=images]').ariaChecked === 'true'")
      // All but the videos.
      try await page.wait(
        until: "Number(document.querySelector('[role=option]')?.ariaSetSize) < 60")
      try await expectAccessible(page, "grid at the limit")
      try await page.click("#options-button")
      try await page.wait(until: "document.querySelector('#options-panel:not([hidden])')")
      try await expectAccessible(page, "options")
      try await page.press(.escape)
      try await page.click("#albums-button")
      try await page.wait(until: "document.querySelector('#albums-list input')")
      try await expectAccessible(page, "albums")
      try await page.press(.escape)
      try await page.click(Visit.item(0), count: 2)
      try await page.wait(until: "document.querySelector('#viewer-picture img')?.naturalWidth > 0")
      try await page.click("#viewer-details")
      try await page.wait(until: "document.querySelector('#viewer-facts dd')")
      try await expectAccessible(page, "large view")
      try await page.press(.escape)
      try await page.click("#help-button")
      try await expectAccessible(page, "help")
      try await page.press(.escape)
      try await visit.finish()
      try await expectAccessible(page, "over")
      try await page.load(visit.pickerUri)
      try await expectAccessible(page, "notice")
      try await page.prefer(.light)
    }
  }
}
