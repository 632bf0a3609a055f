import MediaModel
import Testing

@testable import Recognition

/// What is a screenshot, and the false positives that are known to look like one.
struct ScreenshotTests {
  @Test(arguments: [
    "Screen Shot 2014-02-02 at 8.27.44 PM.png", "Screenshot 2023-05-06 at 12.34.56.png",
    "Screenshot 2023-05-06 at 12.34.56\u{202F}PM.png", "Screenshot 2023-05-06 at 12.34.56 (2).png",
    "Bildschirm\u{AD}foto 2023-05-06 um 12.34.56.png",
    "Screen_Shot_2018-07-04_at_2.49.57_PM.png", "Screen-Shot-2022-01-27-at-22.23.43.png",
    "Zrzut ekranu 2024-12-3 o 23.21.26.png", "Näyttökuva 2025-3-30 kello 10.21.00.png",
    "Simulator Screenshot - iPhone 15 Pro - 2023-11-08 at 12.34.56.png",
    "Simulator Screen Shot - iPad Pro (12.9-inch) - 2019-11-08 at 12.34.56.png",
    "Bildschirmfoto 2020-04-16 um 11.10.28.png", "Capture d’écran 2020-04-16 à 11.10.28.png",
    "Capture d\u{2019}e\u{301}cran 2020-04-16 à 11.10.28.png",
    "Captura de pantalla 2020-04-16 a las 11.10.28.png", "Schermata 2020-04-16 alle 11.10.28.png",
    "Skärmavbild 2020-04-16 kl. 11.10.28.png", "スクリーンショット 2020-04-16 11.10.28.png",
    "스크린샷 2020-04-16 오전 11.10.28.png", "截屏2020-04-16 11.10.28.png",
    "Снимок экрана 2020-04-16 в 11.10.28.png", "Screenshot_20200416-111028.png",
    "Screenshot_20200416-111028_Chrome.png", "Screenshot_2020-04-16-11-10-28-123_com.app.png",
    "Screenshot From 2024-10-01 12-00-00.png", "Screenshot from 2022-09-10 00-45-48.png",
    "Screenshot_20230101_120000.png", "Screenshot (12).png", "Screenshot 2023-05-06 123456.png",
    "Screenshot 2023-05-06 at 12.34.56 1.png", "Screenshot_20200416-111028_One UI Home.png",
    "Screenshot_20200416_111028_com.android.chrome.png", "Screenshot_2016-01-01-12-00-00.png",
    "屏幕截图(12).png", "螢幕擷取畫面 (3).png", "Captura de tela (2).png", "Képernyőkép (7).png",
    "Bildschirmfoto vom 2022-09-10 00-45-48.png", "Captura desde 2020-01-01 12-00-00.png",
    "Skärmbild från 2022-09-10 00-45-48.png", "Zrzut ekranu z 2022-09-10 00-45-48.png",
    "Schermata del 2022-09-10 00-45-48.png", "Capture d’écran du 2022-09-10 00-45-48.png",
    "Annotation 2020-03-04 120000.png", "SmartSelect_20200416-111028_Chrome.png",
  ])
  func namesThatProgramsGive(name: String) {
    let found = label(.screenshot, of: subject(name))
    #expect(found?.isGiven == true)
    #expect(found?.evidence.contains("name") == true)
  }

  /// Phones that write JPEG, and what they make of pages that are longer than the screen.
  @Test(arguments: [
    "Screenshot_20230506_123456_Chrome.jpg", "Screenshot_20230506_123456_One UI Home.jpg",
    "Screenshot_2021-05-05-12-34-56-789_com.whatsapp.jpg",
  ])
  func aProgramsNameIsEnoughForAJPEG(name: String) {
    let page = subject(name, type: .jpeg, size: PixelSize(width: 1080, height: 7000))
    #expect(label(.screenshot, of: page)?.isGiven == true)
    let placed = subject(name, type: .jpeg, size: PixelSize(width: 1080, height: 7000)) {
      $0.location = Location(latitude: 47, longitude: 8)
    }
    #expect(label(.screenshot, of: placed)?.isGiven == false, "a phone's screen has no place")
  }

