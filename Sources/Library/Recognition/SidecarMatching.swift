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
/// that write sidecars name them. ASCII letters match in either case, unless names differ in nothing else.
package struct SidecarMatching: Sendable {
  private let items: [FolderItem]
  private let byName: [String: [Int]]
  private let byStem: [String: [Int]]
  /// Edited versions in a Takeout, by the stems of their originals.
  private let byOriginal: [String: [Int]]

  /// - Parameter items: the media files of one folder.
  package init(_ items: [FolderItem]) {
    self.items = items
    byName = Dictionary(grouping: items.indices) { folded(items[$0].name) }
    byStem = Dictionary(grouping: items.indices) {
      folded(nameStem(items[$0].name))
    }
    var byOriginal: [String: [Int]] = [:]
    for index in items.indices {
      let stem = folded(nameStem(items[index].name))
      guard let original = EditedName.original(ofTakeoutEdited: stem) else { continue }
      byOriginal[original, default: []].append(index)
    }
    self.byOriginal = byOriginal
  }

  /// The indices of the media files that the sidecar `name` belongs to; empty if there is none.
  ///
  /// - Parameter describedName: the name of the described file, if the sidecar records it.
  package func owners(
    of name: [UInt8], _ kind: SidecarKind, describing describedName: String? = nil
  ) -> [Int] {
    let stem = String(decoding: FileNameParts(name: name).stem, as: UTF8.self)
    switch kind {
    case .xmp:
      let owners = files(named: stem)
      return owners.isEmpty ? preferred(files(withStem: stem)) : owners
    case .adjustmentData: return adjusted(stem)
    case .albumJSON: return []
    case .takeoutJSON: return describedByTakeout(stem, FamilyKey(name), title: describedName)
    }
  }

  private func files(named name: String) -> [Int] {
    inOneCase(byName[folded(Array(name.utf8))] ?? [], as: name) { items[$0].name }
  }

  private func files(withStem stem: String) -> [Int] {
    inOneCase(byStem[folded(Array(stem.utf8))] ?? [], as: stem) { nameStem(items[$0].name) }
  }

  /// Files that have a text in their names, in any case; if it has several cases there, those with this one.
  private func inOneCase(
    _ found: [Int], as text: String, _ spelling: (Int) -> [UInt8]
  ) -> [Int] {
    guard Set(found.map(spelling)).count > 1 else { return found }
    return found.filter { spelling($0).elementsEqual(text.utf8) }
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
  /// developed picture if a RAW of that name is next to it, since the two are one asset. An import that gives the picture
  /// another name calls the second one `beach.o.AAE`.
  private func adjusted(_ stem: String) -> [Int] {
    var candidates = files(withStem: stem)
    if candidates.isEmpty, stem.lowercased().hasPrefix("img_o") {
      candidates = files(withStem: String(stem.prefix(4)) + stem.dropFirst(5))
    } else if candidates.isEmpty, stem.lowercased().hasSuffix(".o") {
      candidates = files(withStem: String(stem.dropLast(2)))
    }
    let developed = candidates.first { items[$0].mediaType == .image && !items[$0].isRaw }
    return developed.map { [$0] } ?? preferred(candidates)
  }

  /// Takeout describes `IMG_1.jpg` in `IMG_1.jpg.json` or `IMG_1.jpg.supplemental-metadata.json`. It cuts either to 46
  /// characters before `.json`, moves a counter to the end (`IMG_1.jpg(2).json` describes `IMG_1(2).jpg`), and has
  /// one file for `IMG_1.jpg` and `IMG_1-edited.jpg`.
  /// In older exports `IMG_1.json` describes `IMG_1.jpg`: its title is the whole name.
  private func describedByTakeout(
    _ stem: String, _ family: FamilyKey, title: String?
  ) -> [Int] {
    let (base, counter) = splittingCounter(stem)
    var names = [base, withoutSupplement(base)]
    if let title, let name = TakeoutTitle(title).name(withStem: base) { names.append(name) }
    for name in names.map({ inserting(counter, into: $0) }) {
      let found = files(named: name) + editedVersions(of: name)
      if !found.isEmpty { return found }
    }
    guard base.utf16.count >= Self.takeoutLimit else { return [] }
    return describedByCutName(folded(Array(base.utf8)), counter, family, title: title)
  }

  /// The files that a Takeout file describes whose name was cut. Names that begin alike are told apart by the title, in
  /// spite of the counter: Takeout counts the cut names of the JSON files.
  private func describedByCutName(
    _ base: String, _ counter: String, _ family: FamilyKey, title: String?
  ) -> [Int] {
    if let title, TakeoutTitle(title).begins(as: base) {
      for name in [inserting(counter, into: title), title] {
        let title = TakeoutTitle(name)
        let stem = String(decoding: nameStem(Array(name.utf8)), as: UTF8.self)
        var described = files(withStem: stem)
        if described.isEmpty {
          described = items.indices.filter { title.hasStem(of: items[$0].name) }
        }
        let names = [name] + described.map { title.name(of: items[$0].name) }
        let edited = Set(names.flatMap(editedVersions)).subtracting(described)
        let found = (described + edited.sorted()).filter { FamilyKey(items[$0].name) == family }
        if !found.isEmpty { return found }
      }
    }
    let found = items.indices.filter {
      let (title, ownCounter) = takeoutTitle(items[$0].name)
      return ownCounter == counter && title.hasPrefix(base)
        && FamilyKey(items[$0].name) == family
    }
    let originals = Set(
      found.map { index in
        let stem = folded(nameStem(items[index].name))
        return EditedName.original(ofTakeoutEdited: stem) ?? stem
      })
    return originals.count > 1 ? [] : found
  }

  /// The edited versions of a file of this name. Google saves the edited version of a HEIC file as a JPEG; it belongs
  /// to the HEIC file unless the original has its extension too.
  private func editedVersions(of name: String) -> [Int] {
    let original = FileNameParts(name: Array(name.utf8))
    return (byOriginal[folded(original.stem)] ?? []).filter { index in
      let own = FileNameParts(name: items[index].name).fileExtension.lowercased()
      if own == original.fileExtension.lowercased() { return true }
      let type = UniformType(fileExtension: original.fileExtension)
      return type?.mediaType == items[index].mediaType
        && byName[folded(original.stem) + "." + own] == nil
    }
  }

  /// The indices of the media files that a Takeout file describes if it belongs to no file by ``owners(of:_:describing:)``,
  /// and only if nothing better describes them:
  ///
  /// - `IMG_1.json` without a title describes the only file with this stem, or the picture of a live photo.
  /// - `IMG_1.HEIC.json` describes the clip `IMG_1.MP4` if its picture is not in the folder: Takeout writes no JSON for
  ///   the clip of a live photo.
  ///
  /// - Parameter describedName: the name of the described file, if the sidecar records it.
  package func possibleOwners(ofTakeoutJSON name: [UInt8], describing describedName: String? = nil)
    -> [Int]
  {
    let stem = String(decoding: FileNameParts(name: name).stem, as: UTF8.self)
    let (base, counter) = splittingCounter(stem)
    let title = withoutSupplement(base)
    if let owner = onlyFile(files(withStem: title + counter), describing: describedName) {
      return [owner] + editedVersions(of: folded(items[owner].name))
    }
    let parts = FileNameParts(name: Array(title.utf8))
    guard UniformType(fileExtension: parts.fileExtension)?.mediaType == .image else { return [] }
    let clips = files(withStem: String(decoding: parts.stem, as: UTF8.self) + counter)
    return clips.count == 1 && items[clips[0]].mediaType == .video ? clips : []
  }

  /// The one of several files with one stem that a title means, or the picture if the others are videos; nil if that is
  /// ambiguous.
  private func onlyFile(_ files: [Int], describing title: String?) -> Int? {
    func fileExtension(_ name: [UInt8]) -> String {
      FileNameParts(name: name).fileExtension.lowercased()
    }
    let wanted = title.map { fileExtension(Array($0.utf8)) }
    let meant = files.filter { fileExtension(items[$0].name) == wanted }
    if meant.count == 1 { return meant[0] }
    let pictures = files.filter { items[$0].mediaType == .image }
    let candidates = pictures.isEmpty ? files : pictures
    return candidates.count == 1 ? candidates[0] : nil
  }

  /// UTF-16 units that Takeout leaves of a sidecar's name before `.json`, without a counter.
  private static let takeoutLimit = 46

  /// The title that a picture has in Takeout, and the counter that its file's name got:
  /// `a(2).jpg` → (`a.jpg`, `(2)`). The number that an import gave, `a (2).jpg`, is another one.
  private func takeoutTitle(_ name: [UInt8]) -> (title: String, counter: String) {
    let name = folded(name)
    let dot = name.lastIndex(of: ".") ?? name.endIndex
    let (stem, counter) = splittingCounter(String(name[..<dot]))
    guard counter.isEmpty || !stem.hasSuffix(" ") else {
      return (String(stem.dropLast()) + name[dot...], " " + counter)
    }
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
      "supplemental-metadata".hasPrefix(text[text.index(after: dot)...].lowercased())
    else { return text }
    return String(text[..<dot])
  }

  /// (`a.jpg`, `(2)`) → `a(2).jpg`.
  private func inserting(_ counter: String, into name: String) -> String {
    guard let dot = name.lastIndex(of: ".") else { return name + counter }
    return name[..<dot] + counter + name[dot...]
  }
}
