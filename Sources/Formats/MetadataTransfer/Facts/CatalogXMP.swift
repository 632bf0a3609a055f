package import MediaEdits
import MediaFormats
import MediaModel

/// Facts of the catalog as properties of XMP.
package enum CatalogXMP {
  /// A packet with the facts.
  package static func packet(_ facts: CatalogFacts) -> [UInt8] {
    var writer = XMPWriter()
    writer.write(facts, known: nil)
    return writer.packet
  }

  /// A packet with the facts in addition to what it contains.
  ///
  /// Properties with other values are replaced. Lists keep their items, texts their other languages, and an original
  /// name and a list of albums stay.
  ///
  /// - Returns: nil for a packet that is not well-formed, or too long to be read to its end.
  static func merged(_ facts: CatalogFacts, into packet: [UInt8]) -> [UInt8]? {
    guard let known = XMPPacket.whole(packet) else { return nil }
    var writer = XMPWriter()
    writer.write(facts, known: known)
    guard let description = writer.description else { return packet }
    return XMPPatch.removing(writer.names, from: packet).flatMap {
      XMPPatch.appending(description, to: $0)
    }
  }

  /// A packet without its description, and a second packet with it, for a JPEG.
  ///
  /// - Parameter second: the second packet that the JPEG has.
  /// - Returns: nil for a packet without a description, and for one that is not well-formed.
  static func movingDescription(
    from packet: [UInt8], to second: [UInt8]?
  ) -> (first: [UInt8], second: [UInt8])? {
    let known = XMPPacket.whole(packet)
    var writer = XMPWriter()
    writer.alternatives("dc:description", known?.caption, others: known.others("description"))
    guard let description = writer.description,
      let first = XMPPatch.removing(writer.names, from: packet)
    else { return nil }
    guard let second else { return (first, XMPPatch.packet(with: description)) }
    return XMPPatch.removing(writer.names, from: second).flatMap {
      XMPPatch.appending(description, to: $0)
    }.map { (first, $0) }
  }
}

extension CaptureTime {
  /// Whether it has a zone that no device has recorded.
  var isZoneUnrecorded: Bool { offsetMinutes != nil && !hasRecordedZone }
}

extension XMPWriter {
  /// Writes the properties of an asset.
  ///
  /// - Parameter known: the packet that the properties will be added to.
  fileprivate mutating func write(_ facts: CatalogFacts, known: XMPPacket?) {
    if let time = facts.captureTime {
      property("exif:DateTimeOriginal", time.iso8601)
      property("photoshop:DateCreated", time.iso8601)
      property("xmp:CreateDate", time.iso8601)
      if time.isZoneUnrecorded { property("shoebox:CaptureTimeSource", time.source) }
    }
    if let location = facts.location { self.location(location) }
    if known?.has(Self.collections) != true { albums(facts.albums) }
    alternatives("dc:title", facts.title, others: known.others("title"))
    alternatives("dc:description", facts.caption, others: known.others("description"))
    keywords(facts, known)
    if let name = facts.originalName,
      known?.value(Self.mediaManagement, "PreservedFileName") == nil
    {
      property("xmpMM:PreservedFileName", name)
    }
    if let rating = facts.rating { property("xmp:Rating", String(rating)) }
    if facts.isFavorite { property("fstop:favorite", "1") }
    if let label = facts.label {
      property("xmp:Label", label)
      if let color = XMPPacket.digiKamColor(of: label) {
        property("digiKam:ColorLabel", String(color))
      }
    }
    pick(facts)
  }

  /// Lightroom's flag and digiKam's pick label. digiKam has no favorites: without a pick, one is accepted.
  private mutating func pick(_ facts: CatalogFacts) {
    switch facts.pick {
    case .picked:
      property("digiKam:PickLabel", "3")
      property("xmpDM:pick", "1")
      property("xmpDM:good", "True")
    case .rejected:
      property("digiKam:PickLabel", "1")
      property("xmpDM:pick", "-1")
      property("xmpDM:good", "False")
    case .pending: property("digiKam:PickLabel", "2")
    case Pick.none?:
      property("digiKam:PickLabel", "0")
      property("xmpDM:pick", "0")
    case nil: if facts.isFavorite { property("digiKam:PickLabel", "3") }
    }
  }

  private static let collections = "http://www.metadataworkinggroup.com/schemas/collections/"
  private static let mediaManagement = "http://ns.adobe.com/xap/1.0/mm/"

