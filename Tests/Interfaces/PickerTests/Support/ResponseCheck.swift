import Foundation
import Workbench

/// Python and jsonschema, which compare every response of the tests with openapi.yaml.
final class ResponseCheck: Sendable {
  /// The one for all tests.
  static let shared = Result { try ResponseCheck() }

  /// The project's OpenAPI file.
  static let openAPI =
    URL(filePath: Workbench.supportFolder)
    .appending(path: "../../Sources/Interfaces/PickerServer/Page/openapi.yaml").standardizedFileURL
    .path

  /// The folder of scripts in other languages.
  static let scripts =
    URL(filePath: Workbench.supportFolder)
    .appending(path: "../Interfaces/PickerTests/Scripts").standardizedFileURL.path

  private struct Line: Encodable {
    var method: String
    var path: String
    var status: Int
    var type: String
    var body: String?
  }

  private let queue = DispatchQueue(label: "responses")
  private let process: Process
  private let input: FileHandle
  private let output: FileHandle

  private init() throws {
    let (input, output) = (Pipe(), Pipe())
    process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = [Self.scripts + "/check-responses", Self.openAPI]
    (process.standardInput, process.standardOutput) = (input, output)
    (self.input, self.output) = (input.fileHandleForWriting, output.fileHandleForReading)
    try process.run()
  }

  /// What is wrong with a response; nil if openapi.yaml describes it.
  func fault(of reply: Reply, to method: String, _ target: String) async throws -> String? {
    let type = reply.headers["content-type"] ?? ""
    let isJSON = type.hasPrefix("application/json")
    let line = try JSONEncoder().encode(
      Line(
        method: method, path: target, status: reply.status, type: type,
        body: isJSON ? reply.text : nil))
    return try await withCheckedThrowingContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          with: Result {
            try input.write(contentsOf: line + Data("\n".utf8))
            var said = Data()
            while said.last != UInt8(ascii: "\n") {
              let more = output.availableData
              guard !more.isEmpty else {
                throw WorkbenchError("check-responses has ended: is python3-jsonschema installed?")
              }
              said += more
            }
            let text = String(decoding: said.dropLast(), as: UTF8.self)
            return text == "ok" ? nil : text
          })
      }
    }
  }
}
