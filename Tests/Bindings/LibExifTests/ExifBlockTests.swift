import ByteReading
import Foundation
import MediaModel
import MediaTools
import Testing

@testable import LibExif

/// exiftool writes an EXIF block on its own; its output is the expected result.
@Suite(.enabled(if: Tool.areInstalled(.exiftool)))
struct ExifBlockTests {
  private let folder: ScratchFolder

  init() throws {
    folder = try ScratchFolder()
  }

  private func block(_ tags: [String]) async throws -> ExifBlock {
    try await Tool.exiftool.run(["-q", "-n"] + tags + [folder.path("a.exif")])
    return try #require(ExifBlock(tiff: try folder.bytes("a.exif")))
  }

  private func exiftool(_ tag: String) async throws -> String {
    try await Tool.exiftool.run(["-s3", "-n", "-" + tag, folder.path("a.exif")])
  }

  @Test(arguments: ["II", "MM"])
  func readsCameraAndExposureInBothByteOrders(order: String) async throws {
    let block = try await block([
      "-ExifByteOrder=" + order, "-Make=Acme ", "-Model=Sharp 3", "-LensModel=50mm f/2",
      "-Software=1.2", "-ExposureTime=0.005", "-FNumber=2.8", "-ISO=250", "-FocalLength=50",
      "-FocalLengthIn35mmFormat=75", "-Orientation=6", "-CustomRendered=6",
    ])
    #expect(block.make == "Acme")
    #expect(block.model == "Sharp 3")
    #expect(block.lensModel == "50mm f/2")
    #expect(block.software == "1.2")
    #expect(block.orientation == .right)
    #expect(block.customRendered == 6)
    let exposure = block.exposure
    #expect(try await exiftool("ExposureTime") == exposure.time.map { "\($0)" })
    #expect(try await exiftool("FNumber") == exposure.fNumber.map { "\($0)" })
    #expect(try await exiftool("ISO") == exposure.iso.map { "\($0)" })
    #expect(exposure.focalLength == 50)
    #expect(exposure.focalLengthIn35mm == 75)
  }

  @Test func readsDatesWithSubsecondsAndOffsets() async throws {
    let block = try await block([
      "-DateTimeOriginal=2022:02:16 12:55:41", "-SubSecTimeOriginal=123",
      "-OffsetTimeOriginal=+01:00", "-CreateDate=2022:02:16 12:55:42", "-OffsetTime=-05:00",
      "-ModifyDate=2023:01:01 00:00:00",
    ])
    #expect(block.dateTimeOriginal == "2022:02:16 12:55:41")
    #expect(block.subSecTimeOriginal == "123")
    #expect(block.offsetTimeOriginal == "+01:00")
    #expect(block.dateTimeDigitized == "2022:02:16 12:55:42")
    #expect(block.offsetTimeDigitized == nil)
    #expect(block.dateTime == "2023:01:01 00:00:00")
    #expect(block.offsetTime == "-05:00")
  }

  /// Some programs write a number. Its bytes may be those of a text: 53 is `5` in ASCII.
  @Test(arguments: [(45, "45"), (53, "53"), (0, "0"), (999, "999"), (13_621, "13621")])
  func readsSubsecondsThatAreANumber(number: Int, expected: String) async throws {
    for order in ["II", "MM"] {
      _ = try await block([
        "-ExifByteOrder=\(order)", "-DateTimeOriginal=2022:02:16 12:55:41",
        "-SubSecTimeOriginal=12",
      ])
      var bytes = try folder.bytes("a.exif")
      func short(_ value: Int) -> [UInt8] {
        let pair = [UInt8(value >> 8), UInt8(value & 0xFF)]
        return order == "II" ? pair.reversed() : pair
      }
      let entry = try #require(bytes.firstIndex(of: short(0x9291) + short(2)))
      // One SHORT in place of three characters.
      let one = order == "II" ? short(1) + short(0) : short(0) + short(1)
      bytes.replaceSubrange(entry + 2..<entry + 12, with: short(3) + one + short(number) + [0, 0])
      try Data(bytes).write(to: URL(filePath: folder.path("a.exif")))
      #expect(try await exiftool("SubSecTimeOriginal") == expected)
      let block = try #require(ExifBlock(tiff: bytes))
      #expect(block.subSecTimeOriginal == expected)
      try FileManager.default.removeItem(atPath: folder.path("a.exif"))
    }
  }