  /// Keywords and people. digiKam and Immich read `dc:subject` only if there is no `digiKam:TagsList`, so that this one
  /// has both.
  private mutating func keywords(_ facts: CatalogFacts, _ known: XMPPacket?) {
    func joined(_ namespace: String, _ path: String, _ new: [String]) -> [String] {
      let own = known?.values(namespace, path) ?? []
      return own + new.filter { !own.contains($0) }
    }
    if !facts.keywords.isEmpty {
      bag("dc:subject", joined(XMPNamespace.dublinCore, "subject", facts.keywords))
    }
    if !facts.people.isEmpty {
      bag(
        "Iptc4xmpExt:PersonInImage",
        joined(XMPNamespace.iptcExtension, "PersonInImage", facts.people))
    }
    if !facts.keywordPaths.isEmpty {
      bag(
        "lr:hierarchicalSubject",
        joined(XMPNamespace.lightroom, "hierarchicalSubject", facts.keywordPaths))
    }
    let ownPaths = known?.values(XMPNamespace.digiKam, "TagsList") ?? []
    // A level that contains digiKam's separator would be two.
    let newPaths = facts.keywordPaths.filter { !$0.contains("/") }
      .map { $0.replacing(String(KeywordPath.separator), with: "/") }.filter {
        !ownPaths.contains($0)
      }
    let paths = ownPaths + newPaths
    guard !facts.people.isEmpty || !newPaths.isEmpty || !facts.keywords.isEmpty && !paths.isEmpty
    else { return }
    let leaves = Set(paths.compactMap { $0.split(separator: "/").last.map(String.init) })
    let keywords = facts.keywords.filter { !leaves.contains($0) }
    let people = facts.people.map { "People/" + $0 }.filter { !paths.contains($0) }
    if !(keywords + people + newPaths).isEmpty {
      sequence("digiKam:TagsList", paths + keywords + people)
    }
  }

  /// The coordinates in degrees and decimal minutes, the altitude as a fraction (XMP specification part 2 §1.2.7.4).
  private mutating func location(_ location: Location) {
    property("exif:GPSLatitude", Self.degrees(location.latitude, "NS"))
    property("exif:GPSLongitude", Self.degrees(location.longitude, "EW"))
    // Millimetres; what does not fit is not an altitude.
    guard let altitude = location.altitude,
      let millimetres = Int64(exactly: (altitude * 1000).rounded())
    else { return }
    property("exif:GPSAltitude", "\(millimetres.magnitude)/1000")
    property("exif:GPSAltitudeRef", millimetres < 0 ? "1" : "0")
  }

  /// The asset's albums, which are its folder in the library and those of its copies.
  private mutating func albums(_ names: [String]) {
    guard !names.isEmpty else { return }
    element("mwg-coll:Collections") { writer in
      writer.element("rdf:Bag") { writer in
        for name in names {
          writer.element("rdf:li", attributes: #" rdf:parseType="Resource""#) { writer in
            writer.property("mwg-coll:CollectionName", name)
          }
        }
      }
    }
  }

  /// `DDD,MM.mmmmmmmk` in steps of a tenth of a micro-minute, which is less than a millimetre.
  ///
  /// - Parameter directions: the letter for positive and that for negative degrees.
  private static func degrees(_ value: Double, _ directions: String) -> String {
    let steps: Int64 = 10_000_000
    // Places of the catalog are within ±180 degrees.
    let all = Int64((min(value.magnitude, 360) * 60 * Double(steps)).rounded())
    let (degrees, rest) = all.quotientAndRemainder(dividingBy: 60 * steps)
    let fraction = String(rest % steps)
    let digits = String(repeating: "0", count: 7 - fraction.count) + fraction
    let letter = value < 0 ? directions.suffix(1) : directions.prefix(1)
    return "\(degrees),\(rest / steps).\(digits)\(letter)"
  }
}

extension XMPPacket? {
  /// The texts of a language alternative of Dublin Core in other languages than the default.
  fileprivate func others(_ property: String) -> [(language: String, text: String)] {
    guard let self else { return [] }
    return self.properties.compactMap { item in
      guard item.namespace == XMPNamespace.dublinCore, item.path.hasPrefix(property + "["),
        let language = item.language, language != "x-default"
      else { return nil }
      return (language, item.value)
    }
  }
}
