import Foundation
import Testing
import Workbench

/// The kinds in the corpus's manifest, each found without a miss and without a false alarm, and
/// every trap that its README names.
@Suite(.serialized, .timeLimit(.minutes(10)), .enabled(if: Half.isAtHand))
struct CorpusRecognitionTests {
  /// The library's assets by path, and what the manifest says of its files.
  private func library() async throws -> (assets: [String: ExplainedAsset], files: [ManifestFile]) {
    let scanned = try await Half.library.scanned()
    let assets = try await scanned.bench.explainedAssets(under: scanned.folder)
    return (assets, scanned.files)
  }

  /// Compares the assets of one kind with the files that should be of it.
  private func expectEqual(
    _ found: Set<String>, _ expected: Set<String>, _ kind: String,
    location: SourceLocation = #_sourceLocation
  ) {
    #expect(!expected.isEmpty, "the manifest has no \(kind)", sourceLocation: location)
    let right = Double(found.intersection(expected).count)
    print(
      "\(kind): precision \(right / Double(found.count)), recall \(right / Double(expected.count))")
    for path in found.subtracting(expected).sorted() {
      Issue.record("\(path) is called \(kind) and is none", sourceLocation: location)
    }
    for path in expected.subtracting(found).sorted() {
      Issue.record("\(path) is \(kind) and not called so", sourceLocation: location)
    }
  }

  @Test func `live photos are pairs of the right two files`() async throws {
    let (assets, files) = try await library()
    let found = assets.values.compactMap { asset in
      asset.pairedClip.map { "\(asset.path) + \($0.path)" }
    }
    let expected = files.filter { $0["live_photo"] == "yes" && $0["live_role"] == "still" }
      .map { "\($0.path) + \($0["live_partner"] ?? "")" }
    expectEqual(Set(found), Set(expected), "live photos")
    for clip in files where clip["live_photo"] == "yes" && clip["live_role"] == "motion" {
      #expect(assets[clip.path] == nil, "\(clip.path) is part of a live photo, no video")
    }
  }

  @Test func `motion photos have their clip at the right bytes`() async throws {
    let (assets, files) = try await library()
    let found = assets.values.compactMap { asset in
      asset.embeddedClip.map { "\(asset.path) \($0.offset ?? 0)+\($0.length ?? 0)" }
    }
    let expected = files.filter { $0["motion_photo"] == "yes" }
      .map { "\($0.path) \($0["mp_video_offset"] ?? "")+\($0["mp_video_length"] ?? "")" }
    expectEqual(Set(found), Set(expected), "motion photos")
  }

  @Test func `screenshots are those that say so`() async throws {
    let (assets, files) = try await library()
    let undecided = Set(files.filter { $0["screenshot"] == "visual-only" }.map(\.path))
    let found = assets.values.filter { $0.isOf("screenshot") }.map(\.path)
    let expected = files.filter { $0["screenshot"] == "yes" }.map(\.path)
    expectEqual(Set(found).subtracting(undecided), Set(expected), "screenshots")
  }

  @Test func `bursts carry the identifier of the file`() async throws {
    let (assets, files) = try await library()
    let found = assets.values.filter { $0.isOf("burst") }
      .map { "\($0.path) \(($0.burstIdentifier ?? "").lowercased())" }
    let marked = files.filter { $0["burst"] != nil }
    let portraits = Set(KnownDisagreements.burstPortraits.keys)
    #expect(portraits.isSubset(of: marked.map(\.path)))
    for path in portraits { #expect(assets[path]?.isOf("depthEffect") == true, "\(path)") }
    let expected = marked.filter { !portraits.contains($0.path) }
      .map { "\($0.path) \(($0["burst"] ?? "").lowercased())" }
    #expect(Set(found) == Set(expected))
  }

  @Test func `panoramas are those with a projection`() async throws {
    let (assets, files) = try await library()
    let found = assets.values.filter { $0.isOf("panorama") }.map(\.path)
    let expected = files.filter { $0["projection"] != nil }.map(\.path)
    expectEqual(
      Set(found).subtracting(KnownDisagreements.unprojectedPanoramas.keys), Set(expected),
      "panoramas")
  }

  // The traps of the corpus's README, one by one.

  @Test func `LoveLiver: one name, two identifiers, no pair`() async throws {
    let (assets, _) = try await library()
    for (name, other) in [("IMG.JPG", "IMG.MOV"), ("IMG.MOV", "IMG.JPG")] {
      let half = try #require(assets["mzp+LoveLiver/sample/livephoto/\(name)"])
      #expect(!half.isOf("livePhoto"))
      #expect(
        half.reason(not: "livePhoto") == ["\(other) has its name, but their identifiers differ"])
    }
  }

