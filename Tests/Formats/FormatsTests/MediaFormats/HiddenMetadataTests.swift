import Testing

@testable import ByteReading
@testable import MediaFormats

/// Metadata that a picture's decoder does not receive.
struct HiddenMetadataTests {
  /// The bytes with another text in place of each of some types of chunks or boxes.
  private func replaced(_ types: [String], with hidden: String, in bytes: [UInt8]) -> [UInt8] {
    var result = bytes
    for type in types {
      while let found = result.firstIndex(of: type) {
        result.replaceSubrange(found..<(found + 4), with: hidden.utf8)
      }
    }
    return result
  }

  @Test func `EXIF and XMP of a WebP are hidden, and no byte moves`() {
    let chunks =
      riff("VP8X", zeros(10)) + riff("EXIF", [1]) + riff("VP8 ", [0x2F, 1, 2])
      + riff("XMP ", [3, 4])
      + riff("EXIF", []) + riff("ALPH", [5])
    let file = Array("RIFF".utf8) + le32(chunks.count + 4) + Array("WEBP".utf8) + chunks
    var changed = file
    WebPPixels.hideMetadata(in: &changed)
    #expect(changed == replaced(["EXIF", "XMP "], with: "JUNK", in: file))
    #expect(changed != file)
    // A file can end in each chunk.
    for count in 0..<file.count {
      var part = Array(file.prefix(count))
      WebPPixels.hideMetadata(in: &part)
      #expect(part.count == count)
    }
  }

  @Test func `metadata in the frame of an animated WebP is hidden`() throws {
    let frame = riff("EXIF", Array("place".utf8)) + riff("VP8 ", zeros(10))
    let file = riff("ANMF", zeros(16) + frame)
    let source = ArraySource(file)
    let chunk = try #require(try source.chunks(in: 0..<source.count).first)
    let made = try #require(try WebPFile.frame(in: chunk, of: source, limit: 1000))
    #expect(made.bytes.firstIndex(of: "EXIF") == nil)
    #expect(
      made.bytes.firstIndex(of: "VP8 ").map { $0 + made.offset } == file.firstIndex(of: "VP8 "))
  }

  @Test func `metadata of a JPEG XL is hidden, and no byte moves`() {
    let wide = be32(1) + Array("xml ".utf8) + zeros(4) + be32(19) + [7, 7, 7]
    let file =
      box("JXL ", [0x0D, 0x0A, 0x87, 0x0A]) + box("Exif", zeros(9)) + wide
      + box("brob", Array("abcd".utf8)) + box("jxlc", [0xFF, 0x0A]) + box("Exif", [])
    var changed = file
    JPEGXLPixels.hideMetadata(in: &changed)
    #expect(changed == replaced(["Exif", "xml ", "brob"], with: "free", in: file))
    #expect(changed != file)
    var codestream: [UInt8] = [0xFF, 0x0A] + box("Exif", [])
    let whole = codestream
    JPEGXLPixels.hideMetadata(in: &codestream)
    #expect(codestream == whole)
  }
}
