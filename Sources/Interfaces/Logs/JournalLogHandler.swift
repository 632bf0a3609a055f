import Linux
package import Logging
package import MediaModel

/// Sends log messages to the journal of systemd, with the metadata as fields: `SHOEBOX_PATH` of `path`.
///
/// The protocol is that of https://systemd.io/JOURNAL_NATIVE_PROTOCOL/.
package struct JournalLogHandler: LogHandler {
  /// The socket of the journal.
  package static let socketPath = BytePath("/run/systemd/journal/socket")

  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?
  private let label: String
  private let send: @Sendable ([UInt8]) throws -> Void

  /// - Parameter send: sends one datagram.
  package init(
    label: String, level: Logger.Level,
    send: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    (self.label, self.send, logLevel) = (label, send, level)
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    var entry = JournalEntry()
    entry.append("MESSAGE", text(of: event))
    entry.append("PRIORITY", String(event.level.journalPriority))
    entry.append("SYSLOG_IDENTIFIER", label)
    for (key, value) in allMetadata(of: event).sorted(by: { $0.key < $1.key }) {
      entry.append(JournalEntry.fieldName(key), value.description)
    }
    do {
      try send(entry.bytes)
    } catch {
      // The journal is being restarted, or takes no message of this size. Standard error leads to it, too.
      let line = "<\(event.level.journalPriority)>\(text(of: event))\n"
      try? StandardStream.error.write(Array(line.utf8))
    }
  }

  /// The message, with the file that it is about and the reason: `journalctl` shows no other fields. In one line, because a
  /// file's name may contain line feeds.
  private func text(of event: LogEvent) -> String {
    let metadata = allMetadata(of: event)
    let about = ["path", "error"].compactMap { metadata[$0]?.description }
    return ([event.message.description] + about).joined(separator: ": ")
      .replacing("\n", with: " ")
  }
}

extension LogHandler {
  /// The metadata of the handler, its provider and an event; the later ones win.
  func allMetadata(of event: LogEvent) -> Logger.Metadata {
    var all = metadata
    if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
    if let own = event.metadata { all.merge(own) { $1 } }
    if let error = event.error { all["error"] = all["error"] ?? "\(error)" }
    return all
  }
}

/// One entry of the journal.
struct JournalEntry {
  /// The longest value, bytes; the rest is cut off. The kernel refuses datagrams above 200 KB.
  private static let longestValue = 16_384
  /// The longest entry, bytes. Fields that would exceed it are left out.
  private static let longest = 131_072
  /// The journal refuses longer names.
  private static let longestName = 64

  private(set) var bytes: [UInt8] = []

  /// Appends a field. A value with line feeds has its length before it, 64 bits with the lowest byte first.
  mutating func append(_ name: String, _ value: String) {
    let value = Array(value.utf8.prefix(Self.longestValue))
    guard bytes.count + name.utf8.count + value.count + 16 <= Self.longest else { return }
    bytes += name.utf8
    if value.contains(UInt8(ascii: "\n")) {
      bytes.append(UInt8(ascii: "\n"))
      for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value.count >> (8 * shift))) }
    } else {
      bytes.append(UInt8(ascii: "="))
    }
    bytes += value
    bytes.append(UInt8(ascii: "\n"))
  }

  /// The field of a metadata key: `SHOEBOX_ASSET_ID` of `asset-id`.
  static func fieldName(_ key: String) -> String {
    var name = "SHOEBOX_"
    for character in key.uppercased() {
      let isAllowed = character.isASCII && (character.isLetter || character.isNumber)
      name.append(isAllowed ? character : "_")
    }
    return String(name.prefix(longestName))
  }
}

extension Logger.Level {
  /// The priority of syslog (RFC 5424): 7 for debugging, 2 for critical.
  var journalPriority: Int {
    switch self {
    case .trace, .debug: 7
    case .info: 6
    case .notice: 5
    case .warning: 4
    case .error: 3
    case .critical: 2
    }
  }
}
