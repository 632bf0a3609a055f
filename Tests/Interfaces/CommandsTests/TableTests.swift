import Testing

@testable import Commands
@testable import Terminal

/// How tables get into terminals, and that they are left alone elsewhere.
struct TableTests {
  private static var columns: [TableColumn<[String]>] {
    [
      TableColumn("NAME", width: 8) { $0[0] },
      TableColumn("PATH", width: 10, cut: .beginning) { $0[1] },
      TableColumn("COUNT", width: 3, alignment: .right) { $0[2] },
      TableColumn("REMARK") { $0[3] },
    ]
  }
  private static let rows = [
    ["abcdefghij", "/photos/2022/b.jpg", "12345", "cut at its end"],
    ["日本語日本語", "/photos/旅行.jpg", "7", "日本語日本語日本語"], ["a", "b", "12", "c"],
  ]

  private func lines(
    _ columns: [TableColumn<[String]>] = columns, width: Int?
  ) throws -> [String] {
    var written: [UInt8] = []
    let output = Output { written += $0 }
    let printer = Printer.table(columns, style: Style(width: width), to: output)
    for row in Self.rows { try printer.print(row) }
    try printer.finish()
    try output.flush()
    return String(decoding: written, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func cellsAreCutToTheirColumns() throws {
    #expect(
      try lines(width: 37) == [
        "NAME      PATH        CO…  REMARK",
        "abcdefg…  …022/b.jpg  12…  cut at it…",
        "日本語…   …/旅行.jpg    7  日本語日…",
        "a         b            12  c",
      ])
  }

  @Test func nothingIsCutInAPipe() throws {
    #expect(
      try lines(width: nil) == [
        "NAME          PATH                COUNT  REMARK",
        "abcdefghij    /photos/2022/b.jpg  12345  cut at its end",
        "日本語日本語  /photos/旅行.jpg        7  日本語日本語日本語",
        "a             b                      12  c",
      ])
  }

  @Test func whatIsChosenBecomesNarrowBeforeItGoes() throws {
    let chosen = Self.columns.map(\.chosen)
    func titles(_ columns: [TableColumn<[String]>], _ width: Int) throws -> [String] {
      try lines(columns, width: width)[0].split(separator: " ").map(String.init)
    }
    // 6 + 6 + 3 + 10 columns and three gaps of two.
    #expect(try titles(chosen, 31) == ["NAME", "PATH", "CO…", "REMARK"])
    #expect(try lines(chosen, width: 31)[1] == "abcde…  …b.jpg  12…  cut at it…")
    #expect(try titles(chosen, 30) == ["NAME", "PATH", "REMARK"])
    #expect(try titles(Self.columns, 36) == ["NAME", "PATH", "REMARK"])
    #expect(try titles(Self.columns, 20) == ["NAME", "REMARK"])
    #expect(try titles(Self.columns, 19) == ["REMARK"])
  }

  @Test func noLineIsWiderThanTheTerminal() throws {
    for width in 1...120 {
      for columns in [Self.columns, Self.columns.map(\.chosen)] {
        let lines = try lines(columns, width: width)
        #expect(lines.count == 4)
        #expect(lines.allSatisfy { $0.columns <= width }, "\(width): \(lines)")
      }
    }
  }

  @Test func chosenColumnsOfAssetsAreAllThere() async throws {
    let bench = try CommandBench()
    (bench.isTerminal, bench.environment) = (true, ["NO_COLOR": "1"])
    func titles(_ columns: String, _ width: Int) async -> String? {
      bench.width = width
      let run = await bench.run("list", "--columns", columns)
      #expect(run.lines.count == 5)
      #expect(run.lines.allSatisfy { $0.columns <= width }, "\(run.text)")
      return run.lines.first
    }
    let wide = await titles("camera,lens,description,rating", 80)
    #expect(wide?.split(separator: " ") == ["CAMERA", "LENS", "DESCRIPTION", "RATING"])
    let narrow = await titles("id,captureDate,name,camera", 40)
    #expect(narrow?.split(separator: " ") == ["ID", "DATE", "NAME", "CAMERA"])
    // The last column stays on the narrowest terminal, so it is one that has a value in every line.
    let all = (AssetColumn.allCases.filter { $0 != .path } + [.path]).map(\.rawValue)
      .joined(separator: ",")
    for width in [1, 10, 40, 80, 120, 300, 1000] { _ = await titles(all, width) }
  }

  /// On a terminal of 80 columns, columns of zeros give way to the others.
  @Test func theHistoryOfScansFitsAnOrdinaryTerminal() async throws {
    let bench = try CommandBench()
    (bench.isTerminal, bench.width) = (true, 80)
    bench.environment = ["NO_COLOR": "1"]
    let run = await bench.run("scans")
    #expect(
      run.lines.first?.split(separator: " ") == [
        "SCAN", "STARTED", "(UTC)", "TOOK", "OUTCOME", "FILES", "NEW", "FAILED",
      ])
    #expect(run.lines.last?.contains("finished") == true)
  }
}
