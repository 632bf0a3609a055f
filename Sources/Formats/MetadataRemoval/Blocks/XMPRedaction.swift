import ByteReading
package import MediaEdits
package import MediaFormats

/// Removes properties from an XMP packet. All other bytes stay as they are.
package enum XMPRedaction {
  /// Overwrites unwanted properties with spaces, so that the packet keeps its length.
  ///
  /// - Parameter isUnwanted: is called with the name and the XML of the value of each property, and of each field
  ///   of a structure. Items of lists have the name of their property.
  /// - Returns: nil for a packet that is not well-formed.
  package static func blank(
    _ packet: [UInt8], where isUnwanted: (XMLName, ArraySlice<UInt8>) -> Bool
  ) -> [UInt8]? {
    guard let markup = XMLMarkup(packet) else { return nil }
    var result = packet
    var end = 0
    var open: [XMLMarkup.Element] = []
    for element in markup.elements where element.range.lowerBound >= end {
      open.removeAll { $0.range.upperBound <= element.range.lowerBound }
      var name = element.name
      if name == listItem {
        name = open.last?.name ?? name
      } else if !isAroundProperties(name) {
        open.append(element)
      }
      if isUnwanted(name, packet[element.content]) {
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

  /// How often a byte of a packet is searched, on average. Those of captions are searched twice: in all languages together,
  /// then in each.
  private static let maximumSearches = 4

  private static let listItem = XMLName(namespace: XMPNamespace.rdf, local: "li")

  private static func blank(_ range: Range<Int>, in bytes: inout [UInt8]) {
    for index in range where bytes[index] != 0x0A && bytes[index] != 0x0D { bytes[index] = 0x20 }
  }

  /// A packet of the same length without the properties and other texts that a policy removes. A packet that is not
  /// well-formed becomes spaces as a whole, since it could contain anything.
  package static func removing(_ policy: MetadataPolicy, from packet: [UInt8]) -> [UInt8] {
    var budget = maximumSearches * packet.count
    let changed =
      policy == .appearanceOnly
      ? blank(packet, where: isNotAppearance)
      : blank(packet) { policy.removes($0, $1, budget: &budget) }
    guard var changed, let markup = XMLMarkup(changed) else {
      return [UInt8](repeating: 0x20, count: packet.count)
    }
    for range in looseParts(of: markup, in: changed)
    where policy == .appearanceOnly || policy.removes(text: Array(withoutEntities(changed[range])))
    {
      blank(range, in: &changed)
    }
    if policy == .appearanceOnly {
      for declaration in markup.elements.flatMap(\.declarations)
      where !appearance.contains(declaration.uri) {
        blank(declaration.range, in: &changed)
      }
    }
    for comment in markup.comments
    where policy == .appearanceOnly || policy.removes(caption: Array(changed[comment])) {
      blank(comment, in: &changed)
    }
    return changed
  }

  /// XML of another schema, as JPEG 2000 and JPEG XL can contain, of the same length without the elements and attributes
  /// whose names or values a policy removes. It becomes spaces as a whole if it is not well-formed, or if its texts
  /// record a place elsewhere.
  static func removing(_ policy: MetadataPolicy, fromOther document: [UInt8]) -> [UInt8] {
    let empty = [UInt8](repeating: 0x20, count: document.count)
    var budget = maximumSearches * document.count
    guard !policy.removes(caption: document),
      let changed = blank(document, where: { policy.removes($0, $1, budget: &budget) })
    else { return empty }
    return changed
  }

  /// The namespaces of properties that say how bright to show the picture, and of the syntax around them.
  private static let appearance: Set<String> = [
    XMPNamespace.rdf, XMPNamespace.xmpMeta, XMPNamespace.hdrGainMap, XMPNamespace.appleHDRGainMap,
  ]
  /// Attributes of RDF that can contain any text.
  private static let freeAttributes: Set<String> = [
    "resource", "value", "ID", "nodeID", "datatype", "bagID",
  ]

  private static func isNotAppearance(_ name: XMLName, _ value: ArraySlice<UInt8>) -> Bool {
    !appearance.contains(name.namespace)
      || name.namespace == XMPNamespace.rdf && freeAttributes.contains(name.local)
  }

  // MARK: Outside of properties

  /// The parts of a packet that do not belong to a property: the attributes of the elements around the properties, such
  /// as `x:xmptk` and `rdf:about`, and texts and comments between these elements, and before and after them.
  private static func looseParts(of markup: XMLMarkup, in packet: [UInt8]) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    // Text continues after each tag of an element around properties, and after each property.
    var position = 0
    var open: [XMLMarkup.Element] = []
    var markers = markup.packetMarkers.filter { isPlain(marker: packet[$0]) }[...]
    func add(to end: Int) {
      while let marker = markers.first, marker.upperBound <= end {
        parts.append(position..<max(position, marker.lowerBound))
        position = max(position, marker.upperBound)
        markers.removeFirst()
      }
      parts.append(position..<max(position, end))
    }
    func close(before offset: Int) {
      while let last = open.last, last.range.upperBound <= offset {
        add(to: last.content.upperBound)
        position = last.range.upperBound
        open.removeLast()
      }
    }
    var end = 0
    for element in markup.elements where element.range.lowerBound >= end {
      close(before: element.range.lowerBound)
      add(to: element.range.lowerBound)
      guard isAroundProperties(element.name) else {
        (position, end) = (element.range.upperBound, element.range.upperBound)
        continue
      }
      for attribute in element.attributes
      where isAroundProperties(attribute.name) && !attribute.value.isEmpty {
        parts.append(attribute.range)
      }
      if element.content.isEmpty {
        position = element.range.upperBound
      } else {
        position = element.content.lowerBound
        open.append(element)
      }
    }
    close(before: packet.count)
    add(to: packet.count)
    return parts.filter { packet[$0].contains { $0 > 0x20 } }
  }

  /// Whether the beginning or end of a packet has nothing but what every packet has there (XMP specification part 1 §7.3.2).
  private static func isPlain(marker: ArraySlice<UInt8>) -> Bool {
    let quote = UInt8(ascii: "\"")
    let text = String(
      decoding: marker.map { $0 == UInt8(ascii: "'") ? quote : $0 }, as: UTF8.self)
    let identifier = "id=\"W5M0MpCehiHzreSzNTczkc9d\"?>"
    return [
      "<?xpacket begin=\"\u{FEFF}\" " + identifier, "<?xpacket begin=\"\" " + identifier,
      "<?xpacket end=\"w\"?>", "<?xpacket end=\"r\"?>",
    ].contains(text)
  }

  /// Whether an element or attribute is of the syntax of XMP.
  private static func isAroundProperties(_ name: XMLName) -> Bool {
    name.namespace == XMPNamespace.xmpMeta || name.namespace == XMPNamespace.rdf
  }
}
