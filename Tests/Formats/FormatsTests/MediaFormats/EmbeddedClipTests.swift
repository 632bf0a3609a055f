import ByteReading
import MediaFormats
import MediaModel
import Testing

struct EmbeddedClipTests {
  private func find(_ bytes: [UInt8], withXMP: Bool = true) throws -> EmbeddedClipResult {
    let source = ArraySource(bytes)
    let jpeg = try JPEGFile(source)
    return try EmbeddedClipSearch.find(
      in: source, xmp: withXMP ? jpeg.xmp.flatMap(XMPPacket.init) : nil,
      trailer: SamsungTrailer(source), jpeg: jpeg)
  }

  private var start: UInt64 { UInt64(MadeFile.jpegBytes.count) }
  private var length: UInt64 { UInt64(MadeFile.clip.count) }

  @Test func `clips are found by XMP`() throws {
    #expect(
      try find(MadeFile.motionPhoto.bytes)
        == .clip(EmbeddedClip(offset: start, length: length, evidence: "xmp:MotionPhoto")))
  }

  @Test func `clips are found by Samsung's trailer`() throws {
    let found = try find(MadeFile.samsung.bytes)
    let block = UInt64(8 + 16)
    #expect(
      found == .clip(EmbeddedClip(offset: start + block, length: length, evidence: "sef")))
  }

  /// The `mpv2` form: absolute offset and size, big-endian; and a `QDIO` block that ends with `BS`.
  @Test func `clips are found by short Samsung blocks before QDIO`() throws {
    let payload = Array("mpv2".utf8) + be32(Int64(start)) + be32(Int64(length))
    let block = le16(0) + le16(0x0A30) + le32(16) + Array("MotionPhoto_Data".utf8) + payload
    let time = le16(0) + le16(0x0A01) + le32(14) + Array("Image_UTC_Data1645012541123".utf8)
    let directory =
      Array("SEFH".utf8) + le32(101) + le32(2) + le16(0) + le16(0x0A30)
      + le32(block.count + time.count) + le32(block.count) + le16(0) + le16(0x0A01)
      + le32(time.count) + le32(time.count)
    let foot =
      le32(directory.count) + Array("SEFT".utf8) + Array("QDIO".utf8) + zeros(16) + le32(20)
      + Array("QDIOBS".utf8)
    let bytes = MadeFile.jpegBytes + MadeFile.clip + block + time + directory + foot
    #expect(
      try find(bytes) == .clip(EmbeddedClip(offset: start, length: length, evidence: "sef")))
    let source = ArraySource(bytes)
    let trailer = try #require(try SamsungTrailer(source))
    #expect(trailer.blocks.map(\.name) == ["MotionPhoto_Data", "Image_UTC_Data"])
    #expect(try trailer.captureMilliseconds(in: source) == 1_645_012_541_123)
  }

  /// exiftool 13 prints SamsungCaptureInfo: Screenshot.
  @Test func `Samsung's trailer marks a screenshot`() throws {
    let block =
      le16(0) + le16(0x0C51) + le32(20) + Array("Samsung_Capture_InfoScreenshot".utf8)
    let directory =
      Array("SEFH".utf8) + le32(101) + le32(1) + le16(0) + le16(0x0C51) + le32(block.count)
      + le32(block.count)
    let foot = le32(directory.count) + Array("SEFT".utf8)
    let source = ArraySource(MadeFile.jpegBytes + block + directory + foot)
    #expect(try SamsungTrailer(source)?.captureInfo(in: source) == "Screenshot")
    let other = ArraySource(MadeFile.samsung.bytes)
    #expect(try SamsungTrailer(other)?.captureInfo(in: other) == nil)
  }

  @Test func `data after the picture is searched if metadata is wrong`() throws {
    let bytes = MadeFile.jpegBytes + zeros(100) + MadeFile.clip + zeros(5)
    #expect(
      try find(bytes)
        == .clip(EmbeddedClip(offset: start + 100, length: length, evidence: "tail")))
  }

  @Test(arguments: [0, 1, 40_000])
  func `clips of any size are found without metadata`(gap: Int) throws {
    let bytes = MadeFile.jpegBytes + zeros(gap) + MadeFile.clip
    #expect(
      try find(bytes, withXMP: false)
        == .clip(EmbeddedClip(offset: start + UInt64(gap), length: length, evidence: "tail")))
    // The last byte of a clip can be 0xD9, as in a JPEG's end marker.
    let data = box("ftyp", Array("isom".utf8) + be32(0)) + box("moov", box("mvhd", zeros(100)))
    let ended = data + box("mdat", [1, 2, 0xD9])
    #expect(
      try find(MadeFile.jpegBytes + ended, withXMP: false)
        == .clip(EmbeddedClip(offset: start, length: UInt64(ended.count), evidence: "tail")))
  }

  @Test(arguments: [1, 30, 60])
  func `clips that are cut off are reported without metadata`(missing: Int) throws {
    let bytes = MadeFile.jpegBytes + Array(MadeFile.clip.dropLast(missing))
    #expect(try find(bytes, withXMP: false) == .cutOff)
    #expect(try find(bytes) == .missing("the clip is cut off"))
    let header = Array(MadeFile.clip.prefix(24))
    #expect(try find(MadeFile.jpegBytes + header, withXMP: false) == .cutOff)
  }

  @Test func `other data after a picture is not a clip`() throws {
    for tail in [
      zeros(300), Array("the word ftyp in a note".utf8), be32(24) + Array("ftyp".utf8),
      box("ftyp", zeros(8)) + box("moov", []),
      box("ftyp", Array("isom".utf8) + be32(0)) + box("odd ", zeros(50)),
      [0xFF, 0xD8] + zeros(70) + [0xFF, 0xD9, 0, 0, 0xFF],
    ] {
      #expect(try find(MadeFile.jpegBytes + tail, withXMP: false) == .none)
    }
  }

  @Test func `the reason for a missing clip is reported`() throws {
    let cut = MadeFile.jpegBytes + Array(MadeFile.clip.dropLast(30)) + zeros(30)
    guard case .clip = try find(cut) else {
      Issue.record("The boxes are whole, whatever the data in them.")
      return
    }
    let broken = MadeFile.jpegBytes + zeros(MadeFile.clip.count)
    #expect(try find(broken) == .missing("no complete movie at the offset in xmp:MotionPhoto"))
    #expect(
      try find(MadeFile.jpegBytes) == .missing("no complete movie at the offset in xmp:MotionPhoto")
    )
  }

  /// Motion Photo format 1.0: a file with the value 0 is not a motion photo. Samsung's trailer does not depend on this
  /// flag.
  @Test func `files that are marked as stills have no clip`() throws {
    func marked(_ bytes: [UInt8]) throws -> [UInt8] {
      let flag = Array("MotionPhoto=\"1\"".utf8)
      let start = try #require(
        bytes.indices.first { bytes[$0...].starts(with: flag) }, "the flag is there")
      var changed = bytes
      changed[start + flag.count - 2] = UInt8(ascii: "0")
      return changed
    }
    #expect(try find(marked(MadeFile.motionPhoto.bytes)) == .none)
    guard case .clip(let clip) = try find(marked(MadeFile.samsung.bytes)) else {
      Issue.record("The trailer holds a clip.")
      return
    }
    #expect(clip.evidence == "sef")
    let source = ArraySource(MadeFile.heif.bytes)
    let packet = XMPPacket(try marked(MadeFile.xmpPacket))
    #expect(
      try EmbeddedClipSearch.find(in: source, xmp: packet, heif: HEIFContainer(source)) == .none)
  }

  @Test func `the clip in an mpvd box is found`() throws {
    let source = ArraySource(MadeFile.heif.bytes)
    let heif = try HEIFContainer(source)
    let start = UInt64(MadeFile.heif.bytes.count - MadeFile.clip.count)
    #expect(
      try EmbeddedClipSearch.find(in: source, xmp: nil, heif: heif)
        == .clip(EmbeddedClip(offset: start, length: length, evidence: "mpvd")))
  }

  @Test func `a clip needs a header and media data`() throws {
    let noData = box("ftyp", zeros(8)) + box("moov", box("mvhd", zeros(100)))
    #expect(try endOfClip(at: 0, in: ArraySource(noData)) == nil)
    let cut = Array(MadeFile.clip.dropLast())
    #expect(try endOfClip(at: 0, in: ArraySource(cut)) == nil)
    #expect(try endOfClip(at: 0, in: ArraySource(MadeFile.clip + [1, 2, 3])) == length)
  }
}
