/// A shell pattern (POSIX.1-2017, XCU 2.13) in the words of SQLite's `GLOB`, which knows no backslash and
/// negates a set by `^` alone.
///
/// The comparison is binary: texts and patterns have been folded before.
struct ShellPattern {
  /// The pattern as SQLite's `GLOB` takes it.
  private(set) var glob = ""

  init(_ text: String) {
    var rest = Array(text.unicodeScalars)[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "*", "?": glob.unicodeScalars.append(scalar)
      case "\\": add(rest.popFirst() ?? scalar)
      case "[":
        if let set = ScalarSet(takingFrom: &rest) { glob += set.glob } else { add(scalar) }
      default: add(scalar)
      }
    }
  }

  /// Adds a literal character.
  private mutating func add(_ scalar: Unicode.Scalar) {
    let isSpecial = ["*", "?", "["].contains(scalar)
    glob.unicodeScalars += isSpecial ? ["[", scalar, "]"] : [scalar]
  }
}

/// The set between brackets in a pattern.
private struct ScalarSet {
  private var isNegated = false
  private var singles: [Unicode.Scalar] = []
  private var ranges: [(first: Unicode.Scalar, last: Unicode.Scalar)] = []

  /// ASCII alone has classes here, in lower case, as in the locale `C`.
  private static let classes: [String: [(first: Unicode.Scalar, last: Unicode.Scalar)]] = [
    "alpha": [("a", "z")], "lower": [("a", "z")], "upper": [("a", "z")], "digit": [("0", "9")],
    "alnum": [("a", "z"), ("0", "9")], "xdigit": [("a", "f"), ("0", "9")],
    "blank": [(" ", " "), ("\t", "\t")], "space": [(" ", " "), ("\t", "\r")],
    "punct": [("!", "/"), (":", "@"), ("[", "`"), ("{", "~")],
  ]

  /// The set after a `[`; nil, and nothing consumed, if it is not closed.
  init?(takingFrom pattern: inout ArraySlice<Unicode.Scalar>) {
    var rest = pattern
    if rest.first == "!" || rest.first == "^" {
      isNegated = true
      rest.removeFirst()
    }
    var isFirst = true
    while rest.first != "]" || isFirst {
      isFirst = false
      if let members = Self.takeClass(&rest) {
        for (first, last) in members { add(first, last) }
        continue
      }
      guard let first = Self.takeMember(&rest) else { return nil }
      if rest.first == "-", let end = rest.dropFirst().first, end != "]" {
        rest.removeFirst()
        guard let last = Self.takeMember(&rest) else { return nil }
        add(first, last)
      } else {
        add(first, first)
      }
    }
    pattern = rest.dropFirst()
  }

  private static func takeMember(_ rest: inout ArraySlice<Unicode.Scalar>) -> Unicode.Scalar? {
    guard let scalar = rest.popFirst() else { return nil }
    return scalar == "\\" ? rest.popFirst() : scalar
  }

  /// `[:digit:]` within the set.
  private static func takeClass(
    _ rest: inout ArraySlice<Unicode.Scalar>
  ) -> [(first: Unicode.Scalar, last: Unicode.Scalar)]? {
    guard rest.starts(with: ["[", ":"]) else { return nil }
    let name = rest.dropFirst(2).prefix { $0 != ":" }
    let following = rest.dropFirst(2 + name.count)
    guard following.starts(with: [":", "]"]),
      let members = classes[String(String.UnicodeScalarView(name))]
    else { return nil }
    rest = following.dropFirst(2)
    return members
  }

  /// What `GLOB` would read as something else at the end of a range.
  private static let special: [Unicode.Scalar] = ["-", "]", "^"]

  private mutating func add(_ first: Unicode.Scalar, _ last: Unicode.Scalar) {
    if first == last { return singles.append(first) }
    // The range is empty, but GLOB would match its first character.
    guard first < last else { return }
    var (first, last) = (first, last)
    while Self.special.contains(first), let next = Unicode.Scalar(first.value + 1), first < last {
      singles.append(first)
      first = next
    }
    while Self.special.contains(last), let next = Unicode.Scalar(last.value - 1), first < last {
      singles.append(last)
      last = next
    }
    if first == last { singles.append(first) } else { ranges.append((first, last)) }
  }

  /// `]` and `-` are literal at the beginning, `^` anywhere else.
  var glob: String {
    if ranges.isEmpty, singles.isEmpty { return isNegated ? "?" : "[^\u{1}-\u{10FFFF}]" }
    if !isNegated, ranges.isEmpty, Set(singles) == ["^"] { return "^" }
    let specials = Self.special.filter(singles.contains)
    var members = String.UnicodeScalarView()
    members += specials.filter { $0 == "]" } + specials.filter { $0 == "-" }
    members += singles.filter { !Self.special.contains($0) }
    for (first, last) in ranges { members += [first, "-", last] }
    members += specials.filter { $0 == "^" }
    return "[" + (isNegated ? "^" : "") + String(members) + "]"
  }
}
