import MediaModel
import Testing

@testable import Recognition

/// What a picture and a clip of one name and time must have besides, to be a pair.
struct PairingEvidenceTests {
  private static let noon: Int64 = 1_645_012_800_000

  private func candidate(_ id: Int64, _ name: String, _ type: UniformType) -> PairingCandidate {
    PairingCandidate(
      id: id, folderID: 1, name: Array(name.utf8), mediaType: type.mediaType ?? .image,
      uniformType: type, time: PairingTime(wall: Self.noon), duration: 2.8)
  }

  private func reasons(_ candidates: PairingCandidate...) -> [String] {
    let result = LivePhotoPairing.pairs(sharingNames: candidates)
    return result.pairs.map(\.evidence) + result.refusals.map(\.reason)
  }

  /// Names that agree always give times that agree.
  @Test(arguments: ["name:Signal", "name:date"])
  func aTimeFromTheNameSaysNothing(source: String) {
    #expect(PairingTime(wall: Self.noon, offset: nil, source: source) == nil)
    var (still, clip) = (candidate(1, "signal-1.jpg", .jpeg), candidate(2, "signal-1.mp4", .mpeg4))
    still.time = PairingTime(wall: Self.noon, offset: nil, source: source)
    clip.time = PairingTime(wall: Self.noon, offset: 0, source: "quicktime:mvhd")
    #expect(reasons(still, clip) == ["one of them has no capture time to compare"])
  }

  @Test func twoCamerasAreNoPair() {
    var (still, clip) = (candidate(1, "IMG_1.JPG", .jpeg), candidate(2, "IMG_1.MOV", .mpeg4))
    (still.cameraModel, clip.cameraModel) = ("Canon EOS R6", "iPhone 13")
    #expect(reasons(still, clip) == ["they were taken with different cameras"])
    clip.cameraModel = "EOS R6"
    #expect(reasons(still, clip) == ["name+time"])
  }

  @Test(arguments: [UniformType.matroska, .webM, .avi])
  func otherContainersHoldNoLivePhotosClip(type: UniformType) {
    #expect(
      reasons(candidate(1, "IMG_1.JPG", .jpeg), candidate(2, "IMG_1.mkv", type))
        == ["a live photo's clip is a QuickTime or MP4 file"])
  }
}
