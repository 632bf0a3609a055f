import MediaModel
import Testing

@testable import Recognition

/// Labels of single files, each from the signals that the formats document, and the false positives that
/// are known to look like them.
struct LabelTests {
  private func subject(
    _ name: String, folders: [String] = [], type: UniformType = .png,
    size: PixelSize = PixelSize(width: 800, height: 600), clues: [String] = [],
    _ change: (inout MediaFacts) -> Void = { _ in }
  ) -> RecognitionSubject {
    var facts = MediaFacts(mediaType: type.mediaType ?? .image, uniformType: type)
    facts.pixelSize = size
    facts.clues = clues.map { Clue(line: $0) }
    change(&facts)
    return RecognitionSubject(
      facts: facts, name: Array(name.utf8), folders: folders.map { Array($0.utf8) })
  }

  private func label(_ subtype: MediaSubtypes, of subject: RecognitionSubject) -> Label? {
    subject.labels.first { $0.subtype == subtype }
  }

  // Screenshots.

  @Test(arguments: [
    "Screen Shot 2014-02-02 at 8.27.44 PM.png", "Screenshot 2023-05-06 at 12.34.56.png",
    "Screenshot 2023-05-06 at 12.34.56\u{202F}PM.png", "Screenshot 2023-05-06 at 12.34.56 (2).png",
    "Bildschirmfoto 2020-04-16 um 11.10.28.png", "Capture d’écran 2020-04-16 à 11.10.28.png",
    "Capture d\u{2019}e\u{301}cran 2020-04-16 à 11.10.28.png",
    "Captura de pantalla 2020-04-16 a las 11.10.28.png", "Schermata 2020-04-16 alle 11.10.28.png",
    "Skärmavbild 2020-04-16 kl. 11.10.28.png", "スクリーンショット 2020-04-16 11.10.28.png",
    "스크린샷 2020-04-16 오전 11.10.28.png", "截屏2020-04-16 11.10.28.png",
    "Снимок экрана 2020-04-16 в 11.10.28.png", "Screenshot_20200416-111028.png",
    "Screenshot_20200416-111028_Chrome.png", "Screenshot_2020-04-16-11-10-28-123_com.app.png",
    "Screenshot From 2024-10-01 12-00-00.png", "Screenshot from 2022-09-10 00-45-48.png",
    "Screenshot_20230101_120000.png", "Screenshot (12).png", "Screenshot 2023-05-06 123456.png",
  ])
  func namesThatProgramsGive(name: String) {
    let found = label(.screenshot, of: subject(name))
    #expect(found?.isGiven == true)
    #expect(found?.evidence.contains("name") == true)
  }

  @Test func theSystemsOwnMarkIsEnough() {
    let tagged = label(
      .screenshot, of: subject("IMG_0023.PNG", clues: ["exif.UserComment=Screenshot"]))
    #expect(tagged?.isGiven == true)
    let viaXMP = label(
      .screenshot, of: subject("x.png", clues: ["xmp.UserComment=Screenshot"]))
    #expect(viaXMP?.isGiven == true)
  }

  @Test func gnomeNamesItsProgram() {
    let found = label(.screenshot, of: subject("a.png", clues: ["png.Software=gnome-screenshot"]))
    #expect(found?.isGiven == true)
    #expect(found?.evidence.first == "software:gnome-screenshot")
  }

  @Test func scoresAddUp() {
    let found = label(
      .screenshot,
      of: subject(
        "IMG_1.PNG", size: PixelSize(width: 1170, height: 2532),
        clues: ["exif.UserComment=Screenshot"]))
    #expect(found?.score == 125)
    #expect(found?.evidence == ["userComment", "screenSize:1170x2532", "png"])
  }

  @Test func aRenamedPhotographIsNoScreenshot() {
    let photo = subject("Screenshot 2023-05-06 at 12.34.56.jpg", type: .jpeg) {
      $0.exposure = Exposure(time: 0.01, fNumber: 2.4, iso: 100)
      $0.camera = Camera(make: "Apple", model: "iPhone")
    }
    #expect(label(.screenshot, of: photo)?.isGiven == false)
    #expect(label(.screenshot, of: photo)?.evidence.contains("against:exposure") == true)
  }

