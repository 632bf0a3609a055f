package import Foundation

// MediaTools: what the tests of the doors and of the codec process have in common. They make small
// media with other programs and ask those programs what is in them, so that no expected value comes
// from our own code.

/// A program that did not do what a test needs.
package struct ToolFailure: Error, CustomStringConvertible {
  package let description: String
}

/// The programs that make media and read them independently.
package enum Tool: String, CaseIterable, Sendable {
  case exiftool, ffmpeg, ffprobe
  case heifEncoder = "heif-enc"

  private var location: URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").lazy
      .map { URL(filePath: String($0)).appending(path: rawValue) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Whether these programs are all there, for `.enabled(if:)`.
  package static func areInstalled(_ tools: Tool...) -> Bool {
    tools.allSatisfy { $0.location != nil }
  }

  /// Runs to the end and returns standard output without the last line break.
  @discardableResult
  package func run(_ arguments: [String]) throws -> String {
    guard let location else { throw ToolFailure(description: "\(rawValue) is not installed") }
    let process = Process()
    let output = Pipe()
    process.executableURL = location
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ToolFailure(description: "\(rawValue) failed: \(arguments.joined(separator: " "))")
    }
    return String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}

/// A folder of a test's own, removed with this value.
package final class ScratchFolder {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "shoebox-" + UUID().uuidString)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  package func path(_ name: String) -> String { url.appending(path: name).path }

  package func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: url.appending(path: name)))
  }

  package func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: url.appending(path: name))
  }

  /// Makes a still test picture; its name's extension says of what format.
  package func makePicture(_ name: String, size: String = "64x48") throws {
    try Tool.ffmpeg.run([
      "-v", "error", "-f", "lavfi", "-i", "testsrc=s=\(size)", "-frames:v", "1", path(name),
    ])
  }
}
