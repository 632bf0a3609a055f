package import MediaModel

// What users record while they sort pictures: color labels, picks and hierarchical keywords.

extension XMPPacket {
  /// digiKam's color labels, by their number (its `ColorLabel` enumeration); 0 is none.
  private static let digiKamColors = [
    "Red", "Orange", "Yellow", "Green", "Blue", "Magenta", "Gray", "Black", "White",
  ]

  /// darktable's, from 0.
  private static let darktableColors = ["Red", "Yellow", "Green", "Blue", "Purple"]

  /// `xmp:Label`, the word that a program shows, else the color of `digiKam:ColorLabel`, else the first of
  /// `darktable:colorlabels`.
  package var label: String? {
    if let label = value(XMPNamespace.xmp, "Label").flatMap(\.nonEmpty) { return label }
    func color(_ namespace: String, _ name: String) -> Int? {
      value(namespace, name).flatMap { Int($0.trimmed) }
    }
    if let color = color(XMPNamespace.digiKam, "ColorLabel") {
      return (1...Self.digiKamColors.count).contains(color) ? Self.digiKamColors[color - 1] : nil
    }
    guard let color = color(XMPNamespace.darktable, "colorlabels"),
      Self.darktableColors.indices.contains(color)
    else { return nil }
    return Self.darktableColors[color]
  }

  /// digiKam's number for a label; nil for a word that is none of its colors. Adobe's Purple is its Magenta.
  package static func digiKamColor(of label: String) -> Int? {
    let word = label.lowercased() == "purple" ? "magenta" : label.lowercased()
    return digiKamColors.firstIndex { $0.lowercased() == word }.map { $0 + 1 }
  }

  /// Lightroom's flag in `xmpDM:pick` (−1, 0, 1), else digiKam's `PickLabel` (0 none, 1 rejected, 2 pending, 3 accepted),
  /// else `xmpDM:good`; nil without any of them.
  package var pick: Pick? {
    if let flag = value(XMPNamespace.dynamicMedia, "pick").flatMap({ Int($0.trimmed) }),
      (-1...1).contains(flag)
    {
      return Pick(rawValue: flag)
    }
    if let label = value(XMPNamespace.digiKam, "PickLabel").flatMap({ Int($0.trimmed) }) {
      switch label {
      case 0: return Pick.none
      case 1: return .rejected
      case 2: return .pending
      // An export of Shoebox marks favorites so, too, for programs that know no favorites.
      case 3 where !isFavorite: return .picked
      default: break
      }
    }
    switch value(XMPNamespace.dynamicMedia, "good")?.trimmed.lowercased() {
    case "true", "1": return .picked
    case "false", "0": return .rejected
    default: return nil
    }
  }

  /// Hierarchical keywords of at least two levels, as ``KeywordPath``. People are not keywords.
  package var keywordPaths: [String] {
    let flat = Set(values(XMPNamespace.dublinCore, "subject").compactMap(\.nonEmpty))
    var seen: Set<String> = []
    let paths: [String] = keywordLevels.compactMap { levels in
      let path = levels.joined(separator: String(KeywordPath.separator))
      guard (2...KeywordPath.mostLevels).contains(levels.count), levels[0] != Self.peopleTag,
        levels.allSatisfy({
          !$0.isEmpty && !$0.contains(KeywordPath.separator) && !$0.contains("\n")
        }),
        // A program may have split a keyword that contains the separator.
        !flat.contains(levels.joined(separator: "/")), seen.insert(path).inserted
      else { return nil }
      return path
    }
    return KeywordPath.limited(paths)
  }
}
