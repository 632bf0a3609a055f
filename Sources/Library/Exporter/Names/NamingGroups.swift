import MediaModel

/// Groups of assets whose results may want the same names.
///
/// Which name a result gets depends on the types of the others that want it, and those are known only after their files
/// were examined. So a task that exports a part of a selection has to examine the groups of its own assets, but no others.
///
/// Two results have the same path only if they have the same folder and, up to the first dot, the same stem, after numbers
/// such as ` (2)` were removed: extensions begin with a dot, and Shoebox adds nothing else to a stem that is not in
/// ``ExportSubject/possibleStems(_:index:)``. Only stems longer than ``longStem`` may be cut, and then their beginnings are
/// the same.
struct NamingGroups {
  /// Bytes of a stem that are never cut: extensions and numbers leave more.
  private static let longStem = 100
  /// Characters of long stems that are compared; at most 4 bytes each, so they are within ``longStem`` even so.
  private static let comparedCount = 24

  /// Another asset of the same group; an asset's own index if it is the group's first.
  private var links: [Int]
  /// An asset with each key. Keys are hashes: a collision makes a group larger, which does no harm.
  private var firsts: [Int: Int] = [:]

  init(count: Int) {
    links = Array(0..<count)
  }

  /// Adds an asset.
  ///
  /// - Parameters:
  ///   - index: from 0 to the count.
  ///   - folder: the folder of its results.
  ///   - stems: those that its results may have.
  mutating func add(_ index: Int, in folder: String, stems: [String]) {
    for stem in stems {
      for key in Self.keys(of: stem, in: folder) {
        if let first = firsts[key] { join(first, index) } else { firsts[key] = index }
      }
    }
  }

  /// The indices of all assets in groups with one that meets the condition.
  mutating func indices(ofGroupsWith isWanted: (Int) -> Bool) -> [Int] {
    var wanted: Set<Int> = []
    for index in links.indices where isWanted(index) { wanted.insert(representative(index)) }
    return links.indices.filter { wanted.contains(representative($0)) }
  }

  /// Hashes of which two results have one in common if they may want the same name.
  ///
  /// - Parameter stem: of a result, with or without its extension.
  static func keys(of stem: String, in folder: String) -> [Int] {
    let folded = stem.caseFolded
    var key = folded.prefix { $0 != "." }
    while let number = key.numberAtEnd { key.removeSubrange(number) }
    let beginning = stem.utf8.count > longStem ? folded.prefix(comparedCount) + "…" : nil
    return [key, beginning].compactMap(\.self).map { key in
      var hasher = Hasher()
      hasher.combine(folder.caseFolded)
      hasher.combine(key)
      return hasher.finalize()
    }
  }

  private mutating func join(_ first: Int, _ second: Int) {
    let (one, other) = (representative(first), representative(second))
    links[max(one, other)] = min(one, other)
  }

  private mutating func representative(_ index: Int) -> Int {
    var index = index
    while links[index] != index {
      links[index] = links[links[index]]
      index = links[index]
    }
    return index
  }
}

extension Substring {
  /// The range of a number as names get it, such as ` (2)`; nil if there is none at the end.
  fileprivate var numberAtEnd: Range<Index>? {
    guard last == ")" else { return nil }
    let digits = dropLast().reversed().prefix { $0.isASCII && $0.isNumber }.count
    guard digits > 0, let start = index(endIndex, offsetBy: -digits - 3, limitedBy: startIndex),
      self[start...].hasPrefix(" (")
    else { return nil }
    return start..<endIndex
  }
}

extension ExportSubject {
  /// Every stem that one of its results may have before it gets a number, whatever types the results have.
  ///
  /// - Parameters:
  ///   - wanted: the name that is wanted for its results.
  ///   - index: its number in the order of capture, from 1.
  func possibleStems(_ request: ExportRequest, _ wanted: WantedName, index: Int) -> [String] {
    let parts = parts(request)
    if parts.count == 1, edited.isEmpty { return [wanted.stem] }
    var files = Set(parts.lazy.filter { $0.kind != .sidecar }.map(\.path))
    files.formUnion(edited.map(\.main.path) + [asset.path, namingFile(parts)])
    let known = files.map { file in
      (own: file.readableStem, stem: wantedName(request, of: file, index: index).stem)
    }
    var stems = Set(known.map(\.stem) + [wanted.stem])
    if !edited.isEmpty { stems.formUnion(known.map { $0.stem + "-edited" }) }
    // See ``otherStems(_:_:wanted:index:)``.
    for part in parts where part.kind == .sidecar {
      let own = part.path.readableStem
      stems.insert(safeName(own))
      for (name, stem) in known where own.caseFolded.hasPrefix(name.caseFolded) {
        let rest = String(own.dropFirst(name.count))
        stems.formUnion([safeName(stem + rest), safeName(stem + "-edited" + rest)])
      }
    }
    // Files of one asset that would have the same name.
    let own = stems
    for number in 2..<max(2, parts.count + 1) {
      stems.formUnion(own.map { "\($0)-\(number)" })
    }
    return Array(stems)
  }
}
