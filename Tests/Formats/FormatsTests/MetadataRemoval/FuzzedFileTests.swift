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
}
