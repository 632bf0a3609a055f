/// The words that a Brotli stream may insert without containing them (RFC 7932 §8).
enum BrotliDictionary {
  /// The words of 4 to 24 bytes one after the other, those of equal length in a row (appendix A).
  static let words =
    inflateRaw(PackageResources.brotli_dictionary_deflate, limit: 122_784) ?? []
  /// The logarithms of the numbers of words of each length.
  private static let sizes = [
    0, 0, 0, 0, 10, 10, 11, 11, 10, 10, 10, 10, 10, 9, 9, 8, 7, 7, 8, 7, 7, 6, 6, 5, 5,
  ]

  /// A word as a transformation changes it; nil if there is none with this number.
  ///
  /// - Parameter number: the word's place among those of its length, and above its bits the transformation's.
  static func word(_ number: Int, length: Int) -> [UInt8]? {
    guard length < sizes.count, sizes[length] > 0 else { return nil }
    let start = sizes[..<length].enumerated().reduce(0) { sum, size in
      size.element == 0 ? sum : sum + size.offset << size.element
    }
    let place = start + number & (1 << sizes[length] - 1) * length
    let transform = number >> sizes[length]
    guard transform < transforms.count, place + length <= words.count else { return nil }
    let (prefix, change, suffix) = transforms[transform]
    return Array(prefix.utf8) + change.applied(to: words[place..<(place + length)])
      + Array(suffix.utf8)
  }

  /// What a transformation does to a word between its prefix and its suffix.
  private enum Change {
    case keep, capitalize, upperCase
    case dropFirst(Int)
    case dropLast(Int)

    func applied(to word: ArraySlice<UInt8>) -> [UInt8] {
      switch self {
      case .keep: return Array(word)
      case .dropFirst(let count): return Array(word.dropFirst(count))
      case .dropLast(let count): return Array(word.dropLast(count))
      case .capitalize, .upperCase:
        var changed = Array(word)
        var position = 0
        while position < changed.count {
          position += Self.upperCase(&changed, at: position)
          if case .capitalize = self { break }
        }
        return changed
      }
    }

    /// Changes one character, as the RFC defines it for UTF-8.
    ///
    /// - Returns: its length in bytes.
    private static func upperCase(_ word: inout [UInt8], at position: Int) -> Int {
      let first = word[position]
      if first < 0xC0 {
        if (0x61...0x7A).contains(first) { word[position] ^= 32 }
        return 1
      }
      let (length, bits): (Int, UInt8) = first < 0xE0 ? (2, 32) : (3, 5)
      let changed = position + length - 1
      if changed < word.count { word[changed] ^= bits }
      return length
    }
  }

  /// Prefixes, changes and suffixes (appendix B).
  private static let transforms: [(String, Change, String)] = [
    ("", .keep, ""), ("", .keep, " "), (" ", .keep, " "), ("", .dropFirst(1), ""),
    ("", .capitalize, " "), ("", .keep, " the "), (" ", .keep, ""), ("s ", .keep, " "),
    ("", .keep, " of "), ("", .capitalize, ""), ("", .keep, " and "), ("", .dropFirst(2), ""),
    ("", .dropLast(1), ""), (", ", .keep, " "), ("", .keep, ", "), (" ", .capitalize, " "),
    ("", .keep, " in "), ("", .keep, " to "), ("e ", .keep, " "), ("", .keep, "\""),
    ("", .keep, "."), ("", .keep, "\">"), ("", .keep, "\n"), ("", .dropLast(3), ""),
    ("", .keep, "]"), ("", .keep, " for "), ("", .dropFirst(3), ""), ("", .dropLast(2), ""),
    ("", .keep, " a "), ("", .keep, " that "), (" ", .capitalize, ""), ("", .keep, ". "),
    (".", .keep, ""), (" ", .keep, ", "), ("", .dropFirst(4), ""), ("", .keep, " with "),
    ("", .keep, "'"), ("", .keep, " from "), ("", .keep, " by "), ("", .dropFirst(5), ""),
    ("", .dropFirst(6), ""), (" the ", .keep, ""), ("", .dropLast(4), ""), ("", .keep, ". The "),
    ("", .upperCase, ""), ("", .keep, " on "), ("", .keep, " as "), ("", .keep, " is "),
    ("", .dropLast(7), ""), ("", .dropLast(1), "ing "), ("", .keep, "\n\t"), ("", .keep, ":"),
    (" ", .keep, ". "), ("", .keep, "ed "), ("", .dropFirst(9), ""), ("", .dropFirst(7), ""),
    ("", .dropLast(6), ""), ("", .keep, "("), ("", .capitalize, ", "), ("", .dropLast(8), ""),
    ("", .keep, " at "), ("", .keep, "ly "), (" the ", .keep, " of "), ("", .dropLast(5), ""),
    ("", .dropLast(9), ""), (" ", .capitalize, ", "), ("", .capitalize, "\""), (".", .keep, "("),
    ("", .upperCase, " "), ("", .capitalize, "\">"), ("", .keep, "=\""), (" ", .keep, "."),
    (".com/", .keep, ""), (" the ", .keep, " of the "), ("", .capitalize, "'"),
    ("", .keep, ". This "), ("", .keep, ","), (".", .keep, " "), ("", .capitalize, "("),
    ("", .capitalize, "."), ("", .keep, " not "), (" ", .keep, "=\""), ("", .keep, "er "),
    (" ", .upperCase, " "), ("", .keep, "al "), (" ", .upperCase, ""), ("", .keep, "='"),
    ("", .upperCase, "\""), ("", .capitalize, ". "), (" ", .keep, "("), ("", .keep, "ful "),
    (" ", .capitalize, ". "), ("", .keep, "ive "), ("", .keep, "less "), ("", .upperCase, "'"),
    ("", .keep, "est "), (" ", .capitalize, "."), ("", .upperCase, "\">"), (" ", .keep, "='"),
    ("", .capitalize, ","), ("", .keep, "ize "), ("", .upperCase, "."), ("\u{A0}", .keep, ""),
    (" ", .keep, ","), ("", .capitalize, "=\""), ("", .upperCase, "=\""), ("", .keep, "ous "),
    ("", .upperCase, ", "), ("", .capitalize, "='"), (" ", .capitalize, ","),
    (" ", .upperCase, "=\""), (" ", .upperCase, ", "), ("", .upperCase, ","), ("", .upperCase, "("),
    ("", .upperCase, ". "), (" ", .upperCase, "."), ("", .upperCase, "='"), (" ", .upperCase, ". "),
    (" ", .capitalize, "=\""), (" ", .upperCase, "='"), (" ", .capitalize, "='"),
  ]
}
