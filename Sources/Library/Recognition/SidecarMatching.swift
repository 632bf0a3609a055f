package import MediaModel

/// A name in a folder with what kind of thing it is, as far as matching cares.
package struct FolderItem: Sendable, Hashable {
  package var name: [UInt8]
  package var mediaType: MediaType
  package var isRaw: Bool

  package init(name: [UInt8], mediaType: MediaType, isRaw: Bool) {
    self.name = name
    self.mediaType = mediaType
    self.isRaw = isRaw
  }
}

/// Which pictures of a folder a sidecar in the same folder belongs to, by name alone, as the programs
/// that write sidecars name them. ASCII letters match in either case.
package struct SidecarMatching: Sendable {
  private let items: [FolderItem]
  private let byName: [String: [Int]]
  private let byStem: [String: [Int]]

  /// - Parameter items: the media files of one folder.
  package init(_ items: [FolderItem]) {
    self.items = items
    byName = Dictionary(grouping: items.indices) { folded(items[$0].name) }
    byStem = Dictionary(grouping: items.indices) {
      folded(nameStem(items[$0].name))
    }
  }

  /// The indices of the media files that the sidecar `name` belongs to; empty if there is none.
  ///
  /// - Parameter describedName: the name of the described file, if the sidecar records it.
  package func owners(
    of name: [UInt8], _ kind: SidecarKind, describing describedName: String? = nil
  ) -> [Int] {
    let stem = folded(FileNameParts(name: name).stem)
    switch kind {
    case .xmp: return byName[stem] ?? preferred(byStem[stem] ?? [])
    case .adjustmentData: return adjusted(stem)
    case .takeoutJSON: return describedByTakeout(stem, title: describedName)
    }
  }

  /// Adobe names a sidecar by the stem, and writes one for what cannot hold XMP itself: RAW first, then
  /// pictures, then videos.
  private func preferred(_ candidates: [Int]) -> [Int] {
    let best =
      candidates.first { items[$0].isRaw }
      ?? candidates.first { items[$0].mediaType == .image } ?? candidates.first
    return best.map { [$0] } ?? []
  }

  /// `IMG_0001.AAE` and, beside an edited original, `IMG_O0001.AAE` hold the edits of `IMG_0001`: of the
  /// developed picture if a RAW of that name is next to it, since the two are one asset.
  private func adjusted(_ stem: String) -> [Int] {
    let isOriginals = byStem[stem] == nil && stem.hasPrefix("img_o")
    let candidates = byStem[isOriginals ? "img_" + stem.dropFirst(5) : stem] ?? []
    let developed = candidates.first { items[$0].mediaType == .image && !items[$0].isRaw }
    return developed.map { [$0] } ?? preferred(candidates)
  }

  /// Takeout describes `IMG_1.jpg` in `IMG_1.jpg.json` or `IMG_1.jpg.supplemental-metadata.json`. It cuts either to 46
  /// characters before `.json`, moves a counter to the end (`IMG_1.jpg(2).json` describes `IMG_1(2).jpg`), and has
  /// one file for `IMG_1.jpg` and `IMG_1-edited.jpg`.
  /// In older exports `IMG_1.json` describes `IMG_1.jpg`: its title is the whole name.
  private func describedByTakeout(_ stem: String, title: String?) -> [Int] {
    let (base, counter) = splittingCounter(stem)
    var titles = [base, withoutSupplement(base)]
    let whole = title.map { folded(Array($0.utf8)) }
    if let whole, nameStem(Array(whole.utf8)).elementsEqual(base.utf8) {
      titles.append(whole)
    }
    var found: [Int] = []
    for title in titles {
      found += byName[inserting(counter, into: title)] ?? []
      for suffix in EditedName.takeoutSuffixes {
        found += byName[inserting(counter, into: title, behindStem: suffix)] ?? []
      }
      if !found.isEmpty { return found }
    }
    guard base.utf8.count >= Self.takeoutLimit else { return [] }
    return items.indices.filter {
      let (title, ownCounter) = takeoutTitle(items[$0].name)
      return ownCounter == counter && title.hasPrefix(base)
    }
  }

  /// Bytes that Takeout leaves of a title.
  private static let takeoutLimit = 46

  /// The title that a picture has in Takeout, and the counter that its file's name got:
  /// `a(2).jpg` → (`a.jpg`, `(2)`).
  private func takeoutTitle(_ name: [UInt8]) -> (title: String, counter: String) {
    let name = folded(name)
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let (stem, counter) = splittingCounter(String(name[..<dot]))
    return (stem + name[dot...], counter)
  }

  /// `a.jpg(2)` → (`a.jpg`, `(2)`).
  private func splittingCounter(_ text: String) -> (base: String, counter: String) {
    guard text.hasSuffix(")"), let open = text.lastIndex(of: "("),
      text[text.index(after: open)...].dropLast().allSatisfy(\.isASCIIDigit)
    else { return (text, "") }
    return (String(text[..<open]), String(text[open...]))
  }

  /// `a.jpg.supplemental-meta` → `a.jpg`: the suffix may be cut anywhere.
  private func withoutSupplement(_ text: String) -> String {
    guard let dot = text.lastIndex(of: "."),
      "supplemental-metadata".hasPrefix(text[text.index(after: dot)...])
    else { return text }
    return String(text[..<dot])
  }

  /// (`a.jpg`, `(2)`) → `a(2).jpg`.
  private func inserting(
    _ counter: String, into name: String, behindStem suffix: String = ""
  ) -> String {
    guard let dot = name.lastIndex(of: ".") else { return name + suffix + counter }
    return name[..<dot] + suffix + counter + name[dot...]
  }
}
