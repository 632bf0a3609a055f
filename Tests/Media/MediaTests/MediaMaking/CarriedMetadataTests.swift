import Foundation
import MediaEdits
import MediaModel
import MediaTools
import MetadataTransfer
import Testing

@testable import ByteReading
@testable import FactReading
@testable import MediaFormats
@testable import MediaMaking

/// The metadata in a JPEG or PNG made from a picture, as exiftool reads it.
@Suite(.enabled(if: Tool.areInstalled(.ffmpeg, .heifEncoder, .exiftool)))
struct CarriedMetadataTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private static let written = [
    "-EXIF:Make=Acme", "-EXIF:Orientation=6", "-EXIF:DateTimeOriginal=2022:02:16 12:55:41",
    "-EXIF:SubSecTimeOriginal=5", "-EXIF:OffsetTimeOriginal=+01:00", "-EXIF:ExifImageWidth=640",
    "-EXIF:ExifImageHeight=480", "-EXIF:GPSLatitude=47.36", "-EXIF:GPSLatitudeRef=N",
    "-EXIF:LensModel=Lens", "-XMP-dc:Title=Title", "-XMP-tiff:Orientation=6",
    "-XMP-exif:ExifImageWidth=640", "-XMP-GCamera:MotionPhoto=1", "-IPTC:Headline=Head",
  ]
  /// Tags that must differ: orientation, size, and contents that are removed.
  private static let changing = [
    "IFD0:Orientation", "ExifIFD:ExifImageWidth", "ExifIFD:ExifImageHeight", "XMP-tiff:Orientation",
    "XMP-exif:ExifImageWidth", "XMP-GCamera:MotionPhoto",
  ]

  private func tags(_ name: String) async throws -> [String: String] {
    let groups = ["IFD0", "IFD1", "ExifIFD", "GPS", "InteropIFD", "IPTC", "XMP", "ICC_Profile"]
    let text = try await Tool.exiftool.run(
      ["-a", "-G1", "-j", "-n"] + groups.map { "-\($0):all" } + [folder.path(name)])
    let parsed = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    var found: [String: String] = [:]
    for (key, value) in parsed?.first ?? [:] where key != "SourceFile" {
      found[key] = String(describing: value)
    }
    return found
  }

  /// Adds a source's metadata to a small picture that ffmpeg has encoded.
  private func carry(
    _ name: String, _ type: UniformType, to target: String, _ policy: MetadataPolicy = .keep
  ) async throws {
    let source = try MediaFile(at: BytePath(folder.path(name)))
    let size = PixelSize(width: 64, height: 48)
    let metadata = try source.pictureMetadata(type)
      .adapted(to: PictureChange(from: size, to: size), policy)
    try await folder.makePicture(target)
    let plain = try folder.bytes(target)
    let made =
      target.hasSuffix("png")
      ? PictureAssembly.png(plain, with: metadata) : PictureAssembly.jpeg(plain, with: metadata)
    try folder.write(made.bytes, to: target)
    let checked = try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path(target), "-f", "md5", "-",
    ])
    try folder.write(plain, to: "plain-" + target)
    let expected = try await Tool.ffmpeg.run([
      "-v", "error", "-i", folder.path("plain-" + target), "-f", "md5", "-",
    ])
    #expect(checked == expected)
  }

  @Test(arguments: [
    ("a.jpg", UniformType.jpeg), ("a.png", .png), ("a.webp", .webP), ("a.tiff", .tiff),
    ("a.heic", .heic),
  ])
  func arrivesWhole(name: String, type: UniformType) async throws {
    try await makePicture(name)
    try await Tool.exiftool.run(
      ["-q", "-n", "-overwrite_original"] + Self.written + [folder.path(name)])
    let before = try await tags(name)
    for target in ["b.jpg", "b.png"] {
      try await carry(name, type, to: target)
      let after = try await tags(target)
      #expect(after["IFD0:Orientation"] == "1")
      #expect(after["XMP-tiff:Orientation"] == "1")
      #expect(after["ExifIFD:ExifImageWidth"] == "64")
      #expect(after["ExifIFD:ExifImageHeight"] == "48")
      #expect(after["XMP-exif:ExifImageWidth"] == "64")
      #expect(after["XMP-GCamera:MotionPhoto"] == nil)
      for (tag, value) in before where !Self.changing.contains(tag) && !isStorage(tag) {
        #expect(after[tag] == value, "\(tag) of \(name) in \(target)")
      }
    }
    try await carry(name, type, to: "c.jpg", .withoutLocation)
    let stripped = try await tags("c.jpg")
    #expect(stripped.keys.filter { $0.contains("GPS") } == [])
    #expect(stripped["ExifIFD:LensModel"] == "Lens")
    try await carry(name, type, to: "d.jpg", .appearanceOnly)
    #expect(try await tags("d.jpg") == [:])
  }

  /// Whether a tag describes how a TIFF stores its pixels, which does not apply to a JPEG.
  private func isStorage(_ tag: String) -> Bool {
    [
      "ImageWidth", "ImageHeight", "BitsPerSample", "Compression", "PhotometricInterpretation",
      "StripOffsets", "SamplesPerPixel", "RowsPerStrip", "StripByteCounts", "PlanarConfiguration",
      "SubfileType", "ApplicationNotes",
    ].contains { tag == "IFD0:" + $0 }
  }

  /// A MakerNote with internal offsets stays unchanged and at the same position. The thumbnail, which is not
  /// turned, is removed.
  @Test func keepsTheMakerNoteToTheBit() async throws {
    let note = (0..<500).map { UInt8(truncatingIfNeeded: $0 * 31 + 7) }
    let thumbnail = [UInt8](repeating: 0xAB, count: 300)
    let block = exif(note: note, thumbnail: thumbnail)
    try await folder.makePicture("plain.jpg")
    try folder.write(
      PictureAssembly.jpeg(
        try folder.bytes("plain.jpg"), with: PictureMetadata(exif: block)
      ).bytes, to: "a.jpg")
    let before = try await tags("a.jpg")
    #expect(before["IFD1:ThumbnailLength"] == "300")
    for (target, policy) in [("b.jpg", MetadataPolicy.keep), ("c.jpg", .withoutLocation)] {
      try await carry("a.jpg", .jpeg, to: target, policy)
      let after = try await tags(target)
      #expect(after.keys.filter { $0.hasPrefix("IFD1") } == [])
      let made = try #require(try pictureExif(target))
      #expect(made.count == block.count - thumbnail.count - 30)
      #expect(Array(made[Self.noteOffset..<(Self.noteOffset + note.count)]) == note)
    }
  }

  private static let noteOffset = 68

  private func pictureExif(_ name: String) throws -> [UInt8]? {
    try MediaFile(at: BytePath(folder.path(name))).pictureMetadata(.jpeg).exif
  }

  /// IFD0 with Orientation and an Exif IFD that has a MakerNote, then IFD1 with a thumbnail.
  private func exif(note: [UInt8], thumbnail: [UInt8]) -> [UInt8] {
    func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: Int) -> [UInt8] {
      number(tag, 2) + number(type, 2) + number(count, 4)
        + (type == 3 ? number(value, 2) + [0, 0] : number(value, 4))
    }
    let second = Self.noteOffset + note.count
    var block = Array("MM".utf8) + number(42, 2) + number(8, 4)
    block += number(2, 2) + entry(0x0112, 3, 1, 6) + entry(0x8769, 4, 1, 38) + number(second, 4)
    block += number(2, 2) + entry(0x9000, 7, 4, 0x3032_3332)
    block += entry(0x927C, 7, note.count, Self.noteOffset) + number(0, 4)
    block += note
    block += number(2, 2) + entry(0x0201, 4, 1, second + 30)
    block += entry(0x0202, 4, 1, thumbnail.count) + number(0, 4)
    return block + thumbnail
  }

  private func number(_ value: Int, _ width: Int) -> [UInt8] {
    (0..<width).map { UInt8(truncatingIfNeeded: value >> ((width - 1 - $0) * 8)) }
  }

  /// XMP that is longer than a segment continues in further ones, and is joined when it is read.
  @Test func carriesLongXMPAndEXIF() async throws {
    try await folder.makePicture("a.png")
    let long = String(repeating: "0123456789", count: 15_000)
    try folder.write(Array(long.utf8), to: "long.txt")
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-XMP-dc:Description<=\(folder.path("long.txt"))",
      "-XMP-dc:Title=Title", folder.path("a.png"),
    ])
    try await carry("a.png", .png, to: "b.jpg")
    let after = try await tags("b.jpg")
    #expect(after["XMP-dc:Description"] == long)
    #expect(after["XMP-dc:Title"] == "Title")
    try await carry("b.jpg", .jpeg, to: "c.jpg")
    #expect(try await tags("c.jpg")["XMP-dc:Description"] == long)
    // exiftool too writes what is too long to a second packet, which PNG does not support.
    try await folder.makePicture("e.jpg")
    try await Tool.exiftool.run([
      "-q", "-overwrite_original", "-XMP-dc:Description<=\(folder.path("long.txt"))",
      "-XMP-xmp:Rating=4", folder.path("e.jpg"),
    ])
    #expect(try await tags("e.jpg")["XMP-xmpNote:HasExtendedXMP"] != nil)
    try await carry("e.jpg", .jpeg, to: "e.png")
    let joined = try await tags("e.png")
    #expect(joined["XMP-dc:Description"] == long)
    #expect(joined["XMP-xmp:Rating"] == "4")
    #expect(joined["XMP-xmpNote:HasExtendedXMP"] == nil)
    let metadata = PictureMetadata(
      exif: exif(note: [UInt8](repeating: 1, count: 70_000), thumbnail: []))
    let made = PictureAssembly.jpeg(try folder.bytes("plain-b.jpg"), with: metadata)
    #expect(made.notes.count == 1)
    try folder.write(made.bytes, to: "d.jpg")
    #expect(try await tags("d.jpg")["IFD0:Orientation"] == "6")
  }

  /// The identifier of a Live Photo stays when the MakerNote around it does not fit into a JPEG.
  @Test(arguments: [(70_000, 0), (30_000, 40_000), (100, 66_000)])
  func keepsTheIdentifierOfALongNote(padding: Int, thumbnail: Int) async throws {
    try await folder.makePicture("a.jpg")
    let identifier = "9B539AB8-A668-4FA6-9207-EB653A5E7E3C"
    let note =
      Array("Apple iOS\0\0\u{1}MM".utf8) + number(1, 2) + number(0x11, 2) + number(2, 2)
      + number(37, 4) + number(32, 4) + number(0, 4) + Array(identifier.utf8) + [0]
      + [UInt8](repeating: 7, count: padding)
    let metadata = PictureMetadata(
      exif: exif(note: note, thumbnail: [UInt8](repeating: 5, count: thumbnail)))
    let made = PictureAssembly.jpeg(try folder.bytes("a.jpg"), with: metadata)
    #expect(made.notes.count == 1)
    try folder.write(made.bytes, to: "b.jpg")
    let after = try await tags("b.jpg")
    let found = try await Tool.exiftool.run(["-s3", "-Apple:all", folder.path("b.jpg")])
    #expect(found.split(separator: "\n").contains(Substring(identifier)))
    #expect(after["IFD0:Orientation"] == "6")
  }

  /// Profiles longer than a segment are split and joined again.
  @Test func carriesLongProfiles() throws {
    let profile = (0..<150_000).map { UInt8(truncatingIfNeeded: $0 * 13) }
    let plain: [UInt8] = [0xFF, 0xD8, 0xFF, 0xDA, 0, 2, 0xFF, 0xD9]
    try folder.write(
      PictureAssembly.jpeg(plain, with: PictureMetadata(icc: profile)).bytes, to: "a.jpg")
    let found = try MediaFile(at: BytePath(folder.path("a.jpg"))).pictureMetadata(.jpeg)
    #expect(found.icc == profile)
  }

  private func makePicture(_ name: String) async throws {
    guard name.hasSuffix("heic") else { return try await folder.makePicture(name) }
    try await folder.makePicture("source.png")
    try await Tool.heifEncoder.run([folder.path("source.png"), "-o", folder.path(name)])
  }
}
