import Foundation
import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// The places of people and of the subject in the metadata of a picture that is turned, cropped and scaled. The picture
/// has a white rectangle there, which ImageMagick finds in the result; exiftool reads the tags.
@Suite(.enabled(if: Tool.areInstalled(.exiftool, .imageMagick, .heifEncoder)))
struct PictureRegionsTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// A rectangle in pixels.
  private struct Box: Equatable, CustomStringConvertible {
    var x, y, width, height: Double

    func isNear(_ other: Box) -> Bool {
      zip([x, y, width, height], [other.x, other.y, other.width, other.height]).allSatisfy {
        abs($0 - $1) <= 2
      }
    }

    var description: String { "\(width)x\(height)+\(x)+\(y)" }
  }

  /// The white rectangle of 80 × 60 pixels in a stored picture of 800 × 600, and another region in a corner.
  private static let written = [
    "-EXIF:ExifImageWidth=800", "-EXIF:ExifImageHeight=600", "-EXIF:SubjectArea=480 150 80 60",
    "-EXIF:SubjectLocation=480 150", "-XMP-exif:SubjectArea=480", "-XMP-exif:SubjectArea=150",
    "-XMP-exif:SubjectArea=80", "-XMP-exif:SubjectArea=60",
    "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=800,H=600,Unit=pixel},RegionList=["
      + "{Area={X=0.6,Y=0.25,W=0.1,H=0.1,Unit=normalized},Name=Ada,Type=Face},"
      + "{Area={X=0.05,Y=0.95,W=0.05,H=0.05,Unit=normalized},Name=Grace,Type=Face}]}",
    "-XMP-MP:RegionInfoMP={Regions=[{PersonDisplayName=Ada,Rectangle=0.55|, 0.2|, 0.1|, 0.1},"
      + "{PersonDisplayName=Grace,Rectangle=0.025|, 0.925|, 0.05|, 0.05}]}",
  ]

  private func makePicture(_ name: String, orientation: Int) async throws {
    try await Tool.imageMagick.run([
      "-size", "800x600", "xc:black", "-fill", "white", "-draw", "rectangle 440,120 519,179",
      folder.path("plain.jpg"),
    ])
    if name.hasSuffix("heic") {
      // The encoder records the turn in the file, and Apple's cameras have it in EXIF, too.
      try await Tool.exiftool.run([
        "-q", "-n", "-Orientation=\(orientation)", "-overwrite_original", folder.path("plain.jpg"),
      ])
      try await Tool.heifEncoder.run([
        "-q", "90", folder.path("plain.jpg"), "-o", folder.path(name),
      ])
    } else {
      try await folder.convert("plain.jpg", to: name)
    }
    try await Tool.exiftool.run(
      ["-q", "-n", "-EXIF:Orientation=\(orientation)", "-overwrite_original"] + Self.written
        + [folder.path(name)])
  }

  /// Where the white rectangle is.
  private func whitePart(_ name: String) async throws -> Box {
    let text = try await Tool.imageMagick.run([
      folder.path(name), "-bordercolor", "black", "-border", "1", "-threshold", "50%", "-format",
      "%@", "info:",
    ])
    let numbers = text.split { "x+".contains($0) }.compactMap { Double($0) }
    try #require(numbers.count == 4)
    return Box(x: numbers[2] - 1, y: numbers[3] - 1, width: numbers[0], height: numbers[1])
  }

  private func tags(_ name: String) async throws -> [String: [Double]] {
    let text = try await Tool.exiftool.run([
      "-j", "-n", "-G1", "-ExifIFD:Subject*", "-XMP-exif:SubjectArea", "-XMP-mwg-rs:all",
      "-XMP-MP:all", "-ImageSize", folder.path(name),
    ])
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    return (parsed?.first ?? [:]).mapValues { value in
      let values = value as? [Any] ?? [value]
      return values.flatMap { item in
        String(describing: item).split { " ,".contains($0) }.compactMap { Double($0) }
      }
    }
  }

  private func check(
    _ name: String, _ type: UniformType, _ rendering: PictureRendering, _ comment: Comment
  ) async throws {
    try folder.mustRender(name, .picture(type, rendering), to: "b.jpg")
    let white = try await whitePart("b.jpg")
    let tags = try await tags("b.jpg")
    let size = try #require(tags["Composite:ImageSize"])
    try #require(size.count == 2)
    let centred = { (values: [Double]?) -> Box? in
      guard let values, values.count >= 4 else { return nil }
      return Box(
        x: values[0] - values[2] / 2, y: values[1] - values[3] / 2, width: values[2],
        height: values[3])
    }
    let scaled = { (values: [Double]) -> Box? in
      guard values.count >= 4 else { return nil }
      return Box(
        x: values[0] * size[0], y: values[1] * size[1], width: values[2] * size[0],
        height: values[3] * size[1])
    }
    let area = ["X", "Y", "W", "H"].compactMap { tags["XMP-mwg-rs:RegionArea\($0)"]?.first }
    let region = scaled(area).flatMap { centred([$0.x, $0.y, $0.width, $0.height]) }
    let windows = tags["XMP-MP:RegionRectangle"].flatMap(scaled)
    for found in [
      region, windows, centred(tags["ExifIFD:SubjectArea"]), centred(tags["XMP-exif:SubjectArea"]),
    ] {
      #expect(
        found?.isNear(white) == true, "\(String(describing: found)), not \(white): \(comment)")
    }
    let point = try #require(tags["ExifIFD:SubjectLocation"])
    try #require(point.count == 2)
    #expect(abs(point[0] - white.x - white.width / 2) <= 2, comment)
    #expect(abs(point[1] - white.y - white.height / 2) <= 2, comment)
    #expect(tags["XMP-mwg-rs:RegionAppliedToDimensionsW"] == [size[0]], comment)
    #expect(tags["XMP-mwg-rs:RegionAppliedToDimensionsH"] == [size[1]], comment)
  }

  @Test(arguments: 1...8)
  func regionsMoveWithAJPEG(orientation: Int) async throws {
    try await makePicture("a.jpg", orientation: orientation)
    let crop = CropRect(x: 60, y: 50, width: 480, height: 500)
    for rendering in [
      PictureRendering(), PictureRendering(maxPixels: 400), PictureRendering(crop: crop),
      PictureRendering(maxPixels: 300, crop: crop),
    ] {
      let part = rendering.crop == nil ? "" : ", cropped"
      try await check("a.jpg", .jpeg, rendering, "\(rendering.maxPixels ?? 0)\(part)")
    }
  }

  @Test(arguments: [1, 3, 6, 8])
  func regionsMoveWithAHEIC(orientation: Int) async throws {
    try await makePicture("a.heic", orientation: orientation)
    try await check("a.heic", .heic, PictureRendering(), "whole")
    try await check("a.heic", .heic, PictureRendering(maxPixels: 320), "scaled")
  }

  /// What a crop cuts off is removed, and the person with it.
  @Test func whatIsCutOffIsRemoved() async throws {
    try await makePicture("a.jpg", orientation: 1)
    try folder.mustRender(
      "a.jpg",
      .picture(
        .jpeg, PictureRendering(crop: CropRect(x: 0, y: 300, width: 300, height: 300))),
      to: "b.jpg")
    let printed = try await Tool.exiftool.run([
      "-s", "-G1", "-Subject*", "-RegionName", "-RegionPersonDisplayName", folder.path("b.jpg"),
    ])
    #expect(
      printed.split(separator: "\n").map { $0.split(separator: ":").last } == [" Grace", " Grace"])
    let warnings = try await Tool.exiftool.run([
      "-s3", "-validate", "-warning", "-a", folder.path("b.jpg"),
    ])
    #expect(!warnings.contains("IFD"), "\(warnings)")
    #expect(try await Tool.exiftool.run(["-s3", "-ColorSpace", folder.path("b.jpg")]) != "")
  }

  /// A part of a panorama is a smaller part of the sphere, in pixels of the panorama as it was made: here twice as many as
  /// the picture has.
  @Test func aCroppedPanoramaShowsASmallerPart() async throws {
    try await makePicture("a.jpg", orientation: 1)
    let values = [
      "FullPanoWidthPixels": 4000, "FullPanoHeightPixels": 2000, "CroppedAreaLeftPixels": 1000,
      "CroppedAreaTopPixels": 400, "CroppedAreaImageWidthPixels": 1600,
      "CroppedAreaImageHeightPixels": 1200, "LargestValidInteriorRectLeft": 0,
    ]
    try await Tool.exiftool.run(
      ["-q", "-overwrite_original"] + values.map { "-XMP-GPano:\($0.key)=\($0.value)" }
        + [folder.path("a.jpg")])
    let expected: [(crop: CropRect?, values: [String])] = [
      (nil, ["1600", "1200", "1000", "400", "2000", "4000", "0"]),
      (
        CropRect(x: 100, y: 50, width: 300, height: 200),
        ["600", "400", "1200", "500", "2000", "4000"]
      ),
    ]
    for (crop, values) in expected {
      try folder.mustRender(
        "a.jpg", .picture(.jpeg, PictureRendering(maxPixels: 200, crop: crop)), to: "b.jpg")
      let printed = try await Tool.exiftool.run(
        ["-s3"]
          + [
            "CroppedAreaImageWidth", "CroppedAreaImageHeight", "CroppedAreaLeft", "CroppedAreaTop",
            "FullPanoHeight", "FullPanoWidth",
          ].map { "-XMP-GPano:\($0)Pixels" } + [
            "-XMP-GPano:LargestValidInteriorRectLeft", folder.path("b.jpg"),
          ])
      #expect(printed.split(separator: "\n").map(String.init) == values)
    }
  }

  /// Pictures inside XMP show what a crop was to cut off.
  @Test func picturesInsideXMPAreRemoved() async throws {
    try await makePicture("a.jpg", orientation: 1)
    try await folder.convert("a.jpg", ["-resize", "500x"], to: "small.jpg")
    let small = folder.path("small.jpg")
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-XMP-xmp:ThumbnailImage<=\(small)",
      "-XMP-xmp:ThumbnailFormat=JPEG", "-XMP-GImage:ImageData<=\(small)",
      "-XMP-GDepth:Mime=image/jpeg",
      "-XMP-dc:Title=Pair", folder.path("a.jpg"),
    ])
    let list = { (name: String) in
      try await Tool.exiftool.run([
        "-G1", "-s", "-a", "-XMP-xmp:Thumbnail*", "-XMP-GImage:all", "-XMP-GDepth:all",
        "-XMP-dc:Title", "-RegionName", "-xmpNote:all", self.folder.path(name),
      ])
    }
    let before = try await list("a.jpg")
    try #require(["ThumbnailImage", "ImageData", "GDepth"].allSatisfy(before.contains))
    for rendering in [
      PictureRendering(crop: CropRect(x: 300, y: 0, width: 300, height: 300)),
      PictureRendering(maxPixels: 400),
    ] {
      try folder.mustRender("a.jpg", .picture(.jpeg, rendering), to: "b.jpg")
      let after = try await list("b.jpg").split(separator: "\n")
      #expect(after.count == 2 && after.allSatisfy { $0.contains("Pair") || $0.contains("Ada") })
    }
  }

  /// A scan of different resolutions across and down, lying on its side.
  @Test func resolutionsTurnWithThePicture() async throws {
    try await makePicture("a.jpg", orientation: 6)
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-IFD0:XResolution=300", "-IFD0:YResolution=150",
      "-ExifIFD:FocalPlaneXResolution=4000", "-ExifIFD:FocalPlaneYResolution=3000",
      folder.path("a.jpg"),
    ])
    try folder.mustRender("a.jpg", .picture(.jpeg, PictureRendering(maxPixels: 200)), to: "b.jpg")
    let text = try await Tool.exiftool.run([
      "-n", "-T", "-IFD0:XResolution", "-IFD0:YResolution", "-ExifIFD:FocalPlaneXResolution",
      "-ExifIFD:FocalPlaneYResolution", folder.path("b.jpg"),
    ])
    #expect(text.split(whereSeparator: \.isWhitespace) == ["150", "300", "3000", "4000"])
  }

  /// A program that does not know regions has cropped the picture: readers notice that by the size, and must still do so.
  @Test func regionsOfAnotherShapeStay() async throws {
    try await makePicture("a.jpg", orientation: 6)
    try await Tool.exiftool.run([
      "-q", "-XMP-mwg-rs:RegionAppliedToDimensionsW=2000", "-overwrite_original",
      folder.path("a.jpg"),
    ])
    try folder.mustRender("a.jpg", .picture(.jpeg, PictureRendering()), to: "b.jpg")
    // The same for the subject: the recorded size has another shape.
    try await Tool.exiftool.run([
      "-q", "-EXIF:ExifImageWidth=2000", "-overwrite_original", folder.path("a.jpg"),
    ])
    try folder.mustRender("a.jpg", .picture(.jpeg, PictureRendering()), to: "b.jpg")
    #expect(try await tags("b.jpg")["ExifIFD:SubjectArea"] == [480, 150, 80, 60])
    let read = { name in
      try await Tool.exiftool.run(["-j", "-n", "-XMP-mwg-rs:all", folder.path(name)])
        .split(separator: "\n").dropFirst(2).joined()
    }
    #expect(try await read("b.jpg") == read("a.jpg"))
  }
}
