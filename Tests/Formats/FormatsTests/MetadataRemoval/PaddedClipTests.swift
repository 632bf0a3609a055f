import ByteReading
import MediaEdits
import MediaFormats
import MediaModel
import MetadataRemoval
import Testing

/// The part after some padding may begin with the byte that the padding repeats.
struct PaddedClipTests {
  private static let place = Array("+47.3600+008.5400/".utf8)
  private static let clip: [UInt8] =
    box("ftyp", Array("isom".utf8) + be32(512) + Array("isommp42".utf8))
    + box(
      "moov",
      box("mvhd", zeros(100))
        + box(
          "udta", box([0xA9] + Array("xyz".utf8), be16(place.count) + be16(0x15C7) + place)))
    + box("mdat", zeros(40))

  private func stripped(_ bytes: [UInt8], _ policy: MetadataPolicy) throws -> [UInt8] {
    let redaction = try Redaction.of(.jpeg, ArraySource(bytes), policy)
    #expect(redaction.notes.isEmpty)
    return redaction.applied(to: bytes)
  }

  /// The first box of a clip begins with zeros, the high bytes of its length.
  @Test(arguments: [0, 1, 2, 3, 8, 40, 70_000])
  func `a clip after zeros stays, without its place`(padding: Int) throws {
    let start = MadeFile.jpegBytes.count + padding
    for clip in [MadeFile.clip, Self.clip] {
      let bytes = MadeFile.jpegBytes + zeros(padding) + clip
      let made = try stripped(bytes, .withoutLocation)
      #expect(made.count == bytes.count)
      #expect(try endOfClip(at: UInt64(start), in: ArraySource(made)) == UInt64(bytes.count))
      #expect(made.firstIndex(of: Self.place) == nil)
      #expect(Array(try stripped(bytes, .withoutCaptions)[start...]) == clip)
    }
  }

  /// The first block of Samsung's trailer begins with two zeros.
  @Test(arguments: [1, 4])
  func `Samsung's trailer after zeros stays`(padding: Int) throws {
    let picture = MadeFile.jpegBytes
    let bytes = picture + zeros(padding) + MadeFile.samsung.bytes[picture.count...]
    let made = ArraySource(try stripped(bytes, .withoutLocation))
    let range = try #require(try SamsungTrailer(made)?.motionVideo(in: made))
    #expect(made.bytes(at: range.lowerBound, count: range.count) == MadeFile.clip)
  }

  /// Bytes 0xFF may precede a marker (ITU-T T.81 §B.1.1.2), such as that of a picture's start.
  @Test(arguments: [2, 5])
  func `a picture after bytes 0xFF stays`(padding: Int) throws {
    let picture = MadeFile.jpegBytes
    let bytes = picture + [UInt8](repeating: 0xFF, count: padding) + picture
    let made = try stripped(bytes, .withoutLocation)
    #expect(Array(made.suffix(picture.count)) == (try stripped(picture, .withoutLocation)))
  }
}