  @Test func readsPlacesInEveryHemisphere() async throws {
    let block = try await block([
      "-GPSLatitude=33.8568", "-GPSLatitudeRef=S", "-GPSLongitude=70.5", "-GPSLongitudeRef=W",
      "-GPSAltitude=12.5", "-GPSAltitudeRef=1", "-GPSDateStamp=2022:02:16",
      "-GPSTimeStamp=11:55:39",
    ])
    let location = try #require(block.location)
    #expect(abs(location.latitude + 33.8568) < 1e-6)
    #expect(abs(location.longitude + 70.5) < 1e-6)
    #expect(location.altitude == -12.5)
    #expect(block.gpsDateStamp == "2022:02:16")
    #expect(block.gpsTimeOfDay == 42_939.0)
  }

  /// EXIF 3.0 §4.6.2: type 129 is text in UTF-8. exiftool writes type 2, which is changed here, and reads both.
  @Test(arguments: ["II", "MM"])
  func readsTextInUTF8(order: String) async throws {
    try await Tool.exiftool.run([
      "-q", "-n", "-ExifByteOrder=" + order, "-charset", "exif=UTF8", "-Make=Müller & Söhne",
      "-Model=日本", "-LensModel=Größe", folder.path("a.exif"),
    ])
    var bytes = try folder.bytes("a.exif")
    var changed = 0
    for tag in [0x010F, 0x0110, 0xA434] {
      let (high, low) = (UInt8(tag >> 8), UInt8(tag & 0xFF))
      let start = order == "II" ? [low, high, 2, 0] : [high, low, 0, 2]
      let place = try #require(bytes.firstRange(of: start)).lowerBound
      bytes[place + (order == "II" ? 2 : 3)] = 129
      changed += 1
    }
    try #require(changed == 3)
    try folder.write(bytes, to: "a.exif")
    let block = try #require(ExifBlock(tiff: bytes))
    #expect(block.make == "Müller & Söhne")
    #expect(block.model == "日本")
    #expect(block.lensModel == "Größe")
    let named = ExifBlock.namedTags(tiff: bytes)
    #expect(named.contains { $0.group == "IFD0" && $0.name == "Make" && $0.value.contains("hne") })
  }

  /// Directories that point at each other or beyond the block end the search for UTF-8 texts.
  @Test func survivesDamagedDirectories() {
    let header: [UInt8] = [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0]
    let loop: [UInt8] = [1, 0, 0x69, 0x87, 129, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0]
    for count in 0...(header.count + loop.count) {
      _ = ExifBlock(tiff: Array((header + loop).prefix(count)))
    }
    let changed = UTF8Types.replaced(in: header + loop)
    #expect(changed[12] == 2)
  }

  /// EXIF 3.0 §4.6.7, GPSAltitudeRef: 0 and 2 are above, 1 and 3 below the reference.
  @Test(arguments: [(0, 430.0), (1, -430), (2, 430), (3, -430)])
  func readsAltitudesOfEveryReference(reference: Int, altitude: Double) async throws {
    let block = try await block([
      "-GPSLatitude=33.8568", "-GPSLatitudeRef=N", "-GPSLongitude=70.5", "-GPSLongitudeRef=E",
      "-GPSAltitude=430", "-GPSAltitudeRef=\(reference)",
    ])
    #expect(try await exiftool("GPSAltitudeRef") == "\(reference)")
    #expect(block.location?.altitude == altitude)
  }

  @Test func refusesAPlaceWithoutHemisphere() async throws {
    let block = try await block(["-Make=Acme", "-GPSLatitude=33.8568", "-GPSLongitude=70.5"])
    #expect(block.location == nil)
  }

