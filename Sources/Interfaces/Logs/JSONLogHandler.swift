import Foundation
import Linux
package import Logging
import MediaModel

/// Writes log messages to standard error, a JSON object a line: `time`, `level`, `label`, `message`, and `metadata`.
package struct JSONLogHandler: LogHandler {
  package var logLevel: Logger.Level
  package var metadata: Logger.Metadata = [:]
  package var metadataProvider: Logger.MetadataProvider?
  private let label: String

  package init(label: String, level: Logger.Level) {
    (self.label, logLevel) = (label, level)
  }

  package subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  package func log(event: LogEvent) {
    let now = Int64((Date().timeIntervalSince1970 * 1000).rounded())
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("time", milliseconds: now)
      writer.member("level", event.level.rawValue)
      writer.member("label", label)
      writer.member("message", event.message.description)
      let metadata = allMetadata(of: event)
      if !metadata.isEmpty {
        writer.key("metadata")
        writer.object { writer in
          for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            writer.member(key, value.description)
          }
        }
      }
    }
    writer.endLine()
    // A failure to write to standard error cannot be reported.
    try? StandardStream.error.write(writer.bytes)
  }
}
