import Foundation
import Glibc
import Synchronization
import Testing
import Workbench

/// A running server, and the host that has its token.
final class Picker: Sendable {
  /// The port that it listens on.
  let port: Int
  /// The token of hosts.
  let token: String
  private let process: Process
  private let output: String

  /// Starts the program on a bench's library, and waits until it listens.
  ///
  /// - Parameters:
  ///   - arguments: those after `--catalog` and `--listen`.
  ///   - prefix: a program that runs the server in its own process, with its arguments.
  ///   - environment: added to that of the tests.
  init(
    _ bench: Workbench, _ arguments: [String] = [], prefix: [String] = [],
    environment: [String: String] = [:]
  ) async throws {
    output = bench.folder + "/picker-\(UUID().uuidString)"
    try Data().write(to: URL(filePath: output))
    guard let file = FileHandle(forWritingAtPath: output) else {
      throw WorkbenchError("no file \(output)")
    }
    process = Process()
    // The limit ends a server that a crash of the tests left.
    process.executableURL = URL(filePath: "/usr/bin/timeout")
    process.arguments =
      ["--kill-after=5", "180"] + prefix + [Workbench.programs + "/shoebox-picker", "serve"]
      + ["--catalog", bench.catalog, "--listen", "127.0.0.1:0"] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.currentDirectoryURL = URL(filePath: bench.folder)
    (process.standardOutput, process.standardError) = (file, file)
    try process.run()
    let said = try await Self.said(output, process)
    guard let address = said.components(separatedBy: "Address: http://127.0.0.1:").last,
      let port = Int(address.prefix { $0.isNumber }),
      let path = said.firstMatch(of: /Host token: (.+)/)?.output.1
    else { throw WorkbenchError("no address: \(said)") }
    self.port = port
    token = try String(contentsOf: URL(filePath: String(path)), encoding: .utf8)
      .trimmingCharacters(in: .newlines)
    Self.endAtExit(try Self.child(of: process.processIdentifier))
  }

