import MediaModel

/// The rules of one `.shoeboxignore` file or of a command line, in the syntax of gitignore(5).
///
/// Names are bytes: a pattern matches byte for byte, and `?` and `*` match single bytes, but never a
/// slash.
package struct IgnorePatterns: Sendable, Hashable {
  private struct Pattern: Hashable {
    /// Components between slashes; `**` is a component of its own.
    var components: [[UInt8]]
    var isNegated = false
    var matchesOnlyFolders = false
    /// Bound to the folder of the ignore file, because the pattern contains a slash inside.
    var isAnchored = false
  }

  private let patterns: [Pattern]

  /// How many rules one file may have; more are left out.
  private static let maximumCount = 10_000

  package init(_ bytes: [UInt8]) {
    // Editors on Windows put a mark before the first rule.
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
    patterns = text.split(separator: UInt8(ascii: "\n")).prefix(Self.maximumCount)
      .compactMap { Self.pattern(Array($0)) }
  }

  /// - Parameter lines: rules, each without a newline; later ones override earlier ones.
  package init(lines: [String]) {
    patterns = lines.compactMap { Self.pattern(Array($0.utf8)) }
  }

  package var isEmpty: Bool { patterns.isEmpty }

  /// Applies the rules to a path: true to skip it, false to include it, nil if no rule matches.
  ///
  /// - Parameter path: the components from the ignore file's folder to the name itself.
  package func verdict(_ path: [[UInt8]], isFolder: Bool) -> Bool? {
    for pattern in patterns.reversed() {
      if pattern.matchesOnlyFolders, !isFolder { continue }
      let isMatch =
        pattern.isAnchored
        ? Self.matches(path, pattern.components)
        : path.last.map { Self.matches($0[...], pattern.components[0][...]) } ?? false
      if isMatch { return !pattern.isNegated }
    }
    return nil
  }

  private static func pattern(_ line: [UInt8]) -> Pattern? {
    var text = line
    if text.last == UInt8(ascii: "\r") { text.removeLast() }
    while text.last == UInt8(ascii: " "), text.dropLast().last != UInt8(ascii: "\\") {
      text.removeLast()
    }
    guard let first = text.first, first != UInt8(ascii: "#") else { return nil }
    var pattern = Pattern(components: [])
    if first == UInt8(ascii: "!") {
      pattern.isNegated = true
      text.removeFirst()
    }
    if text.last == UInt8(ascii: "/") {
      pattern.matchesOnlyFolders = true
      text.removeLast()
    }
    pattern.isAnchored = text.contains(UInt8(ascii: "/"))
    pattern.components = text.split(separator: UInt8(ascii: "/")).map(Array.init)
    return pattern.components.isEmpty ? nil : pattern
  }

  private static let anyFolders = Array("**".utf8)

  /// Matches components; `**` takes any number of them, but at the end at least one. Goes back only to
  /// the last `**`, so that no pattern takes more than path × pattern steps.
  private static func matches(_ path: [[UInt8]], _ pattern: [[UInt8]]) -> Bool {
    var (position, place) = (0, 0)
    var retry: (position: Int, place: Int)?
    while position < path.count {
      if place < pattern.count, pattern[place] == anyFolders {
        place += 1
        if place == pattern.count { return true }
        retry = (position, place)
      } else if place < pattern.count, matches(path[position][...], pattern[place][...]) {
        position += 1
        place += 1
      } else if let (start, afterStars) = retry {
        retry = (start + 1, afterStars)
        (position, place) = (start + 1, afterStars)
      } else {
        return false
      }
    }
    return place == pattern.count
  }

  /// Matches one component with `*`, `?`, `[…]` and `\`, in the same way: no pattern takes more than
  /// name × pattern steps.
  private static func matches(_ name: ArraySlice<UInt8>, _ glob: ArraySlice<UInt8>) -> Bool {
    var (position, place) = (name.startIndex, glob.startIndex)
    var retry: (position: Int, place: Int)?
    while position < name.endIndex {
      if place < glob.endIndex, glob[place] == UInt8(ascii: "*") {
        retry = (position, place + 1)
        place += 1
      } else if let next = step(name[position], glob, at: place) {
        position += 1
        place = next
      } else if let (start, afterStar) = retry {
        retry = (start + 1, afterStar)
        (position, place) = (start + 1, afterStar)
      } else {
        return false
      }
    }
    return glob[place...].allSatisfy { $0 == UInt8(ascii: "*") }
  }

  /// Where the pattern goes on if its element at `place` takes this byte; nil if it does not.
  private static func step(_ byte: UInt8, _ glob: ArraySlice<UInt8>, at place: Int) -> Int? {
    guard place < glob.endIndex else { return nil }
    switch glob[place] {
    case UInt8(ascii: "?"): return place + 1
    case UInt8(ascii: "["): return set(byte, glob, at: place)
    case UInt8(ascii: "\\") where place + 1 < glob.endIndex:
      return glob[place + 1] == byte ? place + 2 : nil
    case let literal: return literal == byte ? place + 1 : nil
    }
  }

  /// `[a-z]`, `[!0-9]`; an opening bracket without a closing one is literal.
  private static func set(_ byte: UInt8, _ glob: ArraySlice<UInt8>, at place: Int) -> Int? {
    var index = place + 1
    var isInverted = false
    if index < glob.endIndex, [UInt8(ascii: "!"), UInt8(ascii: "^")].contains(glob[index]) {
      isInverted = true
      index += 1
    }
    let first = index
    var isMember = false
    while index < glob.endIndex {
      if glob[index] == UInt8(ascii: "]"), index > first {
        return isMember != isInverted ? index + 1 : nil
      }
      if index + 2 < glob.endIndex, glob[index + 1] == UInt8(ascii: "-"),
        glob[index + 2] != UInt8(ascii: "]")
      {
        if glob[index] <= byte, byte <= glob[index + 2] { isMember = true }
        index += 3
      } else {
        if glob[index] == byte { isMember = true }
        index += 1
      }
    }
    return byte == glob[place] ? place + 1 : nil
  }
}
