import Foundation
import Testing
import Workbench

private let screenshotFolder = ProcessInfo.processInfo.environment["SHOEBOX_SCREENSHOTS"]

extension PickerPageTests {
  /// Pictures of the page for people to look at, in the folder that `SHOEBOX_SCREENSHOTS` names.
  @Suite(.enabled(if: screenshotFolder != nil)) struct Screenshots {
    @Test(arguments: [(360, 740), (1024, 768), (2560, 1440)], ColorScheme.allCases)
    func `each view at each size`(size: (width: Int, height: Int), scheme: ColorScheme) async throws
    {
      let folder = URL(filePath: try #require(screenshotFolder))
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try await PickerPageTests.withProfile { page in
        try await page.resize(width: size.width, height: size.height)
        try await page.prefer(scheme)
        func shoot(_ view: String) async throws {
          // Pictures that are on their way, and the preview of what is below the mouse.
          try await Task.sleep(for: .milliseconds(700))
          let file = folder.appending(path: "\(view)-\(size.width)-\(scheme.rawValue).png")
          try await page.screenshot().write(to: file)
        }
        let bench = try await PickerBench.shared.value
        let visit = try await bench.visit(
          ["selectionLimit": 3, "selection": "ordered", "title": "Choose pictures for the album"],
          in: page)
        try await shoot("grid")
        try await visit.choose(0, 1, 2, 3)
        try await shoot("limit")
        try await page.click("#options-button")
        try await shoot("options")
        try await page.press(.escape)
        try await page.click("#albums-button")
        try await shoot("albums")
        try await page.press(.escape)
        try await page.click(Visit.item(5), count: 2)
        try await shoot("viewer")
        try await page.click("#viewer-details")
        try await shoot("details")
        try await page.press(.escape)
        try await page.type("?")
        try await shoot("help")
        try await page.press(.escape)
        try await visit.finish()
        try await shoot("done")
        try await page.load(visit.pickerUri)
        try await shoot("notice")
      }
    }
  }
}
