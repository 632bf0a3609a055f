import Foundation
import MediaModel
import ShoeboxKit
import Testing
import Thumbnails
import WorkerProtocol

@testable import Catalog
@testable import Commands
@testable import Query
@testable import Terminal

@Suite struct ContactSheetTests {
  let bench: CommandBench
  let catalog: Catalog

  init() throws {
    bench = try CommandBench()
    catalog = try Catalog.open(at: bench.catalogPath, mode: .readWrite)
  }

  private static let picture = Thumbnail(
    jpeg: [0xFF, 0xD8, 0xFF, 0xE0, 0x3C, 0x22], size: PixelSize(width: 240, height: 320))

  /// The page of everything in the catalog, with the live photo's thumbnail at hand and no other.
  private func page(_ heading: SheetHeading? = nil) throws -> String {
    let library = try WorkerSettings().library(
      at: bench.catalogPath, .readOnly,
      in: CommandContext(environment: [:], output: Output { _ in }, message: { _ in }))
    let sheet = try ContactSheet(
      library, .matching(Query::AssetFilter(), AssetOrder()), SheetChoices(heading: heading))
    let cache = try ThumbnailCache(path: bench.catalogPath + ".thumbnails")
    try catalog.forEachAsset(matching: AssetFilter()) { asset in
      guard asset.subtypes.contains(.livePhoto) else { return }
      let key = ThumbnailKey(asset, longerSide: ContactSheet.longerSide)
      try cache.keep([(key, .thumbnail(Self.picture))])
    }
    var bytes: [UInt8] = []
    _ = try sheet.write(to: Output { bytes += $0 })
    return String(decoding: bytes, as: UTF8.self)
  }

  /// CSP level 3: a style element is allowed by the SHA-256 of its content.
  @Test func policyAllowsTheStyleAndNothingElse() throws {
    let page = try page()
    let style = try #require(page.firstMatch(of: /<style>(?s:(.*?))<\/style>/)?.output.1)
    let digest = try sha256(String(style))
    #expect(SheetStyle.digest == digest)
    #expect(
      page.contains(
        """
        content="default-src 'none'; img-src data:; style-src 'sha256-\(digest)'; \
        base-uri 'none'; form-action 'none'"
        """))
    for trap in ["<script", "style=", "onload", "onerror", "http:", "https:", "url("] {
      #expect(!page.contains(trap), "\(trap)")
    }
  }

  @Test func thumbnailsAreInThePage() throws {
    let page = try page()
    #expect(page.contains("src=\"data:image/jpeg;base64,/9j/4Dwi\""))
    #expect(page.contains("<img width=\"240\" height=\"320\""))
    #expect(page.contains("alt=\"Photo, live photo, 0:02\""))
    #expect(page.contains("<b>Live</b>"))
    #expect(page.contains("<a href=\"file://\(bench.root)/a.jpg\">"))
  }

  /// Names contain quotes, escape sequences and bytes that are not text; each tile stays a tile.
  @Test func whatIsHostileIsEscaped() throws {
    let page = try page()
    #expect(page.contains("<bdi class=\"name\">b,&quot;c&quot;.png</bdi>"))
    #expect(page.contains("/%E6%97%85%E8%A1%8C/b%2C%22c%22.png\""))
    #expect(page.contains("/%FF.jpg\""))
    #expect(page.contains("/bad%1B%5B2J%0A.jpg\""))
    #expect(!page.contains("\u{1B}"))
    #expect(
      "<a href='x'>&\"\u{202E}".escapedForHTML == "&lt;a href=&#39;x&#39;&gt;&amp;&quot;\u{FFFD}")
    let balanced = ["ul", "li", "a", "section", "main", "header", "footer", "span", "h2", "bdi"]
    for element in balanced {
      let opened = page.matches(of: try Regex("<\(element)[ >]")).count
      #expect(opened == page.matches(of: try Regex("</\(element)>")).count, "\(element)")
    }
  }

  @Test func whatHasNoPictureSaysWhy() throws {
    let page = try page()
    #expect(page.matches(of: #/<li><a\s/#).count == 4)
    #expect(page.matches(of: /<strong>No preview<\/strong>/).count == 3)
    // What the badges show is spoken of them, too.
    #expect(page.matches(of: /<span class="spoken">(Photo|Video)[^<]*\. <\/span>/).count == 3)
    #expect(page.contains("3 without a preview</a>"))
    #expect(page.contains("<li>1: the file is empty</li>"))
  }

  @Test(arguments: [
    (SheetHeading.year, "2022", "t2022"), (.month, "February 2022", "t2022-2"),
    (.day, "16 February 2022", "t2022-2-16"),
  ])
  func headingsDivideThePage(_ heading: SheetHeading, _ title: String, _ anchor: String) throws {
    let page = try page(heading)
    #expect(page.contains("<h2 id=\"\(anchor)\">\(title) <small>2</small></h2>"))
    #expect(page.contains("<section aria-labelledby=\"\(anchor)\">"))
    #expect(page.contains("<h2 id=\"undated\">No date <small>1</small></h2>"))
    #expect(page.contains("href=\"#\(anchor)\""))
  }

  @Test func anUndividedPageHasNoHeadings() throws {
    let page = try page(.undivided)
    #expect(page.matches(of: /<h2 id="t/).isEmpty)
    #expect(page.contains("16 February 2022, 12:55"))
  }

  /// Few pictures over many years are divided by years, many of one day by days.
  @Test func theHeadingFitsThePictures() throws {
    var asset: AssetRecord?
    try catalog.forEachAsset(matching: AssetFilter()) { asset = asset ?? $0 }
    var picture = try #require(asset)
    func best(_ days: [Int64], each count: Int) -> SheetHeading {
      var census = SheetCensus()
      for day in days {
        picture.captureTime = CaptureTime(wallSeconds: day * 86_400, source: "")
        for _ in 0..<count { census.add(picture) }
      }
      return census.best
    }
    #expect(best([0, 1, 2], each: 20) == .day)
    #expect(best([0, 1, 2], each: 3) == .month)
    #expect(best([0, 40, 80, 120, 160], each: 20) == .month)
    #expect(best([0, 400, 800, 1200], each: 2) == .year)
  }

  @Test(arguments: [
    ["list", "--format", "sheet"], ["list", "--to", "x.html"], ["list", "--heading", "week"],
    ["stats", "--format", "sheet"],
  ])
  func wrongUsageIsRefused(_ arguments: [String]) async throws {
    let run = await bench.run(arguments)
    #expect(run.status == .usage)
    #expect(run.bytes.isEmpty)
  }

  private func sha256(_ text: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/sha256sum")
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
    try input.fileHandleForWriting.close()
    let told = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let digits = Array(told.utf8.prefix(64))
    let bytes = stride(from: 0, to: digits.count - 1, by: 2).compactMap {
      UInt8(String(decoding: digits[$0...($0 + 1)], as: UTF8.self), radix: 16)
    }
    return Data(bytes).base64EncodedString()
  }
}
