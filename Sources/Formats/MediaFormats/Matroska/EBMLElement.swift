package import ByteReading

/// One element of an EBML file (RFC 8794 §5).
package struct EBMLElement: Sendable, Hashable {
  package var id: UInt64
  package var start: UInt64
  package var payload: Range<UInt64>
  /// Whether it has no declared size, as in a live stream, and ends where the next element begins.
  package var isOpen: Bool
}

extension ByteSource {
  /// The element at an offset; nil if the bytes there are not an element. Only its header is read.
  package func ebmlElement(at start: UInt64, before end: UInt64) throws -> EBMLElement? {
    guard start < end else { return nil }
    let head = try bytes(at: start, count: 12)
    guard let first = head.first, first != 0 else { return nil }
    let idWidth = first.leadingZeroBitCount + 1
    guard idWidth <= 4, let id = head.unsigned(at: 0, width: idWidth),
      let lead = head.u8(at: idWidth), lead != 0,
      case let width = lead.leadingZeroBitCount + 1,
      let coded = head.unsigned(at: idWidth, width: width)
    else { return nil }
    let mask = UInt64.max >> UInt64(64 - 7 * width)
    let size = coded & mask
    let begin = start + UInt64(idWidth + width)
    guard begin <= end else { return nil }
    let isOpen = size == mask
    let length = isOpen ? end - begin : min(size, end - begin)
    return EBMLElement(id: id, start: start, payload: begin..<(begin + length), isOpen: isOpen)
  }

  /// The elements inside another one.
  func ebmlElements(in parent: EBMLElement, limit: Int) throws -> [EBMLElement] {
    var found: [EBMLElement] = []
    var position = parent.payload.lowerBound
    while found.count < limit,
      let child = try ebmlElement(at: position, before: parent.payload.upperBound)
    {
      found.append(child)
      position = child.payload.upperBound
    }
    return found
  }

  // The values of RFC 8794 §7.

  /// Nil for a number of more than 8 bytes.
  func ebmlUnsigned(_ element: EBMLElement) throws -> UInt64? {
    guard let bytes = try bytes(in: element.payload, limit: 8) else { return nil }
    return bytes.isEmpty ? 0 : bytes.unsigned(at: 0, width: bytes.count)
  }

  func ebmlSigned(_ element: EBMLElement) throws -> Int64? {
    guard let bits = try ebmlUnsigned(element) else { return nil }
    let shift = UInt64(64 - 8 * element.payload.count)
    return shift == 64 ? 0 : Int64(bitPattern: bits << shift) >> Int64(shift)
  }

  func ebmlFloat(_ element: EBMLElement) throws -> Double? {
    let bits = try ebmlUnsigned(element)
    switch element.payload.count {
    case 0: return 0
    case 4: return bits.map { Double(Float(bitPattern: UInt32(truncatingIfNeeded: $0))) }
    case 8: return bits.map { Double(bitPattern: $0) }
    default: return nil
    }
  }

  /// Nil for an empty text and one of more than 64 KiB.
  func ebmlText(_ element: EBMLElement) throws -> String? {
    guard let text = try bytes(in: element.payload, limit: 64 << 10)?.text, !text.isEmpty
    else { return nil }
    return text
  }
}
