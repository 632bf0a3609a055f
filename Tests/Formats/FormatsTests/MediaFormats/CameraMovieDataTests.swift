import ByteReading
import MediaFormats
import Testing

/// Boxes in the forms of cameras. exiftool 12.57 reads the same values from files with these boxes.
struct CameraMovieDataTests {
  private func camera(of userData: [UInt8], beside more: [UInt8] = []) throws -> CameraMovieData {
    let movie =
      box("ftyp", Array("isom".utf8) + be32(512) + Array("isommp42".utf8))
      + box("moov", box("mvhd", zeros(100)) + box("udta", userData)) + more
    return try ISOMovie(ArraySource(movie)).camera
  }

  /// XAVC S of an ILCE-7M3: CreationDateValue 2019:07:05 15:12:00+02:00, DeviceModelName ILCE-7M3.
  @Test func `Sony's document is read`() throws {
    let document = """
      <?xml version="1.0" encoding="UTF-8"?>
      <NonRealTimeMeta xmlns="urn:schemas-professionalDisc:nonRealTimeMeta:ver.2.00">
      <Duration value="30"/><CreationDate value="2019-07-05T15:12:00+02:00"/>
      <Device manufacturer="Sony" modelName="ILCE-7M3" serialNo="4294967295"/></NonRealTimeMeta>
      """
    let meta = box(
      "meta",
      be32(0) + box("hdlr", zeros(8) + Array("nrtm".utf8) + zeros(13))
        + box("xml ", be32(0) + Array(document.utf8)))
    let camera = try self.camera(of: [], beside: meta)
    #expect(camera.creationDate == "2019-07-05T15:12:00+02:00")
    #expect(camera.make == "Sony")
    #expect(camera.model == "ILCE-7M3")
  }

  /// An HTC One: Make HTC, Model One. Other phones omit the six bytes.
  @Test(arguments: [[0, 0, 0, 0, 0x15, 0xC7], []] as [[UInt8]])
  func `boxes of phones are read`(start: [UInt8]) throws {
    let camera = try self.camera(
      of: box("manu", start + Array("HTC\0".utf8)) + box("modl", start + Array("One\0".utf8)))
    #expect(camera.make == "HTC")
    #expect(camera.model == "One")
    #expect(camera.creationDate == nil)
  }

  /// A key, a type, the size of a value, the number of values; padded to a multiple of four bytes.
  private func record(_ key: String, _ kind: String, _ size: Int, _ values: [UInt8]) -> [UInt8] {
    Array((key + kind).utf8) + [UInt8(size)] + be16(values.count / size) + values
      + zeros((4 - values.count % 4) % 4)
  }

  /// A D850's records as exiftool 12.57 prints them: NIKON, NIKON D850, 2023:05:06 14:34:56.
  @Test func `Nikon's records are read`() throws {
    func text(_ tag: Int, _ value: String) -> [UInt8] {
      be32(Int64(tag)) + be16(2) + be16(value.utf8.count + 1) + Array(value.utf8) + [0]
    }
    let records =
      text(1, "NIKON") + text(2, "NIKON D850") + be32(0x13) + be16(4) + be16(2) + be32(467)
      + be32(0)
      + text(0x12, "2023:05:06 14:34:56")
    let camera = try self.camera(of: box("NCDT", box("NCTG", records)))
    #expect(camera.make == "NIKON")
    #expect(camera.model == "NIKON D850")
    #expect(camera.localDate == "2023:05:06 14:34:56")
    #expect(camera.hasLocalClock)
    #expect(try self.camera(of: box("NCDT", box("NCTG", records.dropLast(1)))).localDate == nil)
  }

  /// An X-T3's directory, with offsets from its own start. exiftool reads Make FUJIFILM.
  @Test func `Fujifilm's directory is read`() throws {
    let entries = [UInt8]([0x0F, 1, 2, 0, 9, 0, 0, 0, 18, 0, 0, 0])
    let directory = [1, 0] + entries + [0, 0, 0, 0] + Array("FUJIFILM\0".utf8)
    let camera = try self.camera(of: box("MVTG", Array("FUJIFILM  MVTG\0\0".utf8) + directory))
    let block = try #require(camera.exif)
    #expect(block.starts(with: [0x49, 0x49, 0x2A, 0, 8, 0, 0, 0, 1, 0]))
    #expect(block[18...].starts(with: [26, 0, 0, 0]))
    #expect(block[26...].starts(with: Array("FUJIFILM".utf8)))
    #expect(camera.hasLocalClock)
    let cut = try self.camera(of: box("MVTG", Array("FUJIFILM  MVTG\0\0".utf8) + [200, 0, 1]))
    #expect(cut.exif == nil)
  }

  /// A DMC-GH4 and a DC-GH5, a D90 and a compact Pentax: exiftool 12.57 prints these makes and models.
  @Test func `names of other manufacturers are read`() throws {
    let old = try camera(of: box("PANA", zeros(4) + Array("DMC-GH4".utf8) + zeros(80)))
    #expect([old.make, old.model] == ["Panasonic", "DMC-GH4"])
    let new = try camera(of: box("PANA", zeros(12) + Array("DC-GH5".utf8) + zeros(80)))
    #expect([new.make, new.model] == ["Panasonic", "DC-GH5"])
    let nikon = try camera(
      of: box(
        "TAGS", Array("NIKON DIGITAL CAMERA\0\0\0\0D90".utf8) + zeros(80)))
    #expect([nikon.make, nikon.model] == ["NIKON DIGITAL CAMERA", "D90"])
    let pentax = try camera(of: box("TAGS", Array("PENTAX DIGITAL CAMERA\0".utf8) + zeros(80)))
    #expect([pentax.make, pentax.model] == ["PENTAX DIGITAL CAMERA", nil])
    #expect([old, new, nikon, pentax].map(\.hasLocalClock) == [true, true, true, true])
    #expect(try camera(of: box("manu", Array("HTC\0".utf8))).hasLocalClock == false)
  }

  @Test func `GoPro's model is read`() throws {
    let records =
      record("DVNM", "c", 1, Array("Global Settings".utf8))
      + record("MINF", "c", 1, Array("HERO7 Black".utf8))
    let block = record("DEVC", "\0", 1, records)
    let camera = try self.camera(of: box("GPMF", block))
    #expect(camera.make == "GoPro")
    #expect(camera.model == "HERO7 Black")
    #expect(camera.hasLocalClock)
    // The last byte is padding.
    for count in 0..<(block.count - 1) {
      #expect(try self.camera(of: box("GPMF", Array(block.prefix(count)))).model == nil)
    }
    #expect(try self.camera(of: box("GPMF", zeros(64))).make == nil)
  }
}
