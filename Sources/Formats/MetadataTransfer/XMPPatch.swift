import ByteReading
import MediaFormats
import MetadataRemoval

/// Changes an XMP packet, and leaves all bytes that the change does not concern as they are.
enum XMPPatch {
  private static let container = XMLName(namespace: XMPNamespace.rdf, local: "RDF")
  private static let noteNamespace = "http://ns.adobe.com/xmp/note/"
  /// Names a JPEG's second packet by its digest (XMP specification part 3 §1.1.3.1).
  private static let extendedName = XMLName(namespace: noteNamespace, local: "HasExtendedXMP")
  private static let staleNamespaces: Set<String> = [
    XMPNamespace.container, XMPNamespace.hdrGainMap, XMPNamespace.appleHDRGainMap,
  ]

  /// Adobe's previews (XMP specification part 2 §8.4).
  private static let thumbnails = XMLName(namespace: XMPNamespace.xmp, local: "Thumbnails")
  private static let pictureNamespaces: Set<String> = [
    XMPNamespace.depthMap, XMPNamespace.originalImage,
  ]

  /// Adapts a source's packet to an upright picture of another size. Properties of what the new picture does
  /// not have are removed.
  ///
  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  static func adapted(_ packet: [UInt8], width: Int, height: Int) -> [UInt8] {
    let values = [
      XMLName(namespace: XMPNamespace.tiff, local: "Orientation"): "1",
      XMLName(namespace: XMPNamespace.tiff, local: "ImageWidth"): String(width),
      XMLName(namespace: XMPNamespace.tiff, local: "ImageLength"): String(height),
      XMLName(namespace: XMPNamespace.exif, local: "PixelXDimension"): String(width),
      XMLName(namespace: XMPNamespace.exif, local: "PixelYDimension"): String(height),
    ]
    guard let cleared = XMPRedaction.blank(packet, where: { name, _ in isStale(name) }) else {
      return packet
    }
    return set(values, in: cleared) ?? cleared
  }

  /// Whether a property describes data after a picture's end: a motion clip, a gain map.
  private static func isStale(_ name: XMLName) -> Bool {
    staleNamespaces.contains(name.namespace)
      || name.namespace.hasPrefix(XMPNamespace.dynamicDepth)
      || name.namespace == XMPNamespace.camera
        && (name.local.hasPrefix("MotionPhoto") || name.local.hasPrefix("MicroVideo"))
  }

  /// The packet without the pictures inside it, which show the source: previews, depth maps, and pictures without blur.
  ///
  /// - Returns: nil for a packet that is not well-formed.
  static func withoutPictures(_ packet: [UInt8]) -> [UInt8]? {
    guard let markup = XMLMarkup(packet) else { return nil }
    let isPicture = { (name: XMLName, value: Range<Int>) in
      name == thumbnails || pictureNamespaces.contains(name.namespace)
        || XMPPicture.isPicture(packet[value])
    }
    let removed = markup.elements.flatMap { element in
      isPicture(element.name, element.content)
        ? [element.range]
        : element.attributes.filter { isPicture($0.name, $0.value) }.map(\.range)
    }
    return packet.changed(removed.map { ($0, "") })
  }

  /// Whether a packet has a property; true for one that is not well-formed.
  static func hasProperties(_ packet: [UInt8]) -> Bool {
    guard let elements = XMLMarkup(packet)?.elements else { return true }
    let description = XMLName(namespace: XMPNamespace.rdf, local: "Description")
    return elements.contains { element in
      element.name == description
        && (element.attributes.contains { $0.name.namespace != XMPNamespace.rdf }
          || packet[element.content].contains(UInt8(ascii: "<")))
    }
  }

  /// The packet without the name of a second one.
  static func unnaming(_ packet: [UInt8]) -> [UInt8] {
    XMPRedaction.blank(packet, where: { name, _ in name == extendedName }) ?? packet
  }

