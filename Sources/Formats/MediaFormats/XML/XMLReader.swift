import ByteReading

/// A name in an XML document with its prefix resolved.
package struct XMLName: Sendable, Hashable {
  /// The URI; empty without a namespace.
  package var namespace: String
  package var local: String

  package init(
    namespace: String, local: String
  ) {
    self.namespace = namespace
    self.local = local
  }
}

/// One element with its content.
struct XMLElement: Sendable {
  var name: XMLName
  var attributes: [(name: XMLName, value: String)] = []
  var children: [XMLElement] = []
  /// All character data directly inside, concatenated.
  var text = ""

  func attribute(_ namespace: String, _ local: String) -> String? {
    attributes.first { $0.name.local == local && $0.name.namespace == namespace }?.value
  }
}

/// Reads the part of XML 1.0 with namespaces that metadata uses, from untrusted bytes.
///
/// Declarations are skipped, so no entity expands and nothing is fetched. References to entities other than the
/// five predefined ones stay in the text. Depth, elements and attributes are bounded (``XMLLimits``). A document
/// that ends early yields the part before its end. For edits in place see ``XMLMarkup``, which is strict.
struct XMLReader {

  /// UTF-8.
  private let bytes: [UInt8]
  private var position = 0
  private var open: [XMLElement] = []
  private var namespaces = XMLNamespaces()
  private var elementCount = 0

  /// The document's root element; nil if there is none.
  static func root(of document: [UInt8]) -> XMLElement? {
    var reader = XMLReader(bytes: utf8(document))
    return reader.read()
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A document as UTF-8. UTF-16 is recognised by its byte order mark or its first character. Other bytes that are
  /// not valid UTF-8 are read as Windows-1252.
  private static func utf8(_ document: [UInt8]) -> [UInt8] {
    if document.hasBytes([0xEF, 0xBB, 0xBF]) { return document.bytes(from: 3) }
    if document.hasBytes([0xFE, 0xFF]) || document.hasBytes([0, 0x3C]) {
      return Array(utf16Text(document, .big).utf8)
    }
    if document.hasBytes([0xFF, 0xFE]) || document.hasBytes([0x3C, 0]) {
      return Array(utf16Text(document, .little).utf8)
    }
    if String(validating: document, as: UTF8.self) == nil {
      return Array(windows1252Text(document).utf8)
    }
    return document
  }

  private mutating func read() -> XMLElement? {
    while position < bytes.count {
      if bytes[position] != UInt8(ascii: "<") {
        readText()
        continue
      }
      guard let root = readMarkup() else {
        if isFinished { break }
        continue
      }
      return root
    }
    return closeAll()
  }

  private var isFinished = false

  /// Closes all elements that are open at the end of the document.
  private mutating func closeAll() -> XMLElement? {
    while open.count > 1 {
      if let root = close() { return root }
    }
    return open.popLast()
  }

  /// Closes the innermost element; returns it if it was the root.
  private mutating func close() -> XMLElement? {
    guard let element = open.popLast() else { return nil }
    namespaces.leave(below: open.count)
    guard let parent = open.indices.last else { return element }
    open[parent].children.append(element)
    return nil
  }

  /// Reads a tag, comment or declaration; returns the root if it is closed now.
  private mutating func readMarkup() -> XMLElement? {
    if bytes.hasText("<!--", at: position) {
      skip(past: "-->", from: position + 4)
    } else if bytes.hasText("<![CDATA[", at: position) {
      let start = position + 9
      skip(past: "]]>", from: start)
      append(text: String(decoding: bytes[start..<max(start, position - 3)], as: UTF8.self))
    } else if bytes.hasText("<?", at: position) {
      skip(past: "?>", from: position + 2)
    } else if bytes.hasText("<!", at: position) {
      skipDeclaration()
    } else if bytes.hasText("</", at: position) {
      skip(past: ">", from: position + 2)
      return close()
    } else {
      return readStartTag()
    }
    return nil
  }

  private mutating func skip(past text: String, from start: Int) {
    position = bytes.firstIndex(of: text, from: start).map { $0 + text.utf8.count } ?? bytes.count
  }

  /// Skips `<!DOCTYPE …>` and the declarations inside it.
  private mutating func skipDeclaration() {
    var depth = 0
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "<") { depth += 1 }
      if byte == UInt8(ascii: ">") {
        depth -= 1
        if depth == 0 { return }
      }
    }
  }

  private mutating func readText() {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
    append(text: decodeEntities(bytes[start..<position]))
  }

  private mutating func append(text: String) {
    guard let current = open.indices.last else { return }
    open[current].text += text
  }

  /// Reads `<name a="b" …>` or `<name …/>`; returns the root if it is empty.
  private mutating func readStartTag() -> XMLElement? {
    position += 1
    let name = readName()
    elementCount += 1
    guard !name.isEmpty, open.count < XMLLimits.depth, elementCount <= XMLLimits.elements else {
      isFinished = true
      position = bytes.count
      return nil
    }
    let attributes = readAttributes()
    let isEmpty = position > 0 && bytes.u8(at: position) == UInt8(ascii: "/")
    skip(past: ">", from: position)
    for (name, value) in attributes {
      guard let prefix = XMLNamespaces.declaredPrefix(name) else { continue }
      namespaces.declare(prefix, value, depth: open.count + 1)
    }
    var element = XMLElement(name: namespaces.resolve(name, isAttribute: false))
    for (name, value) in attributes where XMLNamespaces.declaredPrefix(name) == nil {
      element.attributes.append((namespaces.resolve(name, isAttribute: true), value))
    }
    open.append(element)
    return isEmpty ? close() : nil
  }

  /// Reads up to `>` or `/>`, which the caller reads.
  private mutating func readAttributes() -> [(String, String)] {
    var found: [(String, String)] = []
    while position < bytes.count, found.count < XMLLimits.attributes {
      skipSpace()
      guard let next = bytes.u8(at: position), next != UInt8(ascii: ">"), next != UInt8(ascii: "/")
      else { break }
      let name = readName()
      skipSpace()
      guard !name.isEmpty, bytes.u8(at: position) == UInt8(ascii: "=") else { break }
      position += 1
      skipSpace()
      guard let quote = bytes.u8(at: position), quote == 0x22 || quote == 0x27 else { break }
      let start = position + 1
      let end = bytes[start...].firstIndex(of: quote) ?? bytes.count
      found.append((name, decodeEntities(bytes[start..<end])))
      position = min(end + 1, bytes.count)
    }
    return found
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
