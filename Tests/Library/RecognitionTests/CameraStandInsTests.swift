import Testing

@testable import Recognition

/// Names as GoPro's and DJI's manuals give them.
struct CameraStandInsTests {
  private func standIns(_ names: [String]) -> Set<String> {
    Set(
      CameraStandIns.among(names.map { Array($0.utf8) }).map {
        String(decoding: $0, as: UTF8.self)
      })
  }

  @Test(arguments: [
    ("GOPR0001.THM", "GOPR0001.MP4"), ("GOPR0001.LRV", "GOPR0001.MP4"),
    ("GL010001.LRV", "GX010001.MP4"), ("GL010001.LRV", "GH010001.MP4"),
    ("GH010001.THM", "GH010001.MP4"), ("DJI_0001.LRF", "DJI_0001.MP4"),
    ("GS010001.THM", "GS010001.360"), ("GS010001.LRV", "GS010001.360"),
    ("LRV_20230506_123456_01_001.insv", "VID_20230506_123456_00_001.insv"),
    ("LRV_20230506_123456_11_001.lrv", "VID_20230506_123456_00_001.mp4"),
    ("gopr0001.thm", "GOPR0001.MP4"), ("MVI_0001.THM", "MVI_0001.AVI"),
  ])
  func stayOutBesideTheirVideo(standIn: String, video: String) {
    #expect(standIns([standIn, video, "a.jpg"]) == [standIn])
    #expect(standIns([standIn]).isEmpty)
  }

  @Test(arguments: [
    ("GOPR0001.LRV", "GOPR0001.JPG"), ("GL010001.LRV", "GX010002.MP4"),
    ("GOPR0001.LRV", "GOPR0001.THM"), ("GL010001.THM", "GX010001.MP4"),
    ("LRV_20230506_123456_01_001.insv", "VID_20230506_123456_00_002.insv"),
    ("LRV_20230506_123456_01_001.insv", "LRV_20230506_123456_01_001.mp4"),
    ("GOPR0001.LRV", "a.LRV"), ("GOPR0001.JPG", "GOPR0001.MP4"), (".thm", "a.mp4"),
  ])
  func othersAreMedia(file: String, other: String) {
    #expect(standIns([file, other]).isEmpty)
  }
}
