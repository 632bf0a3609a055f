package import ByteReading
package import MediaModel

/// Canon's CRW: a heap of records with a directory at its end. Records can be heaps too (CIFF 1.0 revision 4).
package struct CRWFile {
  package private(set) var size: PixelSize?
  /// The clockwise rotation in degrees that makes the picture upright.
  package private(set) var rotation: Int?
  package private(set) var make: String?
  package private(set) var model: String?
  /// The capture time in seconds since 1970 by the camera's clock, without a time zone.
  package private(set) var captureSeconds: Int64?
  /// Canon's lists of 16-bit numbers, which its maker note has too, by their record types.
  private var lists: [UInt16: [UInt8]] = [:]
  /// The number of records that may still be read. Heaps can overlap, so all records together are bounded.
  private var recordsLeft = 4096

  /// - Throws: ``ContainerError/notThisFormat(_:)`` for another header; the errors of the source.
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
      recordsLeft -= 1
      guard recordsLeft > 0 else { return }
      // Records of up to 8 bytes are stored in the directory.
      if tag & 0x4000 != 0 {
        try readRecord(tag, Array(table[(start + 2)..<(start + 10)]))
        continue
      }
      let begin = heap.lowerBound + UInt64(offset)
      let end = begin + UInt64(size)
      guard end <= heap.upperBound else { continue }
      if tag & 0x3800 == 0x2800 || tag & 0x3800 == 0x3000 {
        // An inner heap must be smaller, so the recursion ends.
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
    case Self.focalLength, Self.shotInfo, Self.cameraSettings: lists[tag & 0x3FFF] = content
    default: break
    }
  }
}

extension CRWFile {
  private static let focalLength: UInt16 = 0x1029
  private static let shotInfo: UInt16 = 0x102A
  private static let cameraSettings: UInt16 = 0x102D

  private func number(_ list: UInt16, at index: Int) -> Int? {
    lists[list]?.u16(at: index * 2, .little).map { Int(Int16(bitPattern: $0)) }
  }

  /// How the picture was exposed.
  package var exposure: Exposure {
    CanonMakerNote.Lists(
      settings: { number(Self.cameraSettings, at: $0) },
      focalLength: { number(Self.focalLength, at: $0) }, shot: { number(Self.shotInfo, at: $0) }
    ).exposure
  }
}
