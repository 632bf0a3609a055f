import ByteReading
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import MediaTools
import MetadataRemoval
import Testing

/// EXIF blocks that libexif reads in part or not at all. exiftool writes a block, and reads it after each change; what it
/// finds must be found.
@Suite(.enabled(if: Tool.areInstalled(.exiftool)))
struct DamagedExifTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func block(_ order: String = "II") async throws -> [UInt8] {
    try await Tool.exiftool.run([
      "-q", "-n", "-ExifByteOrder=" + order, "-Make=Acme", "-Model=Sharp 3", "-Orientation=6",
      "-LensModel=50mm f/2", "-ExposureTime=0.005", "-FNumber=2.8", "-ISO=250", "-FocalLength=50",
      "-DateTimeOriginal=2022:02:16 12:55:41", "-GPSLatitude=47.36", "-GPSLatitudeRef=N",
      "-GPSLongitude=8.54", "-GPSLongitudeRef=E", folder.path(order + ".exif"),
    ])
    let block = try folder.bytes(order + ".exif")
    try #require(block.hasText(order))
    return block
  }

  private func facts(_ jpeg: [UInt8]) throws -> MediaFacts {
    let reading = try #require(try PictureReading.read(.jpeg, ArraySource(jpeg)))
    return reading.facts(type: .jpeg, name: [])
  }

  /// Compares our reading of EXIF segments with exiftool's.
  ///
  /// - Parameter least: the number of values that exiftool finds in each, so that the comparison is not empty.
  private func compare(_ segments: [[UInt8]], atLeast least: Int) async throws {
    let names = segments.indices.map { "\($0).jpg" }
    for (name, segment) in zip(names, segments) {
      try folder.write(bareJPEG([segment]), to: name)
    }
    let found = try await ExiftoolFacts.read(names, in: folder)
    try #require(found.count == names.count)
    for (index, expected) in found.enumerated() {
      #expect(expected.count >= least, "\(names[index])")
      let missing = expected.missing(in: try facts(bareJPEG([segments[index]])))
      #expect(missing.isEmpty, "\(names[index])")
    }
  }

  private static let name = Array("Exif\0\0".utf8)

  /// The place of an entry of a tag.
  private func entry(_ tag: Int, _ order: ByteOrder, in block: [UInt8]) throws -> Int {
    let high = UInt8(tag >> 8)
    let bytes = order == .little ? [UInt8(tag & 0xFF), high] : [high, UInt8(tag & 0xFF)]
    return try #require(block.firstRange(of: bytes)).lowerBound
  }

  private func firstDirectory(
    of block: [UInt8], _ order: ByteOrder
  ) throws -> (offset: Int, bytes: [UInt8]) {
    let start = Int(try #require(block.u32(at: 4, order)))
    let count = Int(try #require(block.u16(at: start, order)))
    return (start, try #require(block.bytes(at: start, count: 2 + count * 12 + 4)))
  }

  @Test func `a block that is cut off keeps what is left`() async throws {
    for order in ["II", "MM"] {
      let block = try await block(order)
      let cuts = stride(from: 14, to: block.count, by: 9).map {
        Self.name + Array(block.prefix($0))
      }
      try await compare(cuts, atLeast: 0)
      try await compare([Self.name + block], atLeast: 11)
    }
  }

  /// The pointers of IFD0 as offsets of TIFF's type 13.
  @Test func `pointers of another type are followed`() async throws {
    var block = try await block()
    for tag in [0x8769, 0x8825] { block[try entry(tag, .little, in: block) + 2] = 13 }
    try await compare([Self.name + block], atLeast: 11)
  }

  /// Some programs write a directory after the values that it refers to.
  @Test func `a directory at the end is read`() async throws {
    for order in [ByteOrder.little, .big] {
      var block = try await block(order == .little ? "II" : "MM")
      let (start, directory) = try firstDirectory(of: block, order)
      if block.count % 2 == 1 { block.append(0) }
      block.replaceSubrange(4..<8, with: encoded(block.count, width: 4, order))
      block.replaceSubrange(start..<(start + 12), with: [UInt8](repeating: 0xFF, count: 12))
      try await compare([Self.name + block + directory], atLeast: 11)
    }
  }

  @Test func `unusual names and numbers of the header are accepted`() async throws {
    let block = try await block()
    var other = block
    other.replaceSubrange(2..<4, with: [0, 0])
    let names = ["EXIF\0\0", "Exif\0 ", "\0\0Exif\0\0"].map { Array($0.utf8) }
    try await compare(names.map { $0 + block } + [Self.name + other], atLeast: 11)
  }

  @Test(arguments: [("0.004\0", 0.004), ("1/250\0", 0.004), ("often\0", nil), ("1/0\0\0", nil)])
  func `numbers as text are read`(text: String, expected: Double?) throws {
    let value = Array(text.utf8)
    let table =
      bigEndian(1, 2) + bigEndian(0x829A, 2) + bigEndian(2, 2) + bigEndian(value.count)
      + bigEndian(26) + bigEndian(0)
    let block = Array("MM".utf8) + bigEndian(42, 2) + bigEndian(8) + table + value
    #expect(try facts(bareJPEG([Self.name + block])).exposure.time == expected)
  }

  @Test func `subseconds that are a number are read`() async throws {
    let main =
      bigEndian(1, 2) + bigEndian(0x8769, 2) + bigEndian(4, 2) + bigEndian(1) + bigEndian(26)
    let exif =
      bigEndian(2, 2) + bigEndian(0x9003, 2) + bigEndian(2, 2) + bigEndian(20) + bigEndian(56)
      + bigEndian(0x9291, 2) + bigEndian(3, 2) + bigEndian(1) + bigEndian(25, 2) + bigEndian(0, 2)
    let block =
      Array("MM".utf8) + bigEndian(42, 2) + bigEndian(8) + main + bigEndian(0) + exif + bigEndian(0)
      + Array("2022:02:16 12:55:41\0".utf8)
    let jpeg = bareJPEG([Self.name + block])
    try folder.write(jpeg, to: "a.jpg")
    let found = try await Tool.exiftool.run([
      "-s3", "-SubSecDateTimeOriginal", folder.path("a.jpg"),
    ])
    #expect(found == "2022:02:16 12:55:41.25")
    #expect(try facts(jpeg).captureTime?.iso8601 == "2022-02-16T12:55:41.25")
  }

  /// libexif reads at most 64 KiB. The EXIF of a PNG can be longer.
  @Test func `directories after 64 KiB are read`() async throws {
    let block = try await block("MM")
    let directory = try firstDirectory(of: block, .big).bytes
    var long = block + [UInt8](repeating: 0, count: 70_000 - block.count) + directory
    long.replaceSubrange(4..<8, with: bigEndian(70_000))
    let header = pngChunk("IHDR", bigEndian(8) + bigEndian(8) + [8, 2, 0, 0, 0])
    let png =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + header + pngChunk("eXIf", long)
      + pngChunk("IEND", [])
    try folder.write(png, to: "a.png")
    let expected = try #require(try await ExiftoolFacts.read(["a.png"], in: folder).first)
    #expect(expected.count == 11)
    let reading = try #require(try PictureReading.read(.png, ArraySource(png)))
    #expect(expected.missing(in: reading.facts(type: .png, name: [])).isEmpty)
  }

  /// What the tolerant reading finds must not survive the removal of the location.
  @Test func `places in such blocks are removed`() async throws {
    let block = try await block()
    var blocks = [block]
    for type in [13, 7] as [UInt8] {
      var changed = block
      let place = try entry(0x8825, .little, in: block)
      changed[place + 2] = type
      if type == 7 { changed[place + 4] = 4 }
      blocks.append(changed)
    }
    var other = block
    other.replaceSubrange(2..<4, with: [0, 0])
    blocks += [other] + stride(from: 60, to: block.count, by: 7).map { Array(block.prefix($0)) }
    for block in blocks {
      let clean = ExifBlockRedaction.removing(.withoutLocation, from: block)
      #expect(clean.count == block.count)
      #expect(try facts(bareJPEG([Self.name + clean])).location == nil)
    }
    #expect(try facts(bareJPEG([Self.name + other])).location != nil)
  }

  /// No byte of a block, and no length, may make the reader fail.
  @Test func `damaged blocks are read`() async throws {
    let block = try await block()
    for index in block.indices {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var changed = block
        changed[index] = value
        _ = try facts(bareJPEG([Self.name + changed]))
      }
    }
  }
}
