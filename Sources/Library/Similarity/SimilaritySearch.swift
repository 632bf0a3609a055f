package import MediaModel

/// Finds the pictures that show the same, or a part of the same, among many.
///
/// 1. The hash of each whole picture is looked up among the hashes of all pictures' crop windows (``HashIndex``). That
///    finds re-encoded, scaled and cropped pictures, and some others.
/// 2. Each pair that was found is aligned and compared cell by cell (``Alignment``), and its colours are compared.
///
/// A picture with hardly any contrast matches nothing: the hashes of all such pictures are alike.
package struct SimilaritySearch: Sendable {
  private let signatures: [PictureSignature]
  private let hashes: [WindowHash]
  private let index: HashIndex

  /// The most bits in which the hashes of a part and of the nearest window differ.
  private static let mostDifferentBits = 14
  /// Pictures that agree less at the nearest window are different.
  private static let leastRoughCorrelation: Float = 0.75
  /// How much the shape of a window may differ from that of the part, as a factor.
  private static let shapeTolerance: Float = 1.09

  /// - Parameters:
  ///   - signatures: of the pictures, fewer than 100 million.
  ///   - hashes: of the same pictures.
  package init(_ signatures: [PictureSignature], _ hashes: [WindowHash]) {
    (self.signatures, self.hashes) = (signatures, hashes)
    // Hashes of flat pictures would make long lists of equal hashes.
    var entries: [UInt64] = []
    entries.reserveCapacity(hashes.count * CropWindow.all.count)
    for hash in hashes { entries += hash.windows }
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
    for part in parts where !hashes[part].isFlat {
      let candidates = candidates(for: part, effort: &effort)
      guard !candidates.isEmpty else { continue }
      let picture = GreyPicture(signatures[part])
      for (whole, window) in candidates {
        effort.roughly += 1
        let rough = roughCorrelation(of: signatures[part], with: signatures[whole], at: window)
        guard rough >= Self.leastRoughCorrelation else { continue }
        effort.pictures += 1
        let alignment = Alignment(picture, in: GreyPicture(signatures[whole]), near: window)
        let similarity = alignment.similarity(signatures[part], in: signatures[whole])
        guard similarity >= threshold else { continue }
        matches.append(PictureMatch(part: part, whole: whole, similarity: similarity))
      }
    }
    return matches
  }

  /// The pictures that have a window with nearly the hash of a picture, each with the nearest one.
  private func candidates(
    for part: Int, effort: inout Effort
  ) -> [(whole: Int, window: CropWindow)] {
    let hash = hashes[part]
    let found = index.matches(
      hash.windows[0], certainty: hash.certainty, within: Self.mostDifferentBits,
      comparisons: &effort.hashes)
    var nearest: [Int: (distance: Int, window: CropWindow)] = [:]
    for match in found {
      let (whole, number) = match.entry.quotientAndRemainder(dividingBy: CropWindow.all.count)
      guard whole != part, !hashes[whole].isFlat else { continue }
      if let known = nearest[whole], known.distance <= match.distance { continue }
      let window = CropWindow.all[number]
      let shape =
        signatures[whole].aspect * window.width / window.height / signatures[part].aspect
      guard shape < Self.shapeTolerance, shape > 1 / Self.shapeTolerance else { continue }
      nearest[whole] = (match.distance, window)
    }
    return nearest.map { ($0.key, $0.value.window) }
  }
}
