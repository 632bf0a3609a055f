import MediaEdits
import MediaModel
import MediaTools
import Testing
import WorkerProtocol

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// The properties of pictures made by other programs, read from the headers.
@Suite(.enabled(if: Tool.areInstalled(.imageMagick, .heifEncoder, .exiftool)))
struct PictureDescriptionTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func describe(_ name: String, _ type: UniformType) throws -> PictureDescription {
    let item = ExamineItem(path: BytePath(folder.path(name)), uniformType: type)
    switch examine(item) {
    case .picture(let found): return found
    case .failed(let failure): throw failure
    case .movie: throw ToolFailure(description: "\(name) is taken for a movie")
    }
  }

  @Test func describesSizeAndOrientation() async throws {
    try await folder.makeSoftPicture("a.jpg")
    try await Tool.exiftool.run([
      "-q", "-n", "-overwrite_original", "-Orientation=6", folder.path("a.jpg"),
    ])
    let found = try describe("a.jpg", .jpeg)
    #expect(
      found
        == PictureDescription(
          uprightSize: PixelSize(width: 64, height: 96), orientation: .right, sdrCopy: .unchanged))
  }

  @Test(arguments: [
    ("PNG24:a.png", UniformType.png, 8, false), ("PNG64:a.png", .png, 16, true),
    ("PNG8:a.png", .png, 8, true), ("a.tiff", .tiff, 8, true), ("a.webp", .webP, 8, true),
    ("a.gif", .gif, 8, true), ("BMP3:a.bmp", .bmp, 8, false),
  ])
  func describesTransparencyAndDepth(
    format: String, type: UniformType, depth: Int, hasAlpha: Bool
  ) async throws {
    let name = format.split(separator: ":").last.map(String.init) ?? format
    let coder = format.contains(":") ? String(format.prefix { $0 != ":" }) + ":" : ""
    try await folder.makeSoftPicture("source.png")
    try await Tool.imageMagick.run(
      [folder.path("source.png")]
        + (hasAlpha
          ? ["-alpha", "set", "-channel", "A", "-fx", "i/w>0.5", "+channel"] : ["-alpha", "off"])
        + ["-depth", "\(depth)", coder + folder.path(name)])
    let found = try describe(name, type)
    #expect(found.uprightSize == PixelSize(width: 96, height: 64))
    #expect(found.bitDepth == depth)
    #expect(found.isTransparent == hasAlpha)
    #expect(!found.hasMorePictures)
    #expect(found.obstacle == nil)
  }

  /// ImageMagick writes an alpha channel in which every pixel is opaque.
  @Test(arguments: [
    ("PNG32:a.png", UniformType.png), ("a.tiff", .tiff), ("a.bmp", .bmp), ("a.heic", .heic),
  ])
  func anOpaqueAlphaChannelIsIgnored(format: String, type: UniformType) async throws {
    try await folder.makeSoftPicture("source.png")
    let name = format.split(separator: ":").last.map(String.init) ?? format
    let picture = type == .heic ? "channel.png" : format
    let coder = picture.contains(":") ? "PNG32:" : ""
    try await Tool.imageMagick.run([
      folder.path("source.png"), "-alpha", "set",
      coder + folder.path(type == .heic ? picture : name),
    ])
    if type == .heic {
      try await Tool.heifEncoder.run([folder.path(picture), "-o", folder.path(name)])
    }
    #expect(try !describe(name, type).isTransparent)
  }

  /// Palettes and black and white, as ImageMagick stores them, against the same format for photos.
  @Test(arguments: [
    ("BMP3:a.bmp", UniformType.bmp, ["-type", "Palette", "-colors", "16"], true),
    ("BMP3:a.bmp", .bmp, [], false),
    ("a.tiff", .tiff, ["-type", "Palette", "-colors", "64"], true),
    ("a.tiff", .tiff, ["-monochrome", "-depth", "1", "-compress", "Group4"], true),
    ("a.tiff", .tiff, ["-colorspace", "Gray"], false), ("a.tiff", .tiff, [], false),
    ("a.webp", .webP, ["-colors", "16", "-define", "webp:lossless=true"], true),
    ("a.webp", .webP, ["-define", "webp:lossless=true"], false),
    ("a.webp", .webP, ["-colors", "16", "-quality", "80"], false),
  ])
  func describesFewColors(
    name: String, type: UniformType, options: [String], hasFewColors: Bool
  ) async throws {
    let file = String(name.split(separator: ":").last ?? "")
    try await folder.makeSoftPicture("source.png")
    try await Tool.imageMagick.run(
      [folder.path("source.png")] + options + [name.dropLast(file.count) + folder.path(file)])
    #expect(try describe(file, type).hasFewColors == hasFewColors)
  }

  @Test func describesPages() async throws {
    try await Tool.imageMagick.run([
      "-size", "32x32", "xc:red", "xc:blue", folder.path("a.tiff"),
    ])
    #expect(try describe("a.tiff", .tiff).hasMorePictures)
  }

  @Test func readsHighDynamicRange() async throws {
    try await folder.makeSoftPicture("b.png")
    try await Tool.imageMagick.run([
      folder.path("b.png"), "-depth", "16", "PNG48:" + folder.path("a.png"),
    ])
    try await Tool.heifEncoder.run([
      "-b", "10", "--colour_primaries=9", "--transfer_characteristic=16",
      "--matrix_coefficients=9", folder.path("a.png"), "-o", folder.path("a.heic"),
    ])
    let found = try describe("a.heic", .heic)
    #expect(found.bitDepth == 10)
    #expect(found.dynamicRange == .pq)
  }

  @Test(arguments: [("a.gif", UniformType.gif), ("a.webp", .webP)])
  func describesAnimations(name: String, type: UniformType) async throws {
    try await Tool.imageMagick.run([
      "-size", "32x32", "xc:red", "xc:blue", "-loop", "0", folder.path(name),
    ])
    #expect(try describe(name, type).hasMorePictures)
  }

  /// PNG 3rd edition §11.2.1: the width is at byte 16.
  @Test func describesWhatIsTooLarge() async throws {
    try await folder.makeSoftPicture("a.png")
    var bytes = try folder.bytes("a.png")
    bytes[16] = 0x7F
    try folder.write(bytes, to: "b.png")
    #expect(
      try describe("b.png", .png).obstacle?.contains(
        "too large to decode (limits: 250 million pixels") == true)
  }
}
