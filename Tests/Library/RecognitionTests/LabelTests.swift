import MediaModel
import Testing

@testable import Recognition

/// Labels of single files, each from the signals that the formats document, and the false positives that
/// are known to look like them.
struct LabelTests {
  // Other stills.

  @Test(arguments: [
    (MediaSubtypes.panorama, "exif.CustomRendered=6"),
    (.panorama, "xmp.GPano.ProjectionType=equirectangular"), (.panorama, "sef=8e0"),
    (.burst, "sef=9e0"), (.depthEffect, "heif.depth"), (.depthEffect, "exif.CustomRendered=8"),
    (.depthEffect, "xmp.DepthPhoto"), (.depthEffect, "apple.ImageCaptureType=2"),
    (.spatial, "heif.ster"),
    (.depthEffect, "heif.aux=urn:com:apple:photo:2018:aux:portraiteffectsmatte"),
    (.hdr, "heif.aux=urn:com:apple:photo:2020:aux:hdrgainmap"),
    (.depthEffect, "xmp.MiDepth"),
    (.hdr, "heif.transfer=pq"), (.hdr, "exif.CustomRendered=3"),
    // exiftool's Exif.pm: 2 and 3 HDR, without and with the original, 7 a portrait that is one, too.
    (.hdr, "exif.CustomRendered=2"), (.hdr, "exif.CustomRendered=7"),
    (.depthEffect, "exif.CustomRendered=7"), (.hdr, "png.transfer=hlg"), (.hdr, "jpeg.gainMap"),
    (.hdr, "jpeg.aux=urn:com:apple:photo:2020:aux:hdrgainmap"),
    (.depthEffect, "jpeg.aux=disparity"),
    (.depthEffect, "jpeg.aux=urn:com:apple:photo:2018:aux:portraiteffectsmatte"),
  ])
  func aDocumentedSignalSettlesIt(subtype: MediaSubtypes, clue: String) {
    #expect(label(subtype, of: subject("a.heic", type: .heic, clues: [clue]))?.isGiven == true)
    #expect(label(subtype, of: subject("a.heic", type: .heic)) == nil)
  }

  /// Programs that drop the map keep the word.
  @Test func aGainMapThatIsNotThereMakesNoHDR() {
    // Adobe's gain map specification, BaseRenditionIsHDR: the map leads the other way.
    let base = subject("a.jpg", type: .jpeg, clues: ["hdrgm=1.0", "hdrgm.baseIsHDR"])
    #expect(label(.hdr, of: base)?.evidence == ["baseRenditionIsHDR"])
    let found = label(.hdr, of: subject("a.jpg", type: .jpeg, clues: ["hdrgm=1.0"]))
    #expect(found?.isGiven == false)
    #expect(found?.evidence == ["hdrgm", "against:noGainMap"])
  }

  @Test(arguments: [
    ("PXL_20230210_194504434.PORTRAIT.jpg", true),
    ("PXL_20230210_194504434.PORTRAIT.ORIGINAL.jpg", nil),
    ("PXL_20230210_194504434.NIGHT.jpg", nil),
  ])
  func newerPixelsNamePortraits(name: String, expected: Bool?) {
    #expect(label(.depthEffect, of: subject(name, type: .jpeg))?.isGiven == expected)
  }

