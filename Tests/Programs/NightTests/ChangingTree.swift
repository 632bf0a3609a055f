import Foundation
import SeededRandom
import Workbench

/// A library that changes every day, and knows what a report of the day has to say.
struct ChangingTree {
  /// What a day has changed, by absolute paths.
  struct Day {
    var new: Set<String> = []
    var changed: Set<String> = []
    /// The new path of each file, or folder, by its old one.
    var moved: [String: String] = [:]
    var returned: Set<String> = []
    var missing: Set<String> = []
    var newFailures: Set<String> = []
  }

  private let bench: Workbench
  private var random: SeededGenerator
  /// The readable pictures, by their paths below the library.
  private var pictures: Set<String> = []
  /// The damaged ones.
  private(set) var damaged: Set<String> = []
  /// Those that were removed, kept outside of the library.
  private var removed: Set<String> = []
  private var count = 0

  init(_ bench: Workbench, seed: UInt64) {
    self.bench = bench
    random = SeededGenerator(seed: seed)
  }

  private func absolute(_ path: String) -> String { bench.library + "/" + path }
  private func stash(_ path: String) -> String {
    bench.folder + "/stash/" + path.replacing("/", with: "+")
  }

  /// Takes some pictures out of `rest`, so that nothing happens to one twice on a day.
  private mutating func take(_ number: Int, from rest: inout Set<String>) -> [String] {
    let taken = Array(rest.sorted().shuffled(using: &random).prefix(number))
    rest.subtract(taken)
    return taken
  }

  /// - Parameter album: the one that is renamed that day, and would exist again.
  private mutating func newName(avoiding album: String?, _ ending: String = "gif") -> String {
    repeat { count += 1 } while "album\(count % 7)" == album
    return "album\(count % 7)/picture\(count).\(ending)"
  }

  /// Forgets what was removed before the first scan, which the catalog cannot know again.
  mutating func forgetRemoved() { removed = [] }

  /// Lets a day pass.
  mutating func pass() throws -> Day {
    let files = FileManager.default
    try files.createDirectory(
      atPath: bench.folder + "/stash", withIntermediateDirectories: true)
    var day = Day()
    var rest = pictures
    var renamed: String?

    // An album is renamed with all in it; nothing else happens there that day.
    if Int.random(in: 0..<4, using: &random) == 0,
      let album = Set(rest.map { String($0.prefix { $0 != "/" }) }).sorted()
        .randomElement(using: &random),
      !damaged.contains(where: { $0.hasPrefix(album + "/") })
    {
      count += 1
      let target = "renamed\(count)"
      try files.moveItem(atPath: absolute(album), toPath: absolute(target))
      renamed = album
      let moved = rest.filter { $0.hasPrefix(album + "/") }
      rest.subtract(moved)
      pictures.subtract(moved)
      pictures.formUnion(moved.map { target + $0.dropFirst(album.count) })
      day.moved[absolute(album)] = absolute(target)
    }
    for path in take(2, from: &rest) {
      count += 1
      try bench.addPicture(path, width: 300 + count, words: "edited \(count)")
      day.changed.insert(absolute(path))
    }
    for path in take(2, from: &rest) {
      let target = newName(avoiding: renamed)
      try files.createDirectory(
        atPath: (absolute(target) as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true)
      try files.moveItem(atPath: absolute(path), toPath: absolute(target))
      pictures.remove(path)
      pictures.insert(target)
      day.moved[absolute(path)] = absolute(target)
    }
    var gone = removed.filter { path in renamed.map { !path.hasPrefix($0 + "/") } ?? true }
    let back = take(1, from: &gone)
    removed.subtract(back)
    for path in take(2, from: &rest) {
      try files.moveItem(atPath: absolute(path), toPath: stash(path))
      pictures.remove(path)
      removed.insert(path)
      day.missing.insert(absolute(path))
    }
    for path in back {
      try files.createDirectory(
        atPath: (absolute(path) as NSString).deletingLastPathComponent,
        withIntermediateDirectories: true)
      try files.moveItem(atPath: stash(path), toPath: absolute(path))
      pictures.insert(path)
      day.returned.insert(absolute(path))
    }
    if Int.random(in: 0..<3, using: &random) == 0, let path = damaged.sorted().first {
      try bench.addPicture(path, words: "mended \(path)")
      damaged.remove(path)
      pictures.insert(path)
      day.changed.insert(absolute(path))
    }
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      let path = newName(avoiding: renamed)
      try bench.addPicture(path, width: 1 + count, words: "new \(count)")
      pictures.insert(path)
      day.new.insert(absolute(path))
    }
    if Int.random(in: 0..<3, using: &random) == 0 {
      let path = newName(avoiding: renamed, "jpg")
      try bench.addPicture(path, words: "damaged")
      try Data("no picture, but text \(count)".utf8).write(to: URL(filePath: absolute(path)))
      damaged.insert(path)
      day.newFailures.insert(absolute(path))
    }
    return day
  }
}
