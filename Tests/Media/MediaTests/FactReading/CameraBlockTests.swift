import ByteReading
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import MediaTools
import MetadataRemoval
import Testing

/// Data of cameras outside of EXIF, made from the descriptions in exiftool's tables. exiftool's reading of the same files
/// is the expected result.
@Suite(.enabled(if: Tool.areInstalled(.exiftool)))
struct CameraBlockTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func facts(_ bytes: [UInt8], _ type: UniformType) throws -> MediaFacts? {
    if type.mediaType == .video {
      return try MovieReading.read(type, ArraySource(bytes)).facts(type: type, name: [])
    }
    return try PictureReading.read(type, ArraySource(bytes))?.facts(type: type, name: [])
  }

  /// Compares our reading with exiftool's.
  ///
  /// - Parameter count: the number of values that exiftool finds.
  @discardableResult
  private func compare(
    _ bytes: [UInt8], _ name: String, _ type: UniformType, count: Int
  ) async throws -> MediaFacts {
    try folder.write(bytes, to: name)
    let expected = try #require(try await ExiftoolFacts.read([name], in: folder).first)
    #expect(expected.count == count)
    let facts = try #require(try facts(bytes, type))
    #expect(expected.missing(in: facts).isEmpty)
    return facts
  }

  private func padded(_ text: String, _ count: Int) -> [UInt8] {
    Array(text.utf8) + [UInt8](repeating: 0, count: count - text.utf8.count)
  }

  private func little(_ number: Int, _ width: Int = 4) -> [UInt8] {
    bigEndian(number, width).reversed()
  }

  private func little(_ number: Double) -> [UInt8] { little(Int(number.bitPattern), 8) }

  // MARK: FLIR

  /// FLIR's data: a header, a directory of two records, the camera and the place.
  private func flirData(isValid: Bool = true) -> [UInt8] {
    let camera =
      bigEndian(2, 2) + [UInt8](repeating: 0, count: 0xD2) + padded("FLIR T620", 0x9C)
      + padded("FOL25", 0x90)
    let altitude = little(Int(Float(408.5).bitPattern))
    let place =
      little(isValid ? 1 : 0) + [2, 2, 0, 0] + Array("N\0E\0".utf8) + bigEndian(0)
      + little(47.36) + little(8.54) + altitude + [UInt8](repeating: 0, count: 0x5C)
    func entry(_ type: Int, _ offset: Int, _ length: Int) -> [UInt8] {
      bigEndian(type, 2) + bigEndian(1, 2) + bigEndian(100) + bigEndian(1) + bigEndian(offset)
        + bigEndian(length) + [UInt8](repeating: 0, count: 12)
    }
    let start = 64 + 2 * 32
    let header =
      padded("FFF", 0x14) + bigEndian(101) + bigEndian(64) + bigEndian(2)
      + [UInt8](repeating: 0, count: 32)
    return header + entry(0x20, start, camera.count)
      + entry(0x2B, start + camera.count, place.count) + camera + place
  }

  /// The data in two segments, of which the second one can come first.
  private func flirSegments(_ data: [UInt8], order: [Int] = [0, 1]) -> [[UInt8]] {
    let half = data.count / 2
    let parts = [Array(data[..<half]), Array(data[half...])]
    return order.map { Array("FLIR\0\u{1}".utf8) + [UInt8($0), 1] + parts[$0] }
  }

  @Test(arguments: [[0, 1], [1, 0]])
  func `FLIR's lens and place are read`(order: [Int]) async throws {
    let jpeg = bareJPEG(flirSegments(flirData(), order: order))
    // exiftool reports the model as CameraModel.
    let facts = try await compare(jpeg, "a.jpg", .jpeg, count: 3)
    #expect(facts.camera.model == "FLIR T620")
    #expect(facts.location?.altitude == 408.5)
  }

  @Test func `a place that FLIR declares invalid is ignored`() async throws {
    let jpeg = bareJPEG(flirSegments(flirData(isValid: false)))
    try await compare(jpeg, "a.jpg", .jpeg, count: 1)
    #expect(try facts(jpeg, .jpeg)?.location == nil)
    // One of the parts is missing.
    let part = try #require(flirSegments(flirData()).first)
    #expect(try facts(bareJPEG([part, Array("Exif\0\0II*\0".utf8)]), .jpeg)?.camera.lens == nil)
  }

  @Test func `FLIR's data survives damage`() throws {
    let data = flirData()
    for index in data.indices where index < 128 {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var changed = data
        changed[index] = value
        _ = try facts(bareJPEG(flirSegments(changed)), .jpeg)
      }
    }
  }

  // MARK: Casio, Canon, Phase One

  @Test func `Casio's date is read`() async throws {
    let segment = padded("QVCI", 0x4D) + padded("1998.10.24.12.08.57", 0x40)
    let facts = try await compare(bareJPEG([segment]), "a.jpg", .jpeg, count: 1)
    #expect(facts.captureTime?.iso8601 == "1998-10-24T12:08:57")
    #expect(facts.captureTime?.source == "qvci:DateTimeOriginal")
    for text in ["1998.13.24.12.08.57", "1998.10.24", "no date", ""] {
      let damaged = padded("QVCI", 0x4D) + padded(text, 0x40)
      #expect(try self.facts(bareJPEG([damaged]), .jpeg)?.captureTime == nil)
    }
  }

  /// An empty heap, to which exiftool adds XMP, as programs do.
  @Test func `XMP after a CRW is read, and places in it are removed`() async throws {
    let crw =
      Array("II".utf8) + little(26) + Array("HEAPCCDR".utf8) + [UInt8](repeating: 0, count: 12)
      + little(0, 2) + little(0)
    try folder.write(crw, to: "a.crw")
    try await Tool.exiftool.run([
      "-q", "-m", "-overwrite_original", "-XMP-dc:Description=A caption",
      "-XMP-exif:GPSLatitude=47.36", "-XMP-exif:GPSLongitude=8.54", folder.path("a.crw"),
    ])
    let bytes = try folder.bytes("a.crw")
    let facts = try await compare(bytes, "a.crw", .canonCRW, count: 2)
    #expect(facts.caption == "A caption")
    let removal = try Redaction.of(.canonCRW, ArraySource(bytes), .withoutLocation)
    let clean = removal.applied(to: bytes)
    #expect(clean.count == bytes.count)
    #expect(try self.facts(clean, .canonCRW)?.location == nil)
    #expect(try self.facts(clean, .canonCRW)?.caption == "A caption")
    for count in 0..<bytes.count { _ = try? self.facts(Array(bytes.prefix(count)), .canonCRW) }
  }

  @Test func `Phase One's note is read`() async throws {
    let lens = Array("Mamiya LS 80mm f/2.8 D\0".utf8)
    func entry(_ tag: Int, _ format: Int, _ size: Int, _ value: [UInt8]) -> [UInt8] {
      little(tag) + little(format) + little(size) + value
    }
    func float(_ value: Float) -> [UInt8] { little(Int(value.bitPattern)) }
    let count = 5
    let note =
      Array("IIIITwaR".utf8) + little(12) + little(count) + little(0)
      + entry(0x0105, 4, 4, little(100)) + entry(0x0400, 4, 4, float(10.25))
      + entry(0x0401, 4, 4, float(5)) + entry(0x0403, 4, 4, float(80))
      + entry(0x0412, 1, lens.count, little(20 + count * 16)) + lens
    let make = Array("Leaf\0".utf8)
    let exif = 8 + 2 + 2 * 12 + 4 + 6
    let start = exif + 2 + 12 + 4
    let block =
      Array("II".utf8) + little(42, 2) + little(8) + little(2, 2) + little(0x010F, 2)
      + little(2, 2) + little(make.count) + little(38) + little(0x8769, 2) + little(4, 2)
      + little(1) + little(exif) + little(0) + make + [0] + little(1, 2) + little(0x927C, 2)
      + little(7, 2) + little(note.count) + little(start) + little(0) + note
    try folder.write(block, to: "a.exif")
    let expected = try #require(try await ExiftoolFacts.read(["a.exif"], in: folder).first)
    // exiftool reports time and aperture as APEX values, which it converts.
    #expect(expected.count == 4)
    let data = try #require(try PhaseOneData(TIFFFile(ArraySource(block))))
    var facts = MediaFacts(mediaType: .image, uniformType: .tiff)
    facts.exposure = data.exposure
    facts.camera = Camera(make: "Leaf", lens: data.lens)
    #expect(expected.missing(in: facts).isEmpty)
    for (tag, value) in [
      ("ShutterSpeedValue", data.exposure.time), ("ApertureValue", data.exposure.fNumber),
    ] {
      let text = try await Tool.exiftool.run(["-s3", "-n", "-" + tag, folder.path("a.exif")])
      #expect(abs(try #require(Double(text)) - (value ?? 0)) < 1e-6, "\(tag)")
    }
    for index in 56..<block.count {
      var changed = block
      changed[index] = 0xFF
      _ = try? PhaseOneData(TIFFFile(ArraySource(changed)))
    }
  }

  // MARK: Movies

  /// The content of a `TAGS` box: a name, and values at offsets.
  private func tags(_ name: String, _ values: [(offset: Int, bytes: [UInt8])]) -> [UInt8] {
    var content = padded(name, 256)
    for value in values {
      content.replaceSubrange(value.offset..<(value.offset + value.bytes.count), with: value.bytes)
    }
    return content
  }

  private func fraction(_ number: Int) -> [UInt8] { little(number) + little(10) }

  private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
    bigEndian(content.count + 8) + Array(type.utf8) + content
  }

  /// A movie without tracks that has these boxes in its user data.
  private func movie(_ userData: [UInt8]) -> [UInt8] {
    box("ftyp", Array("qt  ".utf8) + bigEndian(0) + Array("qt  ".utf8))
      + box(
        "moov", box("mvhd", [UInt8](repeating: 0, count: 100)) + box("udta", userData))
  }

  private func compareMovie(_ userData: [UInt8], count: Int) async throws {
    let movie = movie(userData)
    try folder.write(movie, to: "a.mov")
    let expected = try #require(try await ExiftoolFacts.read(["a.mov"], in: folder).first)
    #expect(expected.count == count)
    let camera = try ISOMovie(ArraySource(movie)).camera
    var facts = MediaFacts(mediaType: .video, uniformType: .quickTimeMovie)
    facts.exposure = camera.exposure
    facts.camera = Camera(make: camera.make, model: camera.model, lens: camera.lens)
    #expect(expected.missing(in: facts).isEmpty)
  }

  @Test func `exposures in the TAGS of movies are read`() async throws {
    let nikon = [
      (0x18, Array("E2500".utf8)), (0x26, little(400)), (0x2A, fraction(48)),
      (0x48, fraction(58)), (0xDF, little(200, 2)),
    ]
    try await compareMovie(box("TAGS", tags("NIKON DIGITAL CAMERA", nikon)), count: 6)
    let pentax = [
      (0x26, little(384)), (0x2A, fraction(40)), (0x48, fraction(189)), (0xAF, little(50, 2)),
    ]
    try await compareMovie(box("TAGS", tags("PENTAX DIGITAL CAMERA", pentax)), count: 5)
    let olympus = [
      (0x36, little(300)), (0x3A, fraction(28)), (0x58, fraction(140)), (0xC1, little(64, 2)),
    ]
    let content = tags("OLYMPUS DIGITAL CAMERA", olympus)
    let camera = try ISOMovie(ArraySource(movie(box("TAGS", content)))).camera
    try folder.write(movie(box("TAGS", content)), to: "a.mov")
    let expected = try #require(try await ExiftoolFacts.read(["a.mov"], in: folder).first)
    #expect(expected.ISO == 64)
    var facts = MediaFacts(mediaType: .video, uniformType: .quickTimeMovie)
    facts.exposure = camera.exposure
    // exiftool takes the end of the name for the model.
    let missing = expected.missing(in: facts)
    #expect(Set(missing).isSubset(of: ["Make", "Model"]))
  }

  @Test func `damaged TAGS are read`() throws {
    let content = tags("PENTAX DIGITAL CAMERA", [(0x26, little(384)), (0x2A, fraction(40))])
    for count in 0...content.count {
      _ = try ISOMovie(ArraySource(movie(box("TAGS", Array(content.prefix(count)))))).camera
    }
  }

  /// exiftool adds 0x1100000 to the numbers of EXIF's tags.
  @Test func `exposures in Nikon's records are read`() async throws {
    func record(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
      bigEndian(tag) + bigEndian(type, 2) + bigEndian(count, 2) + value
    }
    let lens = Array("NIKKOR Z 50mm f/1.8 S\0".utf8)
    let records =
      record(0x110_829A, 5, 1, bigEndian(1) + bigEndian(60))
      + record(0x110_829D, 5, 1, bigEndian(28) + bigEndian(10))
      + record(0x110_920A, 5, 1, bigEndian(500) + bigEndian(10))
      + record(0x110_A434, 2, lens.count, lens)
    try await compareMovie(box("NCDT", box("NCTG", records)), count: 4)
  }

  // MARK: AVCHD

  /// A transport stream of one video packet with a camcorder's entries, each a tag and four bytes.
  private func stream(_ entries: [(tag: UInt8, value: [UInt8])]) -> [UInt8] {
    let marker: [UInt8] = [
      0x17, 0xEE, 0x8C, 0x60, 0xF8, 0x4D, 0x11, 0xD9, 0x8C, 0xD6, 0x08, 0x00, 0x20, 0x0C, 0x9A,
      0x66,
    ]
    let data =
      marker + Array("MDPM".utf8) + [UInt8(entries.count)]
      + entries.flatMap { [$0.tag] + $0.value }
    // In coded video, a 3 precedes a byte below 4 after two zeros (ITU-T H.264 §7.4.1).
    var coded: [UInt8] = []
    for byte in data {
      if byte < 4, coded.suffix(2).elementsEqual([0, 0]) { coded.append(3) }
      coded.append(byte)
    }
    let payload = [0, 0, 1, 0xE0] + coded
    let packets: [UInt8] = stride(from: 0, to: payload.count, by: 184).flatMap { start in
      let part = payload[start..<min(start + 184, payload.count)]
      return [0x47, start == 0 ? 0x40 : 0, 0x11, 0x10] + part
        + [UInt8](repeating: 0xFF, count: 184 - part.count)
    }
    // Null packets, since a transport stream is recognised by several.
    let null = [0x47, 0x1F, 0xFF, 0x10] + [UInt8](repeating: 0xFF, count: 184)
    return packets + null + null + null
  }

  private static let clock: [(tag: UInt8, value: [UInt8])] = [
    (0x18, [0x02, 0x20, 0x10, 0x07]), (0x19, [0x14, 0x12, 0x34, 0x56]),
  ]

  /// The entries of a Sony HDR: exiftool's H264.pm describes each.
  @Test func `the place and the exposure of AVCHD are read`() throws {
    let entries = stream(
      Self.clock + [
        (0xA0, [0, 1, 0, 60]), (0xA1, [0, 28, 0, 10]), (0xB1, Array("S\0\0\0".utf8)),
        (0xB2, [0, 33, 0, 1]), (0xB3, [0, 51, 0, 1]), (0xB4, [0, 24, 0, 1]),
        (0xB5, Array("E\0\0\0".utf8)), (0xB6, [0, 151, 0, 1]), (0xB7, [0, 12, 0, 1]),
        (0xB8, [0, 36, 0, 1]), (0xB9, [0, 0, 0, 0]), (0xBA, [0, 125, 0, 10]),
        (0xE0, [0x01, 0x08, 0x30, 0x01]), (0xE4, Array("HDR-".utf8)), (0xE5, Array("CX50".utf8)),
        (0xE6, Array("5V\0\0".utf8)),
      ])
    let recording = try #require(try AVCHDRecording(ArraySource(entries)))
    #expect(recording.make == "Sony")
    #expect(recording.model == "HDR-CX505V")
    #expect(recording.exposure == Exposure(time: 1.0 / 60, fNumber: 2.8))
    #expect(
      recording.location == Location(latitude: -33.856_666_67, longitude: 151.21, altitude: 12.5))
    for count in 0..<entries.count {
      _ = try AVCHDRecording(ArraySource(Array(entries.prefix(count))))
    }
  }

  /// Canon stores the shutter's time as a 15-bit number; all bits mean that it is unknown.
  @Test(arguments: [(1125, 0.04), (0x7FFF, nil), (0xFFFF, nil), (0, nil)])
  func `the shutter's time of AVCHD is read`(number: Int, expected: Double?) throws {
    let entries =
      Self.clock + [
        (0x7F, [0xFF, 0xFF, UInt8(number & 0xFF), UInt8(number >> 8)]), (0xE0, [0x10, 0x11, 0, 1]),
      ]
    let recording = try #require(try AVCHDRecording(ArraySource(stream(entries))))
    #expect(recording.exposure.time == expected)
    #expect(recording.make == "Canon")
    #expect(recording.location == nil)
  }
}
