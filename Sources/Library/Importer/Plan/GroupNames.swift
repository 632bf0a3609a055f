import Catalog
import Exporter
import MediaModel

/// The names of a group's files, which share a stem.
struct GroupNames {
  /// In the order of the files.
  private var files: [RelatedName]

  /// - Parameter stem: that of the lead's own name, as text.
  init(_ files: [ImportableFile], stem: String) {
    let names = files.map { readableName($0.path.lastComponent) }
    let media = zip(files, names).filter { $0.0.kind == .media }
      .map { (name: $0.1, related: RelatedName(medium: $0.1, stem: stem)) }
    let ordered =
      media.filter { $0.related.relation == .stem } + media.filter { $0.related.relation != .stem }
    self.files = zip(files, names).map { file, name in
      file.kind == .media
        ? RelatedName(medium: name, stem: stem)
        : RelatedName(companion: name, media: ordered, stem: stem)
    }
  }

  /// The names with another stem.
  ///
  /// - Parameters:
  ///   - stem: replaces the lead's own one.
  ///   - isOwn: whether that is the lead's own one, so that names with other stems stay too.
  ///   - number: follows the stem, from 2; nil for the first of this stem.
  func names(stem: String, isOwn: Bool, number: Int?) -> [String] {
    let wanted = number.map { " (\($0))" } ?? ""
    let parts = files.map { $0.parts(stem: stem, isOwn: isOwn, suffix: wanted) }
    func room(_ suffix: String, _ rest: String) -> Int {
      max(1, longestName - suffix.utf8.count - rest.utf8.count)
    }
    // A sidecar contains the name of its picture: the stem of both is cut at the same byte.
    let stemRoom = parts.lazy.filter { $0.head == stem }.map { room($0.suffix, $0.rest) }.min()
    var seen: Set<String> = []
    return parts.map { head, suffix, rest in
      let room = head == stem ? stemRoom ?? 1 : room(suffix, rest)
      var name = safeName(head.cut(toBytes: room) + suffix + rest)
      var copy = 2
      while !seen.insert(name.caseFolded).inserted {
        name = safeName("\(head.cut(toBytes: max(1, room - 4)))-\(copy)\(suffix)\(rest)")
        copy += 1
      }
      return name
    }
  }

  /// The names next to files of the group that have a stem already.
  ///
  /// - Parameters:
  ///   - stem: may end with the number that an earlier import gave to the whole group, as `IMG_0001 (2)`.
  ///   - ownStem: the lead's own one.
  func names(stem: String, ownStem: String) -> [String] {
    if stem != ownStem, stem.last == ")" {
      let digits = stem.dropLast().reversed().prefix { $0.isASCII && $0.isNumber }.count
      let start = stem.dropLast(digits + 1)
      if start.hasSuffix(" ("), let number = Int(stem.dropLast().suffix(digits)), number > 1 {
        let first = String(start.dropLast(2))
        return names(stem: first, isOwn: first == ownStem, number: number)
      }
    }
    return names(stem: stem, isOwn: stem == ownStem, number: nil)
  }

  /// Whether a file has another stem than the lead, as `IMG_E0001.JPG`.
  ///
  /// - Parameter index: that of the file.
  func hasOtherStem(_ index: Int) -> Bool { files[index].relation != .stem }

  /// The stem by which a file of the group has a name; nil if it cannot have it.
  ///
  /// - Parameter index: that of the file.
  func stem(of index: Int, named name: String) -> String? {
    let file = files[index]
    guard file.relation == .stem, name.caseFolded.hasSuffix(file.tail.caseFolded),
      name.count > file.tail.count
    else { return nil }
    return String(name.dropLast(file.tail.count))
  }
}
