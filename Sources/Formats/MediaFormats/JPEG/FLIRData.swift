import ByteReading
package import MediaModel

/// What FLIR's thermal cameras write into APP1 segments of a JPEG, apart from temperatures (exiftool's FLIR.pm): a header,
/// and a directory of records at offsets from the header.
package struct FLIRData: Sendable, Hashable {
  package private(set) var model: String?
  package private(set) var lens: String?
  package private(set) var location: Location?

  private static let cameraRecord: UInt16 = 0x20
  private static let placeRecord: UInt16 = 0x2B
  private static let maximumRecords = 256
  private static let entrySize = 32

  /// Nil for other data.
  init?(_ source: any ByteSource) throws {
    let header = try source.bytes(at: 0, count: 64)
    guard header.hasText("FFF\0") || header.hasText("AFF\0"),
      let order = [ByteOrder.big, .little].first(where: {
        (100..<200).contains(header.u32(at: 0x14, $0) ?? 0)
      }), let start = header.u32(at: 0x18, order), let count = header.u32(at: 0x1C, order)
    else { return nil }
    let table = try source.bytes(
      at: UInt64(start), count: min(Int(count), Self.maximumRecords) * Self.entrySize)
    for entry in stride(from: 0, to: table.count, by: Self.entrySize) {
      guard let type = table.u16(at: entry, order), let offset = table.u32(at: entry + 12, order),
        let length = table.u32(at: entry + 16, order)
      else { return }
      switch type {
      case Self.cameraRecord:
        takeCamera(try source.bytes(at: UInt64(offset), count: Int(min(length, 1024))))
      case Self.placeRecord:
        takePlace(try source.bytes(at: UInt64(offset), count: Int(min(length, 64))))
      default: continue
      }
    }
  }

  private mutating func takeCamera(_ record: [UInt8]) {
    func text(_ offset: Int) -> String? { record.bytes(at: offset, count: 32)?.trimmedText }
    (model, lens) = (model ?? text(0xD4), lens ?? text(0x170))
  }

  /// Takes signed degrees and metres, always little-endian, if the record declares that it is valid.
  private mutating func takePlace(_ record: [UInt8]) {
    guard let isValid = record.u32(at: 0, .little), isValid != 0,
      let latitude = record.u64(at: 0x10, .little), let longitude = record.u64(at: 0x18, .little),
      let altitude = record.u32(at: 0x20, .little)
    else { return }
    location =
      location
      ?? Location(
        latitude: Double(bitPattern: latitude), longitude: Double(bitPattern: longitude),
        altitude: Double(Float(bitPattern: altitude)))
  }
}
