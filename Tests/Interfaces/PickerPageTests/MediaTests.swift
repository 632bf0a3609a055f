import Testing
import Workbench

extension PickerPageTests {
  /// Pictures and videos, as the browser shows them.
  @Suite struct Media {
    @Test func `a Live Photo plays on its tile and in the large view`() async throws {
      let visit = try await PickerPageTests.visit([:])
      let live = try await visit.index(labelled: "Live Photo, 12 July 2024")
      try await visit.page.hover(Visit.item(live))
      try await Self.waitForPlay(visit.page, ".tile video.preview")
      try await visit.page.click(Visit.item(live), count: 2)
      try await visit.page.wait(until: "document.querySelector('#viewer-live')?.checkVisibility()")
      try await visit.page.click("#viewer-live")
      try await Self.waitForPlay(visit.page, "#viewer video")
      try await visit.page.press(.escape)
      // A double click looks, and does not choose.
      #expect(try await visit.selected().isEmpty)
    }

    @Test func `a second click ends a Live Photo that is prepared`() async throws {
      let visit = try await PickerPageTests.visit([:])
      let page = visit.page
      let live = try await visit.index(labelled: "Live Photo, 12 July 2024")
      try await page.click(Visit.item(live), count: 2)
      try await page.wait(until: "document.querySelector('#viewer-live')?.checkVisibility()")
      // The server prepares the clip until the test releases it.
      let isHeld: Bool = try await page.value(
        """
        (() => {
          const send = window.fetch;
          window.fetch = async (address, options) => {
            if (window.isReleased || !String(address).includes('/api/videos/')) return send(address, options);
            return new Response(JSON.stringify({ state: 'making', fraction: 0.1 }));
          };
          return true;
        })()
        """)
      #expect(isHeld)
      try await page.click("#viewer-live")
      try await page.click("#viewer-live")
      let pressed = "document.getElementById('viewer-live').ariaPressed"
      #expect(try await page.value(pressed) == "false")
      #expect(try await page.text("#viewer-note") == "")
      let isReleased: Bool = try await page.value("window.isReleased = true")
      #expect(isReleased)
      try await page.click("#viewer-live")
      try await Self.waitForPlay(page, "#viewer video")
      // Time for another one to appear.
      try await Task.sleep(for: .seconds(1))
      #expect(try await page.value("document.querySelectorAll('#viewer video').length") == 1)
      try await page.press(.escape)
    }

    @Test func `a video previews on its tile and plays with controls`() async throws {
      let visit = try await PickerPageTests.visit([:])
      let video = try await visit.index(labelled: "Video, 9 July 2024")
      #expect(
        try await visit.page.value(
          "document.querySelector(\"\(Visit.item(video)) .duration\").textContent")
          == "0:03")
      try await visit.page.hover(Visit.item(video))
      try await Self.waitForPlay(visit.page, ".tile video.preview")
      #expect(try await visit.page.value("document.querySelector('.tile video').muted"))
      try await visit.page.click(Visit.item(video), count: 2)
      try await Self.waitForPlay(visit.page, "#viewer video[controls]")
      #expect(
        try await visit.page.value("document.querySelector('#viewer video').videoWidth") == 320)
      try await visit.page.press(.escape)
    }

    /// Waits until a video has begun and goes on.
    private static func waitForPlay(_ page: Page, _ selector: String) async throws {
      // More than the first frame; a preview may begin again at any moment.
      try await page.wait(until: "document.querySelector('\(selector)')?.currentTime > 0.2")
    }

    @Test func `the large view shows details, and a picture larger than a thumbnail`() async throws
    {
      let visit = try await PickerPageTests.visit([:])
      let index = try await visit.index(labelled: "Photo, 6 June 2024")
      try await visit.page.click(Visit.item(index), count: 2)
      try await visit.page.wait(
        until: "document.querySelector('#viewer-picture img')?.naturalWidth === 1024")
      try await visit.page.click("#viewer-details")
      try await visit.page.wait(until: "document.querySelector('#viewer-facts dd')")
      let facts = try await visit.page.text("#viewer-facts")
      #expect(facts.contains("IMG_0056.JPG") && facts.contains("2400 × 1800"), "\(facts)")
      #expect(!facts.contains("NaN") && !facts.contains("undefined"), "\(facts)")
      try await visit.page.click("#viewer-next")
      try await visit.page.wait(
        until: "document.querySelector('#viewer-title').textContent.includes('5 June 2024')")
      try await visit.page.press(.escape)
    }

    @Test func `a German browser gets German words and dates`() async throws {
      let bench = try await PickerBench.shared.value
      try await PickerPageTests.withProfile(language: "de") { page in
        let visit = try await bench.visit(["selectionLimit": 3], in: page)
        #expect(try await page.value("document.documentElement.lang") == "de")
        #expect(try await page.text("#cancel") == "Abbrechen")
        #expect(
          try await page.value("document.querySelector('.heading').textContent") == "Juli 2024")
        try await visit.choose(0)
        #expect(try await visit.status() == "1 von 3 ausgewählt")
        _ = try await visit.index(labelled: "12. Juli 2024")
      }
    }
  }
}
