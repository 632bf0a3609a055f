import Testing
import Workbench

extension PickerPageTests {
  /// What small windows and large text leave of the page.
  @Suite struct Layouts {
    /// The height of the part of the first photo that is in the window and not below a bar, in CSS pixels; no more than that
    /// of a photo.
    private static let visiblePhoto = """
      (() => {
        const photo = document.querySelector('[role=option]').getBoundingClientRect();
        const x = photo.left + photo.width / 2;
        let height = 0;
        for (let y = Math.ceil(photo.top); y < photo.bottom; y += 1) {
          if (document.elementFromPoint(x, y)?.closest('[role=option]')) height += 1;
        }
        return height;
      })()
      """

    /// Controls that cannot be brought into the window, or that others cover then.
    private static let unreachable = """
      [...document.querySelectorAll('#picker button, #picker input, #picker [role=listbox]')]
        .filter((node) => node.checkVisibility({visibilityProperty: true}) && !node.disabled && node.id !== 'expand')
        .filter((node) => {
          node.scrollIntoView({block: 'nearest', inline: 'nearest'});
          const box = node.getBoundingClientRect();
          const hit = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
          return box.width === 0 || !(node.contains(hit) || hit?.closest('label')?.contains(node));
        }).map((node) => node.outerHTML.slice(0, 100))
      """

    /// WCAG 2.2, 1.4.10: a window of 1280 × 1024 pixels at 400 %. Lower ones are those of phones with a keyboard on the
    /// screen.
    @Test func `a low window shows photos and reaches every control`() async throws {
      let bench = try await PickerBench.shared.value
      try await PickerPageTests.withProfile { page in
        for (width, height) in [(320, 256), (640, 256), (740, 200), (1024, 240), (320, 200)] {
          let size: Comment = "\(width) × \(height)"
          try await page.resize(width: width, height: height)
          let visit = try await bench.visit(
            ["selectionLimit": 3, "title": "Choose pictures for the album of our journey"], in: page
          )
          try await page.wait(until: "document.querySelector('#chips [role=checkbox]')")
          let photo: Int = try await page.value(Self.visiblePhoto)
          #expect(photo >= 40, size)
          #expect(
            try await page.value("document.documentElement.scrollWidth <= window.innerWidth"),
            "the page scrolls in two directions: \(width) × \(height)")
          try await visit.choose(0, 1)
          #expect(try await visit.selected() == [0, 1], size)
          let unreachable: [String] = try await page.value(Self.unreachable)
          #expect(unreachable == [], size)
          try await visit.finish()
          #expect(try await page.text("#over-title") == "Done", size)
        }
      }
    }

    @Test func `the help begins with its title in a small window`() async throws {
      let bench = try await PickerBench.shared.value
      try await PickerPageTests.withProfile { page in
        try await page.resize(width: 320, height: 480)
        _ = try await bench.visit(["selectionLimit": 3], in: page)
        try await page.wait(until: "(document.getElementById('grid').focus(), true)")
        try await page.type("?")
        let help = "document.getElementById('help')"
        try await page.wait(until: "\(help).open")
        #expect(try await page.value("\(help).scrollHeight > \(help).clientHeight"))
        #expect(try await page.value("\(help).scrollTop", as: Int.self) == 0)
        try await page.press(.tab)
        #expect(try await page.value("document.activeElement.textContent") == "Close")
        try await page.press(.enter)
        try await page.wait(until: "!\(help).open")
      }
    }

    /// WCAG 2.2, 1.4.4.
    @Test func `text of twice the size fits`() async throws {
      let bench = try await PickerBench.shared.value
      try await PickerPageTests.withProfile { page in
        for (width, height) in [(1280, 1024), (640, 512), (360, 740)] {
          let size: Comment = "\(width) × \(height)"
          try await page.resize(width: width, height: height)
          let visit = try await bench.visit(
            ["selectionLimit": 3, "title": "Choose pictures"], in: page)
          try await page.wait(until: "document.querySelector('#chips [role=checkbox]')")
          let columns = "document.getElementById('grid').clientWidth"
          let before: Int = try await page.value(columns)
          let isLarge: Bool = try await page.value(
            "(document.documentElement.style.fontSize = '200%') !== ''")
          #expect(isLarge)
          // The timeline grows with the text, and the grid is drawn again.
          try await page.wait(until: "\(columns) !== \(before)")
          try await visit.waitForGrid()
          try await page.wait(until: "\(Self.visiblePhoto) >= 40")
          let unreachable: [String] = try await page.value(Self.unreachable)
          #expect(unreachable == [], size)
          try await visit.choose(0)
          #expect(try await visit.selected() == [0], size)
        }
      }
    }
  }
}
