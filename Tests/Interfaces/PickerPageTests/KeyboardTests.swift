import Testing
import Workbench

extension PickerPageTests {
  /// What a person does without a mouse.
  @Suite struct Keyboard {
    /// The id of the element with the focus; its kind for a chip.
    private static let focused = """
      document.activeElement?.dataset?.kind ?? document.activeElement?.id ?? ''
      """

    @Test func `from the first Tab to Done`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 2])
      let page = visit.page
      try await tab(page, to: "grid")
      #expect(
        try await page.value("document.activeElement.getAttribute('aria-activedescendant')")
          == "option-0")
      try await page.press(.right, .space)
      #expect(try await visit.selected() == [1])
      try await page.press(.right, .enter)
      try await page.wait(until: "document.querySelector('dialog#viewer').open")
      #expect(try await page.value(Self.focused) == "viewer-select")
      try await page.press(.space)
      #expect(try await visit.selected() == [1, 2])
      try await page.press(.escape)
      try await page.wait(until: "!document.querySelector('dialog#viewer').open")
      #expect(try await page.value(Self.focused) == "grid")
      try await page.press(.end)
      try await page.wait(
        until: "document.querySelector('[role=option].active')?.ariaPosInSet === '60'")
      try await page.press(.space)
      #expect(try await visit.status() == "You can choose up to 2 items.")
      try await tab(page, to: "done")
      try await page.press(.enter)
      try await page.wait(until: "document.querySelector('#over:not([hidden])')")
      #expect(try await visit.host.chosenNames(visit.id).count == 2)
    }

    /// Presses Tab until an element has the focus.
    private func tab(_ page: Page, to id: String) async throws {
      for _ in 0..<60 {
        try await page.press(.tab)
        if try await page.value(Self.focused) == id { return }
      }
      throw PageTestError("Tab never leads to \(id)")
    }

    @Test func `Tab reaches every control`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 0])
      try await visit.page.wait(until: "document.querySelector('#chips [role=checkbox]')")
      try await visit.choose(0)
      try await expectReach(visit.page, "document.body")
      try await visit.page.click("#options-button")
      try await visit.page.wait(until: "document.querySelector('#options-panel:not([hidden])')")
      try await expectReach(visit.page, "document.getElementById('options-panel')")
      try await visit.page.press(.escape)
      try await visit.page.click("#albums-button")
      try await visit.page.wait(until: "document.querySelector('#albums-list input')")
      try await expectReach(visit.page, "document.getElementById('albums-panel')")
      try await visit.page.press(.escape)
      let live = try await visit.index(labelled: "Live Photo")
      try await visit.page.click(Visit.item(live), count: 2)
      try await visit.page.wait(until: "document.querySelector('#viewer-picture img')")
      try await visit.page.click("#viewer-details")
      try await expectReach(visit.page, "document.getElementById('viewer')")
      try await visit.page.press(.escape)
      try await visit.page.click("#help-button")
      try await expectReach(visit.page, "document.getElementById('help')")
      try await visit.page.press(.escape)
    }

    /// Expects that Tab reaches each visible control below a node. A group of radio buttons is one stop: arrow keys move
    /// within it.
    private func expectReach(_ page: Page, _ root: String) async throws {
      let controls: [String] = try await page.run(
        """
        const controls = [...\(root).querySelectorAll('button, input, select, a[href], video[controls], [role=slider], [role=listbox], [tabindex="0"]')]
          .filter((node) => node.checkVisibility({visibilityProperty: true}) && !node.disabled)
          .filter((node) => node.type !== 'radio' || node.checked);
        controls.forEach((node, position) => node.setAttribute('data-stop', position));
        return controls.map((node) => node.outerHTML.slice(0, 120))
        """)
      // A panel gives its first control the focus when it opens.
      var reached = Set([try await Self.stop(page)].compactMap(\.self))
      for _ in 0..<(controls.count * 2 + 10) where reached.count < controls.count {
        try await page.press(.tab)
        if let stop = try await Self.stop(page) { reached.insert(stop) }
      }
      let missed = controls.indices.filter { !reached.contains($0) }.map { controls[$0] }
      #expect(missed.isEmpty, "in \(root)")
      #expect(!controls.isEmpty)
      let _: JSON = try await page.run(
        "document.querySelectorAll('[data-stop]').forEach((n) => n.removeAttribute('data-stop')); return null"
      )
    }

    /// The number of the control that has the focus.
    private static func stop(_ page: Page) async throws -> Int? {
      try await page.value("Number(document.activeElement?.getAttribute('data-stop') ?? NaN)")
    }

    @Test func `Ctrl-A selects up to the limit, and Ctrl-Shift-A nothing`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 7])
      try await tab(visit.page, to: "grid")
      try await visit.page.type("a", holding: .control)
      // The status line shows it for some seconds only.
      try await visit.waitForStatus("You can choose up to 7 items.")
      try await visit.waitForServer(count: 7)
      try await visit.page.click("#select-all")
      try await visit.waitForServer(count: 0)
    }
  }
}
