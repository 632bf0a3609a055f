package import MediaModel

/// How much speaks for keeping an asset rather than another one that shows the same. The greater one is kept.
///
/// The merits are compared in their order: the first in which two assets differ decides, and gives the reason. The number of
/// pixels is compared exactly here; ``order(of:)`` is for pictures whose numbers of pixels may be nearly equal.
package struct KeeperRank: Sendable, Comparable {
  /// The asset's id, which decides last.
  private let identifier: String
  private let path: BytePath
  /// What counts more than the number of pixels.
  private let partMerits: [Merit]
  private let pixels: Merit
  /// What counts less, in the picture and its place.
  private let otherMerits: [Merit]

  /// One advantage of an asset.
  private struct Merit: Sendable {
    /// More is better.
    var value: Int64
    /// The advantage as a phrase, of the asset that has more.
    var phrase: String
  }

  /// - Parameter asset: with all its parts.
  package init(_ asset: AssetRecord) {
    (identifier, path) = (asset.identifier, asset.path)
    partMerits = Self.partMerits(of: asset)
    pixels = Self.pixelMerit(of: asset)
    otherMerits = Self.pictureMerits(of: asset) + Self.placeMerits(of: asset)
  }

  /// Why this asset is kept rather than another, as a phrase.
  package func reason(over other: KeeperRank) -> String {
    func advantage(_ own: [Merit], _ others: [Merit]) -> String? {
      zip(own, others).first { $0.value > $1.value }?.0.phrase
    }
    return advantage(partMerits, other.partMerits)
      ?? (hasClearlyMorePixels(than: other) ? pixels.phrase : nil)
      ?? advantage(otherMerits, other.otherMerits) ?? "first by path"
  }

  package static func < (left: KeeperRank, right: KeeperRank) -> Bool {
    if let isLess = isLess(left.partMerits, right.partMerits) { return isLess }
    if left.pixels.value != right.pixels.value { return left.pixels.value < right.pixels.value }
    return left.isLessByOtherMerits(than: right)
  }

  package static func == (left: KeeperRank, right: KeeperRank) -> Bool {
    left.identifier == right.identifier
  }

  /// Nil if all merits are equal.
  private static func isLess(_ left: [Merit], _ right: [Merit]) -> Bool? {
    zip(left, right).first { $0.value != $1.value }.map { $0.value < $1.value }
  }

  private func isLessByOtherMerits(than other: KeeperRank) -> Bool {
    if let isLess = Self.isLess(otherMerits, other.otherMerits) { return isLess }
    if path != other.path { return other.path < path }
    return other.identifier < identifier
  }

  /// Numbers of pixels that differ by less than 2 % are equal: programs that re-encode cut some rows off.
  private func hasClearlyMorePixels(than other: KeeperRank) -> Bool {
    Double(pixels.value) >= Double(other.pixels.value) * 1.02 && pixels.value > other.pixels.value
  }
}

extension KeeperRank {
  /// The assets of a group, by number, the best first. Of those that have clearly fewer pixels than another one, none comes
  /// before it; those that have not are compared by their other merits.
  ///
  /// Nearly equal is not transitive: numbers of pixels are always compared with the largest one that is left. So the pictures
  /// of other groups must not be among these.
  static func order(of ranks: [Int: KeeperRank]) -> [Int] {
    var rest = ranks.sorted { $1.value < $0.value }[...]
    var order: [Int] = []
    while let first = rest.first {
      let equal = rest.prefix { isLess($0.value.partMerits, first.value.partMerits) == nil }
      rest = rest.dropFirst(equal.count)
      order += orderByPixels(Array(equal))
    }
    return order
  }

  /// - Parameter ranks: those with the most pixels first.
  private static func orderByPixels(_ ranks: [(key: Int, value: KeeperRank)]) -> [Int] {
    var order: [Int] = []
    var taken: Set<Int> = []
    /// Those that have about as many pixels as the largest one that is left, the best last.
    var candidates: [(key: Int, value: KeeperRank)] = []
    var next = ranks.startIndex
    for largest in ranks {
      while next < ranks.endIndex, !largest.value.hasClearlyMorePixels(than: ranks[next].value) {
        var places = candidates.startIndex..<candidates.endIndex
        while !places.isEmpty {
          let middle = places.lowerBound + places.count / 2
          let isBefore = ranks[next].value.isLessByOtherMerits(than: candidates[middle].value)
          places = isBefore ? places.lowerBound..<middle : middle + 1..<places.upperBound
        }
        candidates.insert(ranks[next], at: places.lowerBound)
        next += 1
      }
      while !taken.contains(largest.key), let best = candidates.popLast() {
        taken.insert(best.key)
        order.append(best.key)
      }
    }
    return order
  }
}

extension KeeperRank {
  /// What belongs to the picture, and what it is.
  private static func partMerits(of asset: AssetRecord) -> [Merit] {
    let companions = Set(
      asset.resources.lazy.filter { [.alternatePhoto, .fullSizePhoto].contains($0.type) }
        .map(\.path))
    return [
      Merit(value: asset.uniformType.isRaw ? 1 : 0, phrase: "RAW file"),
      Merit(
        value: asset.resources.contains { $0.type == .pairedVideo } ? 1 : 0,
        phrase: "has its motion clip"),
      Merit(
        value: Int64(companions.count), phrase: "has the RAW or edited version of the picture"),
    ]
  }

  private static func pixelMerit(of asset: AssetRecord) -> Merit {
    let size = asset.pixelSize.map { " (\($0.width)×\($0.height))" } ?? ""
    let (count, isTooMuch) =
      asset.pixelSize.map {
        Int64($0.width).multipliedReportingOverflow(by: Int64($0.height))
      } ?? (0, false)
    return Merit(value: isTooMuch ? .max : max(0, count), phrase: "more pixels" + size)
  }

