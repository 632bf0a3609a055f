import Testing
import Workbench

extension PickerPageTests {
  /// Search, chips and albums.
  @Suite struct Filters {
    private static func waitForCount(_ count: Int, _ page: Page) async throws {
      try await page.wait(
        until: "document.querySelector('[role=option]')?.ariaSetSize === '\(count)'")
    }

    @Test func `search finds names, and explains what it cannot find`() async throws {
      let visit = try await PickerPageTests.visit([:])
      try await visit.page.click("#search")
      try await visit.page.type("IMG_0042")
      try await Self.waitForCount(1, visit.page)
      #expect(try await visit.status() == "1 item found")
      try await visit.page.press(.escape)
      try await Self.waitForCount(60, visit.page)
      try await visit.page.type("penguin")
      try await visit.page.wait(until: "document.querySelector('#empty:not([hidden])')")
      #expect(try await visit.page.text("#empty") == "No photos or videos match.")
    }

    @Test func `chips show what the library has, and combine`() async throws {
      let visit = try await PickerPageTests.visit([:])
      let page = visit.page
      try await page.wait(until: "document.querySelector('#chips [role=checkbox]')")
      let kinds: [String] = try await page.value(
        "[...document.querySelectorAll('#chips [role=checkbox]')].map((chip) => chip.dataset.kind)")
      #expect(kinds == ["images", "videos", "livePhotos", "screenshots"])
      try await page.click("[data-kind=livePhotos]")
      try await Self.waitForCount(1, page)
      #expect(
        try await page.value("document.querySelector('[data-kind=livePhotos]').ariaChecked")
          == "true")
      try await page.click("[data-kind=screenshots]")
      try await Self.waitForCount(2, page)
      #expect(try await visit.index(labelled: "Screenshot, 10 July 2024") == 1)
      try await page.click("[data-kind=livePhotos]")
      try await Self.waitForCount(1, page)
      try await page.click("[data-kind=screenshots]")
      try await Self.waitForCount(60, page)
    }

    @Test func `an album shows its items`() async throws {
      let visit = try await PickerPageTests.visit([:])
      try await visit.page.click("#albums-button")
      try await visit.page.wait(until: "document.querySelector('#albums-list label')")
      try await visit.page.type("screen")
      try await visit.page.wait(
        until: "document.querySelectorAll('#albums-list label').length === 1")
      try await visit.page.click("#albums-list label")
      try await Self.waitForCount(1, visit.page)
      #expect(try await visit.page.text("#albums-name") == "Screenshots")
    }

    @Test func `a search for two words and an album with spaces find their items`() async throws {
      let visit = try await PickerPageTests.visit([:])
      let page = visit.page
      try await page.click("#search")
      try await page.type("rome document")
      try await Self.waitForCount(1, page)
      try await page.press(.escape)
      try await Self.waitForCount(60, page)
      try await page.click("#albums-button")
      try await page.wait(until: "document.querySelector('#albums-list label')")
      try await page.type("ostia")
      try await page.wait(until: "document.querySelectorAll('#albums-list label').length === 1")
      try await page.click("#albums-list label")
      try await Self.waitForCount(1, page)
      #expect(try await page.text("#albums-name") == Library.markupAlbum)
    }

    @Test func `a search while the library is counted stays`() async throws {
      let bench = try await PickerBench.shared.value
      try await PickerPageTests.withProfile { page in
        // The first answer about the whole library comes when the test asks for it.
        try await page.devTools(
          "Page.addScriptToEvaluateOnNewDocument",
          [
            "source": """
            const send = window.fetch;
            const released = new Promise((resolve) => { window.release = resolve; });
            window.fetch = async (address, options) => {
              const response = await send(address, options);
              if (String(address).endsWith('/api/library')) await released;
              return response;
            };
            """
          ])
        let session = try await bench.host.create([:])
        try await page.load(try #require(session.pickerUri))
        try await page.wait(until: "document.querySelector('#search:not([hidden])')")
        try await page.click("#search")
        try await page.type("IMG_0042")
        try await Self.waitForCount(1, page)
        let settled: Bool = try await page.value(
          "(release(), new Promise((resolve) => setTimeout(() => resolve(true), 500)))")
        #expect(settled)
        try await Self.waitForCount(1, page)
      }
    }

    @Test func `the host's filter, search and switches shape the page`() async throws {
      let visit = try await PickerPageTests.visit([
        "filter": "images", "searchText": "IMG_004*",
        "disabledCapabilities": ["collectionNavigation"],
      ])
      try await Self.waitForCount(10, visit.page)
      #expect(try await visit.page.value("document.getElementById('search').value") == "IMG_004*")
      #expect(try await visit.page.value("document.getElementById('albums').hidden"))
      #expect(try await visit.page.value("document.getElementById('chips').hidden"))
    }
  }
}
