import MediaModel

/// A result's name without its extension.
struct ResultStem: Sendable, Hashable {
  var stem: String
  /// What follows the number that the stem gets if its name is taken; begins with a dot, or is empty.
  var tail = ""

  /// Bytes of a tail at most: see ``NamingGroups``.
  static let longestTail = 64
}

/// Results that share a stem and get their names together.
struct NamingUnit: Sendable {
  var wanted: WantedName
  /// Of each of its files, with their points.
  var extensions: [String]
  /// The names that an earlier export gave them, if they are to stay.
  var kept: [String]?
  /// Stems of files that have another one than the unit, by their index.
  var stems: [Int: ResultStem] = [:]
  /// Names that an earlier export gave to files of this unit: they are free for it.
  var own: Set<String> = []
  /// Names of other results of the same asset, which stay, folded: a sidecar gets another one, and its picture need not.
  var staying: Set<String> = []
  /// The indices of sidecars, which come last.
  var sidecars: Range<Int> = 0..<0
}

/// Gives every result a name that no other has, whatever a file system takes for the same name.
///
/// Names depend on the units and their order alone, never on what came first by chance: kept names stay; then
/// each unit gets the name it wants, if it is the first that wants it; the others get ` (2)`, ` (3)` … after
/// their stem.
struct NameAssignment {
  /// Folded paths that are taken.
  private var taken: Set<String>
  /// Where to go on counting, by folded folder, stem and extensions.
  private var counters: [String: Int] = [:]

  /// - Parameters:
  ///   - reserved: paths that belong to others.
  ///   - folders: the results' folders, which no file may be called like.
  init(reserved: some Sequence<String>, folders: some Sequence<String>) {
    taken = Set(reserved.map(\.caseFolded))
    for folder in folders {
      var path = ""
      for component in folder.split(separator: "/") {
        path += (path.isEmpty ? "" : "/") + component
        taken.insert(path.caseFolded)
      }
    }
  }

  /// The paths of each unit's files, in the units' order.
  ///
  /// - Parameter check: called for each unit. What it throws ends the work.
  mutating func assign(
    _ units: [NamingUnit], checking check: () throws -> Void
  ) rethrows -> [[String]] {
    var names = units.map { $0.kept ?? [] }
    for unit in units { for name in unit.kept ?? [] { taken.insert(name.caseFolded) } }
    var deferred: [Int] = []
    for (index, unit) in units.enumerated() where unit.kept == nil {
      try check()
      let wanted = unit.paths(number: nil)
      if take(wanted, own: unit.own) { names[index] = wanted } else { deferred.append(index) }
    }
    for index in deferred {
      try check()
      names[index] = numbered(units[index])
    }
    return names
  }

  private mutating func numbered(_ unit: NamingUnit) -> [String] {
    let key = unit.paths(number: nil).joined(separator: "\n").caseFolded
    var number = counters[key] ?? 2
    var paths = unit.paths(number: number)
    while !take(paths, own: unit.own) {
      number += 1
      paths = unit.paths(number: number)
    }
    counters[key] = number + 1
    return paths
  }

  /// Takes all of the paths, or none.
  ///
  /// - Parameter own: paths that are taken, but by earlier results of the same unit.
  private mutating func take(_ paths: [String], own: Set<String>) -> Bool {
    let keys = paths.map(\.caseFolded)
    let free = zip(paths, keys).allSatisfy { own.contains($0) || !taken.contains($1) }
    guard free else { return false }
    taken.formUnion(keys)
    return true
  }
}

extension NamingUnit {
  /// The paths of its files if some stay under the paths that they have: a sidecar's follows that of its picture.
  ///
  /// - Parameter staying: the paths of those, by their index.
  func paths(beside staying: [Int: String]) -> [String] {
    let paths = paths(number: nil)
    func stem(_ path: String) -> String {
      String(decoding: FileNameParts(name: Array(path.utf8)).stem, as: UTF8.self)
    }
    let names = staying.map { (own: paths[$0], now: $1) }
    let pairs = names + names.map { (own: stem($0.own), now: stem($0.now)) }
    return paths.enumerated().map { index, path in
      if let now = staying[index] { return now }
      let match = pairs.filter { path.hasPrefix($0.own) }.max { $0.own.count < $1.own.count }
      let following = match.map { $0.now + path.dropFirst($0.own.count) }
      return following.flatMap { $0.hasValidNameLength ? $0 : nil } ?? path
    }
  }

  /// The paths of its files, with a number after their stem.
  fileprivate func paths(number: Int?) -> [String] {
    let suffix = number.map { " (\($0))" } ?? ""
    let files = extensions.enumerated().map { index, fileExtension in
      (name: stems[index] ?? ResultStem(stem: wanted.stem), fileExtension: fileExtension)
    }
    // A sidecar belongs to the picture whose name it contains, so their stems are cut at the same byte.
    let longest = files.map { $0.name.tail.utf8.count + $0.fileExtension.utf8.count }.max() ?? 0
    let room = longestName - suffix.utf8.count - longest
    let folder = wanted.folder.isEmpty ? "" : wanted.folder + "/"
    var seen: Set<String> = []
    return files.enumerated().map { index, file in
      let (stem, tail) = (file.name.stem.cut(toBytes: room), file.name.tail)
      var name = stem + suffix + tail + file.fileExtension
      var copy = 2
      while sidecars.contains(index) && staying.contains((folder + name).caseFolded)
        || !seen.insert(name.caseFolded).inserted
      {
        let number = "-\(copy)"
        let stem = stem.cut(toBytes: room - number.utf8.count)
        name =
          tail.isEmpty
          ? "\(stem)\(number)\(suffix)\(file.fileExtension)"
          : "\(stem)\(suffix)\(tail)\(number)\(file.fileExtension)"
        copy += 1
      }
      return folder + name
    }
  }
}