  /// What the picture has. Exact copies are equal in all of these, except for what sidecars add.
  private static func pictureMerits(of asset: AssetRecord) -> [Merit] {
    let format = asset.uniformType
    return [
      Merit(value: isFromCamera(asset) ? 1 : 0, phrase: "as the camera wrote it"),
      Merit(value: recordedFacts(of: asset), phrase: "richer metadata"),
      Merit(
        value: formatStep(format), phrase: "original format (\(format.formatName))"),
      Merit(value: ownersFacts(of: asset), phrase: "has a rating, keywords or a title"),
      Merit(value: asset.size, phrase: "larger file"),
    ]
  }

  /// Where the file is.
  private static func placeMerits(of asset: AssetRecord) -> [Merit] {
    let name = String(decoding: FileNameParts(name: asset.path.lastComponent).stem, as: UTF8.self)
    let folders = asset.path.parent.components.map { String(decoding: $0, as: UTF8.self) }
    return [
      Merit(
        value: -Int64(folders.count { SecondaryPlace.isFolder($0) }), phrase: "in a better folder"),
      Merit(value: SecondaryPlace.isName(name) ? 0 : 1, phrase: "has the original name"),
      Merit(value: -(asset.captureWall ?? .max), phrase: "earlier date"),
      // `~` orders as a minus does, and also the lowest number.
      Merit(value: ~asset.modified, phrase: "older file"),
      Merit(value: -asset.added, phrase: "first in the catalog"),
    ]
  }

  /// Whether the metadata are those that a camera writes, and no known program has been the last to write the file.
  private static func isFromCamera(_ asset: AssetRecord) -> Bool {
    guard asset.camera.model != nil, asset.exposure.time != nil || asset.captureTime != nil else {
      return false
    }
    let software = asset.camera.software?.lowercased() ?? ""
    return !editors.contains { software.contains($0) }
  }

  /// Programs that write their name into what they re-encode.
  private static let editors = [
    "photoshop", "lightroom", "gimp", "snapseed", "darktable", "rawtherapee", "picasa", "affinity",
    "capture one", "luminar", "paint.net", "instagram", "vsco", "imagemagick", "acdsee", "digikam",
  ]

  /// The number of kinds of facts that the file records.
  private static func recordedFacts(of asset: AssetRecord) -> Int64 {
    let isRecorded = asset.captureSource.map { !$0.hasPrefix("name:") } ?? false
    let facts = [
      isRecorded, asset.captureTime?.offsetMinutes != nil, asset.location != nil,
      asset.camera.make != nil, asset.camera.model != nil, asset.camera.lens != nil,
      asset.exposure.time != nil, asset.exposure.fNumber != nil, asset.exposure.iso != nil,
      asset.exposure.focalLength != nil,
    ]
    return Int64(facts.count { $0 })
  }

  /// The number of kinds of facts that a person has added.
  private static func ownersFacts(of asset: AssetRecord) -> Int64 {
    let facts = [
      asset.isFavorite, asset.rating ?? 0 > 0, asset.title != nil, asset.caption != nil,
      !asset.keywords.isEmpty, !asset.people.isEmpty,
    ]
    return Int64(facts.count { $0 })
  }

  /// Formats without loss before those of cameras, those before those of web pages.
  private static func formatStep(_ type: UniformType) -> Int64 {
    switch type {
    case .tiff, .png, .bmp: 3
    case .heic, .heif, .heics: 2
    case .jpeg, .jpegXL, .jpeg2000: 1
    default: 0
    }
  }
}

extension UniformType {
  /// `HEIC`, for phrases.
  fileprivate var formatName: String {
    rawValue.split(separator: ".").last.map { $0.uppercased() } ?? rawValue
  }
}

/// Names of places where copies are rather than originals.
enum SecondaryPlace {
  /// Whether a folder's name says that it contains copies, exports or what has just come in.
  static func isFolder(_ name: String) -> Bool {
    let words = name.lowercased().split { !$0.isLetter }.map(String.init)
    return words.contains { folderWords.contains($0) }
  }

  /// Whether a file name (without its extension) is that of a copy: `IMG_1 (2)`, `IMG_1 copy`, `Copy of IMG_1`,
  /// `IMG_1~3`, `IMG_1-edited`.
  static func isName(_ stem: String) -> Bool {
    let text = stem.lowercased()
    let words = text.split { !$0.isLetter }.map(String.init)
    if words.contains(where: { nameWords.contains($0) }) { return true }
    if text.last == ")", let open = text.lastIndex(of: "(") {
      let number = text[text.index(after: open)...].dropLast()
      return !number.isEmpty && number.count <= 3 && number.allSatisfy(\.isWholeNumber)
    }
    if let tilde = text.lastIndex(of: "~") {
      let number = text[text.index(after: tilde)...]
      return !number.isEmpty && number.count <= 3 && number.allSatisfy(\.isWholeNumber)
    }
    return false
  }

  private static let folderWords: Set<String> = [
    "copy", "copies", "kopie", "kopien", "copie", "copia", "copias", "duplicate", "duplicates",
    "duplikate", "backup", "backups", "bak", "old", "alt", "export", "exports", "exported",
    "resized",
    "small", "web", "thumbnails", "thumbs", "cache", "tmp", "temp", "trash", "deleted", "recovered",
    "download", "downloads", "whatsapp", "telegram", "signal", "sent", "inbox", "unsorted",
    "edited",
  ]

  private static let nameWords: Set<String> = [
    "copy", "kopie", "copie", "copia", "duplicate", "resized", "edited", "bearbeitet", "small",
    "thumb",
    "compressed", "export",
  ]
}
