import Foundation

// Texts that look the same may have different encodings: `é` is one character or two (names from old Macs
// have two, keyboards produce one), and letters have cases. SQLite knows the cases of ASCII only, so both
// sides of each comparison and search are folded here.

extension String {
  package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// This text as it is compared: composed (Unicode's form C) and in lower case, independent of the locale.
  /// Accents are kept.
  ///
  /// Only ASCII becomes ASCII, at the same position. So an index that folds ASCII only finds all texts with
  /// an ASCII prefix.
  package var comparable: String {
    if isASCII { return lowercased() }
    var result = UnicodeScalarView()
    var piece = UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isLikeASCII {
        result += String(piece).composed.withoutCases.unicodeScalars
        result.append(scalar)
        piece = UnicodeScalarView()
      } else {
        piece.append(scalar)
      }
    }
    result += String(piece).composed.withoutCases.unicodeScalars
    return String(result)
  }

  /// This text as the search index contains it: composed, without the accents of Latin, Greek and Cyrillic
  /// letters. Letters without a decomposition, as `ß` and `ł`, are spelled with plain ones. FTS5 folds case.
  package var searchable: String {
    if isASCII { return self }
    var result = UnicodeScalarView()
    var losesMarks = false
    for scalar in decomposedStringWithCanonicalMapping.unicodeScalars {
      if losesMarks, scalar.isMark { continue }
      losesMarks = scalar.losesMarks
      if let spelling = Self.spellings[scalar] {
        result += spelling.unicodeScalars
      } else {
        result.append(scalar)
      }
    }
    return String(result).composed
  }

  /// In Unicode's form C; text below U+0300 always is.
  private var composed: String {
    unicodeScalars.allSatisfy { $0.value < 0x300 } ? self : precomposedStringWithCanonicalMapping
  }

  /// A composed text in lower case, composed again: `J̌` has a composed form in lower case only.
  private var withoutCases: String {
    let lower = String(UnicodeScalarView(unicodeScalars.map(\.withoutCase))).composed
    guard lower.unicodeScalars.contains("\u{307}") else { return lower }
    // The dot of İ is an accent, too: one character with its letter, as in upper case.
    var result = UnicodeScalarView()
    for scalar in lower.unicodeScalars {
      if scalar == "\u{307}", result.last == "i" {
        result.removeLast()
        result.append("\u{130}")
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  /// Letters of Latin-1 and Latin Extended-A that have no decomposition, as CLDR's transliteration
  /// Latin-ASCII spells them.
  private static let spellings: [Unicode.Scalar: String] = [
    "Æ": "AE", "æ": "ae", "Ð": "D", "ð": "d", "Đ": "D", "đ": "d", "Ħ": "H", "ħ": "h", "ı": "i",
    "ĸ": "q", "Ł": "L", "ł": "l", "Ŋ": "N", "ŋ": "n", "Ø": "O", "ø": "o", "Œ": "OE", "œ": "oe",
    "ß": "ss", "ẞ": "SS", "Þ": "TH", "þ": "th", "Ŧ": "T", "ŧ": "t",
  ]
}

extension Unicode.Scalar {
  /// Whether it is canonically equivalent to an ASCII character: the Greek question mark, the Greek grave
  /// accent, the kelvin. Keyboards do not produce them.
  fileprivate var isLikeASCII: Bool { [0x37E, 0x1FEF, 0x212A].contains(value) }

  /// Without its case, as Unicode's CaseFolding.txt (C and S) has it, so that final sigma is a sigma. Letters
  /// with an ASCII counterpart in the other case stay: `ı`, `ſ`.
  fileprivate var withoutCase: Unicode.Scalar {
    if isASCII { return ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value | 0x20)) : self }
    if isMark { return self }
    let upper = properties.uppercaseMapping.unicodeScalars
    let large = upper.count == 1 ? upper.first ?? self : self
    let lower = large.properties.lowercaseMapping.unicodeScalars
    guard lower.count == 1, let small = lower.first, !small.isASCII else { return self }
    return small
  }

  fileprivate var isMark: Bool {
    value >= 0x300
      && [.nonspacingMark, .enclosingMark].contains(properties.generalCategory)
  }

  /// Whether searches ignore the accents of this letter; the vowels of Hebrew, Arabic and the scripts of
  /// India, and the marks of kana, make other letters.
  fileprivate var losesMarks: Bool {
    switch value {
    case 0x41...0x5A, 0x61...0x7A, 0xC0...0x2AF, 0x1D00...0x1DBF, 0x1E00...0x1EFF, 0x2C60...0x2C7F,
      0xA720...0xA7FF, 0xAB30...0xAB6F:
      true  // Latin
    case 0x370...0x3FF, 0x1F00...0x1FFF: true  // Greek
    case 0x400...0x52F, 0x1C80...0x1C8F, 0xA640...0xA69F: true  // Cyrillic
    default: false
    }
  }
}
