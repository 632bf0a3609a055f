package import MediaModel
import Query

/// The names of results: text with fields in braces, `{captureDate:yyyy/MM}/{stem}{ext}`.
package struct NameTemplate: Sendable, Hashable {
  /// The value of a field.
  package enum Field: String, Sendable, CaseIterable {
    /// The source's name without its extension.
    case stem
    /// The result's extension with its dot; allowed only at the end, where it is the default.
    case ext
    /// The source's full name.
    case name
    /// The source's folder below its root, with all folders above.
    case folder
    /// In the picture's wall time: `{captureDate:yyyy-MM-dd}`.
    case captureDate
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
    /// What expressions can compare; `unknown` if it is not known.
    case attribute(Attribute)
    case date(CaptureDateFormat)
    /// A field with a width.
    case sized(Field, Int)
  }

  /// The template as typed, which identifies it in the record.
  package let text: String
  let pieces: [Piece]

  /// Whether names of sources or of their folders become parts of results' names.
  var takesNamesOfSources: Bool {
    pieces.contains { piece in
      switch piece {
      case .attribute(let attribute): [.name, .path, .album].contains(attribute)
      case .field(let field), .sized(let field, _): [.stem, .name, .folder].contains(field)
      case .text, .date: false
      }
    }
  }

  /// Whether names contain keywords, people or the user's albums, which the catalog reads only if they are needed.
  var takesKeywords: Bool {
    [Attribute.keyword, .person, .album].contains { pieces.contains(.attribute($0)) }
  }

  /// Whether names contain the exposure or warnings, which the catalog keeps apart from assets, too.
  var takesDetails: Bool {
    pieces.contains { if case .attribute(let attribute) = $0 { attribute.isDetail } else { false } }
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
    let argument = parts.count > 1 ? String(parts[1]) : nil
    guard let field = Field.allCases.first(where: { $0.rawValue.lowercased() == name.lowercased() })
    else {
      guard let attribute = Attribute(typed: name) else {
        let fields = Field.allCases.map(\.rawValue)
        let others = Attribute.allCases.map(\.rawValue).filter { !fields.contains($0) }
        let known = (fields + others).map { "{\($0)}" }.joined(separator: " ")
        throw NameTemplateError("'{\(name)}' is not a field of a name: use \(known)")
      }
      guard argument == nil else {
        throw NameTemplateError("{\(attribute.rawValue)} takes no text after a colon")
      }
      return .attribute(attribute)
    }
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

/// Why a name template is invalid.
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

/// The name that a result should have, before collisions are resolved: folders and a stem.
struct WantedName: Sendable, Hashable {
  /// With `/` between folders; empty for the target itself.
  var folder: String
  var stem: String
}

extension ExportSubject {
  /// The name that is wanted for its results.
  ///
  /// - Parameters:
  ///   - parts: what is exported of it.
  ///   - index: its number in the order of capture, from 1.
  func wantedName(_ request: ExportRequest, _ parts: [ExportPart], index: Int) -> WantedName {
    wantedName(request, of: namingFile(parts), index: index)
  }

  /// The name that is wanted for the results of one of its files.
  func wantedName(_ request: ExportRequest, of file: BytePath, index: Int) -> WantedName {
    var folders = folder.components.map { safeName(readableName($0)) }
    var stem = safeName(file.readableStem)
    if let template = request.template {
      var components = template.filled(by: self, file: file, index: index)
        .split(separator: "/").map { safeName(String($0)) }
      stem = components.popLast() ?? "_"
      folders = components
    }
    if request.isFlat { folders = [] }
    return WantedName(folder: folders.joined(separator: "/"), stem: stem)
  }

  /// The stems of those files that cannot have the one of ``wantedName(_:_:index:)``, by their index: an
  /// edited version next to its original keeps its own stem, or gets `-edited`; a sidecar keeps what its name
  /// adds to the name of its picture, also after a number.
  ///
  /// - Parameter files: what is exported of it, with the types of the results.
  func otherStems(
    _ request: ExportRequest, _ files: [PlannedFile], wanted: WantedName, index: Int
  ) -> [Int: ResultStem] {
    let parts = files.map(\.part)
    let main = namingFile(parts)
    var stems: [Int: ResultStem] = [:]
    // The results' stems by the stems of their sources.
    var known = [(own: main.readableStem, stem: wanted.stem)]
    for version in edited where version.main.path != main {
      var stem = wantedName(request, of: version.main.path, index: index).stem
      if stem.caseFolded == wanted.stem.caseFolded { stem += "-edited" }
      known.append((version.main.path.readableStem, stem))
      for (number, part) in parts.enumerated() where part == version.main || part == version.clip {
        stems[number] = ResultStem(stem: stem)
      }
    }
    known.sort { $0.own.utf8.count > $1.own.utf8.count }
    for (number, part) in parts.enumerated() where part.kind == .sidecar && part.path != main {
      let own = part.path.readableStem
      let match = known.first { own.caseFolded.hasPrefix($0.own.caseFolded) }
      guard let match else {
        let original = known.first { own.caseFolded == $0.own.appleStemOfEarlierState?.caseFolded }
        if let original, original.stem.caseFolded != original.own.caseFolded {
          // Recognition knows this ending.
          stems[number] = ResultStem(stem: original.stem, tail: ".o")
          continue
        }
        stems[number] = ResultStem(
          stem: request.template == nil ? safeName(own) : wanted.stem)
        continue
      }
      var rest = String(own.dropFirst(match.own.count))
      // `IMG_1.HEIC.xmp` belongs to IMG_1.HEIC, which may have become a JPEG.
      let described = files.first {
        $0.part.kind != .sidecar && $0.part.path.readableName.caseFolded == own.caseFolded
      }
      if let described { rest = described.fileExtension }
      stems[number] = ResultStem(match.stem, rest)
    }
    return stems
  }
}

extension ResultStem {
  /// The name of a sidecar without its extension.
  ///
  /// - Parameters:
  ///   - stem: that of its picture.
  ///   - rest: what the sidecar's name adds to it.
  fileprivate init(_ stem: String, _ rest: String) {
    // As the end of a name, such as without dots at its own end.
    let tail = String(safeName("_" + rest).dropFirst())
    let isTail = tail.hasPrefix(".") && tail.utf8.count <= Self.longestTail
    self = isTail ? ResultStem(stem: stem, tail: tail) : ResultStem(stem: safeName(stem + rest))
  }
}

extension String {
  /// `IMG_O0001`, which has the edits of an earlier state, for `IMG_0001`; nil for other stems.
  fileprivate var appleStemOfEarlierState: String? {
    guard caseFolded.hasPrefix("img_"),
      dropFirst(4).prefix(4).count(where: { $0.isASCII && $0.isNumber }) == 4
    else { return nil }
    return prefix(4) + "O" + dropFirst(4)
  }
}

extension BytePath {
  /// The file's name as text.
  fileprivate var readableName: String { Exporter.readableName(lastComponent) }

  /// The file's name as text without its extension.
  var readableStem: String {
    Exporter.readableName(FileNameParts(name: lastComponent).stem)
  }
}

extension [ExportSubject] {
  /// In the order of their sources' paths, which is the order of a plan.
  ///
  /// - Parameter check: called for each comparison. What it throws ends the work.
  func inOrder(checking check: () throws -> Void) rethrows -> [ExportSubject] {
    try sorted {
      try check()
      return $0.asset.path < $1.asset.path
    }
  }

  /// Each subject's number in the order of capture, from 1.
  ///
  /// - Parameter check: as for ``inOrder(checking:)``.
  func captureIndices(checking check: () throws -> Void) rethrows -> [Int] {
    let byCapture = try indices.sorted { left, right in
      try check()
      let (first, second) = (self[left].asset.captureWall, self[right].asset.captureWall)
      return (first ?? .max, left) < (second ?? .max, right)
    }
    var numbers = [Int](repeating: 0, count: count)
    for (position, index) in byCapture.enumerated() { numbers[index] = position + 1 }
    return numbers
  }
}

extension NameTemplate {
  /// Whether names do not depend on the catalog that made them: an id is another one in each.
  package var isStable: Bool {
    !pieces.contains { piece in
      switch piece {
      case .field(.id), .sized(.id, _): true
      default: false
      }
    }
  }

  /// The folder and the stem of a file that is imported.
  ///
  /// - Parameters:
  ///   - asset: what it is, or belongs to.
  ///   - folder: its folder below the source.
  ///   - index: its number in the order of capture, from 1.
  package func name(
    of asset: AssetRecord, in folder: BytePath, index: Int
  ) -> (folder: String, stem: String) {
    let subject = ExportSubject(asset: asset, folder: folder, stamps: [:])
    var components = filled(by: subject, file: asset.path, index: index)
      .split(separator: "/").map { safeName(String($0)) }
    let stem = components.popLast() ?? "_"
    return (components.joined(separator: "/"), stem)
  }
}

extension NameTemplate {
  /// The text with every field filled; only the template itself, dates and folders put a `/` into it.
  fileprivate func filled(by subject: ExportSubject, file: BytePath, index: Int) -> String {
    var name = ""
    for piece in pieces {
      switch piece {
      case .text(let text): name += text
      case .date(let format): name += format.filled(by: subject.asset.captureWall)
      case .attribute(let attribute):
        name +=
          (subject.text(of: attribute)?.asOneComponent).flatMap { $0.isEmpty ? nil : $0 }
          ?? "unknown"
      case .field(.folder):
        name += subject.folder.components.map { readableName($0).asOneComponent }
          .joined(separator: "/")
      case .field(let field):
        name += subject.value(of: field, file: file, index: index).asOneComponent
      case .sized(.index, let width):
        let digits = String(index)
        name += String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
      case .sized(let field, let width):
        name += subject.value(of: field, file: file, index: index).prefix(width)
      }
    }
    return name
  }
}

extension ExportSubject {
  fileprivate func value(
    of field: NameTemplate.Field, file: BytePath, index: Int
  ) -> String {
    switch field {
    case .stem: file.readableStem
    case .name: file.readableName
    case .id: asset.identifier
    case .index: String(index)
    case .type: asset.mediaType.name
    case .ext, .folder, .captureDate: ""
    }
  }
}

extension CaptureDateFormat {
  /// - Parameter wall: milliseconds on the wall clock; what has none is `undated`.
  func filled(by wall: Int64?) -> String {
    guard let wall else { return "undated" }
    let milliseconds = (wall % 1000 + 1000) % 1000
    let time = CivilTime(secondsSince1970: (wall - milliseconds) / 1000)
    return pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .year: Self.padded(time.year, 4)
      case .shortYear: Self.padded(time.year % 100, 2)
      case .month: Self.padded(time.month, 2)
      case .day: Self.padded(time.day, 2)
      case .hour: Self.padded(time.hour, 2)
      case .minute: Self.padded(time.minute, 2)
      case .second: Self.padded(time.second, 2)
      }
    }.joined()
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}

extension String {
  /// Without what would begin another folder.
  fileprivate var asOneComponent: String {
    String(map { $0 == "/" ? "_" : $0 })
  }
}