  @Test(arguments: ["Screenshot_1.png", "Screenshot 12.jpg", "screenshot-0003.png", "截图_1.png"])
  func aPlainNumberNeedsTheSizeOfAScreen(name: String) {
    let type: UniformType = name.hasSuffix("png") ? .png : .jpeg
    for size in [PixelSize(width: 1179, height: 2556), PixelSize(width: 1920, height: 1080)] {
      let found = label(.screenshot, of: subject(name, type: type, size: size))
      #expect(found?.isGiven == true)
      #expect(found?.evidence.contains("numberedName") == true)
    }
    #expect(label(.screenshot, of: subject(name, type: type))?.isGiven == false)
  }

  @Test(arguments: ["screenshot1.png", "screenshot_1_final.png", "screenshot_12345.png"])
  func otherNumbersAreLooseNames(name: String) {
    let found = label(.screenshot, of: subject(name))
    #expect(found?.isGiven == false)
    #expect(found?.evidence.contains("looseName") == true)
  }

  @Test func theSystemsOwnMarkIsEnough() {
    let tagged = label(
      .screenshot, of: subject("IMG_0023.PNG", clues: ["exif.UserComment=Screenshot"]))
    #expect(tagged?.isGiven == true)
    let viaXMP = label(
      .screenshot, of: subject("x.png", clues: ["xmp.UserComment=Screenshot"]))
    #expect(viaXMP?.isGiven == true)
  }

  /// Samsung's trailer, as exiftool 13 and Samsung's own gallery read it.
  @Test func samsungSaysItInItsTrailer() {
    let found = label(
      .screenshot,
      of: subject("IMG_0777.jpg", type: .jpeg, clues: ["samsung.CaptureInfo=Screenshot"]))
    #expect(found?.isGiven == true)
    #expect(found?.evidence == ["samsung:0c51"])
  }

  @Test(arguments: [
    ("Shutter", true), ("Shutter 0.99.2", true), ("maim 5.7.4", true), ("Spectacle", true),
    ("Shutterstock Editor", nil), ("maimed", nil), ("Shutter Encoder", nil),
  ])
  func aProgramsNameEndsWhereItEnds(software: String, expected: Bool?) {
    let found = label(.screenshot, of: subject("a.png", clues: ["png.Software=\(software)"]))
    #expect(found?.isGiven == expected)
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

  @Test(arguments: [
    "IMG-20200416-WA0001.jpg", "photo_2020-04-16_11-10-28.jpg", "signal-2020-04-16-111028.jpg",
    "mmexport1588264391000.jpg", "FB_IMG_1588264391000.jpg", "received_1588264391000.jpeg",
    "Snapchat-1588264391.jpg", "IMG_20200416_111028.jpg",
  ])
  func whatMessengersSaveIsNone(name: String) {
    let screen = PixelSize(width: 1080, height: 2340)
    #expect(label(.screenshot, of: subject(name, type: .jpeg, size: screen)) == nil)
  }

  @Test(arguments: [
    "annotation.png", "capture.png", "capture-one.png", "smartselect.png", "annotations 12.png",
    "capture the flag 2020-01-01.png", "Capture One 2023-05-06.tif",
  ])
  func commonWordsAreNoNames(name: String) {
    #expect(label(.screenshot, of: subject(name)) == nil)
  }

  @Test func aScreensSizeAloneIsNotWorthAWord() {
    let film = subject("a.jpg", type: .jpeg, size: PixelSize(width: 1920, height: 1080))
    #expect(label(.screenshot, of: film) == nil)
  }

  @Test func anUnmarkedPictureFromAnIPhoneIsANearMiss() {
    // Older iPhones wrote no mark; but apps save wallpapers under such names, too.
    let found = label(
      .screenshot, of: subject("IMG_0023.PNG", size: PixelSize(width: 1170, height: 2532)))
    #expect(found?.isGiven == false)
    #expect(found?.score == 25)
    #expect(found?.evidence == ["screenSize:1170x2532", "png", "below:50"])
  }
}
