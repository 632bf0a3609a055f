import Testing
import Workbench

extension PickerPageTests {
  /// Choosing by mouse.
  @Suite struct Choosing {
    @Test func `at the limit a fourth item is refused with the reason`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 3, "title": "Choose three"])
      #expect(try await visit.page.text("#title") == "Choose three")
      #expect(try await visit.status() == "Choose up to 3 items.")
      #expect(try await visit.page.value("document.getElementById('done').disabled"))
      try await visit.choose(0, 2, 4)
      #expect(try await visit.status() == "3 of 3 selected")
      #expect(
        try await visit.page.value("document.querySelector(\"\(Visit.item(5))\").ariaDisabled")
          == "true")
      try await visit.choose(5)
      #expect(try await visit.status() == "You can choose up to 3 items.")
      #expect(try await visit.page.value("document.getElementById('status').checkVisibility()"))
      #expect(try await visit.selected() == [0, 2, 4])
      try await visit.finish()
      #expect(try await visit.page.text("#over-title") == "Done")
      #expect(try await visit.host.session(visit.id).mediaItemsSet)
      #expect(try await visit.host.chosenNames(visit.id).count == 3)
    }

    @Test func `an ordered choice has numbers, and arrives in their order`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 0, "selection": "ordered"])
      var indexes: [Int] = []
      for number in [50, 45, 40] {
        indexes.append(try await visit.index(labelled: "Photo, \(Self.date(of: number))"))
      }
      for index in indexes.reversed() { try await visit.page.click(Visit.item(index)) }
      let numbers = "[...document.querySelectorAll('[data-number]')].map((o) => o.dataset.number)"
      #expect(try await visit.page.value(numbers, as: [String].self) == ["3", "2", "1"])
      // Deselected and selected again, the first becomes the last.
      try await visit.waitForServer(count: 3)
      try await visit.page.click(Visit.item(indexes[2]))
      try await visit.waitForServer(count: 2)
      #expect(try await visit.page.value(numbers, as: [String].self) == ["2", "1"])
      try await Task.sleep(for: .milliseconds(600))
      try await visit.page.click(Visit.item(indexes[2]))
      #expect(try await visit.page.value(numbers, as: [String].self) == ["2", "1", "3"])
      try await visit.finish()
      #expect(
        try await visit.host.chosenNames(visit.id) == [
          "IMG_0045.JPG", "IMG_0050.JPG", "IMG_0040.JPG",
        ])
    }

    /// The date of a photo of the shared library, as British English writes it.
    private static func date(of number: Int) -> String {
      let months = ["January", "February", "March", "April", "May", "June"]
      return "\(1 + (number - 1) % 10) \(months[(number - 1) / 10]) 2024"
    }

    @Test func `shift-click and shift with arrow keys select ranges`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 0])
      try await visit.choose(1)
      try await visit.page.click(Visit.item(6), holding: .shift)
      try await visit.page.wait(
        until: "document.querySelectorAll('[aria-selected=true]').length === 6")
      #expect(try await visit.selected() == Array(1...6))
      // A shorter range from the same start gives back what the longer one had.
      try await visit.page.click(Visit.item(3), holding: .shift)
      try await visit.page.wait(
        until: "document.querySelectorAll('[aria-selected=true]').length === 3")
      try await visit.page.press(.right, .right, holding: .shift)
      try await visit.page.wait(
        until: "document.querySelectorAll('[aria-selected=true]').length === 5")
      #expect(try await visit.selected() == Array(1...5))
      try await visit.waitForServer(count: 5)
    }

    @Test func `a range without an earlier choice is one item`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 0])
      try await visit.page.click(Visit.item(6), holding: .shift)
      try await Self.waitForSelected(1, visit.page)
      #expect(try await visit.selected() == [6])
      try await visit.page.click(Visit.item(8), holding: .shift)
      try await Self.waitForSelected(3, visit.page)
      #expect(try await visit.selected() == [6, 7, 8])
    }

    private static func waitForSelected(_ count: Int, _ page: Page) async throws {
      try await page.wait(
        until: "document.querySelectorAll('[aria-selected=true]').length === \(count)")
    }

    @Test func `a range does not bring back what was deselected since`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 0])
      try await visit.choose(2, 10)
      try await visit.page.click(Visit.item(12), holding: .shift)
      try await Self.waitForSelected(4, visit.page)
      try await visit.page.click("#select-all")
      try await Self.waitForSelected(0, visit.page)
      // The next range starts where the last one ended.
      try await visit.page.click(Visit.item(14), holding: .shift)
      try await Self.waitForSelected(3, visit.page)
      #expect(try await visit.selected() == [12, 13, 14])
      try await visit.waitForServer(count: 3)
    }

    @Test func `a range keeps what was selected with all items`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 0])
      try await visit.choose(2)
      try await visit.page.click(Visit.item(5), holding: .shift)
      try await Self.waitForSelected(4, visit.page)
      try await visit.page.type("a", holding: .control)
      try await visit.waitForServer(count: 60)
      try await visit.page.click(Visit.item(6), holding: .shift)
      #expect(try await visit.selected().contains(20))
      #expect(try await visit.page.text("#done-count") == " (60)")
      try await visit.waitForServer(count: 60)
    }

    @Test func `a range does not bring back what another window deselected`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 0])
      try await visit.choose(2, 10)
      try await visit.page.click(Visit.item(12), holding: .shift)
      try await visit.waitForServer(count: 4)
      // What another window does; this one notices when the person comes back to it.
      let isDone: Bool = try await visit.page.run(
        """
        const session = await (await fetch('api/session')).json();
        await fetch('api/selection', {
          method: 'POST', headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ add: [], remove: session.selection }),
        });
        document.dispatchEvent(new Event('visibilitychange'));
        return document.visibilityState === 'visible';
        """)
      #expect(isDone)
      try await Self.waitForSelected(0, visit.page)
      try await visit.page.click(Visit.item(14), holding: .shift)
      try await Self.waitForSelected(5, visit.page)
      #expect(try await visit.selected() == Array(10...14))
    }

    private static func scrollToEnd(_ page: Page) async throws {
      let _: JSON = try await page.run(
        "document.getElementById('grid').scrollTo(0, 1e9); return null")
    }

    @Test func `a range has nothing that a scan has added since the page was opened`() async throws
    {
      let bench = try await PickerBench(try await Library.long)
      let visit = try await bench.visit(["selectionLimit": 0], in: PickerPageTests.page)
      let page = visit.page
      // The newest are first. The first and the last page of the list are loaded, those between them are not.
      try await visit.choose(2)
      try await Self.scrollToEnd(page)
      try await page.wait(
        until: "document.querySelector(\"\(Visit.item(690))[data-status=present]\")")
      try await bench.workbench.bash(
        """
        cd library
        for number in 1 2 3 4 5; do
          cp IMG_0699.JPG new$number.jpg
          # One of them within the range, the others before it.
          day=$((number == 1 ? 5 : 30))
          exiftool -q -overwrite_original -DateTimeOriginal="2024:06:$day 10:30:3$number" new$number.jpg
        done
        """)
      let scan = try await bench.workbench.scan()
      #expect(scan.report.added == 5)
      try await page.click(Visit.item(690), holding: .shift)
      // From IMG_0697 to IMG_0009. The status line shows a problem for some seconds only.
      try await visit.waitForStatus("1 item that was added or changed meanwhile is not selected.")
      try await visit.waitForServer(count: 689)
      #expect(try await page.text("#done-count") == " (689)")
      #expect(try await visit.selected().contains(690))
      try await visit.finish()
      let names = try await bench.host.chosenNames(visit.id)
      #expect(names.first == "IMG_0697.JPG")
      #expect(names.allSatisfy { $0.hasPrefix("IMG_") }, "\(names)")
    }

    @Test func `a range whose end is gone says so`() async throws {
      let bench = try await PickerBench(try await Library.long)
      let visit = try await bench.visit(["selectionLimit": 0], in: PickerPageTests.page)
      try await visit.choose(2)
      try await Self.scrollToEnd(visit.page)
      try await visit.page.wait(
        until: "document.querySelector(\"\(Visit.item(690))[data-status=present]\")")
      try await bench.workbench.bash("rm library/IMG_0009.JPG")
      _ = try await bench.workbench.scan()
      try await visit.page.click(Visit.item(690), holding: .shift)
      try await visit.page.wait(
        until: "document.getElementById('status').textContent.includes('choose the range again')")
      #expect(try await visit.page.text("#done-count") == " (1)")
    }

    @Test func `a shift-double-click looks, and keeps the choice`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 0])
      let page = visit.page
      // By keyboard, so that no click has seen the choice.
      _ = try await page.run(
        "document.getElementById('grid').focus(); return true", as: Bool.self)
      try await page.press(.home, .space, .right, .space)
      #expect(try await visit.selected() == [0, 1])
      try await page.click(Visit.item(8), count: 2, holding: .shift)
      try await page.wait(until: "document.querySelector('dialog#viewer').open")
      #expect(try await visit.selected() == [0, 1])
      try await page.press(.escape)
    }

    @Test func `Done takes a choice to which a drag has returned`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 0])
      try await visit.choose(0, 1, 2, 3)
      try await visit.waitForServer(count: 4)
      // The server answers late.
      let isSlow: Bool = try await visit.page.value(
        """
        (() => {
          const send = window.fetch;
          window.fetch = async (address, options) => {
            if (String(address).endsWith('/selection')) await new Promise((resolve) => setTimeout(resolve, 500));
            return send(address, options);
          };
          return true;
        })()
        """)
      #expect(isSlow)
      try await visit.page.drag([1, 2, 1].map(Visit.item))
      // The drag deselects where it began. It also deselected 2, and gave it back.
      #expect(try await visit.selected() == [0, 2, 3])
      try await visit.finish()
      #expect(try await visit.host.chosenNames(visit.id).count == 3)
    }

    @Test func `with a limit of one another choice replaces the first`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 1])
      try await visit.choose(2, 4)
      #expect(try await visit.selected() == [4])
    }

    @Test func `a reload keeps the choice`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 5])
      try await visit.choose(0, 3)
      try await visit.waitForServer(count: 2)
      try await visit.page.reload()
      try await visit.waitForGrid()
      #expect(try await visit.selected() == [0, 3])
      #expect(try await visit.status() == "2 of 5 selected")
    }
  }
}
