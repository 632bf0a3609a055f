import MediaModel
import Testing

@testable import Similarity

/// Which of several assets that show the same is kept, and why.
@Suite struct KeeperTests {
  private func asset(
    _ path: String, type: UniformType = .jpeg, pixels: (Int, Int) = (4000, 3000),
    size: Int64 = 1000, model: String? = nil, time: String? = nil, fraction: String = "",
    subtypes: MediaSubtypes = [], burst: String? = nil, clip: Bool = false
  ) -> AssetRecord {
    var asset = AssetRecord(
      rowID: 1, identifier: path, mediaType: .image, subtypes: subtypes, uniformType: type,
      path: BytePath(path), size: size, modified: 1,
      pixelSize: PixelSize(width: pixels.0, height: pixels.1), camera: Camera(model: model),
      exposure: Exposure(), video: VideoProperties(), burstIdentifier: burst, status: .present,
      warnings: [], added: 1)
    asset.captureTime = time.flatMap { text in
      CaptureTime(
        wallSeconds: Int64(text) ?? 0, fraction: fraction, source: "exif:DateTimeOriginal")
    }
    if clip {
      asset.resources = [
        ResourceRecord(
          type: .pairedVideo, path: BytePath(path + ".mov"), uniformType: .quickTimeMovie, size: 1)
      ]
    }
    return asset
  }

  /// File systems store times from long before 1970; the catalog keeps the lowest number for them.
  @Test func `the oldest time there is comes first`() {
    var (old, new) = (asset("b.jpg"), asset("a.jpg"))
    old.modified = .min
    new.modified = .max
    #expect(groups([new, old], [(0, 1)]) == [[1, 0]])
  }

  private func groups(
    _ assets: [AssetRecord], _ pairs: [(Int, Int)], mayGo: Set<Int>? = nil
  ) -> [[Int]] {
    SimilarGroups(
      Dictionary(uniqueKeysWithValues: zip(0..., assets)),
      pairs.map { PictureMatch(part: $0.0, whole: $0.1, similarity: 1) },
      mayGo: mayGo ?? Set(assets.indices)
    ).groups.map { [$0.keeper] + $0.spares.map(\.member) }
  }

