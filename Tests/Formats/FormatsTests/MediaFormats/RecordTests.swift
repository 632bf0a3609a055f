import ByteReading
@testable import MediaFormats
import MediaModel
import Testing

/// IPTC records, Apple's MakerNote and access to bytes.
struct RecordTests {
  @Test func `IPTC records are read`() throws {
    let records = try #require(IPTCRecords(MadeFile.iptc))
    #expect(records.isUTF8)
    #expect(records.title == "Brück")
    #expect(records.keywords == ["sea", "ship"])
    #expect(records.texts(55) == ["20220216"])
  }

  @Test func `texts without a declaration are read as Windows-1252`() throws {
    let records = try #require(IPTCRecords([0x1C, 2, 120, 0, 5, 0x42, 0x72, 0xFC, 0x63, 0x92]))
    #expect(records.caption == "Brüc’")
  }

  /// Offsets count from the start of the note; values of up to four bytes are stored in the entry.
  @Test func `Apple's MakerNote is read`() throws {
    func item(_ tag: Int, _ type: Int, _ count: Int64, _ value: [UInt8]) -> [UInt8] {
      be16(tag) + be16(type) + be32(count) + value
    }
    let identifier = "E905E6C6-C747-4805-942F-9904A0281F02"
    var note = Array("Apple iOS\0\0\u{1}MM".utf8) + be16(5)
    note += item(0x0008, 10, 3, be32(119)) + item(0x000A, 9, 1, be32(3))
    note += item(0x0011, 2, 37, be32(82)) + item(0x0014, 9, 1, be32(2))
    note += item(0x0017, 16, 1, be32(143))
    note += be32(0) + zeros(82 - note.count - 4)
    note += Array(identifier.utf8) + [0]
    for (numerator, denominator) in [(-1, 2), (3, 4), (0, 1)] as [(Int64, Int64)] {
      note += be32(numerator) + be32(denominator)
    }
    note += be32(2) + be32(5_251_492)
    let found = try #require(AppleMakerNote(note))
    #expect(found.contentIdentifier == identifier)
    #expect(found.hdrImageType == 3)
    #expect(found.imageCaptureType == 2)
    #expect(found.tags.last?.value == "8595186084")
    #expect(found.tags.first?.value == "-0.5 0.75 0")
    #expect(
      found.tags.map(\.name) == [
        "AccelerationVector", "HDRImageType", "ContentIdentifier", "ImageCaptureType",
        "LivePhotoVideoIndex",
      ])
  }

  @Test func `numbers are read in both byte orders and only inside`() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]
    #expect(bytes.u16(at: 6) == 0x0708)
    #expect(bytes.u16(at: 7) == nil)
    #expect(bytes.u32(at: 0, .little) == 0x0403_0201)
    #expect(bytes.u64(at: 0) == 0x0102_0304_0506_0708)
    #expect(bytes.u32(at: -1) == nil)
    #expect(bytes.u32(at: .max) == nil)
    #expect(bytes.bytes(at: 4, count: .max) == nil)
  }

  @Test func `windows need few reads`() throws {
    let content = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
    let source = WindowedSource(ArraySource(content))
    for offset in stride(from: UInt64(0), to: 60_000, by: 10) {
      #expect(try source.bytes(at: offset, count: 4).first == UInt8(truncatingIfNeeded: offset))
    }
    #expect(source.reads == 1)
    #expect(try source.bytes(at: 199_998, count: 10) == [62, 63])
    #expect(try source.bytes(at: 199_990, count: 10).count == 10)
    #expect(source.reads == 2)
    #expect(try source.bytes(at: 65_000, count: 100_000).count == 100_000)
    #expect(try source.bytes(at: 300_000, count: 1).isEmpty)
  }

  /// 3GPP TS 26.244 §8.10: the name in UTF-8, or in UTF-16 after a byte order mark; role 0; then 16.16 numbers.
  @Test(arguments: [
    Array("Town\0".utf8), [0], [0xFE, 0xFF, 0, 0x54, 1, 0, 0, 0], [0xFE, 0xFF, 0, 0],
    [0xFF, 0xFE, 0x54, 0, 0, 1, 0, 0],
  ])
  func `places of 3GPP are read in both encodings`(name: [UInt8]) {
    let numbers = be32(8 << 16 + 1 << 15) + be32(-47 << 16 - 1 << 14) + be32(0)
    let content = zeros(4) + be16(0x55C4) + name + [0] + numbers
    #expect(threeGPPLocation(content) == "-47.2500+008.5000/")
    #expect(threeGPPLocation(Array(content.prefix(12 + name.count))) == nil)
  }
}
