package import Foundation
import Subprocess
import SystemPackage

// MediaTools: shared by the tests of the bindings and of the worker. It makes small media with other programs
// and reads the results with those programs, so that no expected value comes from our own code.

/// A program failed that a test needs.
package struct ToolFailure: Error, CustomStringConvertible {
  package let description: String

  package init(description: String) {
    self.description = description
  }
}

/// The programs that make media and read them independently.
package enum Tool: String, CaseIterable, Sendable {
  case exiftool, ffmpeg, ffprobe, tiffcp, tiffset
  case heifDecoder = "heif-dec"
  case heifEncoder = "heif-enc"
  case imageMagick = "convert"

  private var location: URL? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":").lazy
      .map { URL(filePath: String($0)).appending(path: rawValue) }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Whether these programs are all installed, for `.enabled(if:)`.
  package static func areInstalled(_ tools: Tool...) -> Bool {
    tools.allSatisfy { $0.location != nil }
  }

  /// Runs the program and returns its standard output without the last line break.
  @discardableResult
  package func run(_ arguments: [String]) async throws -> String {
    guard let location else { throw ToolFailure(description: "\(rawValue) is not installed") }
    let failure = ToolFailure(
      description: "\(rawValue) failed: \(arguments.joined(separator: " "))")
    if self == .exiftool,
      let result = try await ExifToolProcesses.shared.run(arguments, location)
    {
      guard result.status == 0 else { throw failure }
      return result.output.trimmingCharacters(in: .newlines)
    }
    let result = try await Subprocess.run(
      .path(FilePath(location.path)), arguments: Arguments(arguments),
      output: .string(limit: 16 << 20), error: .discarded)
    guard result.terminationStatus == .exited(0) else { throw failure }
    return result.standardOutput.trimmingCharacters(in: .newlines)
  }
}

extension Tool {
  /// A filter of ffmpeg that tags frames, and so what is encoded: FFmpeg 7 prefers the frames' tags to options.
  package static func tagging(primaries: String, transfer: String, matrix: String) -> String {
    "setparams=color_primaries=\(primaries):color_trc=\(transfer):colorspace=\(matrix)"
  }
}

/// A test's own folder, removed with this value.
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

  /// Sets the matrix by which players turn a QuickTime or MP4 file's picture: clockwise, in degrees.
  package func turn(_ name: String, by degrees: Int) async throws {
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-Rotation=\(degrees)", path(name),
    ])
  }

  /// Makes a still test picture in the format of the name's extension.
  package func makePicture(_ name: String, size: String = "64x48") async throws {
    try await make(
      name, with: .ffmpeg,
      ["-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=s=\(size)", "-frames:v", "1"])
  }
}