  @Test func wallpapersMockUpsAndArtAreNone() {
    let screen = PixelSize(width: 1170, height: 2532)
    for name in ["wallpaper.png", "story.png", "IMG_2041.PNG", "mockup-home.png", "art.png"] {
      #expect(label(.screenshot, of: subject(name, size: screen))?.isGiven != true)
    }
    let named = subject("screenshot-mockup.png", size: screen)
    let nearMiss = label(.screenshot, of: named)
    #expect(nearMiss?.isGiven == false)
    #expect(nearMiss?.score == 45)
    #expect(
      nearMiss?.evidence == ["looseName", "screenSize:1170x2532", "png", "below:50"])
  }

  @Test func aPhotographOfTabletSizeIsNone() {
    let photo = subject("IMG_1.JPG", type: .jpeg, size: PixelSize(width: 1536, height: 2048))
    #expect(label(.screenshot, of: photo)?.isGiven != true)
  }

  // Other stills.

  @Test(arguments: [
    (MediaSubtypes.panorama, "exif.CustomRendered=6"),
    (.panorama, "xmp.GPano.ProjectionType=equirectangular"), (.panorama, "sef=08e0"),
    (.burst, "sef=09e0"), (.depthEffect, "heif.depth"), (.depthEffect, "exif.CustomRendered=8"),
    (.depthEffect, "apple.ImageCaptureType=2"), (.spatial, "heif.ster"),
    (.depthEffect, "heif.aux=urn:com:apple:photo:2018:aux:portraiteffectsmatte"),
    (.hdr, "heif.aux=urn:com:apple:photo:2020:aux:hdrgainmap"), (.hdr, "hdrgm=1.0"),
    (.hdr, "heif.transfer=pq"), (.hdr, "exif.CustomRendered=3"),
  ])
  func aDocumentedSignalSettlesIt(subtype: MediaSubtypes, clue: String) {
    #expect(label(subtype, of: subject("a.heic", type: .heic, clues: [clue]))?.isGiven == true)
    #expect(label(subtype, of: subject("a.heic", type: .heic)) == nil)
  }

  @Test(arguments: [
    ("00001IMG_00001_BURST20200101120000123_COVER.jpg", "20200101120000123", true),
    ("00002IMG_00002_BURST20200101120000123.jpg", "20200101120000123", false),
    ("IMG_20200101_120000_BURST1.jpg", "img_20200101_120000", false),
    ("IMG_20200101_120000_BURST001_COVER.jpg", "img_20200101_120000", true),
  ])
  func burstNamesTellTheirGroup(name: String, group: String, isPick: Bool) throws {
    let found = try #require(BurstName(Array(name.utf8)))
    #expect(found.group == group)
    #expect(found.isPick == isPick)
  }

  @Test(arguments: ["sunburst.jpg", "a_burst_of_joy.jpg", "IMG_20200101_120000.jpg"])
  func otherNamesAreNoBurst(name: String) {
    #expect(BurstName(Array(name.utf8)) == nil)
  }

  @Test func aMarkerWithoutAClipIsANearMiss() {
    let found = label(
      .motionPhoto, of: subject("a.jpg", type: .jpeg, clues: ["motionPhoto.noClip=cut off"]))
    #expect(found?.isGiven == false)
    #expect(found?.evidence == ["cut off"])
  }

  // Videos.

  @Test func aHighRateNeedsASignOfIntent() {
    let fast = subject("a.mov", type: .quickTimeMovie, clues: ["mov.trackRate=240"])
    #expect(label(.slomo, of: fast)?.isGiven == false)
    let android = subject(
      "a.mp4", type: .mpeg4, clues: ["android.capture.fps=240", "mov.trackRate=30"])
    #expect(label(.slomo, of: android)?.isGiven == true)
    let ordinary = subject(
      "a.mp4", type: .mpeg4, clues: ["android.capture.fps=30", "mov.trackRate=30"])
    #expect(label(.slomo, of: ordinary) == nil)
  }

  @Test(arguments: [
    "RPReplay_Final1588264391.MP4", "Screen Recording 2023-05-06 at 12.34.56.mov",
    "Screen_Recording_20200416-111028_App.mp4", "screen-20200416-111028.mp4",
    "Screencast from 2023-05-06 12-34-56.webm",
  ])
  func recordersNameTheirVideos(name: String) {
    #expect(label(.screenRecording, of: subject(name, type: .mpeg4))?.isGiven == true)
  }

  @Test func recordingsOfOtherThingsAreNone() {
    for name in ["screen-door.mp4", "RPReplay.mov", "recording.mp4"] {
      #expect(label(.screenRecording, of: subject(name, type: .mpeg4)) == nil)
    }
    let marked = subject("a.mov", type: .quickTimeMovie, clues: ["mov.author=ReplayKitRecording"])
    #expect(label(.screenRecording, of: marked)?.isGiven == true)
  }

  @Test func tracksTellCinematicAndSpatial() {
    let clues = ["mov.dish", "mov.vexu"]
    let video = subject("a.mov", type: .quickTimeMovie, clues: clues)
    #expect(video.labels.subtypes == [.cinematic, .spatial])
  }
}
