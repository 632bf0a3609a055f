import ByteReading
package import MediaFormats
import MediaModel

/// Changes to an XMP packet that leave every byte they do not concern as it is.
package enum XMPSurgery {
  /// The packet with blanks where the unwanted properties stood, as long as before; nil for a packet
  /// whose parts cannot be told apart.
  ///
  /// - Parameter isUnwanted: asked for each property and each field of one, by its name and its value as
  ///   written.
  package static func blank(
    _ packet: [UInt8], where isUnwanted: (XMLName, ArraySlice<UInt8>) -> Bool
  ) -> [UInt8]? {
    guard let markup = XMLMarkup(packet) else { return nil }
    var result = packet
    var end = 0
    for element in markup.elements where element.range.lowerBound >= end {
      if isUnwanted(element.name, packet[element.content]) {
        blank(element.range, in: &result)
        end = element.range.upperBound
        continue
      }
      for attribute in element.attributes
      where isUnwanted(attribute.name, packet[attribute.value]) {
        blank(attribute.range, in: &result)
      }
    }
    return result
  }

  private static func blank(_ range: Range<Int>, in bytes: inout [UInt8]) {
    for index in range where bytes[index] != 0x0A && bytes[index] != 0x0D { bytes[index] = 0x20 }
  }

  /// The packet with other values for those of some simple properties that it has.
  static func set(_ values: [XMLName: String], in packet: [UInt8]) -> [UInt8]? {
    guard let markup = XMLMarkup(packet) else { return nil }
    var changes: [(range: Range<Int>, text: String)] = []
    for element in markup.elements {
      if let value = values[element.name], !packet[element.content].contains(UInt8(ascii: "<")),
        !element.content.isEmpty
      {
        changes.append((element.content, value))
      }
      for attribute in element.attributes {
        if let value = values[attribute.name] { changes.append((attribute.value, value)) }
      }
    }
    var result = packet
    for change in changes.sorted(by: { $0.range.lowerBound > $1.range.lowerBound }) {
      result.replaceSubrange(change.range, with: change.text.utf8)
    }
    return result
  }
}

extension XMPSurgery {
  /// The packet without a trace of where the picture was taken, as long as before. A packet that cannot
  /// be understood, of which nobody knows what it tells, becomes blank as a whole.
  package static func withoutLocation(_ packet: [UInt8]) -> [UInt8] {
    let changed = blank(packet) { name, value in
      LocationNames.contains(name) || XMPPicture.tellsMore(in: value)
        || name == comment && LocationNames.isTold(in: Array(value))
        || LocationNames.isMachineTag(value)
    }
    return changed ?? [UInt8](repeating: 0x20, count: packet.count)
  }

  /// Where cameras' apps write what they print into the picture, places among it.
  private static let comment = XMLName(namespace: XMPNamespace.exif, local: "UserComment")

  /// The packet with nothing but what says how bright a picture is to be shown, as long as before.
  static func appearanceOnly(_ packet: [UInt8]) -> [UInt8] {
    let kept = [
      XMPNamespace.rdf, XMPNamespace.xml, XMPNamespace.xmpMeta, XMPNamespace.hdrGainMap,
      XMPNamespace.appleHDRGainMap,
    ]
    let changed = blank(packet) { name, _ in
      !kept.contains(name.namespace) && !name.namespace.isEmpty
    }
    return changed ?? [UInt8](repeating: 0x20, count: packet.count)
  }

  private static let staleNamespaces: Set<String> = [
    XMPNamespace.container, XMPNamespace.hdrGainMap, XMPNamespace.appleHDRGainMap,
  ]

  /// Whether a property speaks of something behind the picture's end that a picture made from it has
  /// not: a motion clip, a gain map.
  private static func isStale(_ name: XMLName) -> Bool {
    staleNamespaces.contains(name.namespace)
      || name.namespace == XMPNamespace.camera
        && (name.local.hasPrefix("MotionPhoto") || name.local.hasPrefix("MicroVideo"))
  }

  /// The packet for a picture of another size that stands upright and has no companions.
  package static func adapted(_ packet: [UInt8], width: Int, height: Int) -> [UInt8] {
    let values = [
      XMLName(namespace: XMPNamespace.tiff, local: "Orientation"): "1",
      XMLName(namespace: XMPNamespace.tiff, local: "ImageWidth"): String(width),
      XMLName(namespace: XMPNamespace.tiff, local: "ImageLength"): String(height),
      XMLName(namespace: XMPNamespace.exif, local: "PixelXDimension"): String(width),
      XMLName(namespace: XMPNamespace.exif, local: "PixelYDimension"): String(height),
    ]
    guard let cleared = blank(packet, where: { name, _ in isStale(name) }) else { return packet }
    return set(values, in: cleared) ?? cleared
  }
}

extension XMPSurgery {
  package static let note = "http://ns.adobe.com/xmp/note/"

  /// The packet with the name of its second part: in the place of one that it has, or in its first
  /// description. Nil where it has neither.
  package static func naming(extended name: [UInt8], in packet: [UInt8]) -> [UInt8]? {
    guard let markup = XMLMarkup(packet) else { return nil }
    let property = XMLName(namespace: note, local: "HasExtendedXMP")
    let isNamed = markup.elements.contains { element in
      element.name == property || element.attributes.contains { $0.name == property }
    }
    if isNamed { return set([property: name.text], in: packet) }
    let description = XMLName(namespace: XMPNamespace.rdf, local: "Description")
    guard let first = markup.elements.first(where: { $0.name == description }) else { return nil }
    let end = endOfName(at: first.range.lowerBound, in: packet)
    let attribute = " xmlns:xmpNote=\"\(note)\" xmpNote:HasExtendedXMP=\"\(name.text)\""
    return packet[..<end] + Array(attribute.utf8) + packet[end...]
  }
}

extension XMPSurgery {
  /// Where the name in a start tag ends.
  ///
  /// - Parameter start: of the tag's `<`.
  package static func endOfName(at start: Int, in packet: [UInt8]) -> Int {
    var end = start + 1
    while let byte = packet.u8(at: end), byte > 0x20, byte != 0x3E, byte != 0x2F { end += 1 }
    return end
  }
}
