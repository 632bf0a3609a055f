import Foundation

/// One line of `list --format jsonl` as any script would read it, with the questions that the table of
/// expressions puts to it.
struct PlainAsset: @unchecked Sendable {
  private let object: [String: Any]
  /// The library's folder, without which paths are compared.
  private let root: String

  init(line: String, root: String) throws {
    object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
    self.root = root
  }

  var id: String { text("id") ?? "" }
  var path: String { text("path") ?? "" }
  var name: String { path.split(separator: "/").last.map(String.init) ?? "" }
  var isImage: Bool { text("mediaType") == "image" }
  var isVideo: Bool { text("mediaType") == "video" }
  var size: Double { number("size") ?? -1 }
  var keywords: [String] { object["keywords"] as? [String] ?? [] }
  /// The levels of hierarchical keywords, each of which finds the asset.
  var keywordLevels: [String] {
    (object["keywordPaths"] as? [String] ?? []).flatMap { $0.split(separator: "|") }
      .map(String.init)
  }
  var isDuplicate: Bool { object["isDuplicate"] as? Bool ?? false }

  /// The folder below the library.
  var folder: String {
    String((path as NSString).deletingLastPathComponent.dropFirst(root.count))
  }

  func has(_ key: String) -> Bool { value(key) != nil }
  func text(_ key: String) -> String? { value(key) as? String }
  func number(_ key: String) -> Double? { (value(key) as? NSNumber)?.doubleValue }

  /// The value of a key; a dot leads into an object: `camera.make`.
  private func value(_ key: String) -> Any? {
    let parts = key.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2 else { return object[key] }
    return (object[parts[0]] as? [String: Any])?[parts[1]]
  }

  func isA(_ subtype: String) -> Bool {
    (object["subtypes"] as? [String])?.contains(subtype) ?? false
  }

  /// Whether a text is there that contains another, letters in either case.
  func contains(_ key: String, _ part: String) -> Bool {
    text(key)?.lowercased().contains(part.lowercased()) ?? false
  }

  func equals(_ key: String, _ other: String) -> Bool {
    text(key)?.lowercased() == other.lowercased()
  }

  func `is`(_ key: String, _ holds: (Double) -> Bool) -> Bool { number(key).map(holds) ?? false }

  /// Make and model.
  var camera: String {
    [text("camera.make"), text("camera.model")].compactMap(\.self).joined(separator: " ")
      .lowercased()
  }

  /// Whether the wall time begins with a text, or is between two: ISO 8601 sorts as text.
  func wasTaken(_ from: String, _ to: String? = nil) -> Bool {
    guard let date = text("captureDate") else { return false }
    return from <= date && date.prefix((to ?? from).count) <= (to ?? from)
  }

  var month: Int? { text("captureDate").flatMap { Int($0.dropFirst(5).prefix(2)) } }

  /// Kilometres on a sphere, by the spherical law of cosines.
  func kilometres(to latitude: Double, _ longitude: Double) -> Double? {
    guard let ownLatitude = number("location.latitude"),
      let ownLongitude = number("location.longitude")
    else { return nil }
    let (a, b) = (latitude * .pi / 180, ownLatitude * .pi / 180)
    let angle = (longitude - ownLongitude) * .pi / 180
    return 6371 * acos(min(1, sin(a) * sin(b) + cos(a) * cos(b) * cos(angle)))
  }

  /// Whether every one of these words begins a word of what is searched.
  func isFound(_ words: String...) -> Bool {
    let texts = [
      name, folder, text("title") ?? "", text("description") ?? "", keywords.joined(separator: " "),
      keywordLevels.joined(separator: " "), camera, text("camera.lens") ?? "",
    ]
    let own = texts.joined(separator: " ")
      .folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
      .split { !$0.isLetter && !$0.isNumber }
    return words.allSatisfy { word in own.contains { $0.hasPrefix(word) } }
  }
}
