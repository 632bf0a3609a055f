import MediaModel

/// A hash of a file's name that is equal for all files of one folder that a rule of this module may relate by
/// their names: the halves of a live photo, the files of one exposure, an original and its edited versions, the
/// pictures of a numbered burst, and a picture and its sidecars. So a folder can be settled one key at a time.
///
/// Unrelated names may share a key too. A name counts only up to its first dot and its first character outside
/// ASCII, because extensions, suffixes of Takeout and spellings of accented letters follow there.
///
/// - Invariant: the key of a name never changes, because catalogs store it.
package struct FamilyKey: Sendable, Hashable {
  package let value: UInt64

  /// The value as SQLite stores it, which has signed integers only.
  package var number: Int64 { Int64(bitPattern: value) }

  /// What the rules drop from the end of a stem: ``EditedName``, ``StemKey``. The hyphen is what remains of a
  /// suffix in another script.
  private static let suffixes =
    (EditedName.takeoutSuffixes.filter { $0.utf8.allSatisfy { $0 < 0x80 } }
    + ["-modifi", "_edited", "_hevc", "_3", "-"]).map { Array($0.utf8) }

  /// Bytes of a stem that count. Takeout cuts the name of a sidecar to 46 bytes, with any suffix of the stem.
  private static let limit = 32

  /// - Parameter name: of a media file or a sidecar, as the folder lists it.
  package init(_ name: [UInt8]) {
    value = FNV1a(Self.text(name)).value
  }

  /// The text that the names of one family share.
  static func text(_ name: [UInt8]) -> [UInt8] {
    let ascii = Self.asciiPrefix(name)
    var counters: [[UInt8]] = []
    var text: [UInt8] = []
    // Takeout moves a counter from the stem to the end of a sidecar's name.
    let parts = ascii.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    for (index, part) in parts.enumerated() {
      let stem = Self.removingSuffixes(part, &counters)
      if index == 0 { text = Array(stem) }
    }
    // `IMG_O3.AAE` describes `IMG_3.jpg`, which may be a clip's `IMG` with a suffix.
    text = Array(Self.removingSuffixes(Self.original(text)[...], &counters))
    if text.count >= Self.limit { return Array(text.prefix(Self.limit)) }
    // The cut may have removed one of several counters.
    if counters.count == 1 { text += counters[0] }
    return text
  }

  /// The folded name up to its first character outside ASCII. A letter with an accent is one character,
  /// whether the disk stores it as one or as two.
  private static func asciiPrefix(_ name: [UInt8]) -> [UInt8] {
    let isASCII = name.allSatisfy { $0 < 0x80 }
    if isASCII { return name.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
    var text = folded(name)
    // These suffixes would end the name before its counter.
    for suffix in EditedName.takeoutSuffixes where !suffix.utf8.allSatisfy({ $0 < 0x80 }) {
      while let range = text.firstRange(of: suffix) { text.replaceSubrange(range, with: "-edited") }
    }
    var prefix: [UInt8] = []
    for character in text {
      guard let byte = character.utf8.first, character.utf8.count == 1 else { break }
      prefix.append(byte)
    }
    return prefix
  }

  /// A part of a name without the suffixes and counters at its end.
  ///
  /// - Parameter counters: receives the counters, with their parentheses.
  private static func removingSuffixes(
    _ part: ArraySlice<UInt8>, _ counters: inout [[UInt8]]
  ) -> ArraySlice<UInt8> {
    var rest = part
    while true {
      if rest.last == UInt8(ascii: " ") {
        rest.removeLast()
      } else if let open = counterStart(rest) {
        counters.append(Array(rest[open...]))
        rest = rest[..<open]
      } else if let suffix = suffixes.first(where: { rest.ends(with: $0) }) {
        rest.removeLast(suffix.count)
      } else if isOfNumberedBurst(rest) {
        rest.removeLast(4)
      } else {
        return rest
      }
    }
  }

  /// The index of the parenthesis in `a(2)`.
  private static func counterStart(_ text: ArraySlice<UInt8>) -> Int? {
    guard text.last == UInt8(ascii: ")"), let open = text.lastIndex(of: UInt8(ascii: "(")),
      text[open...].dropFirst().dropLast().allSatisfy(isDigit)
    else { return nil }
    return open
  }

  /// Whether a stem is like `20200101_120000_001`.
  private static func isOfNumberedBurst(_ stem: ArraySlice<UInt8>) -> Bool {
    guard stem.count == 19 else { return false }
    let start = stem.startIndex
    return stem.indices.allSatisfy { index in
      [8, 15].contains(index - start)
        ? stem[index] == UInt8(ascii: "_") : isDigit(stem[index])
    }
  }

  /// `img_e0001` and `img_o0001` → `img_0001`.
  private static func original(_ stem: [UInt8]) -> [UInt8] {
    let prefix = Array("img_".utf8)
    guard stem.starts(with: prefix) else { return stem }
    return prefix
      + stem.dropFirst(prefix.count).drop { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "o") }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension ArraySlice<UInt8> {
  fileprivate func ends(with suffix: [UInt8]) -> Bool {
    count >= suffix.count && self.suffix(suffix.count).elementsEqual(suffix)
  }
}
