import MediaModel
import MediaTools
import Testing

@testable import MediaFormats

/// Maker notes made from the descriptions in exiftool's tables. exiftool's reading of them is the expected result.
@Suite(.enabled(if: Tool.areInstalled(.exiftool)))
struct MakerNoteTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  /// One entry of a directory: its value is stored after the directory if it is longer than 4 bytes.
  private typealias Entry = (tag: Int, type: Int, count: Int, value: [UInt8])

  /// A directory in big-endian order.
  ///
  /// - Parameter offset: its offset from the position from which offsets count.
  private func directory(_ entries: [Entry], at offset: Int) -> [UInt8] {
    var table = bigEndian(entries.count, 2)
    var values: [UInt8] = []
    let start = offset + 2 + entries.count * 12 + 4
    for entry in entries {
      table += bigEndian(entry.tag, 2) + bigEndian(entry.type, 2) + bigEndian(entry.count)
      if entry.value.count <= 4 {
        table += entry.value + [UInt8](repeating: 0, count: 4 - entry.value.count)
      } else {
        table += bigEndian(start + values.count)
        values += entry.value
      }
    }
    return table + bigEndian(0) + values
  }

  /// A TIFF block with the maker and a note. The note is at offset 96.
  private func block(_ make: String, _ note: [UInt8]) -> [UInt8] {
    let name = Array(make.utf8) + [0]
    let start = 8 + 2 + 2 * 12 + 4
    let exif = start + name.count
    let main = directory([(0x010F, 2, name.count, name), (0x8769, 4, 1, bigEndian(exif))], at: 8)
    let head = Array("MM".utf8) + bigEndian(42, 2) + bigEndian(8) + main
    let table =
      bigEndian(1, 2) + bigEndian(0x927C, 2) + bigEndian(7, 2) + bigEndian(note.count)
      + bigEndian(96) + bigEndian(0)
    let gap = [UInt8](repeating: 0, count: 96 - head.count - table.count)
    return head + table + gap + note
  }

  private func shorts(_ values: [Int]) -> [UInt8] { values.flatMap { bigEndian($0, 2) } }

  /// Compares our reading with exiftool's text.
  private func compare(_ make: String, _ note: [UInt8], tag: String = "ISO") async throws {
    let block = block(make, note)
    try folder.write(block, to: "a.exif")
    let expected = try await Tool.exiftool.run(["-s3", "-" + tag, folder.path("a.exif")])
    let number = try #require(Int(expected), "\(make): \(expected)")
    #expect(MakerNote(exif: block)?.exposure.iso == number, "\(make)")
  }

  /// Compares exposure and lens with exiftool's values.
  ///
  /// - Parameter least: the number of values that exiftool finds.
  private func compareAll(
    _ make: String, _ note: [UInt8], atLeast least: Int, options: [String] = ["-n"]
  ) async throws {
    let block = block(make, note)
    try folder.write(block, to: "a.exif")
    let found = try await ExiftoolFacts.read(["a.exif"], in: folder, options: options)
    let expected = try #require(found.first)
    #expect(expected.count >= least + 1, "\(make)")
    var facts = MediaFacts(mediaType: .image, uniformType: .jpeg)
    let note = try #require(MakerNote(exif: block))
    facts.exposure = note.exposure
    facts.camera = Camera(make: make, lens: note.lens)
    // exiftool makes a date of zeros in Kodak's note.
    let missing = expected.missing(in: facts).filter { $0 != "DateTimeOriginal" }
    #expect(missing.isEmpty, "\(make)")
  }

  @Test func canonExposure() async throws {
    var settings = [Int](repeating: 0, count: 46)
    (settings[0], settings[16], settings[25]) = (92, 0x4000 + 320, 2)
    var info = [Int](repeating: 0, count: 34)
    (info[0], info[21], info[22]) = (68, 148, 0x94)
    try await compareAll(
      "Canon",
      directory(
        [
          (0x0001, 3, settings.count, shorts(settings)), (0x0002, 3, 4, shorts([2, 70, 0, 0])),
          (0x0004, 3, info.count, shorts(info)),
        ], at: 96), atLeast: 4)
  }

  /// exiftool prints the speed of a code only without -n.
  @Test(arguments: [
    (3, 50), (6, 100), (45, 819_200), (258, 50), (267, 1100), (400, 400), (60, nil),
  ])
  func pentaxSpeeds(code: Int, speed: Int?) async throws {
    let note = Array("AOC\0MM".utf8) + directory([(0x0014, 3, 1, bigEndian(code, 2))], at: 102)
    if speed != nil { try await compare("PENTAX Corporation", note) }
    #expect(MakerNote(exif: block("PENTAX Corporation", note))?.exposure.iso == speed)
  }

  @Test func pentax() async throws {
    let entries: [Entry] = [
      (0x0012, 4, 1, bigEndian(400)), (0x0013, 3, 1, bigEndian(56, 2)),
      (0x0014, 3, 1, bigEndian(100, 2)),
    ]
    try await compareAll(
      "PENTAX Corporation", Array("AOC\0MM".utf8) + directory(entries, at: 102), atLeast: 3)
    try await compareAll(
      "PENTAX", Array("PENTAX \0MM".utf8) + directory(entries, at: 10), atLeast: 3)
  }

  @Test func sigma() async throws {
    func fraction(_ tag: Int, _ value: Int) -> Entry {
      (tag, 5, 1, bigEndian(value) + bigEndian(1000))
    }
    try await compareAll(
      "SIGMA",
      Array("SIGMA\0\0\0".utf8) + [1, 0]
        + directory([fraction(0x31, 5600), fraction(0x32, 20)], at: 106), atLeast: 2)
    try await compareAll(
      "SIGMA",
      Array("SIGMA\0\0\0".utf8) + [0, 3]
        + directory(
          [fraction(0x49, 5600), fraction(0x4A, 20), (0x86, 3, 1, bigEndian(200, 2))], at: 106),
      atLeast: 3)
  }

  @Test func samsung() async throws {
    let version: Entry = (0x0001, 7, 4, Array("0100".utf8))
    let time = bigEndian(1) + bigEndian(60)
    try await compareAll(
      "SAMSUNG",
      directory(
        [
          version, (0xA014, 4, 1, bigEndian(400)), (0xA018, 5, 1, time),
          (0xA019, 5, 1, bigEndian(28) + bigEndian(10)),
        ], at: 96), atLeast: 3)
  }

  @Test func minoltaExposure() async throws {
    let values = [8: 56, 9: 96, 10: 56, 18: 50 * 256]
    let settings = (0..<20).flatMap { bigEndian(values[$0] ?? 1) }
    try await compareAll(
      "Minolta Co., Ltd.", directory([(0x0003, 7, settings.count, settings)], at: 96), atLeast: 4)
  }

  @Test func kodakExposure() async throws {
    var note = Array("KDK INFO".utf8) + [UInt8](repeating: 0, count: 0x70)
    note.replaceSubrange((8 + 0x1E)..<(8 + 0x20), with: bigEndian(280, 2))
    note.replaceSubrange((8 + 0x20)..<(8 + 0x24), with: bigEndian(500))
    note.replaceSubrange((8 + 0x60)..<(8 + 0x62), with: bigEndian(140, 2))
    try await compareAll("EASTMAN KODAK COMPANY", note, atLeast: 3)
  }

  /// The lens is in an inner directory: at an offset, or as a value of undefined type.
  @Test(arguments: [13, 7])
  func olympusLens(type: Int) async throws {
    let name = Array("ZUIKO 14-54mm\0".utf8)
    let start = 12 + 2 + 12 + 4
    let inner = directory([(0x0203, 2, name.count, name)], at: start)
    let outer =
      bigEndian(1, 2) + bigEndian(0x2010, 2) + bigEndian(type, 2)
      + bigEndian(type == 13 ? 1 : inner.count) + bigEndian(start) + bigEndian(0)
    try await compareAll(
      "OLYMPUS CORPORATION", Array("OLYMPUS\0MM".utf8) + [0, 3] + outer + inner, atLeast: 1)
  }

  /// `CameraISO` as a code, as a number, and not set; `AutoISO` and `BaseISO`.
  @Test(arguments: [
    (17, 0, 0), (0x4000 + 320, 0, 0), (15, 32, 160), (0, -13, 192), (0x7FFF, 9, 170),
  ])
  func canon(setting: Int, auto: Int, base: Int) async throws {
    var settings = [Int](repeating: 0, count: 20)
    (settings[0], settings[16]) = (40, setting)
    let info = [10, auto, base, 0, 0]
    let entries: [Entry] = [
      (0x0001, 3, settings.count, shorts(settings)), (0x0004, 3, info.count, shorts(info)),
    ]
    try await compare("Canon", directory(entries, at: 96))
  }

  @Test func canonLens() throws {
    let name = Array("EF50mm f/1.4 USM\0".utf8)
    let note = directory([(0x0095, 2, name.count, name)], at: 96)
    #expect(MakerNote(exif: block("Canon", note))?.lens == "EF50mm f/1.4 USM")
  }

  @Test func casio() async throws {
    try await compare(
      "CASIO COMPUTER CO.,LTD", directory([(0x0014, 3, 1, bigEndian(64, 2))], at: 96))
    try await compare(
      "CASIO COMPUTER CO.,LTD.",
      Array("QVC\0\0\0".utf8) + directory([(0x3014, 3, 1, bigEndian(50, 2))], at: 102))
  }

  @Test func nikon() async throws {
    func note(_ entries: [Entry]) -> [UInt8] {
      Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + Array("MM".utf8) + bigEndian(42, 2) + bigEndian(8)
        + directory(entries, at: 8)
    }
    let info: Entry = (0x0025, 7, 14, [72] + [UInt8](repeating: 0, count: 13))
    try await compare("NIKON CORPORATION", note([info]))
    let both = block("NIKON CORPORATION", note([(0x0002, 3, 2, shorts([0, 250])), info]))
    #expect(MakerNote(exif: both)?.exposure.iso == 250)
    // Without the header, offsets count from the start of the block.
    let bare = block("NIKON", directory([(0x0002, 3, 2, shorts([0, 640]))], at: 96))
    #expect(MakerNote(exif: bare)?.exposure.iso == 640)
  }

  @Test func minolta() async throws {
    let settings = (0..<20).flatMap { bigEndian($0 == 8 ? 56 : 1) }
    try await compare(
      "Minolta Co., Ltd.", directory([(0x0003, 7, settings.count, settings)], at: 96))
  }

  @Test func olympus() async throws {
    let value: Entry = (0x1001, 10, 1, bigEndian(6) + bigEndian(1))
    try await compare(
      "OLYMPUS CORPORATION", Array("OLYMP\0".utf8) + [0, 1] + directory([value], at: 104),
      tag: "ISOValue")
    try await compare(
      "OLYMPUS CORPORATION",
      Array("OLYMPUS\0MM".utf8) + [0, 3] + directory([value], at: 12), tag: "ISOValue")
  }

  @Test func panasonic() async throws {
    func note(_ speed: Int) -> [UInt8] {
      Array("Panasonic\0\0\0".utf8) + directory([(0x00D1, 4, 1, bigEndian(speed))], at: 108)
    }
    try await compare("Panasonic", note(1250))
    #expect(MakerNote(exif: block("Panasonic", note(0xFFFF_FFFF)))?.exposure.iso == nil)
  }

  @Test func kodak() async throws {
    var note = Array("KDK INFO".utf8) + [UInt8](repeating: 0, count: 0x70)
    note.replaceSubrange((8 + 0x60)..<(8 + 0x62), with: bigEndian(140, 2))
    try await compare("EASTMAN KODAK COMPANY", note)
  }

  /// Compares the zone with exiftool's `TimeZone`, to which Nikon's daylight saving time is added.
  ///
  /// - Parameter expected: nil if the zone does not count.
  private func compareZone(_ make: String, _ note: [UInt8], is expected: Int?) async throws {
    let block = block(make, note)
    try folder.write(block, to: "a.exif")
    let lines = try await Tool.exiftool.run(
      ["-s3", "-n", "-TimeZone", "-DaylightSavings", folder.path("a.exif")])
    let numbers = lines.split(separator: "\n").compactMap { Int($0) }
    try #require(numbers.count == 2, "\(lines)")
    let zone = numbers[0] + (make.hasPrefix("NIKON") ? numbers[1] * 60 : 0)
    let clock = MakerNote(exif: block)?.clock
    let maker = make.hasPrefix("NIKON") ? "Nikon" : "Canon"
    #expect(clock == expected.map { .zone(minutes: $0, maker: maker) })
    #expect(expected == nil || zone == expected)
  }

  /// Minutes and daylight saving time as stored, and the resulting offset. 100 minutes are no zone, and UTC is the
  /// factory setting.
  @Test(arguments: [
    (60, 0, 60), (60, 1, 120), (-300, 0, -300), (345, 0, 345), (0, 0, nil), (0, 1, 60),
    (100, 0, nil),
  ])
  func nikonZone(zone: Int, isDaylightSaving: Int, expected: Int?) async throws {
    let time = bigEndian(zone & 0xFFFF, 2) + [UInt8(isDaylightSaving), 0]
    let note =
      Array("Nikon\0".utf8) + [2, 0x10, 0, 0] + Array("MM".utf8) + bigEndian(42, 2) + bigEndian(8)
      + directory([(0x0024, 7, 4, time)], at: 8)
    try await compareZone("NIKON CORPORATION", note, is: expected)
  }

  /// Canon's zone contains daylight saving time.
  @Test(arguments: [(60, 0, 60), (120, 60, 120), (-480, 0, -480), (0, 0, nil), (61, 0, nil)])
  func canonZone(zone: Int, daylightSaving: Int, expected: Int?) async throws {
    // exiftool reads the length as 16 bits in the order of the note.
    let numbers = [zone & 0xFFFF_FFFF, 20, daylightSaving]
    let time: [UInt8] = [0, 16, 0, 0] + numbers.flatMap { bigEndian($0) }
    try await compareZone("Canon", directory([(0x0035, 4, 4, time)], at: 96), is: expected)
  }

  @Test func olympusTime() async throws {
    let text = Array("2019:05:06 10:34:56".utf8) + [0]
    let offset = 12 + 2 + 12 + 4
    let note =
      Array("OLYMPUS\0MM".utf8) + [0, 3]
      + Array(directory([(0x2020, 13, 1, bigEndian(offset))], at: 12))
      + directory([(0x0908, 2, text.count, text)], at: offset)
    let block = block("OLYMPUS CORPORATION", note)
    try folder.write(block, to: "a.exif")
    let expected = try await Tool.exiftool.run(["-s3", "-DateTimeUTC", folder.path("a.exif")])
    #expect(MakerNote(exif: block)?.clock == .utc(expected))
  }

  /// No byte of a note, and no length, may make the reader fail.
  @Test func damagedNotesAreRead() {
    let whole = block(
      "Canon", directory([(0x0001, 3, 20, shorts([Int](repeating: 17, count: 20)))], at: 96))
    #expect(MakerNote(exif: whole)?.exposure.iso == 100)
    for length in 0..<whole.count { _ = MakerNote(exif: Array(whole.prefix(length))) }
    for index in whole.indices {
      for value in [0, 0x7F, 0xFF] as [UInt8] {
        var changed = whole
        changed[index] = value
        _ = MakerNote(exif: changed)
      }
    }
  }
}
