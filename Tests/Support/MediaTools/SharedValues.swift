import Foundation

/// Values that many tests need and that take long to make. Each is made once in a run.
package actor SharedValues<Key: Hashable & Sendable, Value: Sendable> {
  private var values: [Key: Task<Value, any Error>] = [:]

  package init() {}

  /// The value of a key, or the error of making it.
  ///
  /// - Parameter make: makes it, for the first that asks.
  package func value(
    of key: Key, _ make: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = values[key] ?? Task { try await make() }
    values[key] = task
    return try await task.value
  }
}

/// A run of a program that makes one file from its arguments alone.
private struct FileRecipe: Hashable, Sendable {
  var tool: Tool
  var arguments: [String]
  /// The file's name, by whose extension programs choose the format.
  var name: String
}

private let madeFiles = SharedValues<FileRecipe, Data>()

extension ScratchFolder {
  /// Has a program make a file; its path is added to the arguments. With equal arguments, the program runs once for all
  /// tests.
  package func make(_ name: String, with tool: Tool, _ arguments: [String]) async throws {
    guard !arguments.contains(where: { $0.contains(url.path) }) else {
      // What these files contain, the arguments do not say.
      try await tool.run(arguments + [path(name)])
      return
    }
    let bytes = try await madeFiles.value(
      of: FileRecipe(tool: tool, arguments: arguments, name: name)
    ) {
      let folder = try ScratchFolder()
      try await tool.run(arguments + [folder.path(name)])
      return try Data(contentsOf: folder.url.appending(path: name))
    }
    try bytes.write(to: url.appending(path: name))
  }
}
