import Logging
import Logs
import MediaModel
import Terminal
import Yams

// The settings in the form of the file. Reading the text again gives the same settings.

extension Settings {
  /// The lines of a configuration file with these settings. Comments name those without a value.
  func lines(catalog: String) -> [String] {
    ["# \(file?.display.terminalSafe ?? "no configuration file")", "catalog: \(scalar(catalog))"]
      + list("roots", roots) + list("exclude", exclude)
      + [
        "oneFileSystem: \(oneFileSystem)", "followLinks: \(followLinks)",
        jobs.map { "jobs: \($0)" } ?? "# jobs: one for each core", "nightly:",
      ] + nightly.lines.map { "  " + $0 } + ["notify:"]
      + list("command", notification?.command ?? []).map { "  " + $0 } + [
        "  when: \(notification?.occasion.rawValue ?? Notification.Occasion.changes.rawValue)",
        "log:", "  format: \(logFormat.rawValue)", "  level: \(logLevel.rawValue)",
      ]
  }
}

extension Settings.Nightly {
  fileprivate var lines: [String] {
    func file(_ name: String, _ path: String?) -> String {
      path.map { "\(name): \(scalar($0))" } ?? "# \(name): none"
    }
    return [
      "wait: \(Self.duration(wait))", file("backup", backup), "backupsKept: \(backupsKept)",
      "thumbnails: \(thumbnails)", "verify: \(verification.text)",
      "maximumLoss: \(shareText(maximumLoss))", "absentNights: \(absentNights)",
    ] + list("exports", exportLines) + [file("report", report), file("metrics", metrics)]
  }

  /// The options of each export, quoted as for a shell.
  var exportLines: [String] {
    exports.map { $0.map(shellWord).joined(separator: " ") }
  }

  /// A duration in the largest unit that divides it.
  private static func duration(_ seconds: Double) -> String {
    guard seconds == seconds.rounded() else { return "\(seconds)s" }
    let whole = Int(seconds)
    if whole % 3600 == 0 { return "\(whole / 3600)h" }
    return whole % 60 == 0 ? "\(whole / 60)min" : "\(whole)s"
  }
}

extension Settings.VerificationAmount {
  /// In the form of the file.
  var text: String {
    switch self {
    case .nothing: "off"
    case .share(1): "all"
    case .share(let share): shareText(share)
    case .bytes(let count): "\(count) B"
    }
  }
}

/// The shortest text that `partOfWhole` reads as exactly this share: a percentage, or a fraction.
private func shareText(_ share: Double) -> String {
  for scale in [1.0, 10, 100] {
    let percent = (share * 100 * scale).rounded() / scale
    if percent / 100 == share { return scale == 1 ? "\(Int(percent))%" : "\(percent)%" }
  }
  for whole in 1...1000 {
    let part = (share * Double(whole)).rounded()
    if part / Double(whole) == share { return "\(Int(part))/\(whole)" }
  }
  return "\(share)/1"
}

/// The lines of a list.
private func list(_ name: String, _ values: [String]) -> [String] {
  values.isEmpty ? ["\(name): []"] : ["\(name):"] + values.map { "  - \(scalar($0))" }
}

/// A text as a scalar of YAML: plain if YAML 1.1 reads it as this text, else in double quotes.
private func scalar(_ text: String) -> String {
  isPlain(text) ? text : "\"\(text.unicodeScalars.map(escaped).joined())\""
}

/// Whether a text is a plain scalar, and a text rather than a number, `true` or nothing.
private func isPlain(_ text: String) -> Bool {
  let isOption = text.hasPrefix("--") && text.dropFirst(2).first?.isLetter == true
  guard let first = text.first, let last = text.last,
    isOption || first.isLetter || first.isNumber || first == "/" || first == ".",
    last != " ", last != ":", !text.contains(": "), !text.contains(" #"),
    text.unicodeScalars.allSatisfy({ escaped($0) == String($0) || $0 == "\"" || $0 == "\\" })
  else { return false }
  return Resolver.default.resolveTag(of: Node(text)) == .str
}

/// A character in double quotes.
private func escaped(_ scalar: Unicode.Scalar) -> String {
  switch scalar {
  case "\"", "\\": return "\\\(scalar)"
  case "\n": return "\\n"
  case "\t": return "\\t"
  default: break
  }
  guard scalar.isDisplayControl || (0xFFFE...0xFFFF).contains(scalar.value) || scalar == "\u{FEFF}"
  else { return String(scalar) }
  let digits = String(scalar.value, radix: 16, uppercase: true)
  return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
}
