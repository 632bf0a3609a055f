import MediaEdits
import ByteReading
import MediaFormats
import MediaModel
@testable import MetadataRemoval
import Testing

struct RedactionTests {
  /// Overlays, replacements and their order, compared with the same changes to an array.
  @Test(arguments: [1, 3, 7, 64, 1 << 20])
  func `changes are the same for every block size`(blockSize: Int) throws {
    let bytes = (0..<100).map { UInt8($0) }
    var redaction = Redaction()
    redaction.fill(10..<20, with: 0xEE)
    redaction.overwrite(at: 15, with: [1, 2, 3])
    redaction.replace(30..<40)
    redaction.replace(50..<50, with: [7, 7])
    redaction.replace(60..<61, with: [8, 8, 8])
    redaction.overwrite(at: 98, with: [9, 9, 9])
    var expected = bytes
    expected.replaceSubrange(98..<100, with: [9, 9])
    expected.replaceSubrange(60..<61, with: [8, 8, 8])
    expected.replaceSubrange(50..<50, with: [7, 7])
    expected.replaceSubrange(30..<40, with: [])
    expected.replaceSubrange(10..<20, with: [UInt8](repeating: 0xEE, count: 10))
    expected.replaceSubrange(15..<18, with: [1, 2, 3])
    var result: [UInt8] = []
    try redaction.apply(to: ArraySource(bytes), blockSize: blockSize) { result += $0 }
    #expect(result == expected)
  }

