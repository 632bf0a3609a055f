import ByteReading

/// The parameter sets that the header of a track of H.264 or HEVC contains, to find packets with others.
///
/// A sample entry such as `avc1` or `hvc1` contains all sets of its samples (ISO/IEC 14496-15 §5.4.2.1, §8.4.1). Decoders
/// ignore those in the samples, or decode all that follows wrongly.
package struct ParameterSets: Sendable {
  package enum Codec: Sendable, Hashable {
    case h264, hevc
  }

  private let codec: Codec
  /// Bytes of the length field that precedes each unit; nil for start codes (annex B).
  private let lengthSize: Int?
  private var sequences: Set<[UInt8]> = []
  /// Picture parameter sets by their numbers.
  private var pictures: [Int: [UInt8]] = [:]

  /// Whether no packet was searched yet.
  private var isFirst = true

  /// Bytes of a packet that are searched. Parameter sets precede the coded picture.
  private static let maximumSearch = 64 << 10

  /// - Parameter configuration: the decoder configuration (ISO/IEC 14496-15 §5.3.3, §8.3.3), or units with start codes.
  ///   Without sets, those of the first packet with some count.
  package init(_ codec: Codec, configuration: [UInt8]) {
    self.codec = codec
    let field = configuration.u8(at: codec == .h264 ? 4 : 21)
    lengthSize = configuration.first == 1 ? field.map { Int($0 & 3) + 1 } : nil
    let units =
      configuration.first == 1
      ? Self.units(ofConfiguration: configuration, codec)
      : Self.unitsAfterStartCodes(configuration[...])
    for unit in units { insert(unit) }
  }

  /// Whether a packet contains a set that contradicts those of the header: another sequence parameter set, or another
  /// picture parameter set of the same number.
  package mutating func areContradicted(by packet: [UInt8]) -> Bool {
    // A movie whose first packet has other sets than its header plays by them from the start, as its copy does.
    let isOpen = sequences.isEmpty || isFirst && lengthSize != nil
    isFirst = false
    for unit in units(before: packet.prefix(Self.maximumSearch)) {
      switch kind(unit) {
      case .sequence:
        if isOpen { insert(unit) }
        if !sequences.contains(Self.trimmed(unit)) { return true }
      case .picture:
        if isOpen { insert(unit) }
        guard let number = number(ofPicture: unit) else { continue }
        let known = pictures[number] ?? Self.trimmed(unit)
        if known != Self.trimmed(unit) { return true }
        pictures[number] = known
      default: continue
      }
    }
    return false
  }

  private enum Kind {
    case sequence, picture, codedPicture, other
  }

  /// Units of further layers, such as the second eye of a stereo pair, are other ones.
  private func kind(_ unit: ArraySlice<UInt8>) -> Kind {
    guard let first = unit.first else { return .other }
    switch codec {
    case .h264:
      switch first & 0x1F {
      case 7: return .sequence
      case 8: return .picture
      case 1...5: return .codedPicture
      default: return .other
      }
    case .hevc:
      guard unit.count > 2, first & 1 == 0, unit[unit.startIndex + 1] & 0xF8 == 0 else {
        return .other
      }
      switch first >> 1 & 0x3F {
      case 33: return .sequence
      case 34: return .picture
      case 0..<32: return .codedPicture
      default: return .other
      }
    }
  }

  private mutating func insert(_ unit: ArraySlice<UInt8>) {
    switch kind(unit) {
    case .sequence: sequences.insert(Self.trimmed(unit))
    case .picture:
      if let number = number(ofPicture: unit) { pictures[number] = Self.trimmed(unit) }
    case .codedPicture, .other: return
    }
  }

  /// `pps_pic_parameter_set_id` follows the unit's header (ITU-T H.264 §7.3.2.2, H.265 §7.3.2.3).
  private func number(ofPicture unit: ArraySlice<UInt8>) -> Int? {
    let start = withoutEmulationPrevention(unit.dropFirst(codec == .h264 ? 1 : 2).prefix(16))
    var bits = BitstreamReader(start)
    let number = bits.exponential()
    return bits.isAtEnd ? nil : number
  }

  /// A unit without the zeros that may follow it.
  private static func trimmed(_ unit: ArraySlice<UInt8>) -> [UInt8] {
    var unit = unit
    while unit.last == 0 { unit.removeLast() }
    return Array(unit)
  }

  /// The units that precede a packet's coded picture.
  private func units(before packet: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    let found =
      if let lengthSize {
        Self.units(in: packet, lengthSize: lengthSize) { kind($0) == .codedPicture }
      } else {
        Self.unitsAfterStartCodes(packet) { kind($0) == .codedPicture }
      }
    return found
  }

  /// - Parameter isLast: whether no unit after this one is needed.
  private static func units(
    in bytes: ArraySlice<UInt8>, lengthSize: Int, isLast: (ArraySlice<UInt8>) -> Bool
  ) -> [ArraySlice<UInt8>] {
    var units: [ArraySlice<UInt8>] = []
    var rest = bytes
    while rest.count > lengthSize {
      let length = rest.prefix(lengthSize).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(lengthSize)
      let unit = rest.prefix(length)
      if isLast(unit) { break }
      units.append(unit)
      rest = rest.dropFirst(length)
    }
    return units
  }

  /// The units after start codes (annex B of both recommendations).
  private static func unitsAfterStartCodes(
    _ bytes: ArraySlice<UInt8>, isLast: (ArraySlice<UInt8>) -> Bool = { _ in false }
  ) -> [ArraySlice<UInt8>] {
    var units: [ArraySlice<UInt8>] = []
    var start: Int?
    var position = bytes.startIndex
    while position + 2 < bytes.endIndex {
      // A start code ends with 1.
      if bytes[position + 2] > 1 {
        position += 3
      } else if bytes[position + 2] == 1, bytes[position] == 0, bytes[position + 1] == 0 {
        if let start { units.append(bytes[start..<position]) }
        position += 3
        start = position
        if isLast(bytes[position..<min(position + 3, bytes.endIndex)]) { return units }
      } else {
        position += 1
      }
    }
    if let start { units.append(bytes[start...]) }
    return units
  }

  /// The sets in a decoder configuration, whose lengths have 16 bits.
  private static func units(
    ofConfiguration bytes: [UInt8], _ codec: Codec
  ) -> [ArraySlice<UInt8>] {
    var units: [ArraySlice<UInt8>] = []
    var position = codec == .h264 ? 6 : 23
    func take(_ count: Int) {
      for _ in 0..<count {
        guard let length = bytes.u16(at: position).map(Int.init),
          position + 2 + length <= bytes.count
        else { return position = bytes.count }
        units.append(bytes[(position + 2)..<(position + 2 + length)])
        position += 2 + length
      }
    }
    switch codec {
    case .h264:
      take(Int(bytes.u8(at: 5) ?? 0) & 31)
      position += 1
      take(Int(bytes.u8(at: position - 1) ?? 0))
    case .hevc:
      for _ in 0..<Int(bytes.u8(at: 22) ?? 0) {
        let count = Int(bytes.u16(at: position + 1) ?? 0)
        position += 3
        take(count)
      }
    }
    return units
  }
}
