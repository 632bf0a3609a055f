import Testing
import Workbench

extension PickerPageTests {
  /// How sessions begin and end, and that they do not mix.
  @Suite struct Sessions {
    @Test func `Cancel shares nothing`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 3])
      try await visit.choose(0, 1)
      try await visit.page.click("#cancel")
      try await visit.page.wait(until: "document.querySelector('#over:not([hidden])')")
      #expect(
        try await visit.page.text("#over-text") == "Nothing was shared. You can close this window.")
      await #expect(throws: PageTestError.self) { try await visit.host.chosenNames(visit.id) }
      try await visit.page.reload()
      try await visit.page.wait(until: "document.querySelector('#over:not([hidden])')")
      #expect(
        try await visit.page.text("#over-text") == "It was cancelled. You can close this window.")
    }

    @Test func `the page says what the person decided, even if another request is refused first`()
      async throws
    {
      let visit = try await PickerPageTests.visit([:])
      // The answer to the decision is late, and meanwhile the page asks for the session, which is over.
      let isReady: Bool = try await visit.page.value(
        """
        (() => {
          const send = window.fetch;
          window.fetch = async (address, options) => {
            const response = await send(address, options);
            if (String(address).endsWith('/cancel')) {
              document.dispatchEvent(new Event('visibilitychange'));
              await new Promise((resolve) => setTimeout(resolve, 500));
            }
            return response;
          };
          return document.visibilityState === 'visible';
        })()
        """)
      #expect(isReady)
      try await visit.page.click("#cancel")
      try await visit.page.wait(until: "document.querySelector('#over:not([hidden])')")
      #expect(
        try await visit.page.text("#over-text") == "Nothing was shared. You can close this window.")
    }

    /// Until the test says otherwise, requests to some addresses do not reach the server.
    private static func breakConnection(_ page: Page, to names: String...) async throws {
      let isBroken: Bool = try await page.run(
        """
        const names = arguments[0];
        window.send ??= window.fetch;
        window.fetch = (address, options) => names.some((name) => String(address).endsWith('/api/' + name))
          ? Promise.reject(new TypeError('Failed to fetch')) : window.send(address, options);
        return true;
        """, .list(names.map { .text($0) }))
      #expect(isBroken)
    }

    private static func untickLocation(_ page: Page) async throws {
      try await page.click("#options-button")
      try await page.wait(until: "document.querySelector('#options-panel:not([hidden])')")
      try await page.click("#include-location input")
    }

    @Test func `Done waits for a box that was unticked while the connection was lost`() async throws
    {
      let visit = try await PickerPageTests.visit(["selectionLimit": 3])
      let page = visit.page
      try await visit.choose(0)
      try await visit.waitForServer(count: 1)
      try await Self.breakConnection(page, to: "options")
      try await Self.untickLocation(page)
      try await page.wait(
        until: "document.getElementById('status').textContent.startsWith('The connection is lost')")
      try await page.press(.escape)
      try await page.click("#done")
      // Time for a request that does not wait.
      try await Task.sleep(for: .seconds(1))
      #expect(try await visit.host.session(visit.id).mediaItemsSet == false)
      // Nothing can be changed while the choice is sent.
      #expect(try await page.value("document.querySelector('#options').inert"))
      try await Self.breakConnection(page)
      try await page.wait(until: "document.querySelector('#over:not([hidden])')")
      let base = try await PickerBench.shared.value
      #expect(
        try await base.workbench.query(
          "SELECT json_extract(content, '$.includesLocation') FROM sessions WHERE id = '\(visit.id)'",
          of: base.workbench.catalog + ".picker") == ["0"])
    }

    @Test func `Done is refused if the page shows other options than the server has`() async throws
    {
      let visit = try await PickerPageTests.visit(["selectionLimit": 3])
      let page = visit.page
      try await visit.choose(0)
      try await visit.waitForServer(count: 1)
      // Another window of the same session.
      let isDone: Bool = try await page.run(
        """
        await fetch('api/options', {
          method: 'POST', headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify({ includeLocation: false }),
        });
        return document.querySelector('#include-location input').checked;
        """)
      #expect(isDone)
      try await page.click("#done")
      try await page.wait(
        until: "document.getElementById('status').textContent.includes('choose Done again')")
      #expect(
        try await page.value("document.querySelector('#include-location input').checked") == false)
      #expect(try await visit.host.session(visit.id).mediaItemsSet == false)
      try await visit.finish()
      #expect(try await visit.host.session(visit.id).mediaItemsSet)
    }

    @Test func `without workers the page shows the library without previews`() async throws {
      let bench = try await PickerBench(
        Library.small, environment: ["SHOEBOX_CODEC": "/nonexistent/shoebox-codec"])
      let visit = try await bench.visit(
        ["selectionLimit": 3], in: PickerPageTests.page, waiting: false)
      let page = visit.page
      // The status line shows it for some seconds only.
      try await page.wait(
        until:
          "document.getElementById('status').textContent.startsWith('Previews can’t be shown: ')")
      try await page.wait(
        until: "document.querySelectorAll('[role=option][data-status=present]').length === 3")
      try await page.wait(until: "document.querySelectorAll('[data-note]').length === 3")
      #expect(
        try await page.value("document.querySelector('[data-note]').dataset.note") == "No preview")
      try await visit.choose(0, 2)
      try await visit.finish()
      #expect(try await visit.host.chosenNames(visit.id) == ["IMG_3.JPG", "IMG_1.JPG"])
    }

    @Test func `the address works once, in this browser and in another`() async throws {
      let visit = try await PickerPageTests.visit([:])
      let address = try await visit.page.address
      try await visit.page.load(visit.pickerUri)
      #expect(try await visit.page.text("h1") == "This page cannot be opened")
      #expect(try await visit.page.value("document.querySelectorAll('[role=option]').length") == 0)
      // The session itself is not harmed.
      try await visit.page.load(address)
      try await visit.waitForGrid()
      try await PickerPageTests.withProfile { other in
        for stolen in [visit.pickerUri, address] {
          try await other.load(stolen)
          #expect(try await other.text("h1") == "This page cannot be opened", "\(stolen)")
          #expect(try await other.value("document.images.length") == 0)
        }
      }
    }

    @Test func `the browser keeps no picture after the choice`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 3])
      try await visit.choose(0)
      let address = try await visit.page.address
      // The pictures of a grid arrive in any order.
      let image = "document.querySelector(\"\(Visit.item(0)) img\")"
      try await visit.page.wait(until: "\(image).naturalWidth > 0")
      let picture: String = try await visit.page.value("\(image).src")
      try await visit.page.load(picture)
      #expect(try await visit.page.value("document.images.length") == 1)
      try await visit.page.load(address)
      try await visit.waitForGrid()
      try await visit.finish()
      try await visit.page.load(picture)
      #expect(try await visit.page.value("document.images.length") == 0)
    }

    @Test func `two people choose at the same time`() async throws {
      let bench = try await PickerBench.shared.value
      let first = try await PickerPageTests.visit(["selectionLimit": 3, "title": "For Ada"])
      try await first.choose(4)
      try await PickerPageTests.withProfile { page in
        let second = try await bench.visit(["selectionLimit": 3, "title": "For Ben"], in: page)
        #expect(try await second.selected().isEmpty)
        try await second.choose(5, 6)
        try await second.waitForServer(count: 2)
        try await first.waitForServer(count: 1)
        try await first.page.reload()
        try await first.waitForGrid()
        #expect(try await first.selected() == [4])
        #expect(try await first.page.text("#title") == "For Ada")
        try await second.finish()
        #expect(try await second.host.chosenNames(second.id).count == 2)
        #expect(try await first.host.session(first.id).mediaItemsSet == false)
      }
    }

    @Test func `two sessions in one browser do not mix`() async throws {
      let first = try await PickerPageTests.visit(["selectionLimit": 3])
      try await first.choose(1)
      try await first.waitForServer(count: 1)
      let tab = try await first.page.openTab()
      let second = try await PickerPageTests.visit(["selectionLimit": 3])
      #expect(try await second.selected().isEmpty)
      try await second.choose(2, 3)
      try await second.waitForServer(count: 2)
      try await first.page.closeTab(backTo: tab)
      try await first.waitForServer(count: 1)
      try await first.page.reload()
      try await first.waitForGrid()
      #expect(try await first.selected() == [1])
    }

    @Test func `the page says that the program has ended the session`() async throws {
      let visit = try await PickerPageTests.visit(["selectionLimit": 3])
      try await visit.choose(0)
      try await visit.waitForServer(count: 1)
      try await visit.host.delete(visit.id)
      // Thumbnails that still load may have found out before.
      try? await visit.choose(1)
      try await visit.page.wait(until: "document.querySelector('#over:not([hidden])')")
      #expect(try await visit.page.text("#over-title") == "This session is over")
      #expect(
        try await visit.page.text("#over-text")
          == "The program that asked has ended it. You can close this window.")
    }

    @Test func `a file that vanished shows its state, and the session goes on`() async throws {
      let bench = try await PickerBench(Library.small)
      try await bench.workbench.bash("rm library/IMG_2.JPG")
      let visit = try await bench.visit(["selectionLimit": 0], in: PickerPageTests.page)
      // Newest first: IMG_3, IMG_2, IMG_1.
      try await visit.page.wait(
        until: "document.querySelector(\"\(Visit.item(1))\").dataset.status === 'unreadable'")
      let label = "document.querySelector(\"\(Visit.item(1))\").ariaLabel"
      #expect(try await visit.page.value(label, as: String.self).hasSuffix("can’t be read"))
      try await visit.choose(1)
      #expect(try await visit.status() == "This item can’t be read.")
      try await visit.choose(0, 2)
      #expect(try await visit.selected() == [0, 2])
      try await visit.finish()
      #expect(try await visit.host.chosenNames(visit.id) == ["IMG_3.JPG", "IMG_1.JPG"])
    }

    @Test func `markup in names and titles stays text`() async throws {
      let title = "<script>document.title='owned'</script>"
      let visit = try await PickerPageTests.visit([
        "selectionLimit": 0, "title": .text(title), "searchText": "",
      ])
      #expect(try await visit.page.text("#title") == title)
      let index = try await visit.index(labelled: Library.markup)
      try await visit.page.click(Visit.item(index), count: 2)
      try await visit.page.wait(until: "document.querySelector('dialog#viewer').open")
      try await visit.page.click("#viewer-details")
      try await visit.page.wait(until: "document.querySelector('#viewer-facts dd')")
      let facts = try await visit.page.text("#viewer-facts")
      #expect(facts.contains(Library.markup + ".jpg"), "\(facts)")
      try await visit.page.click("#viewer-close")
      try await visit.page.click("#albums-button")
      try await visit.page.wait(
        until: "document.querySelectorAll('#albums-list label').length === 4")
      #expect(try await visit.page.text("#albums-list").contains(Library.markupAlbum))
      #expect(try await visit.page.value("document.title") == title)
      // Neither a picture that fails nor an element by its name.
      #expect(
        try await visit.page.value("document.querySelectorAll('img[onerror], b').length") == 0)
    }
  }
}