  @Test func `LimitPoint: only the clip has an identifier`() async throws {
    let (assets, _) = try await library()
    let folder = "LimitPoint+LivePhoto/Sample Code/Live Photos"
    let clip = try #require(assets["\(folder)/pairedVideo.mov"])
    #expect(clip.mediaType == "video")
    #expect(clip.reason(not: "livePhoto") == ["no picture in the catalog has its identifier"])
    #expect(assets["\(folder)/keyPhoto.jpg"]?.isOf("livePhoto") == false)
  }

  @Test func `makelive: a Samsung picture with Apple's identifier and no clip`() async throws {
    let (assets, _) = try await library()
    let still = try #require(assets["RhetTbull+makelive/tests/test.jpeg"])
    #expect(!still.isOf("livePhoto"))
    #expect(still.reason(not: "livePhoto") == ["no clip in the catalog has its identifier"])
  }

  @Test func `libmphoto: a marker without a clip is not a motion photo`() async throws {
    let (assets, files) = try await library()
    let marked = files.filter { $0["motion_photo"] == "marker but no video" }
    #expect(marked.count >= 3)
    for file in marked {
      let still = try #require(assets[file.path])
      #expect(!still.isOf("motionPhoto"))
      #expect(still.reason(not: "motionPhoto")?.isEmpty == false, "\(file.path) does not say why")
    }
  }

  @Test func `elodie: one pixel that is marked as a screenshot is one`() async throws {
    let (assets, _) = try await library()
    let pixel = try #require(assets["jmathai+elodie/elodie/tests/files/photo.png"])
    #expect(pixel.pixelWidth == 1)
    #expect(pixel.screenshot?.evidence.contains("userComment") == true)
  }

  @Test func `pigallery2: the clip's name ends in _HEVC`() async throws {
    let (assets, _) = try await library()
    let folder = "bpatrik+pigallery2/test/backend/assets/live_photo"
    let still = try #require(assets["\(folder)/IMG_7943.HEIC"])
    #expect(still.pairedClip?.path == "\(folder)/IMG_7943_HEVC.MOV")
    #expect(still.livePhoto?.evidence == "contentIdentifier")
  }
}

/// One asset with its evidence, as `list --format jsonl` prints it; paths below the library.
struct ExplainedAsset: Decodable, Sendable {
  struct Resource: Decodable, Sendable {
    var type: String
    var path: String
    var offset: UInt64?
    var length: UInt64?
  }
  struct LivePhoto: Decodable, Sendable {
    var evidence: String?
  }
  struct Screenshot: Decodable, Sendable {
    var score: Int
    var evidence: [String]
  }
  struct NearMiss: Decodable, Sendable {
    var subtype: String
    var reason: [String]
  }

  var path: String
  var mediaType: String
  var subtypes: [String]?
  var pixelWidth: Int?
  var burstIdentifier: String?
  var livePhoto: LivePhoto?
  var screenshot: Screenshot?
  var nearMisses: [NearMiss]?
  var resources: [Resource]?

  func isOf(_ subtype: String) -> Bool { subtypes?.contains(subtype) == true }

  /// Why it is not of a kind that it came close to.
  func reason(not subtype: String) -> [String]? {
    nearMisses?.first { $0.subtype == subtype }?.reason
  }

  private var clip: Resource? { resources?.first { $0.type == "pairedVideo" } }
  /// The clip that is a file of its own.
  var pairedClip: Resource? { clip.flatMap { $0.offset == nil ? $0 : nil } }
  /// The clip inside the picture's file.
  var embeddedClip: Resource? { clip.flatMap { $0.offset == nil ? nil : $0 } }
}

extension Workbench {
  /// All assets by their path below `folder`.
  func explainedAssets(under folder: String) async throws -> [String: ExplainedAsset] {
    func below(_ path: String) -> String { String(path.dropFirst(folder.count + 1)) }
    let lines = try await shoebox(["list", "--format", "jsonl"]).lines
    let assets = try lines.map { line in
      var asset = try JSONDecoder().decode(ExplainedAsset.self, from: Data(line.utf8))
      asset.path = below(asset.path)
      asset.resources = asset.resources?.map { resource in
        var resource = resource
        resource.path = below(resource.path)
        return resource
      }
      return asset
    }
    return Dictionary(assets.map { ($0.path, $0) }) { $1 }
  }
}
