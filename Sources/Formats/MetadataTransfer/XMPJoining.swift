import MediaFormats
import MetadataRemoval

extension XMPSurgery {
  /// A JPEG's packet and its second one as one, as formats have them in which a packet may have any
  /// length (XMP specification part 3 §1.1.3.1).
  ///
  /// Every byte of both descriptions stays as it is; what goes is the name of the second packet. Nil
  /// for packets whose parts cannot be told apart.
  static func joined(_ packet: [UInt8], _ extended: [UInt8]) -> [UInt8]? {
    let property = XMLName(namespace: note, local: "HasExtendedXMP")
    guard let main = blank(packet, where: { name, _ in name == property }),
      let end = XMLMarkup(main)?.elements.first(where: { $0.name == container })?.content
        .upperBound,
      let descriptions = descriptions(of: extended)
    else { return nil }
    return main[..<end] + descriptions + main[end...]
  }

  private static let container = XMLName(namespace: XMPNamespace.rdf, local: "RDF")

  /// What stands inside of a packet's `rdf:RDF`, each description with the names of namespaces that it
  /// had from the elements around it.
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
}
