import ByteReading
import Foundation
import MediaEdits
import MediaFormats
import MediaModel
import MetadataRemoval
import MetadataTransfer
import SeededRandom
import Testing

/// Removal of metadata from arbitrary bytes: it must not crash or hang, and no copy may be longer than its source.
/// Any other result is accepted.
struct RedactionHostileTests {
  private static let types: [UniformType] = [
    .jpeg, .heic, .png, .webP, .gif, .jpegXL, .jpeg2000, .tiff, .canonCR3, .fujiRAF, .sigmaX3F,
    .minoltaMRW, .mpeg4, .avi, .matroska,
  ]

  /// Passes bytes to every kind of redaction and assembly.
  private func tryAll(_ bytes: [UInt8]) throws {
    let source = WindowedSource(ArraySource(bytes))
    for type in Self.types {
      for policy in [MetadataPolicy.withoutLocation, .withoutCaptions, .appearanceOnly] {
        guard let redaction = try attempt({ try Redaction.of(type, source, policy) })
        else { continue }
        var count = 0
        try attempt { try redaction.apply(to: source) { count += $0.count } }
        // A PNG's copy may be longer, because changed compressed data is stored without compression.
        #expect(count <= bytes.count + (type == .png ? 1 << 16 : 200))
      }
      guard let metadata = try attempt({ try PictureMetadata.read(type, source) })
      else { continue }
      for policy in [MetadataPolicy.keep, .withoutLocation] {
        let adapted = metadata.adapted(to: Self.change, policy)
        let made = PictureAssembly.jpeg(Self.plain, with: adapted).bytes
        // The inserted metadata leaves the picture's segments readable.
        let file = try JPEGFile(ArraySource(made))
        #expect(file.size == PixelSize(width: 1, height: 1))
        #expect(file.warnings.filter { $0.contains("stray") } == [])
      }
    }
  }

  private static let change = PictureChange(
    orientation: .right, from: PixelSize(width: 80, height: 60),
    crop: CropRect(x: 10, y: 5, width: 40, height: 30), to: PixelSize(width: 20, height: 15))

  /// SOI, frame, scan, EOI.
  private static let plain: [UInt8] =
    [0xFF, 0xD8] + segment(0xC0, [8, 0, 1, 0, 1, 1, 0, 0, 0]) + segment(0xDA, [1, 1, 0, 0, 63, 0])
    + [1, 2, 0xFF, 0xD9]

  @discardableResult
  private func attempt<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch {
      #expect(error is ContainerError || error is RedactionRefusal)
      return nil
    }
  }

  @Test(
    .enabled(if: Corpus.isPresent), .timeLimit(.minutes(10)), arguments: ["hostile", "library"])
  func `every file of a folder is processed`(of folder: String) throws {
    let corpus = try #require(Corpus.shared)
    for file in corpus.files(in: folder) {
      let start = ContinuousClock.now
      try tryAll(Array(try Data(contentsOf: file)))
      let taken = ContinuousClock.now - start
      #expect(taken < .seconds(20), "\(file.lastPathComponent) took \(taken)")
    }
  }

  @Test(.timeLimit(.minutes(5)), arguments: MadeFile.all + MadeFile.located)
  func `cut and corrupted files are processed`(of file: MadeFile) throws {
    var random = SeededGenerator(seed: 1)
    for length in stride(from: 0, to: file.bytes.count, by: 13) {
      try tryAll(Array(file.bytes.prefix(length)))
    }
    for _ in 0..<80 {
      var bytes = file.bytes
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let extremes: [UInt8] = [0, 0xFF, 0x7F, 0x80, .random(in: 0...255, using: &random)]
        bytes[.random(in: bytes.indices, using: &random)] =
          extremes.randomElement(using: &random) ?? 0
      }
      try tryAll(bytes)
    }
  }

  /// Pictures that contain themselves, and directories that refer to each other.
  @Test(.timeLimit(.minutes(1))) func `nested and cyclic files are processed`() throws {
    var nested = Self.plain
    for _ in 0..<200 {
      guard nested.count < 60_000 else { break }
      var block: [UInt8] = Array("II".utf8) + le16(42) + le32(8) + le16(2)
      block += entry(0x0201, 4, 1, le32(38))
      block += entry(0x0202, 4, 1, le32(nested.count))
      block += le32(0) + nested
      let start: [UInt8] = [0xFF, 0xD8] + segment(0xE1, Array("Exif\0\0".utf8) + block)
      nested = start + Array(Self.plain.dropFirst(2))
    }
    try tryAll(nested)
    var loop: [UInt8] = Array("II".utf8) + le16(42) + le32(8)
    for index in 0..<300 {
      let next = 8 + (index + 1) % 300 * 18
      loop += le16(1)
      loop += entry(0x8769, 4, 1, le32(next))
      loop += le32(8)
    }
    try tryAll(loop)
  }
}