  @Test(arguments: [
    ("00001IMG_00001_BURST20200101120000123_COVER.jpg", "20200101120000123"),
    ("00002IMG_00002_BURST20200101120000123.jpg", "20200101120000123"),
    ("IMG_20200101_120000_BURST1.jpg", "img_20200101_120000"),
    ("IMG_20200101_120000_BURST001_COVER.jpg", "img_20200101_120000"),
    ("IMG_20180630_141216714_BURST000_COVER_TOP.jpg", "img_20180630_141216714"),
    ("IMG_20180914_094602055_BURST000_COVER.jpg", "img_20180914_094602055"),
    ("DSC_0052_BURST20230709220904977_COVER.JPG", "20230709220904977"),
    ("00014IMG_00014_BURST20171111030039.jpg", "20171111030039"),
    ("20150101_120000_Burst01.jpg", "20150101_120000"),
    ("20251231_115959_BURST002.jpg", "20251231_115959"),
    ("00000IMG_00000_BURST20180901101751159_COVER(1).jpg", "20180901101751159"),
    ("00000IMG_00000_BURST20180901101751159_COVER~2.jpg", "20180901101751159"),
  ])
  func burstNamesTellTheirGroup(name: String, group: String) throws {
    let found = try #require(BurstName(Array(name.utf8)))
    #expect(found.group == group)
  }

  @Test(arguments: [
    "sunburst.jpg", "a_burst_of_joy.jpg", "IMG_20200101_120000.jpg", "sun_burst1.jpg",
    "IMG_20180630_141216714_BURST000_TOP.jpg", "IMG_20180630_141216714_BURST000_COVER_a.jpg",
    "00000PORTRAIT_00000_BURST20200221203721160.jpg",
    "00100lrPORTRAIT_00100_BURST20200221203721160_COVER.jpg",
  ])
  func otherNamesAreNoBurst(name: String) {
    #expect(BurstName(Array(name.utf8)) == nil)
  }

  @Test func aMarkerWithoutAClipIsANearMiss() {
    let found = label(
      .motionPhoto, of: subject("a.jpg", type: .jpeg, clues: ["motionPhoto.noClip=cut off"]))
    #expect(found?.isGiven == false)
    #expect(found?.evidence == ["cut off"])
  }

  @Test(arguments: ["MVIMG_20191009_121210.jpg", "PXL_20231026_205755225.MP.jpg"])
  func aNameThatPromisesAClipIsNoClip(name: String) {
    let found = label(.motionPhoto, of: subject(name, type: .jpeg))
    #expect(found?.isGiven == false)
    #expect(found?.evidence == ["named as one, but holds no clip"])
    let marked = subject(name, type: .jpeg, clues: ["xmp.MotionPhoto=0"])
    #expect(label(.motionPhoto, of: marked)?.evidence == ["named as one, but marked as none"])
  }

  @Test(arguments: ["MVIMG.jpg", "IMG_20191009_121210.MP.jpg", "PXL_20231026_205755225.jpg"])
  func otherNamesPromiseNoClip(name: String) {
    #expect(label(.motionPhoto, of: subject(name, type: .jpeg)) == nil)
  }

