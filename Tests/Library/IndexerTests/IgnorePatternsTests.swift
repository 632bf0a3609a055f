import Foundation
import Testing

@testable import Indexer

/// `.shoeboxignore` promises gitignore's syntax, so git itself is asked what each rule means.
struct IgnorePatternsTests {
  private static let paths = [
    "a.jpg", "b.png", "drafts/a.jpg", "drafts/b.png", "drafts/keep/a.jpg", "2023/rome/x.jpg",
    "2023/rome/raw/x.dng", "2023/x.tmp", "tmp/x.tmp", "deep/er/tmp/y.jpg", "[x].jpg", "x.jpg",
    "star*name.jpg", "space .jpg", "!bang.jpg", "#hash.jpg", "img_7.jpg", "img_a.jpg", "img_-.jpg",
    "build/out/z.jpg", "src/build/z.jpg",
  ]

  @Test(arguments: [
    "*.jpg", "drafts/", "/a.jpg", "drafts/*.jpg", "**/raw", "2023/**", "tmp", "tmp/", "/tmp",
    "2023/**/x.*", "img_[0-9].jpg", "img_[!0-9].jpg", "img_[a-].jpg", "\\[x\\].jpg",
    "star\\*name.jpg",
    "\\!bang.jpg", "\\#hash.jpg", "# comment", "", "*.jpg\n!a.jpg", "*.jpg\n!/drafts/a.jpg",
    "?.jpg", "build/", "/build/", "*/build", "**/build/**", "a.*", "*", "*\n!*.png",
    "drafts\n!drafts",
    "[", "img_[", "**", "**/**/raw", "2023/**/**", "**/rome/**/x.*", "a/**/b/**", "**/**",
    "\u{FEFF}*.jpg\n!a.jpg",
  ])
  func agreesWithGit(rules: String) throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("shoebox-ignore-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for path in Self.paths {
      let file = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    try Data(rules.utf8).write(to: folder.appendingPathComponent(".gitignore"))
    try git(["init", "-q"], in: folder, input: "")
    let answer = try git(
      ["-c", "core.quotePath=false", "check-ignore", "--no-index", "--stdin", "-z"], in: folder,
      input: Self.paths.joined(separator: "\0"))
    let expected = Set(answer.split(separator: "\0").map(String.init))

    let patterns = IgnorePatterns(Array(rules.utf8))
    let ignored = Self.paths.filter { isIgnored($0, by: patterns) }
    #expect(Set(ignored) == expected)
  }

  /// Each `**` may stand for any number of folders; trying every choice of all would take for ever.
  @Test(.timeLimit(.minutes(1)))
  func manyStarsTakeNoTime() {
    let rule = String(repeating: "**/a/", count: 40) + "**/b"
    let patterns = IgnorePatterns(Array(rule.utf8))
    let path = [[UInt8]](repeating: [UInt8(ascii: "a")], count: 100)
    #expect(patterns.verdict(path, isFolder: false) == nil)
    #expect(patterns.verdict(path + [[UInt8(ascii: "b")]], isFolder: false) == true)
  }

  /// As the walk does it: a folder that is skipped is never entered.
  private func isIgnored(_ path: String, by patterns: IgnorePatterns) -> Bool {
    let components = path.split(separator: "/").map { Array($0.utf8) }
    for depth in 1...components.count {
      let part = Array(components.prefix(depth))
      if patterns.verdict(part, isFolder: depth < components.count) == true { return true }
    }
    return false
  }

  @discardableResult
  private func git(_ arguments: [String], in folder: URL, input: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["git", "-C", folder.path] + arguments
    let (source, sink) = (Pipe(), Pipe())
    process.standardInput = source
    process.standardOutput = sink
    try process.run()
    try source.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try source.fileHandleForWriting.close()
    let output = try sink.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: output, as: UTF8.self)
  }

  @Test func patternsThatWouldBacktrackEndSoon() {
    let patterns = IgnorePatterns(Array((String(repeating: "*a", count: 60) + "b").utf8))
    let name = Array(String(repeating: "a", count: 255).utf8)
    #expect(patterns.verdict([name], isFolder: false) == nil)
  }
}
