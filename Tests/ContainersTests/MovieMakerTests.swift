import Containers
import Testing

/// Boxes as cameras write them; exiftool 12.57 reads the same from files with these.
struct MovieMakerTests {
  private func maker(of userData: [UInt8], beside more: [UInt8] = []) throws -> MovieMakerData {
    let movie =
      box("ftyp", Array("isom".utf8) + be32(512) + Array("isommp42".utf8))
      + box("moov", box("mvhd", zeros(100)) + box("udta", userData)) + more
    return try ISOMovie(ArraySource(movie)).maker
  }

  /// XAVC S of an ILCE-7M3: CreationDateValue 2019:07:05 15:12:00+02:00, DeviceModelName ILCE-7M3.
  @Test func readsSonysDocument() throws {
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
    let maker = try self.maker(of: [], beside: meta)
    #expect(maker.creationDate == "2019-07-05T15:12:00+02:00")
    #expect(maker.make == "Sony")
    #expect(maker.model == "ILCE-7M3")
  }

  /// An HTC One: Make HTC, Model One. Others leave the six bytes out.
  @Test(arguments: [[0, 0, 0, 0, 0x15, 0xC7], []] as [[UInt8]])
  func readsPhonesBoxes(start: [UInt8]) throws {
    let maker = try self.maker(
      of: box("manu", start + Array("HTC\0".utf8)) + box("modl", start + Array("One\0".utf8)))
    #expect(maker.make == "HTC")
    #expect(maker.model == "One")
    #expect(maker.creationDate == nil)
  }

  /// A key, a kind, the size of a value, how many there are; filled up to four bytes.
  private func record(_ key: String, _ kind: String, _ size: Int, _ values: [UInt8]) -> [UInt8] {
    Array((key + kind).utf8) + [UInt8(size)] + be16(values.count / size) + values
      + zeros((4 - values.count % 4) % 4)
  }

  @Test func readsGoProsModel() throws {
    let records =
      record("DVNM", "c", 1, Array("Global Settings".utf8))
      + record("MINF", "c", 1, Array("HERO7 Black".utf8))
    let block = record("DEVC", "\0", 1, records)
    let maker = try self.maker(of: box("GPMF", block))
    #expect(maker.make == "GoPro")
    #expect(maker.model == "HERO7 Black")
    // The last byte fills up.
    for count in 0..<(block.count - 1) {
      #expect(try self.maker(of: box("GPMF", Array(block.prefix(count)))).model == nil)
    }
    #expect(try self.maker(of: box("GPMF", zeros(64))).make == nil)
  }
}
