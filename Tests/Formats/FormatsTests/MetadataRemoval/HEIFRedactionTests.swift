import ByteReading
import MediaEdits
import MediaModel
@testable import MetadataRemoval
import Testing

/// Parts of HEIF pictures in which a place or a name may be, built after ISO/IEC 14496-12 and 23008-12.
struct HEIFRedactionTests {
  private struct Item {
    var type: String
    var content: [UInt8]
    /// The bytes of its entry after the item's type.
    var texts: [UInt8] = [0]
    /// Indexes from 1.
    var properties: [UInt8] = []
  }

  private func file(
    _ items: [Item], properties: [UInt8] = [], groups: [UInt8] = []
  ) -> [UInt8] {
    let ftyp = box("ftyp", Array("heic".utf8) + be32(0) + Array("mif1heic".utf8))
    let numbered = Array(zip(1..., items))
    func meta(at start: Int) -> [UInt8] {
      var offset = start
      var locations: [UInt8] = []
      // Every item has two extents.
      for (id, item) in numbered {
        let half = item.content.count / 2
        locations += be16(id) + be16(0) + be16(2)
        for length in [half, item.content.count - half] {
          locations += be32(Int64(offset)) + be32(Int64(length))
          // One byte is between the extents.
          offset += length + 1
        }
      }
      let entries = numbered.flatMap { id, item in
        box("infe", be32(0x0200_0000) + be16(id) + be16(0) + Array(item.type.utf8) + item.texts)
      }
      let associations = numbered.flatMap { id, item in
        be16(id) + [UInt8(item.properties.count)] + item.properties
      }
      return box(
        "meta",
        be32(0) + box("hdlr", zeros(8) + Array("pict".utf8) + zeros(13))
          + box("pitm", be32(0) + be16(1)) + box("iinf", be32(0) + be16(items.count) + entries)
          + box("iloc", be32(0) + [0x44, 0] + be16(items.count) + locations)
          + box(
            "iprp",
            box("ipco", properties)
              + box("ipma", be32(0) + be32(Int64(items.count)) + associations))
          + box("grpl", groups))
    }
    let offset = ftyp.count + meta(at: 0).count + 8
    let data = items.flatMap { item in
      let half = item.content.count / 2
      return item.content[..<half] + [0] + item.content[half...] + [0]
    }
    return ftyp + meta(at: offset) + box("mdat", data)
  }

  private func changed(_ file: [UInt8], _ policy: MetadataPolicy) throws -> [UInt8] {
    let made = try Redaction.of(.heic, ArraySource(file), policy).applied(to: file)
    #expect(made.count == file.count)
    return made
  }

  /// A thumbnail with EXIF, XMP, IPTC and a comment (ISO/IEC 23008-12 annex H).
  @Test func `a JPEG item keeps only what its appearance needs`() throws {
    let header =
      segment(0xE0, Array("JFIF\0".utf8) + [1, 1, 0, 0, 1, 0, 1, 1, 1] + Array("RGB".utf8))
      + segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1])
    let picture = MadeFile.jpegBytes[..<2] + header + MadeFile.jpegBytes[2...] + Array("ACME".utf8)
    let whole = file([Item(type: "jpeg", content: Array(picture))])
    let made = try changed(whole, .appearanceOnly)
    for text in ["ACM", "CME", "2022:02", "Hello", "Titel", "ship", "RGB"] {
      #expect(made.firstIndex(of: text) == nil, "\(text)")
    }
    #expect(made.firstIndex(of: "JFIF\0") != nil)
    #expect(made.firstIndex(of: Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 1]) != nil)
    // The frame and the scan with its coded pixels.
    let frame = segment(0xC2, [8, 0x01, 0x40, 0x02, 0x80, 3] + zeros(9))
    #expect(made.firstIndex(of: frame) != nil)
    #expect(made.firstIndex(of: [1, 2, 0xFF, 0, 3, 0xFF, 0xD0, 4, 0xFF, 0xD9]) != nil)
  }
}
