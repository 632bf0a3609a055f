import MediaFormats

/// Writes an RDF description with simple properties, lists and structures, as a packet of its own or for another packet.
struct XMPWriter: Sendable {
  /// The namespaces of all properties that are written, by the prefixes that their schemas recommend.
  private static let namespaces = [
    ("Iptc4xmpExt", "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"),
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("digiKam", "http://www.digikam.org/ns/1.0/"),
    ("exif", "http://ns.adobe.com/exif/1.0/"),
    ("fstop", "http://www.fstopapp.com/xmp/"),
    ("lr", "http://ns.adobe.com/lightroom/1.0/"),
    ("mwg-coll", "http://www.metadataworkinggroup.com/schemas/collections/"),
    ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
    ("shoebox", XMPNamespace.shoebox),
    ("xmp", "http://ns.adobe.com/xap/1.0/"),
    ("xmpDM", "http://ns.adobe.com/xmp/1.0/DynamicMedia/"),
    ("xmpMM", "http://ns.adobe.com/xap/1.0/mm/"),
  ]

  private static let head = """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Shoebox">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about=""
    """

  private static let tail = """
      </rdf:Description>
     </rdf:RDF>
    </x:xmpmeta>
    <?xpacket end="w"?>

    """

  private static let outerDepth = 3

  /// The elements of the properties.
  private var text = ""
  /// Levels of elements around the next one.
  private var depth = Self.outerDepth
  /// The qualified names of the properties.
  private var written: [String] = []

  init() {}

  /// The properties as a packet of their own, in UTF-8.
  var packet: [UInt8] {
    let declarations = Self.namespaces.map { "\n    xmlns:\($0)=\"\($1)\"" }.joined()
    return Array((Self.head + declarations + ">\n" + text + Self.tail).utf8)
  }

  /// The properties as a description for another packet, with the namespaces that it uses. `rdf:about` is in the
  /// packet's first description. Nil if there are no properties.
  var description: [UInt8]? {
    guard !text.isEmpty else { return nil }
    let used = Self.namespaces.filter { prefix, _ in text.contains(prefix + ":") }
    let declarations = used.map { " xmlns:\($0)=\"\($1)\"" }.joined()
    let start = "<rdf:Description xmlns:rdf=\"\(XMPNamespace.rdf)\"" + declarations + ">\n"
    return Array((start + text + "  </rdf:Description>\n").utf8)
  }

  /// The names of the properties.
  var names: Set<XMLName> {
    Set(
      written.compactMap { name in
        let parts = name.split(separator: ":", maxSplits: 1).map(String.init)
        guard parts.count == 2, let known = Self.namespaces.first(where: { $0.0 == parts[0] })
        else { return nil }
        return XMLName(namespace: known.1, local: parts[1])
      })
  }

  /// Writes a property with a text as its value.
  ///
  /// - Parameter attributes: of the element, with the space before them.
  mutating func property(_ name: String, attributes: String = "", _ value: String) {
    note(name)
    indent()
    text += "<\(name)\(attributes)>\(value.escapedForXML)</\(name)>\n"
  }

  /// Writes a text in the default language; nothing if it is nil.
  ///
  /// - Parameter others: the texts in other languages, with the tags of these.
  mutating func alternatives(
    _ name: String, _ value: String?, others: [(language: String, text: String)] = []
  ) {
    guard let value else { return }
    element(name) { writer in
      writer.element("rdf:Alt") { writer in
        writer.property("rdf:li", attributes: #" xml:lang="x-default""#, value)
        for (language, text) in others where language.utf8.allSatisfy(Self.isTag) {
          writer.property("rdf:li", attributes: #" xml:lang="\#(language)""#, text)
        }
      }
    }
  }

  /// Writes texts without an order; nothing if there are none.
  mutating func bag(_ name: String, _ values: [String]) {
    list(name, "rdf:Bag", values)
  }

  /// Writes texts in an order; nothing if there are none.
  mutating func sequence(_ name: String, _ values: [String]) {
    list(name, "rdf:Seq", values)
  }

  private mutating func list(_ name: String, _ kind: String, _ values: [String]) {
    guard !values.isEmpty else { return }
    element(name) { writer in
      writer.element(kind) { writer in
        for value in values { writer.property("rdf:li", value) }
      }
    }
  }

  /// Writes an element with others inside.
  mutating func element(
    _ name: String, attributes: String = "", _ content: (inout XMPWriter) -> Void
  ) {
    note(name)
    indent()
    text += "<\(name)\(attributes)>\n"
    depth += 1
    content(&self)
    depth -= 1
    indent()
    text += "</\(name)>\n"
  }

  /// Whether a byte may be in the tag of a language (RFC 5646 §2.1).
  private static func isTag(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      || byte == 0x2D
  }

  private mutating func note(_ name: String) {
    if depth == Self.outerDepth { written.append(name) }
  }

  private mutating func indent() { text += String(repeating: " ", count: depth) }
}

extension String {
  /// As the text of an element, without characters that XML 1.0 cannot contain (§2.2).
  var escapedForXML: String {
    var escaped = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      // A parser would make it a line feed.
      case "\r": escaped += "&#13;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case "\0"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": continue
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
