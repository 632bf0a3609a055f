import MediaModel
import Presets
import Terminal

extension Presentation where Item == Preset {
  /// The presentation of presets in `presets list`. In JSON the keys are those of a preset file.
  static var presets: Presentation {
    Presentation(
      columns: [
        TableColumn("KIND", width: 5) { $0.kind.rawValue },
        TableColumn("NAME", width: 24, isAlarming: { $0.header.unavailable != nil }) {
          $0.header.name
        },
        TableColumn("WHAT IT IS FOR") { preset in
          preset.header.unavailable.map { "unavailable: \($0)" } ?? preset.header.description
        },
      ],
      fields: [
        CSVField("kind") { $0.kind.rawValue },
        CSVField("name") { $0.header.name },
        CSVField("aliases") { $0.header.aliases.joined(separator: " ") },
        CSVField("description") { $0.header.description },
        CSVField("unavailable") { $0.header.unavailable },
        CSVField("origin") { $0.header.shownOrigin },
      ],
      json: { writer, preset in
        writer.object { writer in
          writer.member("kind", preset.kind.rawValue)
          writer.member("name", preset.header.name)
          writer.member("aliases", preset.header.aliases)
          writer.member("description", preset.header.description)
          writer.member("unavailable", preset.header.unavailable)
          for setting in preset.header.settings {
            writer.key(setting.key)
            writer.value(setting.value)
          }
        }
      },
      paths: nil)
  }
}

extension Preset {
  /// Everything about it, a line each, for people.
  func description(_ style: Style) -> [String] {
    var lines = [
      style.bold("\(kind.rawValue) preset \(header.name)"), header.description,
      "from \(header.shownOrigin)",
    ].map(\.terminalSafe)
    if !header.aliases.isEmpty { lines.append("also " + header.aliases.joined(separator: ", ")) }
    if let reason = header.unavailable {
      lines.append(style.red("unavailable: \(reason.terminalSafe)"))
    }
    let keys = PresetSchema.keys(of: kind)
    let width = keys.map(\.name.columns).max() ?? 0
    for (key, setting) in zip(keys, header.settings) {
      let padding = String(repeating: " ", count: width - key.name.columns)
      lines.append("  \(key.name)\(padding)  \(setting.value.shown)  (\(key.meaning))")
    }
    return lines
  }
}

extension PresetHeader {
  /// The preset's file; shipped presets are compiled in.
  fileprivate var shownOrigin: String { origin.contains("/") ? origin : "shoebox" }
}

extension JSONValue {
  /// The value for people.
  fileprivate var shown: String {
    switch self {
    case .null: "any"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number): Int(exactly: number).map(String.init) ?? "\(number)"
    case .text(let text): text
    case .array(let values) where values.isEmpty: "none"
    case .array(let values): values.map(\.shown).joined(separator: ", ")
    case .object: "…"
    }
  }
}

extension JSONWriter {
  fileprivate mutating func value(_ content: JSONValue) {
    switch content {
    case .null: value(Double.nan)
    case .flag(let flag): value(flag)
    case .number(let number):
      if let whole = Int(exactly: number) { value(whole) } else { value(number) }
    case .text(let text): value(text)
    case .array(let values):
      array { writer in
        for element in values { writer.value(element) }
      }
    case .object(let members):
      object { writer in
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
          writer.key(key)
          writer.value(value)
        }
      }
    }
  }
}
