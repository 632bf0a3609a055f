import ByteReading
package import MediaEdits
package import MediaFormats

/// Removes properties from an XMP packet. All other bytes stay as they are.
package enum XMPRedaction {
  /// Overwrites unwanted properties with spaces, so that the packet keeps its length.
  ///
  /// - Parameter isUnwanted: is called with the name and the XML of the value of each property, and of each field
  ///   of a structure.
  /// - Returns: nil for a packet that is not well-formed.
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

  /// A packet of the same length without the properties that a policy removes. A packet that is not well-formed
  /// becomes spaces as a whole, since it could contain anything.
  package static func removing(_ policy: MetadataPolicy, from packet: [UInt8]) -> [UInt8] {
    if policy == .appearanceOnly { return appearanceOnly(packet) }
    return blank(packet, where: policy.removes) ?? [UInt8](repeating: 0x20, count: packet.count)
  }

  /// A packet of the same length with only the properties that say how bright to show the picture.
  private static func appearanceOnly(_ packet: [UInt8]) -> [UInt8] {
    let kept = [
      XMPNamespace.rdf, XMPNamespace.xml, XMPNamespace.xmpMeta, XMPNamespace.hdrGainMap,
      XMPNamespace.appleHDRGainMap,
    ]
    let changed = blank(packet) { name, _ in
      !kept.contains(name.namespace) && !name.namespace.isEmpty
    }
    return changed ?? [UInt8](repeating: 0x20, count: packet.count)
  }
}
