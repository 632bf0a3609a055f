import ByteReading

/// Bounds for the structure of a document. Real XMP packets are far below them.
enum XMLLimits {
  static let depth = 64
  static let elements = 50_000
  /// Attributes of one element.
  static let attributes = 512
  /// Bytes of a namespace, which a small document can give to many elements.
  static let namespace = 1024
}

/// The namespace prefixes that are valid at a reader's position in an XML document.
struct XMLNamespaces {
  private static let maximumPrefixes = 256

  /// Declared prefixes with the depth of their element. Later ones override earlier ones.
  private var prefixes: [(prefix: String, uri: String, depth: Int)] = []

  /// The prefix that an attribute declares, empty for the default namespace; nil if it declares none.
  static func declaredPrefix(_ attribute: String) -> String? {
    if attribute == "xmlns" { return "" }
    return attribute.hasPrefix("xmlns:") ? String(attribute.dropFirst(6)) : nil
  }

  /// Adds a declaration; false if there are already too many.
  @discardableResult mutating func declare(_ prefix: String, _ uri: String, depth: Int) -> Bool {
    guard prefixes.count < Self.maximumPrefixes else { return false }
    prefixes.append((prefix, uri, depth))
    return true
  }

  /// Removes the declarations of elements below a depth.
  mutating func leave(below depth: Int) {
    while let last = prefixes.last, last.depth > depth { prefixes.removeLast() }
  }

  func resolve(_ name: String, isAttribute: Bool) -> XMLName {
    guard let colon = name.firstIndex(of: ":") else {
      // The default namespace does not apply to attributes.
      return XMLName(namespace: isAttribute ? "" : uri(of: ""), local: name)
    }
    let local = String(name[name.index(after: colon)...])
    return XMLName(namespace: uri(of: String(name[..<colon])), local: local)
  }

  private func uri(of prefix: String) -> String {
    if prefix == "xml" { return XMPNamespace.xml }
    return prefixes.last { $0.prefix == prefix }?.uri ?? ""
  }
}

extension [UInt8] {
  /// The offset after the white space that begins at `start`.
  func endOfXMLSpace(from start: Int) -> Int {
    var position = start
    while let byte = u8(at: position), isXMLSpace(byte) { position += 1 }
    return position
  }

  /// The name that begins at `start`, and the offset after it. The name is empty if there is none, or if it exceeds
  /// the limit: paths repeat the names of all parents, so long names would need much memory.
  func xmlName(from start: Int) -> (name: String, end: Int) {
    var position = start
    while let byte = u8(at: position), !isXMLSpace(byte), !nameEnds.contains(byte) { position += 1 }
    guard position - start <= maximumNameLength else { return ("", position) }
    return (String(decoding: self[start..<position], as: UTF8.self), position)
  }
}

/// The longest name in bytes.
private let maximumNameLength = 256

/// `>`, `/`, `=`, `<` and both quotes.
private let nameEnds: [UInt8] = [0x3E, 0x2F, 0x3D, 0x3C, 0x22, 0x27]

private func isXMLSpace(_ byte: UInt8) -> Bool {
  byte == 0x20 || (0x09...0x0D).contains(byte)
}
