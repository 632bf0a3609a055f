// Measures ShoeboxKit in a process of its own, for benchmarks/kit.py: kit-bench MODE CATALOG ARGUMENT…
//
//   pages CATALOG SHOEBOX FOLDER   first pages while another process scans a folder
//   images CATALOG COUNT           so many requests for images at once
//   wake CATALOG SHOEBOX FILE      from the end of a scan that finds a file until a waiting task has the change
//   idle CATALOG SECONDS           processor time of a task that waits for changes
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
default:
  print("unknown mode")
}
