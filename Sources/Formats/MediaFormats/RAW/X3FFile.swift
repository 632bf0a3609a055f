package import ByteReading
package import MediaModel

/// Sigma's X3F: a header with the size, and sections, which are found from the end of the file. Newer cameras write a
/// JPEG with EXIF into an `IMA2` section, older ones a list of properties into `PROP`.
package struct X3FFile {
  package private(set) var size: PixelSize?
  /// Degrees clockwise by which the picture has to be turned.
  package private(set) var rotation: Int?
  /// The range of the JPEG.
  package private(set) var embeddedJPEG: Range<UInt64>?
  /// The properties by Sigma's names: `CAMMODEL`, `TIME`, `ISO` …
  package private(set) var properties: [String: String] = [:]

  /// - Throws: ``ContainerError/notThisFormat(_:)`` for another header; the errors of the source.
  package init(_ source: any ByteSource) throws {
    let header = try source.bytes(at: 0, count: 64)
    guard header.hasText("FOVb"), let version = header.u32(at: 4, .little) else {
      throw ContainerError.notThisFormat("Sigma RAW file")
    }
    // Width, height and rotation.
    let sizeOffset = version >> 16 < 4 ? 28 : 40
    if let width = header.u32(at: sizeOffset, .little),
      let height = header.u32(at: sizeOffset + 4, .little), (1...1 << 24).contains(width),
      (1...1 << 24).contains(height)
    {
      size = PixelSize(width: Int(width), height: Int(height))
    }
    rotation = header.i32(at: sizeOffset + 8, .little).map { Int($0) }
    guard source.count > 64,
      let directory = try source.bytes(at: source.count - 4, count: 4).u32(at: 0, .little),
      case let head = try source.bytes(at: UInt64(directory), count: 12), head.hasText("SECd"),
      let count = head.u32(at: 8, .little)
    else { return }
    let table = try source.bytes(at: UInt64(directory) + 12, count: Int(min(count, 64)) * 12)
    for start in stride(from: 0, to: table.count - 11, by: 12) {
      guard let offset = table.u32(at: start, .little),
        let length = table.u32(at: start + 4, .little)
      else { return }
      let section = UInt64(offset)..<(UInt64(offset) + UInt64(length))
      if table.hasText("PROP", at: start + 8) { try readProperties(source, section) }
      if table.hasText("IMA2", at: start + 8), length > 32,
        try source.bytes(at: section.lowerBound + 28, count: 3) == [0xFF, 0xD8, 0xFF]
      {
        embeddedJPEG = (section.lowerBound + 28)..<section.upperBound
      }
    }
  }

  /// Reads pairs of offsets into a list of UTF-16 characters.
  private mutating func readProperties(_ source: any ByteSource, _ section: Range<UInt64>) throws {
    guard let content = try source.bytes(in: section, limit: 1 << 20), content.hasText("SECp"),
      let count = content.u32(at: 8, .little), content.u32(at: 12, .little) == 0
    else { return }
    let characters = 24 + 8 * Int(count)
    for index in 0..<min(Int(count), 256) {
      guard let name = content.u32(at: 24 + index * 8, .little),
        let value = content.u32(at: 28 + index * 8, .little)
      else { return }
      let texts = [name, value].map { offset in
        let start = characters + 2 * Int(offset)
        return utf16Text(Array(content.dropFirst(start).prefix(512)), .little)
      }
      properties[texts[0]] = texts[1]
    }
  }
}
