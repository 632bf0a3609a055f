import ByteReading
import Testing

@testable import MediaFormats
@testable import MetadataTransfer

/// Metadata at the limits of a JPEG's segments, whose lengths have two bytes (ITU-T T.81 §B.1.1.4).
struct JPEGAssemblyTests {
  /// Start and end of a picture.
  private static let empty: [UInt8] = [0xFF, 0xD8, 0xFF, 0xD9]

  /// A packet with one property of its own, without the name of a second one.
  private func packet(count: Int) -> [UInt8] {
    let start =
      #"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="\#(XMPPatchTests.rdf)">"#
      + #"<rdf:Description rdf:about="" xmlns:dc="urn:dc" dc:long=""#
    let end = #"x"/></rdf:RDF></x:xmpmeta>"#
    let padding = count - start.utf8.count - end.utf8.count
    return Array((start + String(repeating: "x", count: padding) + end).utf8)
  }

  private let extended = Array(
    "<r:RDF xmlns:r='\(XMPPatchTests.rdf)' xmlns:d='urn:d'><r:Description r:about='' d:one='1'/></r:RDF>"
      .utf8)

  /// The offset after the last segment, from their lengths.
  private func endOfSegments(_ jpeg: [UInt8]) -> Int {
    var position = 2
    while jpeg.u8(at: position) == 0xFF, jpeg.u8(at: position + 1) != 0xD9,
      let length = jpeg.u16(at: position + 2)
    {
      position += 2 + Int(length)
    }
    return position
  }

  /// The name of the second packet makes the first one longer than a segment.
  @Test(arguments: [65_504, 65_430, 65_300])
  func `a packet that its second part's name makes too long is split`(count: Int) throws {
    let metadata = PictureMetadata(xmp: packet(count: count), extendedXMP: extended)
    let made = PictureAssembly.jpeg(Self.empty, with: metadata)
    #expect(made.notes.isEmpty)
    #expect(endOfSegments(made.bytes) == made.bytes.count - 2)
    let source = ArraySource(made.bytes)
    let file = try JPEGFile(source)
    let first = try #require(file.xmp.flatMap { XMPPacket($0) })
    let second = try #require(try file.extendedXMP(from: source).flatMap { XMPPacket($0) })
    #expect(second.value("urn:d", "one") == "1")
    #expect((first.value("urn:dc", "long") ?? second.value("urn:dc", "long"))?.last == "x")
  }

  @Test func `a packet whose second part is damaged stays alone`() {
    let long = packet(count: 65_504)
    let metadata = PictureMetadata(xmp: long, extendedXMP: Array("<a".utf8))
    let made = PictureAssembly.jpeg(Self.empty, with: metadata)
    #expect(made.notes.count == 1)
    #expect(endOfSegments(made.bytes) == made.bytes.count - 2)
  }

  /// The list of a file's parts, with a gain map, is left out where the name of the second packet needs its place.
  @Test func `a gain map leaves room for the second part's name`() throws {
    for count in stride(from: 64_600, through: 65_000, by: 20) {
      let metadata = PictureMetadata(xmp: packet(count: count), extendedXMP: extended)
      let made = PictureAssembly.jpeg(Self.empty, with: metadata, gainMap: Self.empty)
      #expect(endOfSegments(made.bytes) == made.bytes.count - 2 - Self.empty.count)
      let source = ArraySource(made.bytes)
      #expect(try JPEGFile(source).extendedXMP(from: source) != nil)
    }
  }

  /// The parts of a profile are counted in one byte (ICC.1:2022 annex B.4).
  @Test func `a note records that a profile is too long`() {
    let largest = 255 * (65_533 - 14)
    let kept = PictureAssembly.jpeg(
      Self.empty, with: PictureMetadata(icc: [UInt8](repeating: 1, count: largest)))
    #expect(kept.notes.isEmpty)
    #expect(kept.bytes.count > largest)
    let long = PictureAssembly.jpeg(
      Self.empty, with: PictureMetadata(icc: [UInt8](repeating: 1, count: largest + 1)))
    #expect(long.notes == ["Its colour profile is too long for a JPEG and is left out."])
    #expect(long.bytes == Self.empty)
  }
}
