import ByteReading
import MediaEdits
import Testing

@testable import MetadataTransfer

/// Headers whose boxes have sizes that encoders rarely write (ISO/IEC 14496-12 §4.2).
struct MovieHeaderTests {
  /// A track with one chunk at an offset.
  private func track(chunk: Int64) -> [UInt8] {
    let table = box("stbl", box("stco", zeros(4) + be32(1) + be32(chunk)))
    return box("mdia", box("minf", table))
  }

  /// A box whose size has 64 bits.
  private func longBox(_ type: String, _ content: [UInt8]) -> [UInt8] {
    be32(1) + Array(type.utf8) + zeros(4) + be32(Int64(16 + content.count)) + content
  }

  /// A box that ends beyond the one around it.
  private func cutBox(_ type: String, _ content: [UInt8]) -> [UInt8] {
    be32(Int64(content.count + 100)) + Array(type.utf8) + content
  }

  /// A box that extends to the end of the one around it.
  private func openBox(_ type: String, _ content: [UInt8]) -> [UInt8] {
    be32(0) + Array(type.utf8) + content
  }

  @Test func `a track with a long size keeps its chunks`() throws {
    let movie = box("mvhd", zeros(100))
    var header = MovieHeader(box("moov", movie + longBox("trak", track(chunk: 7))))
    try header.add(movie: [box("udta", [])], tracks: [[box("meta", [])]])
    #expect(try header.shiftChunks(by: 1000))
    let expected = box(
      "moov", movie + box("trak", track(chunk: 1007) + box("meta", [])) + box("udta", []))
    #expect(header.bytes == expected)
  }

  @Test func `boxes that have no end of their own get no others after them`() throws {
    let movie = box("mvhd", zeros(100))
    for last in [cutBox("trak", track(chunk: 7)), cutBox("udta", []), openBox("udta", [])] {
      var header = MovieHeader(box("moov", movie + last))
      #expect(throws: ContainerError.self) { try header.add(movie: [], tracks: []) }
    }
  }

  @Test func `facts are not added after a box without an end of its own`() throws {
    var facts = CatalogFacts()
    facts.title = "A"
    let start = box("ftyp", Array("qt  ".utf8) + zeros(4))
    let movie = box("mvhd", zeros(100))
    func added(_ last: [UInt8]) throws -> MovieFacts? {
      try MovieFacts(
        facts, addedTo: ArraySource(start + box("mdat", zeros(8)) + box("moov", movie + last)))
    }
    #expect(try added(box("udta", [])) != nil)
    #expect(try added(longBox("trak", track(chunk: 7))) != nil)
    #expect(try added(cutBox("udta", [])) == nil)
    #expect(try added(openBox("udta", [])) == nil)
  }
}
