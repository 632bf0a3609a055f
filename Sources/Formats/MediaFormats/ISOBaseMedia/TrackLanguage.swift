import ByteReading

/// The language of a track.
package struct TrackLanguage: Sendable, Hashable {
  /// Three letters of ISO 639-2/T; `und` for an unknown language.
  package var code: String
  /// A language tag (BCP 47), such as `zh-Hant`, for what the code does not say; nil for nothing.
  package var tag: String?

  private static let unknown = "und"
  /// The longest tag in bytes that is used.
  private static let longestTag = 64

  /// Reads the `language` field of an `mdhd` box: three letters of five bits each from 0x400 on (ISO/IEC 14496-12 §8.4.2.3),
  /// else a number of Macintosh (QuickTime File Format, "Language Code Values").
  ///
  /// - Parameter tag: the text of an `elng` box (ISO/IEC 14496-12 §8.4.6).
  package init(field: UInt16, tag: String? = nil) {
    let known = tag.flatMap { Self.isTag($0) ? $0 : nil }
    if field >= 0x400, field != 0x7FFF {
      let letters = [10, 5, 0].map { UInt8(0x60 + field >> UInt16($0) & 31) }
      let isText = letters.allSatisfy { (0x61...0x7A).contains($0) }
      code = isText ? Self.terminological(String(decoding: letters, as: UTF8.self)) : Self.unknown
      self.tag = known
    } else {
      code = Self.macintosh[field] ?? Self.unknown
      self.tag = known ?? Self.scripts[field]
    }
  }

  /// Takes a language as FFmpeg reports it: three letters of ISO 639-2, or a tag. Nil for other texts.
  package init?(name: String) {
    let letters = name.utf8
    if letters.count == 3, letters.allSatisfy({ (0x61...0x7A).contains($0) }) {
      code = Self.terminological(name)
    } else if Self.isTag(name) {
      code = Self.unknown
      tag = name
    } else {
      return nil
    }
  }

  /// The `language` field of an `mdhd` box. QuickTime reads it, too.
  package var field: UInt16 {
    code.utf8.reduce(0) { $0 << 5 | UInt16($1 & 31) }
  }

  private static func isTag(_ text: String) -> Bool {
    let bytes = text.utf8
    return (2...longestTag).contains(bytes.count) && !text.hasPrefix("-") && !text.hasSuffix("-")
      && bytes.allSatisfy {
        (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
          || $0 == 0x2D
      }
  }

  /// ISO 639-2 has two codes for twenty languages; these boxes contain that of the language's own name.
  private static func terminological(_ code: String) -> String {
    bibliographic[code] ?? code
  }

  private static let bibliographic = [
    "alb": "sqi", "arm": "hye", "baq": "eus", "bur": "mya", "chi": "zho", "cze": "ces",
    "dut": "nld", "fre": "fra", "geo": "kat", "ger": "deu", "gre": "ell", "ice": "isl",
    "mac": "mkd", "mao": "mri", "may": "msa", "per": "fas", "rum": "ron", "slo": "slk",
    "tib": "bod", "wel": "cym",
  ]

  /// The writing of languages that have two numbers.
  private static let scripts: [UInt16: String] = [
    19: "zh-Hant", 33: "zh-Hans", 49: "az-Cyrl", 50: "az-Arab", 57: "mn-Mong", 58: "mn-Cyrl",
    83: "ms-Latn", 84: "ms-Arab", 150: "az-Latn",
  ]

  private static let macintosh: [UInt16: String] = {
    let first = [
      "eng", "fra", "deu", "ita", "nld", "swe", "spa", "dan", "por", "nor", "heb", "jpn", "ara",
      "fin", "ell", "isl", "mlt", "tur", "hrv", "zho", "urd", "hin", "tha", "kor", "lit", "pol",
      "hun", "est", "lav", "sme", "fao", "fas", "rus", "zho", "nld", "gle", "sqi", "ron", "ces",
      "slk", "slv", "yid", "srp", "mkd", "bul", "ukr", "bel", "uzb", "kaz", "aze", "aze", "hye",
      "kat", "ron", "kir", "tgk", "tuk", "mon", "mon", "pus", "kur", "kas", "snd", "bod", "nep",
      "san", "mar", "ben", "asm", "guj", "pan", "ori", "mal", "kan", "tam", "tel", "sin", "mya",
      "khm", "lao", "vie", "ind", "tgl", "msa", "msa", "amh", "tir", "orm", "som", "swa", "kin",
      "run", "nya", "mlg", "epo",
    ]
    let later = [
      "cym", "eus", "cat", "lat", "que", "grn", "aym", "tat", "uig", "dzo", "jav", "sun", "glg",
      "afr", "bre", "iku", "gla", "glv", "gle", "ton", "grc", "kal", "aze", "nno",
    ]
    var codes: [UInt16: String] = [:]
    for (number, code) in first.enumerated() { codes[UInt16(number)] = code }
    for (number, code) in later.enumerated() { codes[128 + UInt16(number)] = code }
    return codes
  }()
}