  private static func said(_ output: String, _ process: Process) async throws -> String {
    for _ in 0..<1000 {
      let said = try String(contentsOf: URL(filePath: output), encoding: .utf8)
      if said.contains("Address: ") { return said }
      guard process.isRunning else { throw WorkbenchError("the server has ended: \(said)") }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw WorkbenchError("the server does not listen")
  }

  /// A server that tests share lives as long as the tests.
  private static let servers = Mutex<[pid_t]>([])

  private static func endAtExit(_ server: pid_t) {
    let isFirst = servers.withLock { servers in
      servers.append(server)
      return servers.count == 1
    }
    guard isFirst else { return }
    atexit {
      for server in Picker.servers.withLock({ $0 }) { kill(server, SIGTERM) }
    }
  }

  deinit {
    if let server = try? Self.child(of: process.processIdentifier) { kill(server, SIGTERM) }
  }

  /// All that the server has printed.
  var said: String { (try? String(contentsOf: URL(filePath: output), encoding: .utf8)) ?? "" }

  /// Ends the server with a signal, and waits for its end.
  func end(_ signal: Int32 = SIGTERM) async throws {
    kill(try Self.child(of: process.processIdentifier), signal)
    for _ in 0..<500 {
      if !process.isRunning { return }
      try await Task.sleep(for: .milliseconds(20))
    }
    throw WorkbenchError("the server does not end")
  }

  /// The process of the server itself. Foundation starts timeout with signals blocked, so they go to its child.
  private static func child(of timeout: pid_t) throws -> pid_t {
    let path = "/proc/\(timeout)/task/\(timeout)/children"
    let children = try String(contentsOf: URL(filePath: path), encoding: .utf8)
    guard let child = children.split(separator: " ").first.flatMap({ pid_t($0) }) else {
      throw WorkbenchError("the server has ended")
    }
    return child
  }

  /// The time that the server's threads have run so far, in seconds.
  var processorTime: Double {
    get throws {
      let server = try Self.child(of: process.processIdentifier)
      let text = try String(contentsOf: URL(filePath: "/proc/\(server)/stat"), encoding: .utf8)
      // proc_pid_stat(5): utime and stime are the fields 14 and 15; the name ends with the last parenthesis.
      let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
      guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else {
        throw WorkbenchError("no times: \(text)")
      }
      return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
  }

  /// The memory that the server has now, in bytes.
  var memory: Int {
    get throws {
      let server = try Self.child(of: process.processIdentifier)
      let status = try String(contentsOf: URL(filePath: "/proc/\(server)/status"), encoding: .utf8)
      guard let kilobytes = status.firstMatch(of: /VmRSS:\s+(\d+) kB/).flatMap({ Int($0.output.1) })
      else { throw WorkbenchError("no VmRSS") }
      return kilobytes << 10
    }
  }
}

extension Picker {
  /// Where it is reached.
  var base: String { "http://127.0.0.1:\(port)" }

  /// Sends a request as bytes, and checks what holds for each response: the fields that protect browsers, and
  /// the form that openapi.yaml describes.
  ///
  /// - Parameters:
  ///   - headers: instead of those that are usual; an empty value removes one.
  ///   - body: its length is sent, too.
  func send(
    _ method: String, _ target: String, headers extra: [String: String] = [:],
    body: [UInt8]? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Reply {
    var headers = ["Host": "127.0.0.1:\(port)", "Connection": "close"]
    if let body { headers["Content-Length"] = String(body.count) }
    headers.merge(extra) { $1 }
    let connection = try Connection(port: port)
    let head = headers.filter { !$0.value.isEmpty }.map { "\($0): \($1)\r\n" }.sorted().joined()
    try await connection.send(
      Array("\(method) \(target) HTTP/1.1\r\n\(head)\r\n".utf8) + (body ?? []))
    let reply = try Reply(try await connection.receiveAll())
    try await check(reply, to: method, target, sourceLocation: sourceLocation)
    return reply
  }

  /// Checks what holds for each response.
  func check(
    _ reply: Reply, to method: String, _ target: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let policy = reply.headers["content-security-policy"] ?? ""
    let isProtected =
      policy.contains("default-src 'self'") && policy.contains("frame-ancestors 'none'")
      && !policy.contains("unsafe")
      && reply.headers["x-frame-options"] == "DENY"
      && reply.headers["x-content-type-options"] == "nosniff"
      && reply.headers["referrer-policy"] == "no-referrer"
      && reply.headers["cache-control"] != nil
      && !reply.headers.keys.contains { $0.hasPrefix("access-control-") }
    #expect(
      isProtected, "\(method) \(target): \(reply.headers)", sourceLocation: sourceLocation)
    let fault = try await ResponseCheck.shared.get().fault(of: reply, to: method, target)
    #expect(fault == nil, sourceLocation: sourceLocation)
  }

  /// A request of the host.
  func host(
    _ method: String, _ target: String, _ json: JSON? = nil, headers: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Reply {
    var headers = headers
    headers["Authorization"] = headers["Authorization"] ?? "Bearer \(token)"
    if json != nil { headers["Content-Type"] = "application/json" }
    return try await send(
      method, target, headers: headers, body: try json.map { Array(try JSONEncoder().encode($0)) },
      sourceLocation: sourceLocation)
  }

  /// Creates a session.
  func session(
    _ config: JSON = [:], sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> JSON {
    let reply = try await host(
      "POST", "/v1/sessions", ["pickingConfig": config], sourceLocation: sourceLocation)
    guard reply.status == 200 else { throw WorkbenchError("no session: \(reply.text)") }
    return reply.json
  }

  /// The part of an address of this server after its name.
  func target(of address: JSON) throws -> String {
    guard let text = address.text, text.hasPrefix(base + "/") else {
      throw WorkbenchError("\(address) is not an address of \(base)")
    }
    return String(text.dropFirst(base.count))
  }

  /// A choice from its begin to its end.
  ///
  /// - Returns: the session's id, and the items that were chosen.
  func choose(
    _ assets: [String], _ config: JSON = ["maxItemCount": 0],
    options: JSON? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (id: String, items: [JSON]) {
    let session = try await session(config, sourceLocation: sourceLocation)
    let person = try await Person(session, at: self)
    if let options { #expect(try await person.post("options", options).status == 200) }
    let selection = try await person.post("selection", ["add": .list(assets.map { .text($0) })])
    #expect(selection.status == 200, "\(selection.text)", sourceLocation: sourceLocation)
    #expect(
      try await person.post("done", [:]).status == 204, sourceLocation: sourceLocation)
    let list = try await host(
      "GET", "/v1/mediaItems?sessionId=\(person.session)", sourceLocation: sourceLocation)
    #expect(list.status == 200, "\(list.text)", sourceLocation: sourceLocation)
    return (person.session, list.json["mediaItems"].list)
  }

  /// Fetches what an address of an item names.
  func fetch(
    _ address: JSON, _ form: String = "=d", headers: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Reply {
    try await host(
      "GET", try target(of: address) + form, headers: headers, sourceLocation: sourceLocation)
  }
}
