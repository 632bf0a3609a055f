import MediaModel
import SeededRandom
import Testing

@testable import Similarity

/// Which pictures are found to be the same, on pictures whose truth is known by construction.
@Suite struct SimilaritySearchTests {
  private func matches(
    _ signatures: [PictureSignature], threshold: Float = 0.9
  ) -> Set<Set<Int>> {
    let search = SimilaritySearch(signatures, signatures.map { WindowHash($0) })
    var effort = SimilaritySearch.Effort()
    let found = search.matches(of: 0..<signatures.count, threshold: threshold, effort: &effort)
    return Set(found.map { [$0.part, $0.whole] })
  }

  /// Versions that are the same picture.
  private static let copies: [MadePicture.Version] = [
    .init(noise: 2), .init(gain: 0.9, noise: 1), .init(gain: 1.1, noise: 1),
    .init(left: 0.05, top: 0.04, right: 0.97, bottom: 0.96, noise: 1),
    .init(left: 0.13, noise: 1), .init(bottom: 0.87, noise: 1),
    .init(left: 0.11, top: 0.02, right: 1, bottom: 0.91, noise: 1),
    .init(left: 0.03, top: 0.09, right: 0.92, bottom: 0.98, noise: 1),
  ]

  /// Versions that are other pictures of the same scene.
  private static let lookAlikes: [MadePicture.Version] = [
    // Another part of it: neither contains the other.
    .init(left: 0.12, top: 0.05, right: 1.12, bottom: 1.05, noise: 1),
    // Something has moved.
    .init(noise: 1, patch: (left: 0.4, top: 0.5, side: 0.22)),
    // Another colour of the same thing.
    .init(noise: 1, blue: 30),
  ]

  @Test(.timeLimit(.minutes(5))) func copiesAreFoundAndLookAlikesAreNot() throws {
    var signatures: [PictureSignature] = []
    var expected: Set<Set<Int>> = []
    let count = 12
    for seed in 0..<count {
      let picture = MadePicture(seed: UInt64(seed))
      let original = signatures.count
      signatures.append(try picture.signature())
      for (number, version) in Self.copies.enumerated() {
        expected.insert([original, signatures.count])
        signatures.append(try picture.signature(version, seed: UInt64(number)))
      }
      for version in Self.lookAlikes { signatures.append(try picture.signature(version)) }
    }
    let versions = 1 + Self.copies.count + Self.lookAlikes.count
    let found = matches(signatures)
    // The original and its copies are judged; two crops of one picture may contain one another or not.
    let withOriginal = found.filter { $0.contains { $0 % versions == 0 } }
    let wrong = found.filter { pair in
      Set(pair.map { $0 / versions }).count > 1
        || pair.contains { $0 % versions > Self.copies.count }
    }
    let right = withOriginal.intersection(expected)
    #expect(
      Double(right.count) >= 0.95 * Double(expected.count),
      "missed: \(expected.subtracting(found).map { $0.sorted().map { $0 % versions } })")
    #expect(
      Double(wrong.count) <= 0.02 * Double(found.count),
      "wrong: \(wrong.map { $0.sorted().map { $0 % versions } })")
  }

  @Test func aPictureIsTheWholeOfItsCrop() throws {
    let picture = MadePicture(seed: 5)
    let signatures = [
      try picture.signature(),
      try picture.signature(.init(left: 0.06, top: 0.06, right: 0.95, bottom: 0.97)),
    ]
    let search = SimilaritySearch(signatures, signatures.map { WindowHash($0) })
    var effort = SimilaritySearch.Effort()
    let found = search.matches(of: 0..<2, threshold: 0.9, effort: &effort)
    #expect(found.map(\.part) == [1] && found.map(\.whole) == [0])
  }

  @Test func aStretchedPictureIsAnotherOne() throws {
    var stretched = MadePicture(seed: 6)
    stretched.aspect = 1.6
    #expect(matches([try MadePicture(seed: 6).signature(), try stretched.signature()]).isEmpty)
  }

  /// Walls, skies and night pictures: what differs between them is noise.
  @Test func flatPicturesMatchNothing() throws {
    var random = SeededGenerator(seed: 3)
    let cells = PictureSignature.side * PictureSignature.side
    let colors = [UInt8](
      repeating: 128, count: 2 * PictureSignature.colorSide * PictureSignature.colorSide)
    let signatures = try (0..<30).map { _ in
      let grey = (0..<cells).map { _ in UInt8.random(in: 60...68, using: &random) }
      return try #require(
        PictureSignature(size: PixelSize(width: 320, height: 240), grey: grey, colors: colors))
    }
    #expect(matches(signatures, threshold: 0.5).isEmpty)
    #expect(matches([signatures[0], signatures[0]], threshold: 0.5).isEmpty)
  }

  /// One picture that was saved hundreds of times: not every pair is aligned, and all are linked.
  @Test(.timeLimit(.minutes(5))) func nearlyEqualPicturesTakeNoSquareOfTheirNumber() throws {
    let count = 300
    let original = try MadePicture(seed: 7).signature()
    var random = SeededGenerator(seed: 8)
    let signatures = try (0..<count).map { _ in
      let grey = original.grey.map { value in
        UInt8(min(max(Int(value) + Int.random(in: -1...1, using: &random), 0), 255))
      }
      return try #require(
        PictureSignature(
          size: PixelSize(width: 320, height: 240), grey: grey, colors: Array(original.colors)))
    }
    let search = SimilaritySearch(signatures, signatures.map { WindowHash($0) })
    var effort = SimilaritySearch.Effort()
    let found = search.matches(of: 0..<count, threshold: 0.9, effort: &effort)
    // The square is 89 700.
    #expect(effort.pictures <= SimilaritySearch.mostAligned * count)
    #expect(effort.pictures <= 20 * count, "\(effort)")
    #expect(found.count <= effort.pictures)
    var near = NearCopies(found)
    #expect(near.others(of: count - 1) == Array(0..<(count - 1)))
    for other in stride(from: 0, to: count - 1, by: 30) {
      #expect(search.similarity(of: count - 1, and: other, threshold: 0.9) != nil)
    }
  }

  @Test func bytesOfAnotherLengthAreNoSignature() {
    let count = PictureSignature.byteCount
    #expect(PictureSignature(bytes: [UInt8](repeating: 1, count: count)) != nil)
    for other in [0, count - 1, count + 1] {
      #expect(PictureSignature(bytes: [UInt8](repeating: 1, count: other)) == nil)
    }
    #expect(PictureSignature(bytes: [UInt8](repeating: 0, count: count)) == nil, "no size")
  }
}
