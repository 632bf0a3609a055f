package import MediaModel

/// Finds the pictures that show the same, or a part of the same, among many.
///
/// 1. The hash of each whole picture is looked up among the hashes of all pictures' crop windows (``HashIndex``). That
///    finds re-encoded, scaled and cropped pictures, and some others.
/// 2. The pairs that were found are compared roughly. The best of each picture are aligned and compared cell by cell
///    (``Alignment``), and their colours are compared.
///
/// Of pictures that are linked by nearly equal ones, not all pairs are compared: hundreds of nearly equal pictures would
/// take the square of their number. ``similarity(of:and:threshold:)`` compares two of them.
///
/// A picture with hardly any contrast matches nothing: the hashes of all such pictures are alike.
package struct SimilaritySearch: Sendable {
  private let signatures: [PictureSignature]
  private let hashes: [WindowHash]
  /// The hashes of the crop windows of the pictures in ``indexed``, one picture after the other.
  private let index: HashIndex
  /// The pictures with enough contrast, by number. The others would make long lists of equal hashes.
  private let indexed: [Int]

  /// The most bits in which the hashes of a part and of the nearest window differ.
  private static let mostDifferentBits = 14
  /// Pictures that agree less at the nearest window are different.
  private static let leastRoughCorrelation: Float = 0.75
  /// How much the shape of a window may differ from that of the part, as a factor.
  private static let shapeTolerance: Float = 1.09
  /// The most candidates of one picture that are compared roughly, those with the nearest hashes.
  static let mostRough = 1024
  /// The most candidates of one picture that are aligned, those that agree best roughly.
  static let mostAligned = 64
  /// The number of candidates of one picture that are aligned even if nearly equal pictures link them with it. A copy of
  /// one frame of a burst is compared with this number of frames, and assigned to the most similar one.
  static let alwaysAligned = 12
  /// The least similarity of pictures that are nearly equal.
  static let nearlyEqual: Float = 0.97
  /// Nearly equal pictures show at least this part of one another's sides.
  private static let nearlyWhole: Float = 0.95

  /// - Parameters:
  ///   - signatures: of the pictures, fewer than 100 million.
  ///   - hashes: of the same pictures.
  package init(_ signatures: [PictureSignature], _ hashes: [WindowHash]) {
    (self.signatures, self.hashes) = (signatures, hashes)
    indexed = hashes.indices.filter { !hashes[$0].isFlat }
    var entries: [UInt64] = []
    entries.reserveCapacity(indexed.count * CropWindow.all.count)
    for number in indexed { entries += hashes[number].windows }
    index = HashIndex(entries)
  }

  package var count: Int { signatures.count }

  /// What was compared in a search.
  package struct Effort: Sendable, Hashable {
    /// Hashes with one another.
    package var hashes = 0
    /// Pictures with one another, without alignment.
    package var roughly = 0
    /// Pictures with one another, aligned.
    package var pictures = 0

    package init() {}
  }

  /// The pictures of which one of these is a part or the whole.
  ///
  /// - Parameters:
  ///   - parts: the numbers of the pictures to look for.
  ///   - threshold: the least similarity, 0 to 1.
  package func matches(
    of parts: Range<Int>, threshold: Float, effort: inout Effort
  ) -> [PictureMatch] {
    var matches: [PictureMatch] = []
    var linked = DisjointSets()
    for part in parts where !hashes[part].isFlat {
      let candidates = bestCandidates(for: part, effort: &effort)
      guard !candidates.isEmpty else { continue }
      let picture = GreyPicture(signatures[part])
      var aligned = 0
      for (whole, window) in candidates {
        guard aligned < Self.mostAligned else { break }
        if aligned >= Self.alwaysAligned && linked.areJoined(part, whole) { continue }
        aligned += 1
        let alignment = Alignment(picture, in: GreyPicture(signatures[whole]), near: window)
        let similarity = alignment.similarity(signatures[part], in: signatures[whole])
        guard similarity >= threshold else { continue }
        matches.append(PictureMatch(part: part, whole: whole, similarity: similarity))
        if similarity >= Self.nearlyEqual && alignment.window.width >= Self.nearlyWhole
          && alignment.window.height >= Self.nearlyWhole
        {
          linked.join(part, whole)
        }
      }
      effort.pictures += aligned
    }
    return matches
  }

  /// How similar two pictures are, of which one is a part or the whole of the other; nil if less than `threshold`.
  ///
  /// - Parameters:
  ///   - one: the number of a picture.
  ///   - other: the number of another picture.
  ///   - threshold: the least similarity, 0 to 1.
  package func similarity(of one: Int, and other: Int, threshold: Float) -> Float? {
    guard !hashes[one].isFlat, !hashes[other].isFlat else { return nil }
    for (part, whole) in [(one, other), (other, one)] {
      guard let window = nearestWindow(of: whole, to: part) else { continue }
      let alignment = Alignment(
        GreyPicture(signatures[part]), in: GreyPicture(signatures[whole]), near: window)
      let similarity = alignment.similarity(signatures[part], in: signatures[whole])
      if similarity >= threshold { return similarity }
    }
    return nil
  }

  /// The window of a picture whose hash is nearest to that of another picture; nil if none is near.
  private func nearestWindow(of whole: Int, to part: Int) -> CropWindow? {
    var nearest: CropWindow?
    var least = Self.mostDifferentBits + 1
    for (window, hash) in zip(CropWindow.all, hashes[whole].windows) {
      let distance = (hash ^ hashes[part].windows[0]).nonzeroBitCount
      guard distance < least, hasShape(of: part, whole, window) else { continue }
      (nearest, least) = (window, distance)
    }
    return nearest
  }

  /// The candidates that agree roughly, those that agree best first.
  private func bestCandidates(
    for part: Int, effort: inout Effort
  ) -> [(whole: Int, window: CropWindow)] {
    var best: [(whole: Int, window: CropWindow, correlation: Float)] = []
    for (whole, window) in candidates(for: part, effort: &effort) {
      effort.roughly += 1
      let rough = roughCorrelation(of: signatures[part], with: signatures[whole], at: window)
      guard rough >= Self.leastRoughCorrelation else { continue }
      best.append((whole, window, rough))
    }
    best.sort { ($1.correlation, $0.whole) < ($0.correlation, $1.whole) }
    return best.map { ($0.whole, $0.window) }
  }

  /// The pictures that have a window with nearly the hash of a picture, each with the nearest one. If they are very many,
  /// those with the nearest hashes.
  private func candidates(
    for part: Int, effort: inout Effort
  ) -> [(whole: Int, window: CropWindow)] {
    let hash = hashes[part]
    let found = index.matches(
      hash.windows[0], certainty: hash.certainty, within: Self.mostDifferentBits,
      comparisons: &effort.hashes)
    var nearest: [Int: (distance: Int, window: CropWindow)] = [:]
    for match in found {
      let (place, number) = match.entry.quotientAndRemainder(dividingBy: CropWindow.all.count)
      let whole = indexed[place]
      guard whole != part else { continue }
      if let known = nearest[whole], known.distance <= match.distance { continue }
      let window = CropWindow.all[number]
      guard hasShape(of: part, whole, window) else { continue }
      nearest[whole] = (match.distance, window)
    }
    let ordered = nearest.sorted { ($0.value.distance, $0.key) < ($1.value.distance, $1.key) }
    return ordered.prefix(Self.mostRough).map { ($0.key, $0.value.window) }
  }

  /// Whether a window of the whole picture has about the shape of the part.
  private func hasShape(of part: Int, _ whole: Int, _ window: CropWindow) -> Bool {
    let shape =
      signatures[whole].aspect * window.width / window.height / signatures[part].aspect
    return shape < Self.shapeTolerance && shape > 1 / Self.shapeTolerance
  }
}
