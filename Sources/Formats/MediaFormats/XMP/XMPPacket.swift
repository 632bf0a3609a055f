import ByteReading
import MediaModel

/// One simple value in an XMP packet.
package struct XMPProperty: Sendable, Hashable {
  /// The namespace URI of the outermost property.
  package var namespace: String
  /// The property's name, array indexes (from 1) and field names: `subject[2]`, `Directory[1]/Item/Mime`.
  package var path: String
  package var value: String
  /// The language of an item of a language alternative, such as `x-default`; nil for other values.
  package var language: String?
}

/// An XMP packet as a flat list (XMP specification part 1; ISO 16684-1).
///
/// RDF can write a property as an attribute or an element, and a structure by `rdf:Description`, by
/// `rdf:parseType="Resource"` or by attributes. All these forms result in the same list.
package struct XMPPacket: Sendable {
  private static let maximumProperties = 20_000
  /// Enough for every packet that can be changed in place.
  private static let maximumElements = XMLLimits.elements * 4
  private static let maximumSize = 16 << 20
  /// The length of all paths in bytes. Each path repeats the names of its parents.
  private static let maximumPathBytes = 4 << 20

  /// The properties in the order of the packet.
  package private(set) var properties: [XMPProperty] = []
  /// Whether ``properties`` has all of them.
  private var isWhole = true
  private var pathBytesLeft = Self.maximumPathBytes
  private var propertiesLeft: Int

  /// Nil for bytes without RDF.
  package init?(_ bytes: [UInt8]) {
    self.init(bytes, limit: Self.maximumProperties)
  }

  /// A packet with all its properties, to be changed; nil for one that is too long.
  package static func whole(_ bytes: [UInt8]) -> XMPPacket? {
    XMPPacket(bytes, limit: maximumElements).flatMap { $0.isWhole ? $0 : nil }
  }

  private init?(_ bytes: [UInt8], limit: Int) {
    propertiesLeft = limit
    guard bytes.count <= Self.maximumSize, let root = XMLReader.root(of: bytes),
      let rdf = Self.rdf(in: root, depth: 0)
    else { return nil }
    for description in rdf.children {
      addFields(of: description, under: nil)
    }
  }

  /// Adds the properties of another packet, such as the extended one of a JPEG.
  package mutating func merge(_ other: XMPPacket) {
    properties += other.properties
  }

  private static func rdf(in element: XMLElement, depth: Int) -> XMLElement? {
    if element.name.namespace == XMPNamespace.rdf, element.name.local == "RDF" { return element }
    guard depth < 4 else { return nil }
    return element.children.lazy.compactMap { rdf(in: $0, depth: depth + 1) }.first
  }

  /// The position of a value in the tree.
  private struct Place {
    var namespace: String
    var path: String
  }

  private static func isSyntax(_ name: XMLName) -> Bool {
    name.namespace == XMPNamespace.rdf || name.namespace == XMPNamespace.xml
  }

  /// Adds the attributes and children of an element as properties, or as fields of `parent`.
  private mutating func addFields(of element: XMLElement, under parent: Place?) {
    for (name, value) in element.attributes where !Self.isSyntax(name) {
      add(value, at: place(of: name, under: parent))
    }
    for child in element.children {
      addValue(of: child, at: place(of: child.name, under: parent))
    }
  }

  private func place(of name: XMLName, under parent: Place?) -> Place {
    guard let parent else { return Place(namespace: name.namespace, path: name.local) }
    return Place(namespace: parent.namespace, path: parent.path + "/" + name.local)
  }

  private mutating func add(_ value: String, at place: Place, language: String? = nil) {
    pathBytesLeft -= place.path.utf8.count
    propertiesLeft -= 1
    guard propertiesLeft >= 0, pathBytesLeft >= 0 else {
      isWhole = false
      return
    }
    properties.append(
      XMPProperty(
        namespace: place.namespace, path: place.path, value: value, language: language))
  }

  /// Adds the value of a property element or of an `rdf:li`.
  private mutating func addValue(of element: XMLElement, at place: Place) {
    let language = element.attribute(XMPNamespace.xml, "lang")
    if let resource = element.attribute(XMPNamespace.rdf, "resource") {
      add(resource, at: place, language: language)
    }
    if let value = element.attribute(XMPNamespace.rdf, "value") {
      add(value, at: place, language: language)
    }
    for (name, value) in element.attributes where !Self.isSyntax(name) {
      add(value, at: self.place(of: name, under: place))
    }
    for child in element.children {
      guard child.name.namespace == XMPNamespace.rdf else {
        addValue(of: child, at: self.place(of: child.name, under: place))
        continue
      }
      switch child.name.local {
      case "Seq", "Bag", "Alt": addItems(of: child, at: place)
      case "value": add(child.text.trimmed, at: place, language: language)
      default: addFields(of: child, under: place)
      }
    }
    let text = element.text.trimmed
    if element.children.isEmpty, !text.isEmpty { add(text, at: place, language: language) }
  }

  private mutating func addItems(of array: XMLElement, at place: Place) {
    for (index, item) in array.children.enumerated() {
      addValue(
        of: item, at: Place(namespace: place.namespace, path: "\(place.path)[\(index + 1)]"))
    }
  }
}

extension XMPPacket {
  /// A simple value: the property's, an array's first item, or a language alternative's default.
  package func value(_ namespace: String, _ path: String) -> String? {
    let first = path + "["
    var fallback: String?
    for property in properties where property.namespace == namespace {
      if property.path == path { return property.value }
      if property.path.hasPrefix(first), property.path.hasSuffix("]") {
        if property.language == "x-default" { return property.value }
        fallback = fallback ?? property.value
      }
    }
    return fallback
  }

  /// All items of an array, or the one simple value.
  package func values(_ namespace: String, _ path: String) -> [String] {
    let first = path + "["
    return properties.filter {
      $0.namespace == namespace
        && ($0.path == path || $0.path.hasPrefix(first) && $0.path.hasSuffix("]"))
    }.map(\.value)
  }

  /// Whether there is a property of a schema.
  package func has(_ namespace: String) -> Bool {
    properties.contains { $0.namespace == namespace }
  }
}
