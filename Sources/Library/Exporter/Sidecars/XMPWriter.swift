/// Writes an XMP packet as a file of its own: one RDF description with simple properties, lists and structures.
struct XMPWriter: Sendable {
  /// The namespaces of all properties that are written, by the prefixes that their schemas recommend.
  private static let namespaces = [
    ("Iptc4xmpExt", "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"),
    ("dc", "http://purl.org/dc/elements/1.1/"),
    ("digiKam", "http://www.digikam.org/ns/1.0/"),
    ("exif", "http://ns.adobe.com/exif/1.0/"),
    ("fstop", "http://www.fstopapp.com/xmp/"),
    ("mwg-coll", "http://www.metadataworkinggroup.com/schemas/collections/"),
    ("photoshop", "http://ns.adobe.com/photoshop/1.0/"),
    ("xmp", "http://ns.adobe.com/xap/1.0/"),
    ("xmpMM", "http://ns.adobe.com/xap/1.0/mm/"),
  ]

  private var text: String
  /// Levels of elements around the next one.
  private var depth = 3

  init() {
    text = """
      <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="Shoebox">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about=""
      """
    for (prefix, namespace) in Self.namespaces {
      text += "\n    xmlns:\(prefix)=\"\(namespace)\""
    }
    text += ">\n"
  }

  /// Ends the packet.
  ///
  /// - Returns: the file's bytes.
  consuming func finish() -> [UInt8] {
    text += """
        </rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>

      """
    return Array(text.utf8)
  }

  /// Writes a property with a text as its value.
  ///
  /// - Parameter attributes: of the element, with the space before them.
  mutating func property(_ name: String, attributes: String = "", _ value: String) {
    indent()
    text += "<\(name)\(attributes)>\(value.escapedForXML)</\(name)>\n"
  }

  /// Writes a text in the default language; nothing if it is nil.
  mutating func alternatives(_ name: String, _ value: String?) {
    guard let value else { return }
    element(name) { writer in
      writer.element("rdf:Alt") { writer in
        writer.property("rdf:li", attributes: #" xml:lang="x-default""#, value)
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
    indent()
    text += "<\(name)\(attributes)>\n"
    depth += 1
    content(&self)
    depth -= 1
    indent()
    text += "</\(name)>\n"
  }

  private mutating func indent() { text += String(repeating: " ", count: depth) }
}

extension String {
  /// As the text of an element, without characters that XML 1.0 cannot contain (§2.2).
  fileprivate var escapedForXML: String {
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
