// Measures ShoeboxKit in a process of its own, for benchmarks/kit.py: kit-bench MODE CATALOG ARGUMENT…
//
//   pages CATALOG SHOEBOX FOLDER   first pages while another process scans a folder
//   images CATALOG COUNT           so many requests for images at once
//   wake CATALOG SHOEBOX FILE      from the end of a scan that finds a file until a waiting task has the change
//   idle CATALOG SECONDS           processor time of a task that waits for changes
//   counts CATALOG                 months, counts, albums, groups and pages in the middle: the least wall and
//                                  processor time of some rounds, in milliseconds
//
// It prints one JSON object.

import Foundation
import ShoeboxKit

let arguments = CommandLine.arguments
let library = try await PhotoLibrary.open(.init(catalog: FilePath(arguments[2])))

/// The sum over all threads, in milliseconds.
func processorMilliseconds() -> Double {
  let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
  return tasks.reduce(0) { sum, task in
    let line = try? String(contentsOfFile: "/proc/self/task/\(task)/schedstat", encoding: .utf8)
    return sum + (line?.split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e6
  }
}

/// The most memory that this process has had, in megabytes.
func peakMegabytes() -> Double {
  let lines = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = lines.split(separator: "\n").first { $0.hasPrefix("VmHWM") }
  return (line?.split(separator: " ").compactMap { Double($0) }.first ?? 0) / 1024
}

func milliseconds(since start: ContinuousClock.Instant) -> Double {
  start.duration(to: .now) / .milliseconds(1)
}

func startScan(_ program: String, _ folder: String) throws -> Process {
  let process = Process()
  process.executableURL = URL(filePath: program)
  process.arguments = ["scan", "--quiet", "--catalog", arguments[2], folder]
  process.standardOutput = nil
  try process.run()
  return process
}

func printResult(_ result: [String: Double]) throws {
  print(String(decoding: try JSONEncoder().encode(result), as: UTF8.self))
}

switch arguments[1] {
case "pages":
  let scan = try startScan(arguments[3], arguments[4])
  var times: [Double] = []
  var assets = 0
  while scan.isRunning {
    let start = ContinuousClock.now
    let page = try await library.fetchAssets().page(after: nil, size: 100)
    times.append(milliseconds(since: start))
    assets = max(assets, page.assets.count)
    try await Task.sleep(for: .milliseconds(5))
  }
  times.sort()
  try printResult([
    "pages": Double(times.count), "p50": times[times.count / 2],
    "p99": times[times.count * 99 / 100], "max": times[times.count - 1],
    "found": Double(try await library.fetchAssets().count),
  ])
case "images":
  let ids = try await library.fetchAssets(.images, options: .init(limit: 1000))
    .page(after: nil, size: 1000).assets.map(\.id)
  let count = Int(arguments[3]) ?? 1000
  let before = peakMegabytes()
  let start = ContinuousClock.now
  try await withThrowingTaskGroup(of: Int.self) { group in
    for number in 0..<count {
      group.addTask {
        try await library.image(
          for: ids[number % ids.count], fitting: PixelSize(width: 320, height: 320)
        ).data.count
      }
    }
    try await group.waitForAll()
  }
  try printResult([
    "seconds": milliseconds(since: start) / 1000, "pictures": Double(ids.count),
    "before": before, "peak": peakMegabytes(),
  ])
case "wake":
  let waiting = Task { () -> ContinuousClock.Instant? in
    for try await _ in library.changes(since: nil) { return .now }
    return nil
  }
  try await Task.sleep(for: .seconds(1))
  let folder = URL(filePath: arguments[4]).deletingLastPathComponent().path
  try Data("GIF89a\u{1}\u{0}\u{1}\u{0}\u{0}\u{0}\u{0};\(Date.now.timeIntervalSince1970)".utf8)
    .write(to: URL(filePath: arguments[4]))
  let scan = try startScan(arguments[3], folder)
  while scan.isRunning { try await Task.sleep(for: .milliseconds(1)) }
  let end = ContinuousClock.now
  guard let woken = try await waiting.value else { break }
  try printResult(["milliseconds": max(0, end.duration(to: woken) / .milliseconds(1))])
case "idle":
  let waiting = Task { for try await _ in library.changes(since: nil) {} }
  try await Task.sleep(for: .seconds(2))
  let seconds = Double(arguments[3]) ?? 60
  let before = processorMilliseconds()
  try await Task.sleep(for: .seconds(seconds))
  try printResult(["perMinute": (processorMilliseconds() - before) * 60 / seconds])
  waiting.cancel()
case "counts":
  var times: [String: Double] = [:]
  func measure(_ name: String, rounds: Int = 5, _ body: () async throws -> Void) async throws {
    var (wall, processor) = (Double.infinity, Double.infinity)
    for _ in 0..<rounds {
      let (start, used) = (ContinuousClock.now, processorMilliseconds())
      try await body()
      wall = min(wall, milliseconds(since: start))
      processor = min(processor, processorMilliseconds() - used)
    }
    (times[name], times[name + ", processor"]) = (wall, processor)
  }
  let filters: [(String, AssetFilter)] = [
    ("everything", .everything), ("images", .images), ("videos", .videos),
    ("live photos", .livePhotos), ("screenshots", .screenshots),
    ("images or live photos", .any(of: [.images, .livePhotos])),
    ("images of a year", .all(of: [.images, .captured(from: "2019", through: "2019")])),
    ("photos with a place", .near(latitude: 47.5, longitude: 8.5, kilometers: 50)),
    ("search holiday", .search("holiday")),
  ]
  for (name, filter) in filters {
    let result = try await library.fetchAssets(filter)
    try await measure("months, \(name)") { _ = try await result.buckets(by: .month) }
    try await measure("count, \(name)") { _ = try await result.count }
    try await measure("albums, \(name)") { _ = try await result.albums() }
  }
  let all = try await library.fetchAssets()
  try await measure("statistics", rounds: 3) { _ = try await all.statistics }
  try await measure("groups by folder", rounds: 3) { _ = try await all.groups(by: .folder) }
  // The month with the most assets is 1,000,000 / 240 of a generated catalog; offsets are within years.
  let places: [(String, AssetFilter, Int)] = [
    ("2023-05 at 4,000", .captured(from: "2023-05", through: "2023-05"), 4000),
    ("2018 to 2023 at 50,000", .captured(from: "2018", through: "2023"), 50_000),
    (
      "images of 2018 to 2023 at 50,000",
      .all(of: [.images, .captured(from: "2018", through: "2023")]), 50_000
    ),
    ("live photos at 50,000", .livePhotos, 50_000), ("everything at 50,000", .everything, 50_000),
    ("everything at 500,000", .everything, 500_000), ("images at 500,000", .images, 500_000),
  ]
  for (name, filter, offset) in places {
    let result = try await library.fetchAssets(filter)
    try await measure("page of 200, \(name)", rounds: 9) {
      if try await result.page(at: offset, size: 200).isEmpty { print("empty: \(name)") }
    }
  }
  try printResult(times)
default:
  print("unknown mode")
}
