import Catalog
import Exporter
import MediaModel

/// The names of a group's files, which share a stem.
struct GroupNames {
  /// What each file's name has after the stem, or all of its name if it has another stem; in the order of the files.
  private var tails: [(own: String, isWhole: Bool)] = []

  /// - Parameter stem: that of the lead's own name, as text.
  init(_ files: [ImportableFile], stem: String) {
    for file in files {
      let name = readableName(file.path.lastComponent)
      if name.caseFolded.hasPrefix(stem.caseFolded), name.count >= stem.count {
        tails.append((String(name.dropFirst(stem.count)), false))
      } else {
        tails.append((name, true))
      }
    }
  }

  /// The names with another stem.
  ///
  /// - Parameters:
  ///   - stem: replaces the lead's own one.
  ///   - isOwn: whether that is the lead's own one, so that names with other stems stay too.
  ///   - number: follows the stem, from 2; nil for the first of this stem.
  func names(stem: String, isOwn: Bool, number: Int?) -> [String] {
    let suffix = number.map { " (\($0))" } ?? ""
    var seen: Set<String> = []
    return tails.map { tail in
      var head = stem
      var rest = tail.own
      if tail.isWhole {
        // `IMG_E0001.JPG` keeps its own stem, or follows the new one.
        let parts = FileNameParts(name: Array(tail.own.utf8))
        let own = String(decoding: parts.stem, as: UTF8.self)
        head = isOwn ? own : stem + "-" + own
        rest = String(tail.own.dropFirst(own.count))
      }
      let room = max(1, longestName - suffix.utf8.count - rest.utf8.count)
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
  func hasOtherStem(_ index: Int) -> Bool { tails[index].isWhole }

  /// The stem by which a file of the group has a name; nil if it cannot have it.
  ///
  /// - Parameter index: that of the file.
  func stem(of index: Int, named name: String) -> String? {
    let tail = tails[index]
    guard !tail.isWhole, name.caseFolded.hasSuffix(tail.own.caseFolded), name.count > tail.own.count
    else { return nil }
    return String(name.dropLast(tail.own.count))
  }
}
