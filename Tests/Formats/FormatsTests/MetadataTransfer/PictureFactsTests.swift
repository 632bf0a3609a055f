import MediaEdits
import MediaModel
import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataTransfer

/// Facts of the catalog in the metadata of pictures that are built byte by byte.
struct PictureFactsTests {
  private static let facts: CatalogFacts = {
    var facts = CatalogFacts()
    facts.title = "T1"
    return facts
  }()

  private func adding(
    _ bytes: [UInt8], _ type: UniformType
  ) throws -> (bytes: [UInt8], notes: [String])? {
    try PictureFacts.adding(Self.facts, to: bytes, type)
  }

  // MARK: JPEG

  /// The payload has no bytes; its name would be in the bytes after it.
  @Test func `an empty segment is not an index of pictures`() throws {
    let own = MadeFile.jpegBytes
    let file = own[..<2] + [0xFF, 0xE2, 0, 2] + Array("MPF\0".utf8) + own[2...]
    let made = try #require(try adding(file, .jpeg))
    #expect(made.bytes.count > file.count)
    #expect(made.bytes.suffix(20) == file.suffix(20))
  }
}
