import ByteReading
import MediaFormats
import MediaModel
import Testing

struct ISOBoxTests {
  @Test func `64-bit sizes and sizes up to the end are read`() throws {
    let bytes = be32(1) + Array("free".utf8) + be32(0) + be32(20) + zeros(4)
    let source = ArraySource(bytes + be32(0) + Array("mdat".utf8) + zeros(5))
    let boxes = try source.boxes(in: 0..<source.count)
    #expect(boxes.map(\.type) == ["free", "mdat"])
    #expect(boxes.map(\.payload) == [16..<20, 28..<33])
    #expect(boxes.allSatisfy { !$0.isTruncated })
  }

  @Test func `boxes beyond the end are truncated`() throws {
    let source = ArraySource(be32(1000) + Array("mdat".utf8) + zeros(5))
    #expect(try source.boxes(in: 0..<source.count).map(\.isTruncated) == [true])
  }

  @Test func `a movie is read`() throws {
    let movie = try ISOMovie(ArraySource(MadeFile.clip))
    #expect(movie.brands?.major == "isom")
    #expect(movie.creationTime == 3_000_000_000)
    #expect(movie.seconds == 2)
    #expect(movie.value("com.apple.quicktime.make") == .text("Apple"))
    #expect(movie.value("com.android.capture.fps") == .number(240))
    let track = try #require(movie.tracks.first)
    #expect(track.id == 7)
    #expect(track.orientation == .right)
    #expect(PixelSize(width: track.width, height: track.height).width == 640)
    #expect(track.sampleEntries.first?.codedSize == PixelSize(width: 640, height: 480))
    #expect(track.rate == 30)
    #expect(movie.isSpatial)
    #expect(!movie.hasDisparityTrack)
  }

  /// Apple's "ISO base media file format and Apple HEVC stereo video": the lowest bits of `stri` are the left and the
  /// right eye. A `proj` box alone declares wide or 360° video.
  @Test(arguments: [("stri", 1), ("stri", 2), ("eyes", 3)])
  func `video for one eye is not spatial`(box: String, flags: UInt8) throws {
    var bytes = MadeFile.clip
    let views = try #require(bytes.firstIndex(of: "stri"))
    bytes[views + 8] = flags
    let place = try #require(bytes.firstIndex(of: box))
    if box == "eyes" { bytes.replaceSubrange(place..<(place + 4), with: Array("proj".utf8)) }
    #expect(try !ISOMovie(ArraySource(bytes)).isSpatial)
  }

  /// QuickTime's well-known types 65–67 and 74–78 are integers of fixed width.
  @Test(arguments: [
    ([0xFF] as [UInt8], UInt32(65), QuickTimeValue.integer(-1)),
    ([0xFF, 0xFE], 66, .integer(-2)), ([0, 0, 0, 5], 67, .integer(5)),
    ([0xFF], 75, .integer(255)), ([0x80, 0], 76, .integer(32768)),
    ([0, 0, 0, 0, 0, 0, 0, 9], 78, .integer(9)), ([0, 3], 21, .integer(3)),
    ([0x40, 0x5E, 0, 0, 0, 0, 0, 0], 24, .number(120)), ([0, 0x41], 2, .text("A")),
  ])
  func `values of every type are read`(bytes: [UInt8], kind: UInt32, expected: QuickTimeValue)
    throws
  {
    let meta = box(
      "meta",
      box("hdlr", zeros(8) + Array("mdta".utf8) + zeros(13))
        + box("keys", be32(0) + be32(1) + box("mdta", Array("key".utf8)))
        + box("ilst", box([0, 0, 0, 1], box("data", be32(Int64(kind)) + be32(0) + bytes))))
    let movie = try ISOMovie(ArraySource(box("moov", meta)))
    #expect(movie.value("key") == expected)
  }

  /// 3GPP TS 26.244 §8.2 and §8.3.
  @Test(
    arguments: [
      (Array("Bär\0".utf8), "Bär"), ([0xFE, 0xFF, 0, 0x42, 0, 0xE4, 0, 0x72, 0, 0], "Bär"),
      ([], nil),
    ] as [([UInt8], String?)])
  func `titles of 3GPP are read`(text: [UInt8], expected: String?) throws {
    let title = box("titl", be32(0) + be16(0x15C7) + text)
    let movie = try ISOMovie(ArraySource(box("moov", box("udta", title))))
    #expect(movie.userData.first { $0.key == "title" }?.value.text == expected)
  }

  @Test func `HEIF items are read`() throws {
    let source = ArraySource(MadeFile.heif.bytes)
    let file = try HEIFContainer(source)
    #expect(file.primaryItem == 1)
    #expect(file.items.map(\.type) == ["hvc1", "Exif"])
    #expect(file.storedSize == PixelSize(width: 640, height: 480))
    #expect(file.displaySize == PixelSize(width: 480, height: 640))
    #expect(file.primaryProperties.compactMap(\.rotation) == [1])
    #expect(
      file.properties.compactMap(\.auxiliaryType) == ["urn:com:apple:photo:2020:aux:hdrgainmap"])
    #expect(try file.exif(from: source) == MadeFile.exifBlock)
    let clip = try #require(file.motionVideo)
    #expect(clip.upperBound - clip.lowerBound == UInt64(MadeFile.clip.count))
  }

  @Test func `the still image time is found`() throws {
    let key = box("keyd", Array("mdtacom.apple.quicktime.still-image-time".utf8))
    let entry = box("mebx", zeros(8) + box("keys", box([0, 0, 0, 1], key)))
    let table = box("stbl", box("stsd", be32(0) + be32(1) + entry))
    let media = box("mdia", box("hdlr", zeros(8) + Array("meta".utf8)) + box("minf", table))
    let edits = box(
      "edts",
      box(
        "elst",
        be32(0) + be32(2) + be32(900) + be32(-1) + be32(65536)
          + be32(1) + be32(0) + be32(65536)))
    let header = box("mvhd", be32(0) + zeros(8) + be32(600) + be32(1200))
    let movie = try ISOMovie(ArraySource(box("moov", header + box("trak", edits + media))))
    #expect(movie.stillImageTime == 1.5)
  }
}
