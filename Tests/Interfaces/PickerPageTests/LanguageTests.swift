import Testing
import Workbench

extension PickerPageTests {
  /// What people read, in their language and of other languages.
  @Suite struct Languages {
    @Test func `errors and notices are in the person's language`() async throws {
      let bench = try await PickerBench.shared.value
      try await PickerPageTests.withProfile(language: "de-DE") { page in
        let visit = try await bench.visit(["selectionLimit": 3], in: page)
        try await visit.choose(0, 1)
        try await visit.waitForServer(count: 2)
        // Another window of the same session.
        let isChanged: Bool = try await page.run(
          """
          const session = await (await fetch('api/session')).json();
          const response = await fetch('api/selection', {
            method: 'POST', headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify({ remove: session.selection.slice(0, 1) }),
          });
          return response.ok;
          """)
        #expect(isChanged)
        try await page.click("#done")
        try await page.wait(
          until: "document.getElementById('status').textContent.includes('haben sich geändert')")
        #expect(try await visit.status().hasPrefix("Das hat nicht funktioniert: Die Auswahl"))
        try await page.load(visit.pickerUri)
        #expect(try await page.text("h1") == "Diese Seite kann nicht geöffnet werden")
        #expect(try await page.value("document.documentElement.lang") == "de")
      }
    }

    /// Arabic digits in English sentences could not be read by everyone who reads either.
    @Test func `numbers have the digits of the page's language`() async throws {
      let bench = try await PickerBench.shared.value
      try await PickerPageTests.withProfile(language: "ar-EG") { page in
        let visit = try await bench.visit(["selectionLimit": 3], in: page)
        try await visit.choose(0)
        #expect(try await page.value("document.documentElement.lang") == "en")
        #expect(try await visit.status() == "1 of 3 selected")
        #expect(try await page.text("#done-count") == " (1)")
      }
    }

    @Test func `a title of another direction does not turn the page`() async throws {
      let visit = try await PickerPageTests.visit(["title": "שלום (3)!"])
      let direction = { (selector: String) -> String in
        try await visit.page.value(
          "getComputedStyle(document.querySelector('\(selector)')).direction")
      }
      #expect(try await direction("#title") == "rtl")
      #expect(try await direction("body") == "ltr")
      #expect(try await direction("#status") == "ltr")
    }

    @Test func `an open page says that its time has run out`() async throws {
      let bench = try await PickerBench.shared.value
      try await PickerPageTests.withProfile { page in
        // An hour is too long for a test: the page hears that a second is left, and afterwards that none is.
        try await page.devTools(
          "Page.addScriptToEvaluateOnNewDocument",
          [
            "source": """
            const send = window.fetch;
            let isAsked = false;
            window.fetch = async (address, options) => {
              if (!String(address).endsWith('/api/session')) return send(address, options);
              if (isAsked) {
                const error = { code: 410, status: 'NOT_FOUND', message: 'Over.', reason: 'expired' };
                return new Response(JSON.stringify({ error }), { status: 410 });
              }
              isAsked = true;
              const session = await (await send(address, options)).json();
              return new Response(JSON.stringify({ ...session, timeLeft: 1 }));
            };
            """
          ])
        let session = try await bench.host.create([:])
        try await page.load(try #require(session.pickerUri))
        try await page.wait(until: "document.querySelector('#over:not([hidden])')")
        #expect(
          try await page.text("#over-text")
            == "Its time has run out. You can close this window.")
      }
    }
  }
}
