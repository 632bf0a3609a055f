// Workbench: uses Shoebox as a person does.
//
// A bench is a temporary folder with a library and a catalog. Tests put files into the library, run the programs that
// were built, and check what they print and write. The catalog is read with sqlite3, not with our own code. Every
// program that a test starts has a time limit, so a test may fail but never hang.

import Foundation
import Subprocess
import Synchronization
import SystemPackage

/// A temporary folder with a library, a catalog and both programs; removed with this object.
package final class Workbench: Sendable {
  /// The folder itself: an absolute path without symbolic links.
  package let folder: String
  /// The folder of the programs.
  private let programs: String
  /// Added to the environment of every run.
  private let environment: [String: String]

  /// - Parameters:
  ///   - environment: added to the environment of every run.
  ///   - faultLog: if given, the codec program has faults, and logs its requests in this file of the bench's folder, which
  ///     scripts have as `FAULTY_CODEC_LOG`.
  package init(environment: [String: String] = [:], faultLog: String? = nil) throws {
    let unique = "shoebox-\(UUID().uuidString)"
    let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appending(path: unique)
    try FileManager.default.createDirectory(
      at: url.appending(path: "library"), withIntermediateDirectories: true)
    folder = url.path
    Self.removeAtExit(folder)
    programs = Self.programs
    var environment = environment
    let log = faultLog.map { [folder] in folder + "/" + $0 }
    if let log {
      environment["SHOEBOX_CODEC"] = folder + "/faulty-codec"
      environment["FAULTY_CODEC_LOG"] = log
    }
    self.environment = environment
    if let log { _ = try faultyCodec(log: log) }
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Benches that several tests share exist as long as the process, and are never deinitialised.
  private static let folders = Mutex<Set<String>>([])

  private static func removeAtExit(_ folder: String) {
    let isFirst = folders.withLock { folders in
      defer { folders.insert(folder) }
      return folders.isEmpty
    }
    guard isFirst else { return }
    atexit {
      for folder in Workbench.folders.withLock({ $0 }) {
        try? FileManager.default.removeItem(atPath: folder)
      }
    }
  }

  /// The folder to scan.
  package var library: String { folder + "/library" }
  /// The catalog of all runs on this bench.
  package var catalog: String { folder + "/catalog.sqlite" }

  /// The programs are next to the test bundle; `SHOEBOX_PROGRAMS` names another folder.
  package static var programs: String {
    if let named = ProcessInfo.processInfo.environment["SHOEBOX_PROGRAMS"] { return named }
    return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().path
  }

  /// The program that was built with these tests.
  package var program: String { programs + "/shoebox" }
  /// Its codec program.
  package var codec: String { programs + "/shoebox-codec" }
  /// Its program that reads facts.
  package var probe: String { programs + "/shoebox-probe" }

  /// The project's folder of tools for tests, `Tests/Support`.
  package static var supportFolder: String {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().path
  }

  /// Writes an executable shell script into the bench's folder. A codec program gets an empty environment, so
  /// the script sets this test's `PATH`.
  ///
  /// - Returns: its path.
  package func addProgram(_ name: String, _ lines: String) throws -> String {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let file = folder + "/" + name
    try writeProgram("#!/bin/sh\nexport PATH='\(path)'\n\(lines)\n", to: file)
    return file
  }

  /// A codec program with faults at files with certain names (Tests/Support/FaultyCodec lists them), which logs its
  /// requests in the file `log`.
  ///
  /// - Returns: its path.
  package func faultyCodec(log: String) throws -> String {
    try addProgram(
      "faulty-codec",
      "exec '\(Self.supportFolder)/FaultyCodec/faulty-codec' '\(codec)' '\(log)' \"$@\"")
  }

  /// Runs `shoebox` with this bench's catalog, for at most `seconds`.
  @discardableResult
  package func shoebox(
    _ arguments: [String], environment extra: [String: String] = [:], seconds: Double = 120
  ) async throws -> Outcome {
    try await run(
      programs + "/shoebox", arguments,
      environment: ["SHOEBOX_CATALOG": catalog].merging(extra) { $1 }, seconds: seconds)
  }

  /// Runs `shoebox` and kills it with SIGKILL after `seconds`, as the kernel does when memory is short.
  ///
  /// - Returns: whether it was still running then.
  package func kill(
    _ arguments: [String], afterSeconds seconds: Double, environment: [String: String] = [:]
  ) async throws -> Bool {
    let outcome = try await start(
      "/usr/bin/timeout",
      ["--signal=KILL", "--foreground", "--preserve-status", String(seconds)]
        + [programs + "/shoebox"] + arguments,
      environment: ["SHOEBOX_CATALOG": catalog].merging(environment) { $1 })
    return outcome.status == 128 + 9
  }

  /// Runs lines of bash in the bench's folder, which must succeed, for at most `seconds`.
  @discardableResult
  package func bash(_ script: String, seconds: Double = 240) async throws -> String {
    let outcome = try await run(
      "/bin/bash", ["-eu", "-o", "pipefail", "-c", script], seconds: seconds)
    guard outcome.status == 0 else {
      throw WorkbenchError("bash ended with \(outcome.status): \(script)\n\(outcome.errors)")
    }
    return outcome.output
  }

  /// sqlite3's output for a statement on the catalog: a line for each row, columns separated by bars.
  ///
  /// - Parameter file: a catalog other than the bench's own.
  package func query(_ statement: String, of file: String? = nil) async throws -> [String] {
    let outcome = try await run(
      "/usr/bin/sqlite3", ["-cmd", ".timeout 10000", file ?? catalog, statement], seconds: 240)
    guard outcome.status == 0 else { throw WorkbenchError("sqlite3: \(outcome.errors)") }
    return outcome.output.split(separator: "\n").map(String.init)
  }

  /// The rows of a statement on the catalog, decoded from JSON objects.
  package func rows<Row: Decodable>(_ type: Row.Type, _ statement: String) async throws -> [Row] {
    let outcome = try await run(
      "/usr/bin/sqlite3", ["-cmd", ".timeout 10000", "-json", catalog, statement], seconds: 240)
    guard outcome.status == 0 else { throw WorkbenchError("sqlite3: \(outcome.errors)") }
    // Without rows sqlite3 prints nothing rather than an empty array.
    if outcome.outputBytes.isEmpty { return [] }
    return try JSONDecoder().decode([Row].self, from: Data(outcome.outputBytes))
  }

  private func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:],
    seconds: Double
  ) async throws -> Outcome {
    let outcome = try await start(
      "/usr/bin/timeout", ["--kill-after=5", String(seconds), program] + arguments,
      environment: environment)
    guard outcome.status != 124 else {
      throw WorkbenchError("not done after \(seconds) s: \(program) \(arguments)")
    }
    return outcome
  }

  private func start(
    _ program: String, _ arguments: [String], environment extra: [String: String]
  ) async throws -> Outcome {
    // A configuration of the user who runs the tests has no effect on them.
    var updates: [Environment.Key: String?] = [
      "NO_COLOR": "1", "XDG_CONFIG_HOME": "\(folder)/no-configuration",
    ]
    for (name, value) in environment.merging(extra, uniquingKeysWith: { $1 }) {
      updates[Environment.Key(stringLiteral: name)] = value
    }
    let result = try await Subprocess.run(
      .path(FilePath(program)), arguments: Arguments(arguments),
      environment: .inherit.updating(updates), workingDirectory: FilePath(folder),
      output: .bytes(limit: 256 << 20), error: .bytes(limit: 16 << 20))
    let status =
      switch result.terminationStatus {
      case .exited(let code): Int(code)
      case .signaled(let signal): 128 + Int(signal)
      }
    return Outcome(
      status: status, outputBytes: result.standardOutput,
      errors: String(decoding: result.standardError, as: UTF8.self))
  }
}

/// A program's exit status and output.
package struct Outcome: Sendable {
  /// The exit status; 128 + the signal if it was killed.
  package var status: Int
  package var outputBytes: [UInt8]
  package var errors: String

  package var output: String { String(decoding: outputBytes, as: UTF8.self) }
  package var lines: [String] { output.split(separator: "\n").map(String.init) }
}

/// A failure of the bench itself.
package struct WorkbenchError: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) {
    self.description = description
  }
}
