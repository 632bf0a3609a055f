import ByteReading
import MediaFormats

/// The statements on the gain map in the XMP of a JPEG's first picture (Ultra HDR image format 1.1, Motion Photo format
/// 1.0 "Container metadata").
enum GainMapXMP {
  private static let namespaces: Set<String> = [
    XMPNamespace.hdrGainMap, XMPNamespace.appleHDRGainMap,
  ]
  private static let listItem = XMLName(namespace: XMPNamespace.rdf, local: "li")

  /// A packet without the properties of a gain map and without its item in the directory of the file's parts. A
  /// directory that would list only the first picture is removed. Every other byte stays as it is.
  ///
  /// - Returns: nil for a packet that is not well-formed.
  static func removed(from packet: [UInt8]) -> [UInt8]? {
    guard let elements = XMLMarkup(packet)?.elements else { return nil }
    var removed: [Range<Int>] = []
    for element in elements {
      if namespaces.contains(element.name.namespace) {
        removed.append(element.range)
        continue
      }
      removed += element.attributes.filter { namespaces.contains($0.name.namespace) }.map(\.range)
      if isDirectory(element.name) { removed += listed(in: element, elements, packet) }
    }
    return removed.isEmpty ? packet : packet.changed(removed.map { ($0, "") })
  }

  private static func isDirectory(_ name: XMLName) -> Bool {
    name.local == "Directory"
      && [XMPNamespace.container, XMPNamespace.camera].contains(name.namespace)
  }

  /// The parts of a directory that list gain maps: items, or the whole directory.
  private static func listed(
    in directory: XMLMarkup.Element, _ elements: [XMLMarkup.Element], _ packet: [UInt8]
  ) -> [Range<Int>] {
    let inside = elements.filter { directory.content.contains($0.range.lowerBound) }
    var items: [Range<Int>] = []
    for element in inside
    where element.name == listItem && element.range.lowerBound >= items.last?.upperBound ?? 0 {
      items.append(element.range)
    }
    let maps = items.filter { item in
      inside.contains { item.contains($0.range.lowerBound) && isGainMap($0, packet) }
    }
    guard !maps.isEmpty else { return [] }
    return maps.count + 1 >= items.count ? [directory.range] : maps
  }

  /// Whether an element has the semantic of a gain map, as its attribute or as its own value.
  private static func isGainMap(_ element: XMLMarkup.Element, _ packet: [UInt8]) -> Bool {
    func isGainMap(_ value: Range<Int>) -> Bool {
      packet[value].filter { $0 > 0x20 }.elementsEqual("GainMap".utf8)
    }
    return element.name.local == "Semantic" && isGainMap(element.content)
      || element.attributes.contains { $0.name.local == "Semantic" && isGainMap($0.value) }
  }
}