  @Test(arguments: ["Screenshot", "Grüße aus Zürich", "日本語"])
  func decodesComments(text: String) async throws {
    #expect(try await block(["-UserComment=" + text]).userComment == text)
  }

  @Test func readsWindowsTags() async throws {
    let block = try await block([
      "-XPTitle=Über den Wolken", "-XPKeywords=berg;see ; tal", "-IFD0:Rating=4",
    ])
    #expect(block.xpTitle == "Über den Wolken")
    #expect(block.xpKeywords == ["berg", "see", "tal"])
    #expect(block.rating == 4)
  }

  @Test func namesEveryTagForDisplay() async throws {
    _ = try await block(["-Make=Acme", "-GPSLatitude=1", "-GPSLatitudeRef=N", "-UserComment=Grüße"])
    let tags = ExifBlock.namedTags(tiff: try folder.bytes("a.exif"))
    #expect(tags.contains { $0.group == "IFD0" && $0.value == "Acme" })
    // 1 is a latitude's reference in the GPS directory and an index in the interoperability one.
    #expect(tags.contains { $0.group == "GPS" && $0.name == "GPSLatitudeRef" && $0.value == "N" })
    #expect(tags.contains { $0.name == "UserComment" && $0.value == "Grüße" })
  }
}

/// Blocks made by hand according to TIFF 6.0 §2.
struct HostileExifTests {
  /// A little-endian block with one directory of these entries: tag, format, count, value.
  private func block(_ entries: [(UInt16, UInt16, UInt32, [UInt8])], tail: [UInt8] = []) -> [UInt8]
  {
    var bytes: [UInt8] = [0x49, 0x49, 42, 0, 8, 0, 0, 0, UInt8(entries.count), 0]
    for (tag, format, count, value) in entries {
      bytes += [tag, format].flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
      bytes += (0..<4).map { UInt8(truncatingIfNeeded: count >> UInt32($0 * 8)) }
      bytes += value
    }
    return bytes + [0, 0, 0, 0] + tail
  }

  @Test func findsNothingInRandomBytes() {
    #expect(ExifBlock(tiff: []) == nil)
    #expect(ExifBlock(tiff: Array("II*".utf8)) == nil)
    #expect(ExifBlock(tiff: [UInt8](repeating: 0xFF, count: 70_000)) == nil)
  }

  @Test func readsLatin1WhereItIsNotUTF8() {
    let bytes = block([(0x010F, 2, 4, [0x5A, 0xFC, 0x72, 0])])
    #expect(ExifBlock(tiff: bytes)?.make == "Zür")
  }

  @Test func readsTextWithoutItsNUL() {
    let bytes = block([(0x010F, 2, 4, Array("Acme".utf8))])
    #expect(ExifBlock(tiff: bytes)?.make == "Acme")
  }

  @Test func ignoresAnOrientationOutOfRange() {
    #expect(ExifBlock(tiff: block([(0x0112, 3, 1, [9, 0, 0, 0])]))?.orientation == nil)
    #expect(ExifBlock(tiff: block([(0x0112, 3, 1, [3, 0, 0, 0])]))?.orientation == .down)
  }

  @Test func survivesCountsAndOffsetsBeyondTheBlock() {
    for count in [UInt32.max, 1 << 31, 65_536] {
      let bytes = block([
        (0x010F, 2, count, [0xFF, 0xFF, 0xFF, 0x7F]), (0x0112, 3, 1, [1, 0, 0, 0]),
      ])
      #expect(ExifBlock(tiff: bytes)?.make == nil)
    }
  }

  @Test func ignoresZeroDenominators() {
    let value = ExifEntryValue(format: .rational, bytes: [1, 0, 0, 0, 0, 0, 0, 0])
    #expect(value.number(.little) == nil)
    #expect(value.number(at: 1, .little) == nil)
    #expect(value.number(at: -1, .little) == nil)
  }
}
