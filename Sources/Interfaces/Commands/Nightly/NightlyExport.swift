import Foundation
import Linux
import MediaModel
import Terminal

/// Runs one `shoebox export` of a nightly run, and keeps what it did: the number of items by action, and what failed.
struct NightlyExport {
  /// The arguments of `shoebox export`.
  let arguments: [String]
  let catalog: String

  /// What an export did.
  struct Outcome {
    var status = ExitStatus.success
    /// Items by what was done: `copied`, `transcoded`, `skipped` …
    var counts: [String: Int] = [:]
    var failures: [Failure] = []
    /// The messages of the command.
    var messages: [String] = []

    /// One line.
    var summary: String {
      let words = counts.sorted { $0.key < $1.key }.map { "\(humanCount($0.value)) \($0.key)" }
      if !words.isEmpty { return words.joined(separator: ", ") }
      return status == .success ? "nothing to export" : "failed"
    }

    /// Takes the failures of files that are not there out of the list and of the counts.
    ///
    /// - Parameter folders: those that are known to be absent, or to have lost files.
    /// - Returns: the number of files for each folder that has any.
    mutating func takeAbsences(in folders: [BytePath]) -> [(folder: BytePath, count: Int)] {
      folders.compactMap { folder in
        let all = failures.count
        failures.removeAll { $0.path.isWithin(folder) && $0.isAbsent }
        let count = all - failures.count
        guard count > 0 else { return nil }
        counts["failed", default: 0] -= count
        if counts["failed"] == 0 { counts["failed"] = nil }
        counts["absent", default: 0] += count
        return (folder, count)
      }
    }
  }

  /// A file that could not be exported.
  struct Failure {
    var path: BytePath
    var reason: String

    /// For people.
    var sentence: String { "\(path.display): \(reason)" }

    fileprivate var isAbsent: Bool {
      do throws(SystemError) {
        _ = try FileStatus(of: path, followingLinks: true)
        return false
      } catch {
        return error.isNotFound
      }
    }
  }

  /// The keys of an item that are of interest.
  private struct Item: Decodable {
    var action: String
    var sourcePath: String?
    var error: String?
  }

  /// - Parameter context: that of the nightly run; what the export prints is not printed there.
  func run(in context: CommandContext) async -> Outcome {
    var outcome = Outcome()
    var rest: [UInt8] = []
    var inner = context.inner { outcome.messages.append($0) }
    // A library may have a million assets: only the lines of those that failed are kept.
    inner.output = Output { bytes in
      rest += bytes
      var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      rest = lines.popLast().map(Array.init) ?? []
      for line in lines { outcome.add(line) }
    }
    let words = Self.words(arguments, catalog: catalog, settings: context.settings.file)
    outcome.status = await runShoebox(["export"] + words, in: inner)
    return outcome
  }

  /// The arguments of `shoebox export` with those that every night adds.
  ///
  /// - Parameters:
  ///   - arguments: those of the configuration.
  ///   - settings: the configuration file.
  static func words(
    _ arguments: [String], catalog: String, settings: BytePath? = nil
  ) -> [String] {
    var added = ["--catalog", catalog] + output
    if let settings { added += ["--config", ArgumentText.text(of: settings.bytes)] }
    // What follows `--` is not an option.
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end] + added + arguments[end...]
  }

  /// The options by which the night can count what an export did.
  static let output = ["--format", "jsonl", "--quiet"]
}

extension NightlyExport.Outcome {
  /// Counts an item, a line of JSON.
  fileprivate mutating func add(_ line: ArraySlice<UInt8>) {
    guard let item = try? JSONDecoder().decode(NightlyExport.Item.self, from: Data(line)) else {
      return
    }
    counts[item.action, default: 0] += 1
    if item.action == "failed" {
      failures.append(
        NightlyExport.Failure(
          path: BytePath(item.sourcePath ?? "?"), reason: item.error ?? "unknown error"))
    }
  }
}
