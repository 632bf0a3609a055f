/// How results are called: text with fields in braces, `{captureDate:yyyy/MM}/{stem}{ext}`.
package struct NameTemplate: Sendable, Hashable {
  /// What a field is filled with.
  package enum Field: String, Sendable, CaseIterable {
    /// The source's name without its extension.
    case stem
    /// The result's extension with its point; only at the end, where it stands unasked otherwise.
    case ext
    /// The source's whole name.
    case name
    /// The source's folder below its root, with all folders above.
    case folder
    /// In the picture's wall time: `{captureDate:yyyy-MM-dd}`.
    case captureDate
    /// The camera's model.
    case camera
    /// The asset's id, or its beginning: `{id:8}`.
    case id
    /// Its number in the order of capture, with leading zeros: `{index:4}`.
    case index
    /// `image` or `video`.
    case type
  }

  enum Piece: Sendable, Hashable {
    case text(String)
    case field(Field)
    case date(CaptureDateFormat)
    /// A field with a width.
    case sized(Field, Int)
  }

  /// As it was typed, by which it is known again.
  package let text: String
  let pieces: [Piece]

  /// Whether the sources' own names, or their folders', become parts of the results'.
  var takesNamesOfSources: Bool {
    pieces.contains { piece in
      switch piece {
      case .field(let field), .sized(let field, _): [.stem, .name, .folder].contains(field)
      case .text, .date: false
      }
    }
  }

  /// Reads what a user typed.
  package init(typed text: String) throws(NameTemplateError) {
    self.text = text
    var pieces: [Piece] = []
    var rest = text[...]
    while !rest.isEmpty {
      let plain = rest.prefix { $0 != "{" && $0 != "}" }
      if !plain.isEmpty { pieces.append(.text(String(plain))) }
      rest = rest.dropFirst(plain.count)
      guard let brace = rest.popFirst() else { break }
      guard brace == "{", let end = rest.firstIndex(of: "}") else {
        throw NameTemplateError("a brace in '\(text)' is not closed or not opened")
      }
      pieces.append(try Self.piece(rest[..<end]))
      rest = rest[rest.index(after: end)...]
    }
    if pieces.last == .field(.ext) { pieces.removeLast() }
    guard !pieces.contains(.field(.ext)) else {
      throw NameTemplateError("{ext} is allowed only at the end of '\(text)'")
    }
    guard !pieces.isEmpty else { throw NameTemplateError("'\(text)' gives files an empty name") }
    self.pieces = pieces
  }

  private static func piece(_ inside: Substring) throws(NameTemplateError) -> Piece {
    let parts = inside.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts.first.map(String.init) ?? ""
    guard let field = Field.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else {
      let known = Field.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
      throw NameTemplateError("'{\(name)}' is not a field of a name: use \(known)")
    }
    let argument = parts.count > 1 ? String(parts[1]) : nil
    switch field {
    case .captureDate: return .date(try CaptureDateFormat(typed: argument ?? "yyyy-MM-dd"))
    case .index, .id:
      guard let argument else { return .field(field) }
      guard let width = Int(argument), (1...36).contains(width) else {
        throw NameTemplateError("{\(field.rawValue):…} takes a number from 1 to 36")
      }
      return .sized(field, width)
    default:
      guard argument == nil else {
        throw NameTemplateError("{\(field.rawValue)} takes no text after a colon")
      }
      return .field(field)
    }
  }
}

/// Why a template of names is none.
package struct NameTemplateError: Error, Sendable, Hashable, CustomStringConvertible {
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// How a capture date is written into a name, in Unicode's letters (UTS 35).
struct CaptureDateFormat: Sendable, Hashable {
  enum Piece: Sendable, Hashable {
    case text(String)
    case year, shortYear, month, day, hour, minute, second
  }

  let pieces: [Piece]

  private static let letters: [String: Piece] = [
    "yyyy": .year, "yy": .shortYear, "MM": .month, "dd": .day, "HH": .hour, "mm": .minute,
    "ss": .second,
  ]

  init(typed text: String) throws(NameTemplateError) {
    var pieces: [Piece] = []
    var rest = text[...]
    while let first = rest.first {
      let run = rest.prefix { $0 == first }
      rest = rest.dropFirst(run.count)
      if !first.isLetter {
        pieces.append(.text(String(run)))
      } else if let piece = Self.letters[String(run)] {
        pieces.append(piece)
      } else {
        throw NameTemplateError(
          "'\(run)' is not a part of a date: use yyyy, yy, MM, dd, HH, mm and ss")
      }
    }
    guard !pieces.isEmpty else { throw NameTemplateError("{captureDate:} has no format") }
    self.pieces = pieces
  }
}
