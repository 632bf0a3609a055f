import MediaEdits
import MediaModel
import Testing

@testable import Exporter

/// The plan and the content of XMP files about results. ExportTests reads real ones with exiftool.
struct XMPSidecarTests {
  private func targets(_ asset: AssetRecord, _ request: ExportRequest) -> [String] {
    planned(asset, request)?.files.map(\.target) ?? []
  }

  private func xmpRequest(image: String = "current") throws -> ExportRequest {
    var request = try request(image: image)
    request.sidecars = .xmp
    return request
  }

  private func text(_ asset: AssetRecord, _ policy: MetadataPolicy = .keep) -> String {
    String(decoding: XMPSidecar(asset, source: asset.path, policy).bytes, as: UTF8.self)
  }

  @Test func `each picture and clip has an XMP file`() throws {
    let request = try xmpRequest()
    #expect(targets(sample("/l/a.jpg"), request) == ["a.jpg", "a.jpg.xmp"])
    let live = sample("/l/a.heic", type: .heic, clip: clip("/l/a.mov"))
    #expect(targets(live, request) == ["a.heic", "a.mov", "a.heic.xmp", "a.mov.xmp"])
    // The clip stays inside its picture's file.
    let motion = sample("/l/a.jpg", clip: embedded(in: "/l/a.jpg"))
    #expect(targets(motion, request) == ["a.jpg", "a.jpg.xmp"])
    var still = request
    still.livePhotos = .still
    #expect(targets(live, still) == ["a.heic", "a.heic.xmp"])
  }

  @Test func `results without metadata have no XMP file`() throws {
    var request = try xmpRequest()
    request.metadata = .appearanceOnly
    #expect(targets(sample("/l/a.jpg"), request) == ["a.jpg"])
    request.metadata = [.withoutLocation, .withoutCaptions]
    #expect(targets(sample("/l/a.jpg"), request) == ["a.jpg", "a.jpg.xmp"])
  }

  @Test func `a copied sidecar gives way to the XMP file`() throws {
    var request = try xmpRequest()
    request.resources = .all
    var asset = sample("/l/a.jpg")
    asset.resources.append(
      ResourceRecord(type: .sidecar, path: BytePath("/l/a.jpg.xmp"), uniformType: .xmp, size: 9))
    #expect(targets(asset, request) == ["a.jpg", "a.jpg.xmp", "a.jpg-2.xmp"])
  }

  /// Forms of the XMP specification, part 2 §1.2.7.4.
  @Test(arguments: [
    (47.5606, -7.5949, "47,33.6360000N", "7,35.6940000W"),
    (-33.8688, 151.2093, "33,52.1280000S", "151,12.5580000E"),
    (0, 0.00000001, "0,0.0000000N", "0,0.0000006E"),
    (89.99999999999, -180, "90,0.0000000N", "180,0.0000000W"),
  ])
  func `places are degrees and decimal minutes`(
    latitude: Double, longitude: Double, first: String, second: String
  ) {
    var asset = sample("/l/a.jpg")
    asset.location = Location(latitude: latitude, longitude: longitude, altitude: -1.25)
    let text = text(asset)
    #expect(text.contains("<exif:GPSLatitude>\(first)</exif:GPSLatitude>"))
    #expect(text.contains("<exif:GPSLongitude>\(second)</exif:GPSLongitude>"))
    #expect(text.contains("<exif:GPSAltitude>1250/1000</exif:GPSAltitude>"))
    #expect(text.contains("<exif:GPSAltitudeRef>1</exif:GPSAltitudeRef>"))
    #expect(!self.text(asset, .withoutLocation).contains("GPS"))
  }

  @Test func `texts are escaped, and have no characters that XML forbids`() {
    var asset = sample("/l/a.jpg")
    asset.title = "<&>\"\u{1}\u{FFFE}\r"
    asset.keywords = ["a & b", "geo:lat=47.5"]
    asset.caption = "47.5606, 7.5949"
    #expect(text(asset).contains(">&lt;&amp;&gt;\"&#13;</rdf:li>"))
    #expect(text(asset).contains("<rdf:li>a &amp; b</rdf:li>"))
    #expect(text(asset).contains("geo:lat"))
    let withoutLocation = text(asset, .withoutLocation)
    #expect(withoutLocation.contains("dc:title>"))
    #expect(!withoutLocation.contains("geo:lat"))
    #expect(!withoutLocation.contains("47.5606"))
    #expect(!text(asset, .withoutCaptions).contains("dc:title>"))
  }

  @Test func `a time without a zone stays without one`() {
    #expect(
      text(sample("/l/a.jpg", captured: "2024-06-01T10:15:30"))
        .contains("<xmp:CreateDate>2024-06-01T10:15:30</xmp:CreateDate>"))
    #expect(!text(sample("/l/a.jpg")).contains("Date"))
  }
}
