import Catalog
import MediaModel
import Testing

@testable import Exporter

/// How results are called.
struct NamingTests {
  private func name(_ template: String, _ asset: AssetRecord) throws -> String? {
    var request = try request(image: "current")
    request.template = try NameTemplate(typed: template)
    return planned(asset, request)?.files.first?.target
  }

  @Test(arguments: [
    ("{captureDate:yyyy/MM}/{stem}{ext}", "2022/02/IMG_1.HEIC"),
    ("{captureDate:yyyy-MM-dd HH.mm.ss} {stem}", "2022-02-16 12.55.41 IMG_1.HEIC"),
    ("{captureDate:yy}{captureDate:MMdd}", "220216.HEIC"), ("{captureDate}", "2022-02-16.HEIC"),
    ("{folder}/x-{stem}", "trip/day 1/x-IMG_1.HEIC"), ("{type}/{index:4}", "image/0001.HEIC"),
    ("{index}", "1.HEIC"), ("{id:5}{ext}", "ID-_l.HEIC"),
    ("{camera}/{name}", "unknown/IMG_1.HEIC.HEIC"),
    ("{STEM}{EXT}", "IMG_1.HEIC"), ("../../{stem}", "_/_/IMG_1.HEIC"), ("/{stem}", "IMG_1.HEIC"),
  ])
  func templatesAreFilled(template: String, result: String) throws {
    let asset = sample(
      "/l/trip/day 1/IMG_1.HEIC", type: .heic, captured: "2022-02-16T12:55:41.123+01:00")
    #expect(try name(template, asset) == result)
  }

  @Test(arguments: [
    ("{make}/{model}", "Canon/Canon EOS R5.HEIC"), ("{camera}", "Canon EOS R5.HEIC"),
    ("{lens}", "RF24-105mm F4 L IS USM.HEIC"),
    ("{iso} {aperture} {exposureTime}", "400 5.6 1-250.HEIC"),
    ("{focalLength}mm {width}x{height}", "35mm 400x300.HEIC"), ("{year}/{month}", "2022/02.HEIC"),
    ("{title} {rating}", "A_B 4.HEIC"), ("{keyword}", "unknown.HEIC"), ("{album}", "day 1.HEIC"),
    ("{uniformType}", "public.heic.HEIC"), ("{latitude} {longitude}", "47.37312 -8.5.HEIC"),
    ("{pixelWidth}", "400.HEIC"), ("{duration}", "unknown.HEIC"),
  ])
  func attributesAreFilled(template: String, result: String) throws {
    var asset = sample(
      "/l/trip/day 1/IMG_1.HEIC", type: .heic, captured: "2022-02-16T12:55:41.123+01:00")
    asset.camera = Camera(make: "Canon", model: "Canon EOS R5", lens: "RF24-105mm F4 L IS USM")
    asset.exposure = Exposure(time: 0.004, fNumber: 5.6, iso: 400, focalLength: 35)
    asset.pixelSize = PixelSize(width: 400, height: 300)
    (asset.title, asset.rating) = ("A/B", 4)
    asset.location = Location(latitude: 47.37312, longitude: -8.5)
    #expect(try name(template, asset) == result)
  }

  @Test func whatHasNoDateSaysSo() throws {
    #expect(try name("{captureDate:yyyy/MM}/{stem}", sample("/l/a.jpg")) == "undated/a.jpg")
  }

  @Test(arguments: [
    ("{stm}", "{stem}"), ("{stem", "brace"), ("stem}", "brace"), ("{ext}{stem}", "at the end"),
    ("{captureDate:yyyy-QQ}", "QQ"), ("{captureDate:}", "no format"), ("{index:x}", "number"),
    ("{index:0}", "number"), ("{stem:3}", "colon"), ("{make:3}", "colon"), ("{stm}", "{make}"),
    ("{ext}", "an empty name"),
    ("", "an empty name"),
  ])
  func wrongTemplatesAreRefused(template: String, complaint: String) throws {
    let error = #expect(throws: NameTemplateError.self) { try NameTemplate(typed: template) }
    #expect(try #require(error).description.contains(complaint), "\(String(describing: error))")
  }

  @Test func foldersBelowTheRootAreKeptUnlessFlattened() throws {
    let asset = sample("/l/a/b/c.jpg")
    var request = try request()
    #expect(planned(asset, request)?.files.first?.target == "a/b/c.jpg")
    request.isFlat = true
    #expect(planned(asset, request)?.files.first?.target == "c.jpg")
  }

  /// Names as Linux has them, and as every file system takes them.
  @Test(arguments: [
    (Array("plain".utf8), "plain"), (Array("a:b*c?d\"e<f>g|h\\i".utf8), "a_b_c_d_e_f_g_h_i"),
    ([0x61, 0x0A, 0x09, 0x7F, 0x62], "a___b"), (Array("trailing. . ".utf8), "trailing"),
    (Array(".hidden".utf8), "_hidden"), (Array("..".utf8), "_"), (Array("   ".utf8), "_"),
    (Array("CON".utf8), "CON_"), (Array("nul.tar".utf8), "_nul.tar"),
    (Array("COM10".utf8), "COM10"),
    ([0x63, 0x61, 0x66, 0xE9], "caf%E9"), ([0xFF, 0x0C], "%FF_"),
    // e and a combining accent become é.
    ([0x65, 0xCC, 0x81], "\u{E9}"), (Array("a\u{2028}b".utf8), "a_b"),
    (Array("写真 📷".utf8), "写真 📷"),
  ])
  func namesAreMadeSafe(bytes: [UInt8], result: String) {
    let name = safeName(readableName(bytes))
    #expect(Array(name.utf8) == Array(result.utf8), "\(name)")
  }

  /// "Naming Files, Paths, and Namespaces" of the Windows documentation reserves three superscript digits, too.
  @Test(arguments: [
    ("LPT¹", "LPT¹_"), ("com².old", "_com².old"), ("COM³", "COM³_"), ("COM⁴", "COM⁴"),
  ])
  func superscriptDevicesAreMadeSafe(name: String, result: String) {
    #expect(safeName(name) == result)
  }

  @Test func longNamesAreCutBetweenScalars() throws {
    // 85 times three bytes.
    let long = String(repeating: "写", count: 100)
    #expect(safeName(long) == String(repeating: "写", count: 85))
    let item = planned(sample("/l/\(long).jpeg"), try request())
    let name = try #require(item?.files.first?.target)
    #expect(name.utf8.count <= 255)
    #expect(name.hasSuffix("写.jpeg"))
  }
}