  @Test func `equal bytes of a changed part keep earlier changes`() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6]
    var redaction = Redaction()
    redaction.fill(1..<4)
    redaction.overwrite(at: 0, bytes, with: [1, 2, 9, 4, 8, 7])
    #expect(redaction.applied(to: bytes) == [1, 0, 9, 0, 8, 7])
  }

  @Test func `changes of a part are moved to its offset`() {
    var part = Redaction()
    part.fill(0..<2, with: 1)
    part.replace(3..<4)
    part.addNote("Once.")
    var whole = Redaction()
    whole.add(part, at: 4)
    whole.add(part, at: 10)
    let expected: [UInt8] = zeros(4) + [1, 1] + zeros(3) + [1, 1] + zeros(2)
    #expect(whole.applied(to: zeros(15)) == expected)
    #expect(whole.notes == ["Once."])
  }

  /// In a made file, only the bytes that record a location change, and none of them stay.
  @Test(arguments: MadeFile.located)
  func `a place is removed and other bytes stay`(file: MadeFile) throws {
    let source = ArraySource(file.bytes)
    guard case .media(let type) = try ContentType(of: source) else {
      Issue.record("\(file.name) is not recognised")
      return
    }
    #expect(file.bytes.firstIndex(of: MadeFile.place) != nil)
    let redaction = try Redaction.of(type, source, .withoutLocation)
    let stripped = redaction.applied(to: file.bytes)
    #expect(stripped.firstIndex(of: MadeFile.place) == nil)
    #expect(stripped.firstIndex(of: "47.3600") == nil)
    #expect(stripped.firstIndex(of: "Kept") != nil)
    let bare = try Redaction.of(type, source, .appearanceOnly).applied(to: file.bytes)
    #expect(bare.firstIndex(of: MadeFile.place) == nil)
    #expect(bare.firstIndex(of: "Kept") == nil)
  }

  @Test func `files that cannot be changed are refused`() {
    let movie = box("ftyp", Array("qt  ".utf8) + zeros(4)) + box("moov", box("cmov", zeros(8)))
    #expect(throws: RedactionRefusal.self) {
      try Redaction.of(.quickTimeMovie, ArraySource(movie), .withoutLocation)
    }
    for type in [UniformType.flashVideo, .avchd, .windowsMediaVideo, .dv, .mpeg] {
      #expect(throws: RedactionRefusal.self) {
        try Redaction.of(type, ArraySource(movie), .withoutLocation)
      }
    }
    #expect(throws: RedactionRefusal.self) {
      try Redaction.of(.nikonNEF, ArraySource(MadeFile.exifBlock), .appearanceOnly)
    }
  }

  /// Media data outside of the items may belong to fragments (ISO/IEC 14496-12 §8.8.4).
  @Test(arguments: [MetadataPolicy.withoutLocation, .appearanceOnly])
  func `pictures in fragments are refused`(policy: MetadataPolicy) throws {
    let whole = MadeFile.heif.bytes
    _ = try Redaction.of(.heic, ArraySource(whole), policy)
    let fragments = box("moof", box("mfhd", zeros(8))) + box("mdat", Array("47.1, 8.6".utf8))
    #expect(throws: RedactionRefusal.self) {
      try Redaction.of(.heic, ArraySource(whole + fragments), policy)
    }
  }

  @Test func `the policy keep changes nothing`() throws {
    let redaction = try Redaction.of(.jpeg, ArraySource(MadeFile.jpegBytes), .keep)
    #expect(redaction.isEmpty)
  }

  /// DC-007 offsets and a motion clip's offset count from fixed positions, so no byte before them may move.
  @Test func `the offset of a motion clip stays`() throws {
    let bytes = MadeFile.motionPhoto.bytes
    let stripped = try Redaction.of(.jpeg, ArraySource(bytes), .withoutLocation)
      .applied(to: bytes)
    #expect(stripped.count == bytes.count)
    #expect(Array(stripped.suffix(MadeFile.clip.count)) == MadeFile.clip)
  }

  /// ISO/IEC 14496-12 §8.1.2: players ignore the content of `free` and `skip`.
  @Test(arguments: ["free", "skip"])
  func `free space among a HEIC's properties is cleared`(type: String) throws {
    let own = MadeFile.heif.bytes
    // `irot`, a turn, becomes free space of the same size.
    let turn = box("irot", [1])
    let start = try #require(own.firstIndex(of: turn))
    let file: [UInt8] = own[..<start] + box(type, [0x5A]) + own[(start + turn.count)...]
    for policy in [MetadataPolicy.withoutLocation, .appearanceOnly] {
      let made = try Redaction.of(.heic, ArraySource(file), policy).applied(to: file)
      #expect(Array(made[start..<(start + turn.count)]) == box(type, [0]))
    }
  }

  /// GDAL writes offset and length 0 for tiles without pixels (its GeoTIFF driver, "Sparse files").
  @Test func `bytes after the header of a sparse TIFF are cleared`() throws {
    // A directory up to 50, offsets and lengths of two tiles, a tile of four bytes.
    var file = Array("II".utf8) + le16(42) + le32(32) + Array("leftover of old text\0\0\0\0".utf8)
    file += le16(2) + entry(0x0144, 4, 2, le32(62)) + entry(0x0145, 4, 2, le32(70)) + le32(0)
    file += le32(0) + le32(78) + le32(0) + le32(4) + [1, 2, 3, 4]
    let made = try Redaction.of(.tiff, ArraySource(file), .withoutLocation).applied(to: file)
    #expect(made == file[..<8] + zeros(24) + file[32...])
  }

  @Test(.timeLimit(.minutes(1)))
  func `a TIFF with many strips without lengths is read`() throws {
    let count = 60_000
    // Every second strip has a length.
    let start = 50 + 8 * count
    var file = Array("II".utf8) + le16(42) + le32(8) + le16(3)
    file += entry(0x0111, 4, count, le32(50)) + entry(0x0117, 4, count, le32(50 + 4 * count))
    file += entry(0x0103, 3, 1, le32(5)) + le32(0)
    file += (0..<count).flatMap { le32(start + $0 * 4) }
    file += (0..<count).flatMap { le32($0 % 2 * 4) }
    file += zeros(4 * count)
    #expect(try Redaction.of(.tiff, ArraySource(file), .withoutLocation).isEmpty)
  }

  /// Programs need the tags of makers in a DNG, so only texts that record a place are removed.
  @Test func `unknown texts with a place are removed from a DNG`() throws {
    let place = Array("GPS 47.37 8.54\0\0".utf8)
    let file =
      Array("II".utf8) + le16(42) + le32(8) + le16(4) + entry(0xC612, 1, 4, [1, 4, 0, 0])
      + entry(0xEA10, 2, 16, le32(62)) + entry(0xEA11, 7, 16, le32(78))
      + entry(0xEA12, 7, 16, le32(94)) + le32(0) + place + place + Array(0xF0...0xFF)
    let made = try Redaction.of(.dng, ArraySource(file), .withoutLocation).applied(to: file)
    #expect(made.firstIndex(of: "47.37") == nil)
    #expect(Array(made.suffix(16)) == Array(0xF0...0xFF))
    let directory = try TIFFFile(ArraySource(made)).directory(at: 8)
    #expect(directory?.entries.map(\.tag) == [0xC612, 0xEA12])
  }
}
