import Foundation
import Logging
import Synchronization
import Testing

@testable import Logs

@Suite struct JournalTests {
  /// The fields of an entry, read by the rules of https://systemd.io/JOURNAL_NATIVE_PROTOCOL/.
  private func fields(_ bytes: [UInt8]) throws -> [String: String] {
    var fields: [String: String] = [:]
    var rest = bytes[...]
    while !rest.isEmpty {
      let end = try #require(rest.firstIndex { $0 == 0x3D || $0 == 0x0A })
      let name = String(decoding: rest[..<end], as: UTF8.self)
      let isBinary = rest[end] == 0x0A
      rest = rest[(end + 1)...]
      let count: Int
      if isBinary {
        let length = rest.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
        count = try #require(Int(exactly: length))
        rest = rest.dropFirst(8)
      } else {
        count = try #require(rest.firstIndex(of: 0x0A)) - rest.startIndex
      }
      fields[name] = String(decoding: rest.prefix(count), as: UTF8.self)
      rest = rest.dropFirst(count)
      #expect(rest.first == 0x0A)
      rest = rest.dropFirst()
    }
    return fields
  }

  /// What a message sends.
  private func sent(_ log: (Logger) -> Void) -> [[UInt8]] {
    let datagrams = Sent()
    let logger = Logger(label: "shoebox") { label in
      JournalLogHandler(label: label, level: .info) { datagrams.append($0) }
    }
    log(logger)
    return datagrams.all
  }

  private final class Sent: Sendable {
    private let datagrams = Mutex<[[UInt8]]>([])

    var all: [[UInt8]] { datagrams.withLock { $0 } }

    func append(_ bytes: [UInt8]) { datagrams.withLock { $0.append(bytes) } }
  }

  @Test func `metadata become fields, whatever they contain`() throws {
    let entries = sent { logger in
      logger.warning(
        "cannot be read", metadata: ["path": "/a\nPRIORITY=0\n/b", "asset-id": "1=2", "é": "x"])
    }
    #expect(entries.count == 1)
    let fields = try fields(entries.first ?? [])
    #expect(
      fields == [
        "MESSAGE": "cannot be read: /a PRIORITY=0 /b", "PRIORITY": "4",
        "SYSLOG_IDENTIFIER": "shoebox",
        "SHOEBOX_PATH": "/a\nPRIORITY=0\n/b", "SHOEBOX_ASSET_ID": "1=2", "SHOEBOX__": "x",
      ])
  }

  @Test func `levels are syslog's priorities, and lower ones are dropped`() throws {
    let entries = sent { logger in
      for level in Logger.Level.allCases { logger.log(level: level, "message") }
    }
    #expect(try entries.map { try fields($0)["PRIORITY"] } == ["6", "5", "4", "3", "2"])
  }

  @Test func `an entry never grows beyond what the kernel sends`() throws {
    let long = String(repeating: "ü\n", count: 200_000)
    let many = Dictionary(
      uniqueKeysWithValues: (0..<100).map { ("key\($0)", Logger.MetadataValue.string(long)) })
    let entries = sent { $0.error("\(long)", metadata: many) }
    #expect((entries.first?.count ?? 0) < 200_000)
    #expect(try fields(entries.first ?? [])["PRIORITY"] == "3")
  }
}
