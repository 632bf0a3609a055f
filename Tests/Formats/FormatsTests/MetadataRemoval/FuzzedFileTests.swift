import ByteReading
import MediaEdits
import MediaModel
import MetadataRemoval
import Testing

/// Inputs that fuzzing has found, each reduced to what matters.
struct FuzzedFileTests {
  /// A cluster without a valid size: the search for the next cluster found this one again, without end.
  @Test(.timeLimit(.minutes(1)), arguments: [MetadataPolicy.withoutLocation, .appearanceOnly])
  func aMatroskaClusterWithoutASizeEndsTheSearch(policy: MetadataPolicy) throws {
    let bytes: [UInt8] = [
      0x1A, 0x45, 0xDF, 0xA3, 0x80,  // EBML header, empty
      0x18, 0x53, 0x80, 0x67, 0x88,  // segment of 8 bytes
      0x1F, 0x43, 0xB6, 0x75, 0x00, 0x00, 0x00, 0x00,  // cluster, its size without a marker
    ]
    let redaction = try Redaction.of(.matroska, ArraySource(bytes), policy)
    #expect(redaction.applied(to: bytes).count == bytes.count)
  }

  /// A sample entry that ends inside of the compressor's name: 43 bytes, the last of which counts the name.
  @Test(arguments: [0, 1, 7, 31], [UInt8(0), 7, 31])
  func aSampleEntryMayEndInsideOfItsName(left: Int, length: UInt8) throws {
    let entry = [UInt8](repeating: 0, count: 42) + [length] + [UInt8](repeating: 0xEE, count: left)
    let tables = box("stbl", box("stsd", [0, 0, 0, 0, 0, 0, 0, 1] + box("avc1", entry)))
    let handler = box("hdlr", [UInt8](repeating: 0, count: 8) + Array("vide".utf8))
    let movie =
      box("ftyp", Array("qt  ".utf8))
      + box(
        "moov", box("trak", box("mdia", handler + box("minf", tables))))
    let redaction = try Redaction.of(.quickTimeMovie, ArraySource(movie), .withoutLocation)
    let result = redaction.applied(to: movie)
    #expect(result.count == movie.count)
    // What follows the counted name is erased.
    #expect(result.count { $0 == 0xEE } == min(left, Int(length)))
  }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    encoded(content.count + 8, width: 4) + Array(type.utf8) + content
  }
}
