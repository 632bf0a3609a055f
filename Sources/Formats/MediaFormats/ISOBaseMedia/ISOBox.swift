package import ByteReading

/// One box of an ISO base media file (ISO/IEC 14496-12 §4.2), or QuickTime atom.
package struct ISOBox: Sendable, Hashable {
  package var type: FourCC
  /// The offset of the size field.
  package var offset: UInt64
  /// The bytes after the header and, in a `uuid` box, after the extended type.
  package var payload: Range<UInt64>
  /// The 16 bytes of a `uuid` box's type; nil for other boxes.
  package var extendedType: [UInt8]?
  /// Whether the stated size exceeds the parent box or the file. Then `payload` ends there.
  package var isTruncated: Bool

  package var end: UInt64 { payload.upperBound }
}

extension ByteSource {
  /// The boxes in a range. Only their headers are read.
  ///
  /// The list ends at bytes that are not a box header.
  package func boxes(in range: Range<UInt64>, limit: Int = 1024) throws -> [ISOBox] {
    var found: [ISOBox] = []
    var position = range.lowerBound
    while found.count < limit, let box = try box(at: position, before: range.upperBound) {
      found.append(box)
      position = box.end
    }
    return found
  }

  /// The boxes inside another one, after `skip` bytes of its own fields.
  package func boxes(inside box: ISOBox, skip: UInt64 = 0, limit: Int = 1024) throws -> [ISOBox] {
    guard let start = box.payload.lowerBound.adding(skip), start <= box.end else { return [] }
    return try boxes(in: start..<box.end, limit: limit)
  }

  /// The first box of a type inside another one.
  package func child(_ type: FourCC, of box: ISOBox, skip: UInt64 = 0) throws -> ISOBox? {
    try boxes(inside: box, skip: skip).first { $0.type == type }
  }

  /// The box at an offset; nil if fewer than 8 bytes are left or its size is too small.
  package func box(at offset: UInt64, before end: UInt64) throws -> ISOBox? {
    let end = min(end, count)
    guard offset < end, end - offset >= 8 else { return nil }
    let header = try bytes(at: offset, count: Int(min(end - offset, 32)))
    guard let shortSize = header.u32(at: 0), let type = header.fourCC(at: 4) else { return nil }
    var headerSize: UInt64 = 8
    var size = UInt64(shortSize)
    if shortSize == 1 {
      guard let longSize = header.u64(at: 8) else { return nil }
      (size, headerSize) = (longSize, 16)
    } else if shortSize == 0 {
      size = end - offset
    }
    var extendedType: [UInt8]?
    if type == "uuid" {
      guard let identifier = header.bytes(at: Int(headerSize), count: 16) else { return nil }
      extendedType = identifier
      headerSize += 16
    }
    guard size >= headerSize, headerSize <= end - offset else { return nil }
    let isTruncated = size > end - offset
    let boxEnd = isTruncated ? end : offset + size
    return ISOBox(
      type: type, offset: offset, payload: (offset + headerSize)..<boxEnd,
      extendedType: extendedType, isTruncated: isTruncated)
  }

  /// The content of a box; nil if it is longer than `limit` bytes.
  package func content(of box: ISOBox, limit: Int = 1 << 20) throws -> [UInt8]? {
    try bytes(in: box.payload, limit: limit)
  }

  /// The first bytes of a box's content; fewer if it is shorter.
  package func start(of box: ISOBox, _ count: Int) throws -> [UInt8] {
    try bytes(at: box.payload.lowerBound, count: min(count, Int(clamping: box.payload.count)))
  }
}

/// The brands of an `ftyp` box: the specifications that a file conforms to.
package struct ISOBrands: Sendable, Hashable {
  package var major: FourCC
  package var compatible: [FourCC]

  /// - Parameter payload: the content of the `ftyp` box.
  package init?(payload: [UInt8]) {
    guard let major = payload.fourCC(at: 0) else { return nil }
    self.major = major
    compatible = stride(from: 8, to: min(payload.count, 8 + 4 * 64), by: 4)
      .compactMap { payload.fourCC(at: $0) }
  }

  package func contains(_ brand: FourCC) -> Bool {
    major == brand || compatible.contains(brand)
  }
}
