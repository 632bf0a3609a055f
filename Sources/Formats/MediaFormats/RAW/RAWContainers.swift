package import ByteReading
package import MediaModel

/// Fujifilm's RAF: a header of its own that points at a JPEG, which carries the EXIF, and at a list of
/// tags that tells the sensor image's size.
package struct RAFFile {
  package private(set) var size: PixelSize?
  /// Read its segments for EXIF.
  package private(set) var embeddedJPEG: Range<UInt64>

  /// - Throws: ``ContainerError/notThisFormat(_:)`` for another header; what the source throws.
  package init(_ source: any ByteSource) throws {
    let header = try source.bytes(at: 0, count: 0x6C)
    guard header.hasText("FUJIFILM"), let offset = header.u32(at: 84),
      let length = header.u32(at: 88), let directory = header.u32(at: 92)
    else { throw ContainerError.notThisFormat("Fujifilm RAW file") }
    embeddedJPEG = UInt64(offset)..<(UInt64(offset) + UInt64(length))
    let table = try source.bytes(at: UInt64(directory), count: 4096)
    var position = 4
    for _ in 0..<min(table.u32(at: 0) ?? 0, 256) {
      guard let tag = table.u16(at: position), let length = table.u16(at: position + 2)
      else { break }
      // RawImageCroppedSize: height, then width.
      if tag == 0x0111, let height = table.u16(at: position + 4),
        let width = table.u16(at: position + 6)
      {
        size = PixelSize(width: Int(width), height: Int(height))
      }
      position += 4 + Int(length)
    }
  }
}

/// Minolta's MRW: blocks behind `\0MRM`; `TTW` holds a TIFF block with the EXIF, `PRD` the sizes.
package struct MRWFile {
  package private(set) var size: PixelSize?
  /// From the TIFF header on.
  package private(set) var exif: [UInt8]?
  /// Where that lies in the file.
  package private(set) var exifRange: Range<UInt64>?

  /// - Throws: ``ContainerError/notThisFormat(_:)`` for another header; what the source throws.
  package init(_ source: any ByteSource) throws {
    let header = try source.bytes(at: 0, count: 8)
    guard header.hasText("\0MRM"), let length = header.u32(at: 4) else {
      throw ContainerError.notThisFormat("Minolta RAW file")
    }
    let end = min(8 + UInt64(length), source.count)
    var position: UInt64 = 8
    for _ in 0..<32 where position + 8 <= end {
      let head = try source.bytes(at: position, count: 8)
      guard let size = head.u32(at: 4) else { break }
      let content = (position + 8)..<(position + 8 + UInt64(size))
      if head.hasText("\0TTW") {
        exif = try source.bytes(in: content, limit: 4 << 20)
        exifRange = content
      }
      if head.hasText("\0PRD"), let block = try source.bytes(in: content, limit: 256),
        let height = block.u16(at: 12), let width = block.u16(at: 14)
      {
        self.size = PixelSize(width: Int(width), height: Int(height))
      }
      position = content.upperBound
    }
  }
}

/// Canon's CRW: a heap whose directory stands at its end, with heaps inside (CIFF 1.0 revision 4).
package struct CRWFile {
  package private(set) var size: PixelSize?
  /// Clockwise degrees by which the picture must be turned.
  package private(set) var rotation: Int?
  package private(set) var make: String?
  package private(set) var model: String?
  /// Seconds since 1970 on the camera's own clock.
  package private(set) var captureSeconds: Int64?
  /// Heaps may claim to share bytes, so all records together are bounded.
  private var recordsLeft = 4096

  /// - Throws: ``ContainerError/notThisFormat(_:)`` for another header; what the source throws.
  package init(_ source: any ByteSource) throws {
    let header = try source.bytes(at: 0, count: 14)
    guard header.hasText("II"), header.hasText("HEAPCCDR", at: 6),
      let start = header.u32(at: 2, .little), UInt64(start) < source.count
    else { throw ContainerError.notThisFormat("Canon CRW file") }
    try readHeap(source, UInt64(start)..<source.count, depth: 0)
  }

  private mutating func readHeap(
    _ source: any ByteSource, _ heap: Range<UInt64>, depth: Int
  ) throws {
    guard depth < 6, heap.upperBound - heap.lowerBound >= 6,
      let back = try source.bytes(at: heap.upperBound - 4, count: 4).u32(at: 0, .little),
      UInt64(back) < heap.upperBound - heap.lowerBound
    else { return }
    let directory = heap.lowerBound + UInt64(back)
    let count = min(try source.bytes(at: directory, count: 2).u16(at: 0, .little) ?? 0, 512)
    let table = try source.bytes(at: directory + 2, count: Int(count) * 10)
    for start in stride(from: 0, to: table.count - 9, by: 10) {
      guard let tag = table.u16(at: start, .little), let size = table.u32(at: start + 2, .little),
        let offset = table.u32(at: start + 6, .little)
      else { return }
      // Records of 8 bytes and less stand in the directory itself.
      guard tag & 0x4000 == 0 else { continue }
      recordsLeft -= 1
      guard recordsLeft > 0 else { return }
      let begin = heap.lowerBound + UInt64(offset)
      let end = begin + UInt64(size)
      guard end <= heap.upperBound else { continue }
      if tag & 0x3800 == 0x2800 || tag & 0x3800 == 0x3000 {
        // A heap inside must be smaller, so this ends.
        if end - begin < heap.upperBound - heap.lowerBound {
          try readHeap(source, begin..<end, depth: depth + 1)
        }
      } else {
        try readRecord(tag, try source.bytes(at: begin, count: Int(min(size, 256))))
      }
    }
  }

  private mutating func readRecord(_ tag: UInt16, _ content: [UInt8]) throws {
    switch tag & 0x3FFF {
    case 0x1810:
      guard let width = content.u32(at: 0, .little), let height = content.u32(at: 4, .little),
        width < 1 << 24, height < 1 << 24
      else { return }
      size = PixelSize(width: Int(width), height: Int(height))
      rotation = content.i32(at: 12, .little).map(Int.init)
    case 0x080A:
      make = content.trimmedText
      model = content.bytes(from: (content.firstIndex(of: 0) ?? content.count) + 1).trimmedText
    case 0x180E: captureSeconds = content.u32(at: 0, .little).map(Int64.init)
    default: break
    }
  }
}

/// Sigma's X3F: a header with the size, sections found from the file's end; newer cameras keep a JPEG
/// with EXIF in an `IMA2` section, older ones a list of properties in `PROP`.
package struct X3FFile {
  package private(set) var size: PixelSize?
  /// Read its segments for EXIF.
  package private(set) var embeddedJPEG: Range<UInt64>?
  /// Names as Sigma has them: `CAMMODEL`, `TIME`, `ISO` …
  package private(set) var properties: [String: String] = [:]

  /// - Throws: ``ContainerError/notThisFormat(_:)`` for another header; what the source throws.
  package init(_ source: any ByteSource) throws {
    let header = try source.bytes(at: 0, count: 64)
    guard header.hasText("FOVb"), let version = header.u32(at: 4, .little) else {
      throw ContainerError.notThisFormat("Sigma RAW file")
    }
    let sizeOffset = version >> 16 < 4 ? 28 : 40
    if let width = header.u32(at: sizeOffset, .little),
      let height = header.u32(at: sizeOffset + 4, .little), (1...1 << 24).contains(width),
      (1...1 << 24).contains(height)
    {
      size = PixelSize(width: Int(width), height: Int(height))
    }
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

  /// Pairs of offsets into a list of UTF-16 characters.
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
