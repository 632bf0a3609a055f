import Foundation

// One text may be written in several ways that look the same: `é` is one sign or two (files from old Macs
// have two, keyboards give one), and letters have cases. SQLite knows the cases of ASCII alone, so what is
// compared or searched goes through here, on both sides.

extension String {
  package var isASCII: Bool { utf8.allSatisfy { $0 < 0x80 } }

  /// This text as it is compared: composed (Unicode's form C), its letters in lower case, in any locale.
  /// Case does not count, and neither does the form; accents do.
  ///
  /// Nothing but ASCII becomes ASCII, at its own place: so an index that knows the cases of ASCII alone
  /// leads to all that begin with it.
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

  /// This text as the search has it: composed, without the accents of Latin, Greek and Cyrillic letters, and
  /// those that are no letter with an accent to Unicode, as `ß` and `ł`, spelled with plain ones. Cases
  /// are left to FTS5.
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

  /// In Unicode's form C; all below U+0300 is in it as it stands.
  private var composed: String {
    unicodeScalars.allSatisfy { $0.value < 0x300 } ? self : precomposedStringWithCanonicalMapping
  }

  /// A composed text with every letter in lower case, composed once more: of `J̌` only the small letter has a
  /// sign of its own.
  private var withoutCases: String {
    let lower = String(UnicodeScalarView(unicodeScalars.map(\.withoutCase))).composed
    guard lower.unicodeScalars.contains("\u{307}") else { return lower }
    // The dot of İ is an accent, too: one sign with its letter, as it is in upper case.
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
  /// Whether it is the same as a sign of ASCII to Unicode: the Greek question mark, the Greek grave accent, the
  /// kelvin. Nobody types them.
  fileprivate var isLikeASCII: Bool { [0x37E, 0x1FEF, 0x212A].contains(value) }

  /// Without its case, as Unicode's CaseFolding.txt (C and S) has it, so that final sigma is a sigma. One
  /// whose other case is ASCII stays: `ı`, `ſ`.
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

  /// Whether it is a letter that is the same without accents to who searches; the vowels of Hebrew, Arabic
  /// and the scripts of India, and the marks of kana, make other letters.
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
