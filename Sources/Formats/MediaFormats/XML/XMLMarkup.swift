import ByteReading

/// The elements and attributes of an XML document with their byte ranges, to change some of them and keep every
/// other byte.
package struct XMLMarkup {
  package struct Attribute {
    package var name: XMLName
    /// From the name's first byte to the closing quote.
    package var range: Range<Int>
    /// Between the quotes.
    package var value: Range<Int>
  }

  package struct Element {
    package var name: XMLName
    package var attributes: [Attribute]
    /// The namespace declarations: the prefix, empty for the default namespace, the namespace, and the range of the
    /// attribute.
    package var declarations: [(prefix: String, uri: String, range: Range<Int>)]
    /// From `<` of its start tag to `>` of its end tag.
    package var range: Range<Int>
    /// Between its tags; empty for `<name/>`.
    package var content: Range<Int>
  }

  private let bytes: [UInt8]
  private var position = 0
  private var open: [(index: Int, rawName: String)] = []
  private var namespaces = XMLNamespaces()
  /// The elements in the order of their start tags.
  package private(set) var elements: [Element] = []
  /// Comments and processing instructions, but for those that begin and end an XMP packet.
  package private(set) var comments: [Range<Int>] = []
  /// The processing instructions that begin and end an XMP packet.
  package private(set) var packetMarkers: [Range<Int>] = []

  /// Nil for a document with an uncertain structure: not UTF-8, not well-formed, with declared entities, or
  /// beyond ``XMLLimits``.
  package init?(_ document: [UInt8]) {
    bytes = document
    guard !document.hasBytes([0xFE, 0xFF]), !document.hasBytes([0xFF, 0xFE]),
      document.prefix(2).first != 0, document.u8(at: 1) != 0
    else { return nil }
    while let start = bytes[position...].firstIndex(of: UInt8(ascii: "<")) {
      position = start
      guard readMarkup() else { return nil }
    }
    guard open.isEmpty, !elements.isEmpty else { return nil }
  }

  private mutating func readMarkup() -> Bool {
    if bytes.hasText("<!--", at: position) { return skipComment(past: "-->") }
    if bytes.hasText("<![CDATA[", at: position) { return skip(past: "]]>", from: position + 9) }
    if bytes.hasText("<?xpacket ", at: position) { return skipPacketMarker() }
    if bytes.hasText("<?", at: position) { return skipComment(past: "?>") }
    if bytes.hasText("</", at: position) { return readEndTag() }
    if bytes.hasText("<!", at: position) { return false }
    return readStartTag()
  }

  private mutating func skipPacketMarker() -> Bool {
    let start = position
    guard skip(past: "?>", from: start) else { return false }
    packetMarkers.append(start..<position)
    return true
  }

  private mutating func skipComment(past end: String) -> Bool {
    let start = position
    guard skip(past: end, from: start + 2 * (end.utf8.count - 1)) else { return false }
    comments.append(start..<position)
    return true
  }

  private mutating func skip(past text: String, from start: Int) -> Bool {
    guard let found = bytes.firstIndex(of: text, from: start) else { return false }
    position = found + text.utf8.count
    return true
  }

  private mutating func readEndTag() -> Bool {
    let start = position
    position += 2
    let name = readName()
    skipSpace()
    guard bytes.u8(at: position) == UInt8(ascii: ">"), let last = open.popLast(),
      last.rawName == name
    else { return false }
    position += 1
    elements[last.index].content = elements[last.index].content.lowerBound..<start
    elements[last.index].range = elements[last.index].range.lowerBound..<position
    namespaces.leave(below: open.count)
    return true
  }

  private mutating func readStartTag() -> Bool {
    let start = position
    position += 1
    let name = readName()
    guard !name.isEmpty, open.count < XMLLimits.depth, elements.count < XMLLimits.elements,
      let attributes = readAttributes()
    else { return false }
    let isEmpty = bytes.u8(at: position) == UInt8(ascii: "/")
    if isEmpty { position += 1 }
    guard bytes.u8(at: position) == UInt8(ascii: ">") else { return false }
    position += 1
    var declarations: [(prefix: String, uri: String, range: Range<Int>)] = []
    for (name, range, value) in attributes {
      guard let prefix = XMLNamespaces.declaredPrefix(name) else { continue }
      let uri = decodeEntities(bytes[value])
      // Each property is compared with its namespace.
      guard uri.utf8.count <= XMLLimits.namespace else { return false }
      declarations.append((prefix, uri, range))
      guard namespaces.declare(prefix, uri, depth: open.count + 1) else { return false }
    }
    let described = attributes.filter { XMLNamespaces.declaredPrefix($0.0) == nil }.map {
      Attribute(
        name: namespaces.resolve($0.0, isAttribute: true), range: $0.1, value: $0.2)
    }
    let element = Element(
      name: namespaces.resolve(name, isAttribute: false), attributes: described,
      declarations: declarations,
      range: start..<position, content: position..<position)
    elements.append(element)
    if isEmpty {
      namespaces.leave(below: open.count)
    } else {
      open.append((elements.count - 1, name))
    }
    return true
  }

  /// Each attribute's name, its range, and the range of its value; nil if the document ends among them.
  private mutating func readAttributes() -> [(String, Range<Int>, Range<Int>)]? {
    var found: [(String, Range<Int>, Range<Int>)] = []
    while found.count < XMLLimits.attributes {
      skipSpace()
      guard let next = bytes.u8(at: position) else { return nil }
      if next == UInt8(ascii: ">") || next == UInt8(ascii: "/") { return found }
      let start = position
      let name = readName()
      skipSpace()
      guard !name.isEmpty, bytes.u8(at: position) == UInt8(ascii: "=") else { return nil }
      position += 1
      skipSpace()
      guard let quote = bytes.u8(at: position), quote == 0x22 || quote == 0x27,
        let end = bytes[(position + 1)...].firstIndex(of: quote)
      else { return nil }
      found.append((name, start..<(end + 1), (position + 1)..<end))
      position = end + 1
    }
    return nil
  }

  private mutating func skipSpace() {
    position = bytes.endOfXMLSpace(from: position)
  }

  private mutating func readName() -> String {
    let (name, end) = bytes.xmlName(from: position)
    position = end
    return name
  }
}
