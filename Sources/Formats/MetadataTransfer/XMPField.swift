import MediaFormats

/// A property to add to an XMP packet.
package struct XMPField: Sendable {
  package enum Form: Sendable {
    case text
    /// A text with alternatives in several languages (`rdf:Alt`).
    case alternative
    /// An ordered list (`rdf:Seq`).
    case list
  }

  var name: XMLName
  var form: Form
  var value: String

  /// - Parameters:
  ///   - namespace: one of ``XMPNamespace``.
  ///   - value: plain text.
  package init(_ namespace: String, _ local: String, _ form: Form, _ value: String) {
    name = XMLName(namespace: namespace, local: local)
    self.form = form
    self.value = value
  }

  /// The property as an XML element that declares its namespace.
  fileprivate var element: String {
    let text = value.escapedForXML
    let content =
      switch form {
      case .text: text
      case .alternative:
        "<rdf:Alt><rdf:li xml:lang=\"x-default\">\(text)</rdf:li></rdf:Alt>"
      case .list: "<rdf:Seq><rdf:li>\(text)</rdf:li></rdf:Seq>"
      }
    return "<p:\(name.local) xmlns:p=\"\(name.namespace)\">\(content)</p:\(name.local)>"
  }
}

extension PictureMetadata {
  /// Adds properties to the XMP packet, or to a new one. Properties that it has already stay.
  package mutating func add(_ fields: [XMPField]) {
    let known = xmp.flatMap(XMPPacket.init)
    let missing = fields.filter { known?.value($0.name.namespace, $0.name.local) == nil }
    guard !missing.isEmpty else { return }
    let start = "<rdf:Description xmlns:rdf=\"\(XMPNamespace.rdf)\""
    let elements = missing.map(\.element).joined() + "</rdf:Description>"
    if let packet = xmp {
      // `rdf:about` is in the packet's first description.
      xmp = XMPPatch.appending(Array((start + ">" + elements).utf8), to: packet) ?? packet
    } else {
      xmp = XMPPatch.packet(with: Array((start + #" rdf:about="">"# + elements).utf8))
    }
  }
}