  /// Replaces the values of simple properties that the packet has.
  ///
  /// - Returns: nil for a packet that is not well-formed.
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
    return packet.changed(changes)
  }

  /// Names the second packet of a JPEG in the first one, or in its first description if it names none yet.
  ///
  /// - Parameters:
  ///   - name: the digest of the second packet, in hexadecimal.
  ///   - packet: the first packet.
  /// - Returns: nil for a packet without a description, and for one that is not well-formed.
  static func naming(extended name: [UInt8], in packet: [UInt8]) -> [UInt8]? {
    guard let markup = XMLMarkup(packet) else { return nil }
    let isNamed = markup.elements.contains { element in
      element.name == extendedName || element.attributes.contains { $0.name == extendedName }
    }
    if isNamed { return set([extendedName: name.text], in: packet) }
    let description = XMLName(namespace: XMPNamespace.rdf, local: "Description")
    guard let first = markup.elements.first(where: { $0.name == description }) else { return nil }
    let end = endOfName(at: first.range.lowerBound, in: packet)
    return packet[..<end] + attributes(naming: name) + packet[end...]
  }

  /// A packet with nothing but the name of a second one.
  static func packet(naming name: [UInt8]) -> [UInt8] {
    packet(
      with: Array(#"<rdf:Description rdf:about="""#.utf8) + attributes(naming: name)
        + Array("/>".utf8))
  }

  private static func attributes(naming name: [UInt8]) -> [UInt8] {
    Array(#" xmlns:xmpNote="\#(noteNamespace)" xmpNote:HasExtendedXMP="\#(name.text)""#.utf8)
  }

  /// The two packets of a JPEG as one, for formats that store a packet of any length.
  ///
  /// Every byte of both descriptions stays as it is. The name of the second packet is removed.
  ///
  /// - Returns: nil if one of the packets is not well-formed.
  static func joined(_ packet: [UInt8], _ extended: [UInt8]) -> [UInt8]? {
    guard let main = XMPRedaction.blank(packet, where: { name, _ in name == extendedName }),
      let end = XMLMarkup(main)?.elements.first(where: { $0.name == container })?.content
        .upperBound,
      let descriptions = descriptions(of: extended)
    else { return nil }
    return main[..<end] + descriptions + main[end...]
  }

  /// The content of a packet's `rdf:RDF`. Each description also gets the namespace declarations of the elements
  /// around it.
  private static func descriptions(of packet: [UInt8]) -> [UInt8]? {
    guard let elements = XMLMarkup(packet)?.elements,
      let outer = elements.first(where: { $0.name == container }), !outer.content.isEmpty
    else { return nil }
    let around = elements.filter {
      $0.range.lowerBound <= outer.range.lowerBound && $0.range.upperBound >= outer.range.upperBound
    }
    var inherited: [String: Range<Int>] = [:]
    for declaration in around.flatMap(\.declarations) {
      inherited[declaration.prefix] = declaration.range
    }
    var result: [UInt8] = []
    var position = outer.content.lowerBound
    for element in elements
    where outer.content.contains(element.range.lowerBound) && element.range.lowerBound >= position {
      let own = Set(element.declarations.map(\.prefix))
      let nameEnd = endOfName(at: element.range.lowerBound, in: packet)
      result += packet[position..<nameEnd]
      for (prefix, range) in inherited.sorted(by: { $0.key < $1.key }) where !own.contains(prefix) {
        result += [0x20] + packet[range]
      }
      result += packet[nameEnd..<element.range.upperBound]
      position = element.range.upperBound
    }
    return result + packet[position..<outer.content.upperBound]
  }

  /// The packet with a further description at its end; nil for a packet that is not well-formed.
  static func appending(_ description: [UInt8], to packet: [UInt8]) -> [UInt8]? {
    guard
      let outer = XMLMarkup(packet)?.elements.first(where: { $0.name == container }),
      !outer.content.isEmpty
    else { return nil }
    return packet[..<outer.content.upperBound] + description + packet[outer.content.upperBound...]
  }

  /// The packet without some of its properties. Fields of structures stay, whatever their names are.
  ///
  /// - Returns: nil for a packet that is not well-formed.
  static func removing(_ names: Set<XMLName>, from packet: [UInt8]) -> [UInt8]? {
    guard let elements = XMLMarkup(packet)?.elements,
      let outer = elements.first(where: { $0.name == container })
    else { return nil }
    var removed: [Range<Int>] = []
    // The end of the description that the next elements are in, and of the property among them.
    var (description, property) = (0, 0)
    for element in elements
    where outer.content.contains(element.range.lowerBound)
      && element.range.lowerBound >= property
    {
      if element.range.lowerBound >= description {
        description = element.range.upperBound
        removed += element.attributes.filter { names.contains($0.name) }.map(\.range)
        continue
      }
      property = element.range.upperBound
      if names.contains(element.name) { removed.append(element.range) }
    }
    return packet.changed(removed.map { ($0, "") })
  }

  /// A packet with one description.
  static func packet(with description: [UInt8]) -> [UInt8] {
    Array(
      #"<?xpacket begin="\#u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">"#
        .utf8)
      + Array(#"<rdf:RDF xmlns:rdf="\#(XMPNamespace.rdf)">"#.utf8) + description
      + Array(#"</rdf:RDF></x:xmpmeta><?xpacket end="w"?>"#.utf8)
  }

  /// The offset after the name in a start tag.
  ///
  /// - Parameter start: the offset of the tag's `<`.
  private static func endOfName(at start: Int, in packet: [UInt8]) -> Int {
    var end = start + 1
    while let byte = packet.u8(at: end), byte > 0x20, byte != 0x3E, byte != 0x2F { end += 1 }
    return end
  }
}

extension [UInt8] {
  /// A packet with texts in place of ranges, in any order. Changes inside a range that is replaced have no effect.
  func changed(_ changes: [(range: Range<Int>, text: String)]) -> [UInt8] {
    var result: [UInt8] = []
    var position = 0
    let ordered = changes.sorted {
      ($0.range.lowerBound, -$0.range.count) < ($1.range.lowerBound, -$1.range.count)
    }
    for change in ordered where change.range.lowerBound >= position {
      result += self[position..<change.range.lowerBound]
      result += change.text.utf8
      position = change.range.upperBound
    }
    return result + self[position...]
  }
}
