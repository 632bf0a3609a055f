import Dispatch
import Foundation

/// Runs commands of exiftool in processes that stay open (exiftool(1), `-stay_open`): starting it takes longer than most
/// of what the tests ask of it, and they ask thousands of times.
actor ExifToolProcesses {
  static let shared = ExifToolProcesses()

  private var idle: [OpenExifTool] = []

  /// What a command prints, and its exit status.
  ///
  /// - Returns: nil for arguments that only a process of their own gets unchanged.
  /// - Throws: ``ToolFailure`` if exiftool ends early.
  func run(_ arguments: [String], _ program: URL) async throws -> (output: String, status: Int)? {
    guard arguments.allSatisfy(OpenExifTool.accepts) else { return nil }
    let process = try idle.popLast() ?? OpenExifTool(program)
    let result = try await process.run(arguments)
    idle.append(process)
    return result
  }
}

/// One process of exiftool, for one command at a time.
private final class OpenExifTool: Sendable {
  private let commands: FileHandle
  private let results: FileHandle

  init(_ program: URL) throws {
    let process = Process()
    let (input, output) = (Pipe(), Pipe())
    process.executableURL = URL(filePath: "/bin/sh")
    // At the end of its input, exiftool waits for more. So it ends with the tests, even if they are killed.
    process.arguments = [
      "-c", #"{ cat; printf '%s\n' -stay_open False; } | exec "$0" -stay_open True -@ -"#,
      program.path,
    ]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    commands = input.fileHandleForWriting
    results = output.fileHandleForReading
  }

  /// Whether an argument may be one of many commands: exiftool reads it from a file as it is, and it writes no tag. exiftool
  /// skips empty lines and comments, removes spaces at the start, and takes some options from its command line only. After
  /// some commands, it does not write structures of XMP (12.57).
  static func accepts(_ argument: String) -> Bool {
    guard let first = argument.unicodeScalars.first, first != "#",
      !first.properties.isWhitespace,
      !["-@", "-config", "-common_args", "-tagsfromfile"].contains(argument.lowercased())
    else { return false }
    let writes = first == "-" && argument.unicodeScalars.contains { $0 == "=" || $0 == "<" }
    return !writes && !argument.unicodeScalars.contains { $0 == "\n" || $0 == "\r" }
  }

  func run(_ arguments: [String]) async throws -> (output: String, status: Int) {
    let mark = "{done \(UUID().uuidString) "
    let lines = arguments + ["-echo3", mark + "${status}}", "-execute"]
    let text = Data(lines.map { $0 + "\n" }.joined().utf8)
    let bytes = try await withCheckedThrowingContinuation { continuation in
      // Reading blocks, so it is not done by a thread of Swift's concurrency.
      DispatchQueue.global().async { [commands, results] in
        continuation.resume(
          with: Result {
            try commands.write(contentsOf: text)
            return try Self.bytes(from: results, upTo: Data(mark.utf8))
          })
      }
    }
    guard let status = Int(String(decoding: bytes.status, as: UTF8.self)) else {
      throw ToolFailure(description: "exiftool did not print its status")
    }
    var output = String(decoding: bytes.output, as: UTF8.self)
    // The end of the command before, which comes after its mark.
    let ready = "{ready}\n"
    if output.hasPrefix(ready) { output.removeFirst(ready.count) }
    return (output, status)
  }

  /// Reads up to a mark and the number after it, which a brace and a line feed end.
  private static func bytes(
    from handle: FileHandle, upTo mark: Data
  ) throws -> (output: Data, status: Data) {
    var found = Data()
    while true {
      let more = handle.availableData
      guard !more.isEmpty else { throw ToolFailure(description: "exiftool ended early") }
      found.append(more)
      guard found.suffix(2) == Data("}\n".utf8) || found.range(of: Data("{ready}".utf8)) != nil,
        let place = found.range(of: mark, options: .backwards),
        let end = found[place.upperBound...].firstIndex(of: UInt8(ascii: "}"))
      else { continue }
      return (found[..<place.lowerBound], found[place.upperBound..<end])
    }
  }
}