  @Test func googlesCameraNamesItsPortraits() {
    let portraits = [
      "PXL_20201007_121045280.PORTRAIT-01.COVER.jpg",
      "00100lrPORTRAIT_00100_BURST20200221203721160_COVER.jpg",
      "00100dPORTRAIT_00100_BURST20190821164228820_COVER.jpg",
    ]
    for name in portraits {
      #expect(label(.depthEffect, of: subject(name, type: .jpeg))?.evidence == ["name"])
    }
    // The picture before it was blurred, and a person's word.
    let others = [
      "PXL_20201007_121045280.PORTRAIT-02.ORIGINAL.jpg",
      "00000PORTRAIT_00000_BURST20200329125737968.jpg", "Portrait_of_Ann.jpg", "PORTRAIT-01.jpg",
    ]
    for name in others { #expect(label(.depthEffect, of: subject(name, type: .jpeg)) == nil) }
  }

  /// Google's camera records in both pictures of a portrait that they belong together, and that they share an
  /// identifier.
  @Test(arguments: [
    "PORTRAIT", "com.google.android.apps.camera.gallery.specialtype.SpecialType-PORTRAIT",
  ])
  func aGooglePortraitIsNoBurst(type: String) {
    func portrait(_ name: String, isPrimary: Bool) -> RecognitionSubject {
      let clues = ["xmp.SpecialTypeID=\(type)", "xmp.BurstPrimary=\(isPrimary ? 1 : 0)"]
      return subject(name, type: .jpeg, clues: clues) { $0.burstIdentifier = "8bafacec" }
    }
    let blurred = portrait("a.jpg", isPrimary: true)
    #expect(blurred.labels.subtypes == .depthEffect)
    #expect(label(.depthEffect, of: blurred)?.evidence == ["specialType:PORTRAIT"])
    #expect(blurred.recognised.burstIdentifier == nil)
    let sharp = portrait("b.jpg", isPrimary: false)
    #expect(sharp.labels.isEmpty)
    #expect(sharp.recognised.burstIdentifier == nil)
    let named = portrait("PXL_20201007_121045280.PORTRAIT-02.ORIGINAL.jpg", isPrimary: true)
    #expect(named.labels.isEmpty)
  }

  @Test func anotherSpecialTypeIsStillABurst() {
    let clues = [
      "xmp.SpecialTypeID=com.google.android.apps.camera.gallery.specialtype.SpecialType-NIGHT"
    ]
    let night = subject("a.jpg", type: .jpeg, clues: clues) { $0.burstIdentifier = "8bafacec" }
    #expect(night.labels.subtypes == .burst)
    #expect(night.recognised.burstIdentifier == "8bafacec")
  }

  /// exiftool's Samsung.pm: 08d0 Interactive_Panorama_Info, 08e1 Motion_Panorama_Info, 09e1
  /// BurstShot_Best_Photo_Info, 0ab1 DualShot_DepthMap, 0b41 SingleShot_DepthMap; 0a01 is a time.
  @Test(arguments: [
    ("8d0", MediaSubtypes.panorama, "samsung:08d0"), ("8e1", .panorama, "samsung:08e1"),
    ("9e1", .burst, "samsung:09e1"), ("ab1", .depthEffect, "samsung:0ab1"),
    ("b41", .depthEffect, "samsung:0b41"),
  ])
  func samsungsTrailerTellsKinds(type: String, kind: MediaSubtypes, evidence: String) {
    let picture = subject("a.jpg", type: .jpeg, clues: ["sef=\(type)", "sef=a01"])
    #expect(picture.labels.subtypes == kind)
    #expect(label(kind, of: picture)?.evidence == [evidence])
  }

  /// Media3's SefReader: 0890 slow motion, 0b00 super slow motion. Samsung's gallery: 08a0 FastMotion_Data,
  /// 0d00 Hyperlapse_Data.
  @Test(arguments: [
    ("890", MediaSubtypes.slomo), ("b00", .slomo), ("8a0", .timelapse), ("d00", .timelapse),
  ])
  func samsungsVideosTellTheirSpeed(type: String, kind: MediaSubtypes) {
    let clues = ["sef=\(type)", "mov.trackRate=30"]
    #expect(subject("a.mp4", type: .mpeg4, clues: clues).labels.subtypes == kind)
    #expect(subject("a.mp4", type: .mpeg4, clues: ["sef=a01", clues[1]]).labels.isEmpty)
  }

  @Test func aPanoramasNameNeedsItsShape() {
    let wide = PixelSize(width: 8000, height: 2000)
    let tall = PixelSize(width: 3000, height: 8000)
    for (name, size) in [
      ("PANO_20200101_120000.jpg", wide), ("PXL_20210101_120000000.PANO.jpg", tall),
    ] {
      #expect(label(.panorama, of: subject(name, type: .jpeg, size: size))?.isGiven == true)
      #expect(label(.panorama, of: subject(name, type: .jpeg)) == nil)
    }
    #expect(label(.panorama, of: subject("banner.jpg", type: .jpeg, size: wide)) == nil)
    #expect(label(.panorama, of: subject("pano_final.jpg", type: .jpeg, size: wide)) == nil)
  }

  @Test func aPictureCutOutOfASphereIsNoPanorama() {
    let clues = ["xmp.GPano.ProjectionType=equirectangular", "xmp.GPano.UsePanoramaViewer="]
    let flat = subject("a.jpg", type: .jpeg, clues: [clues[0], clues[1] + "False"])
    #expect(label(.panorama, of: flat)?.isGiven == false)
    let sphere = subject("a.jpg", type: .jpeg, clues: [clues[0], clues[1] + "True"])
    #expect(label(.panorama, of: sphere)?.isGiven == true)
  }

  // Videos.

  @Test func aHighRateNeedsASignOfIntent() {
    let fast = subject("a.mov", type: .quickTimeMovie, clues: ["mov.trackRate=240"])
    #expect(label(.slomo, of: fast)?.isGiven == false)
    let android = subject(
      "a.mp4", type: .mpeg4, clues: ["android.capture.fps=240", "mov.trackRate=30"])
    #expect(label(.slomo, of: android)?.isGiven == true)
    let broken = subject("a.flv", type: .flashVideo, clues: ["mov.trackRate=1000"])
    #expect(label(.slomo, of: broken) == nil)
    let ordinary = subject(
      "a.mp4", type: .mpeg4, clues: ["android.capture.fps=30", "mov.trackRate=30"])
    #expect(label(.slomo, of: ordinary) == nil)
  }

  @Test(arguments: [
    "RPReplay_Final1588264391.MP4", "Screen Recording 2023-05-06 at 12.34.56.mov",
    "Screen_Recording_20200416-111028_App.mp4", "screen-20200416-111028.mp4",
    "Screencast from 2023-05-06 12-34-56.webm", "Screencast_20230506_123456.webm",
    "RPReplay-Final1588264391.mp4", "ScreenRecording_09-18-2024 10-15-30_1.MP4",
    "Screenrecorder-2020-04-16-11-10-28-123.mp4", "Screenrecording_20200416_111028.mp4",
    "Screen Recording 2024-05-06 123456.mp4", "SVID_20240904_225619_1.mp4",
    "Record_2021-05-06-12-34-56_0a1b2c.mp4", "Bildschirmaufnahme 2020-04-16 um 11.10.28.mov",
  ])
  func recordersNameTheirVideos(name: String) {
    #expect(label(.screenRecording, of: subject(name, type: .mpeg4))?.isGiven == true)
  }

  @Test func recordingsOfOtherThingsAreNone() {
    for name in [
      "screen-door.mp4", "RPReplay.mov", "recording.mp4", "record_2021.mp4",
      "VID_20200101_120000.mp4",
      "screen-99-99-2024.mp4", "Record_2021-05-06.mp4", "2023-05-06 12-34-56.mkv",
    ] {
      #expect(label(.screenRecording, of: subject(name, type: .mpeg4)) == nil)
    }
    let marked = subject("a.mov", type: .quickTimeMovie, clues: ["mov.author=ReplayKitRecording"])
    #expect(label(.screenRecording, of: marked)?.isGiven == true)
  }

  @Test func theGameBarsNameNeedsItsFolder() {
    let name = "Some Game 2023-05-06 12_34_56.mp4"
    let there = subject(name, folders: ["Videos", "Captures"], type: .mpeg4)
    #expect(label(.screenRecording, of: there)?.evidence == ["name", "folder"])
    #expect(label(.screenRecording, of: subject(name, folders: ["Trip"], type: .mpeg4)) == nil)
    let other = subject("beach.mp4", folders: ["Captures"], type: .mpeg4)
    #expect(label(.screenRecording, of: other) == nil)
  }

  @Test func tracksTellCinematicAndSpatial() {
    let clues = ["mov.dish", "mov.vexu"]
    let video = subject("a.mov", type: .quickTimeMovie, clues: clues)
    #expect(video.labels.subtypes == [.cinematic, .spatial])
  }
}
