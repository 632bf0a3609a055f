import MediaModel
import MediaTools
import Testing

@testable import LibHeif

/// heif-enc and exiftool make the pictures; the sizes are those of ffmpeg's sources.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .heifEncoder, .exiftool)))
struct LibHeifImageTests {
  private let folder: ScratchFolder

  init() async throws {
    folder = try ScratchFolder()
    try await folder.makePicture("a.png", size: "96x64")
  }

  private func open(_ bytes: [UInt8]) throws(HeifError) -> HeifPicture {
    try LibHeifImage(size: UInt64(bytes.count)) { offset, count in
      Array(bytes.dropFirst(Int(offset)).prefix(count))
    }.picture()
  }

  @Test func readsSizeOnly() async throws {
    try await Tool.heifEncoder.run([folder.path("a.png"), "-o", folder.path("a.heic")])
    let picture = try open(folder.bytes("a.heic"))
    #expect(picture.uprightSize == PixelSize(width: 96, height: 64))
    #expect(!picture.hasDepthImage)
    #expect(picture.auxiliaryTypes.isEmpty)
    #expect(picture.exifItem == nil)
  }

  /// heif-enc leaves the configuration in `av1C` empty, and libheif then reads 0 bytes to a null pointer.
  @Test func opensAVIF() async throws {
    try await Tool.heifEncoder.run(["-A", folder.path("a.png"), "-o", folder.path("a.avif")])
    let picture = try open(folder.bytes("a.avif"))
    #expect(picture.uprightSize == PixelSize(width: 96, height: 64))
  }

  @Test func returnsExifAndXMP() async throws {
    try await Tool.heifEncoder.run([folder.path("a.png"), "-o", folder.path("a.heic")])
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-Make=Acme", "-XMP:Title=Title", folder.path("a.heic"),
    ])
    let picture = try open(folder.bytes("a.heic"))
    let exif = try #require(picture.exifItem)
    #expect(String(decoding: exif, as: UTF8.self).contains("Acme"))
    #expect(String(decoding: try #require(picture.xmp), as: UTF8.self).contains("Title"))
  }

  @Test func refusesTruncatedAndOverwrittenPictures() async throws {
    try await Tool.heifEncoder.run([folder.path("a.png"), "-o", folder.path("a.heic")])
    let whole = try folder.bytes("a.heic")
    #expect(throws: HeifError.self) { try open(Array(whole.prefix(60))) }
    #expect(throws: HeifError.self) { try open([]) }
    #expect(throws: HeifError.self) { try open([UInt8](repeating: 0x41, count: 4096)) }
    // If any single byte of the description is changed, opening still ends, with or without success.
    for index in stride(from: 0, to: min(600, whole.count), by: 3) {
      var changed = whole
      changed[index] ^= 0xFF
      _ = try? open(changed)
    }
  }
}