  @Test func theBetterOneIsKeptAndTheReasonIsNamed() {
    let plain = asset("/p/a.jpg")
    let better: [(AssetRecord, reason: String)] = [
      (asset("/p/b.dng", type: .dng), "RAW file"),
      (asset("/p/b.jpg", clip: true), "has its motion clip"),
      (asset("/p/b.jpg", pixels: (5000, 3000)), "more pixels (5000×3000)"),
      (asset("/p/b.jpg", model: "Z 6", time: "5"), "as the camera wrote it"),
      (asset("/p/b.heic", type: .heic), "original format (HEIC)"),
      (asset("/p/b.jpg", size: 2000), "larger file"),
    ]
    for (best, reason) in better {
      #expect(KeeperRank(plain) < KeeperRank(best))
      #expect(KeeperRank(best).reason(over: KeeperRank(plain)) == reason)
    }
    let folders = [
      "/p/Downloads/a.jpg", "/p/backup 2020/a.jpg", "/p/WhatsApp Images/a.jpg", "/p/old/a.jpg",
    ]
    for path in folders {
      #expect(
        KeeperRank(asset("/p/z/a.jpg")).reason(over: KeeperRank(asset(path)))
          == "in a better folder")
      #expect(KeeperRank(asset(path)) < KeeperRank(asset("/p/z/a.jpg")))
    }
    for name in ["a (2).jpg", "a copy.jpg", "Copy of a.jpg", "a~2.jpg", "a-edited.jpg"] {
      #expect(KeeperRank(asset("/p/" + name)) < KeeperRank(asset("/p/zzz.jpg")), "\(name)")
    }
    // Not every number in brackets or word is a copy's.
    for name in ["a (2019).jpg", "Copenhagen.jpg", "Golden.jpg"] {
      #expect(KeeperRank(asset("/p/zzz.jpg")) < KeeperRank(asset("/p/" + name)), "\(name)")
    }
  }

  /// Programs that re-encode cut some rows off, or add some: the camera's own picture is kept, whatever its size is.
  @Test func aFewPixelsMoreDoNotCount() {
    for width in 4000..<4100 {
      let original = asset("/p/b.jpg", pixels: (width, 3000), model: "Z 6", time: "5")
      let (copy, large) = (
        asset("/p/a.jpg", pixels: (width, 3006)), asset("/p/c.jpg", pixels: (width, 3060))
      )
      #expect(groups([original, copy], [(0, 1)]) == [[0, 1]])
      #expect(groups([original, large], [(0, 1)]) == [[1, 0]])
      #expect(KeeperRank(original).reason(over: KeeperRank(copy)) == "as the camera wrote it")
    }
  }

  /// Groups are independent of each other, and the numbers of pixels of one do not depend on their order.
  @Test func pixelsAreComparedWithTheLargestOfTheGroup() {
    let pixels = [1000, 1010, 1018, 1030, 900]
    let assets = pixels.enumerated().map { index, height in
      asset("/p/\(index).jpg", pixels: (1000, height), size: 2000 - Int64(index))
    }
    let all = (0..<5).flatMap { one in (0..<one).map { (one, $0) } }
    #expect(groups(assets, all) == [[1, 2, 3, 0, 4]])
    let two = assets + [asset("/q/a.jpg", pixels: (1000, 1021)), asset("/q/b.jpg", size: 5000)]
    #expect(groups(two, all + [(5, 6)]).contains([1, 2, 3, 0, 4]))
  }

  @Test func framesOfABurstAndOtherMomentsAreKept() {
    let frame = asset("/p/a.jpg", subtypes: .burst, burst: "B")
    #expect(groups([frame, asset("/p/b.jpg", subtypes: .burst, burst: "B")], [(0, 1)]).isEmpty)
    #expect(
      groups([frame, asset("/p/b.jpg", subtypes: .burst, burst: "C")], [(0, 1)]) == [[0, 1]])

    let first = asset("/p/a.jpg", model: "X", time: "1000", fraction: "25")
    let others: [(AssetRecord, isSame: Bool)] = [
      (asset("/p/b.jpg", model: "X", time: "1001"), false),
      (asset("/p/b.jpg", model: "X", time: "1000", fraction: "75"), false),
      (asset("/p/b.jpg", model: "X", time: "1000", fraction: "2"), true),
      (asset("/p/b.jpg", model: "X", time: "1000"), true),
      // A clock that was corrected by an hour.
      (asset("/p/b.jpg", model: "X", time: "4600", fraction: "25"), true),
      (asset("/p/b.jpg"), true),
      (asset("/p/b.jpg", model: "Y", time: "1000", fraction: "25"), false),
    ]
    for (other, isSame) in others {
      #expect(groups([first, other], [(0, 1)]).isEmpty != isSame, "\(other)")
    }
  }

  /// A copy without metadata is like all frames of a burst, and a copy of one.
  @Test func aCopyDoesNotLinkDifferentMoments() {
    let frames = [
      asset("/p/1.jpg", model: "X", time: "1"), asset("/p/2.jpg", model: "X", time: "2"),
      asset("/p/copy.jpg", pixels: (400, 300)),
    ]
    let matches = [
      PictureMatch(part: 2, whole: 0, similarity: 0.93),
      PictureMatch(part: 2, whole: 1, similarity: 0.99),
    ]
    let groups = SimilarGroups(
      Dictionary(uniqueKeysWithValues: zip(0..., frames)), matches, mayGo: [0, 1, 2]
    ).groups
    #expect(groups.map { [$0.keeper] + $0.spares.map(\.member) } == [[1, 2]])
  }

  @Test func aClipIsNeverLost() {
    let live = asset("/p/a.jpg", pixels: (100, 100), clip: true)
    let raw = asset("/p/a.dng", type: .dng)
    #expect(groups([live, raw], [(0, 1)]).isEmpty)
    #expect(groups([live, asset("/p/b.jpg")], [(0, 1)]) == [[0, 1]])
  }

  @Test func eachSpareLooksLikeTheOneThatIsKept() {
    // A chain: the middle one is like both ends.
    let chain = [
      asset("/p/a.jpg", pixels: (400, 300)), asset("/p/b.jpg", pixels: (300, 200)),
      asset("/p/c.jpg", pixels: (200, 100)),
    ]
    #expect(groups(chain, [(0, 1), (1, 2)]) == [[0, 1]])
    #expect(groups(chain, [(0, 1), (1, 2), (0, 2)]) == [[0, 1, 2]])
  }

  /// The search does not compare all nearly equal pictures with one another.
  @Test func nearCopiesAreComparedWithTheOneThatIsKept() {
    let assets = [
      asset("/p/a.jpg", pixels: (400, 300)), asset("/p/b.jpg", pixels: (300, 200)),
      asset("/p/c.jpg", pixels: (200, 100)), asset("/p/d.jpg", pixels: (100, 50)),
    ]
    let chain = [(0, 1), (1, 2), (2, 3)].map {
      PictureMatch(part: $0.0, whole: $0.1, similarity: 0.99)
    }
    var compared: [[Int]] = []
    let groups = SimilarGroups(
      Dictionary(uniqueKeysWithValues: zip(0..., assets)), chain, mayGo: [0, 1, 2, 3]
    ) { one, other in
      compared.append([one, other])
      return other == 3 ? nil : 0.95
    }.groups
    #expect(groups.map { [$0.keeper] + $0.spares.map(\.member) } == [[0, 1, 2]])
    #expect(groups.first?.spares.map(\.similarity) == [0.99, 0.95])
    // The last one is not like the one that is kept.
    #expect(compared == [[0, 2], [0, 3]])
  }

  /// A copy that belongs to one exposure is no copy of another one, whatever links them.
  @Test func nearCopiesOfOtherMomentsAreNotCompared() {
    let assets = [
      asset("/p/1.jpg", pixels: (500, 400), model: "X", time: "1"),
      asset("/p/copy.jpg", pixels: (400, 300)),
      asset("/p/2.jpg", pixels: (300, 200), model: "X", time: "2"),
    ]
    let matches = [
      PictureMatch(part: 1, whole: 2, similarity: 0.99),
      PictureMatch(part: 2, whole: 0, similarity: 0.98),
    ]
    let groups = SimilarGroups(
      Dictionary(uniqueKeysWithValues: zip(0..., assets)), matches, mayGo: [0, 1, 2]
    ) { _, _ in 0.97 }.groups
    #expect(groups.allSatisfy { $0.keeper != 0 })
    #expect(groups.count == 1)
  }

  @Test func onlyWhatMayGoIsSpareAndTheBestIsNeverSpare() {
    let two = [asset("/p/a.jpg", pixels: (400, 300)), asset("/p/b.jpg", pixels: (300, 200))]
    #expect(groups(two, [(0, 1)], mayGo: [1]) == [[0, 1]])
    #expect(groups(two, [(0, 1)], mayGo: [0]).isEmpty)
  }
}
