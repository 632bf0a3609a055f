package import MediaEdits
package import MediaModel
import MetadataRemoval

/// An XMP file with what the catalog knows of an asset, as digiKam, exiftool and Lightroom read it.
///
/// Properties and their forms: XMP specification part 1 (ISO 16684-1), part 2 (Adobe's schemas, EXIF), and the
/// Metadata Working Group's schema of collections. People are in the IPTC's property and in digiKam's keywords, a
/// favorite is in F-Stop's property, which PhotoPrism reads, and has digiKam's flag "accepted".
package struct XMPSidecar: Sendable, Hashable {
  /// UTF-8.
  package let bytes: [UInt8]

  /// A digest of the content, by which a later export notices that the catalog knows something else by now.
  var settings: String { "xmp " + String(FNV1a(bytes).value, radix: 16) }

  /// - Parameters:
  ///   - asset: with its keywords and people.
  ///   - source: the file that the described result is made from.
  ///   - policy: what is left out. With captions go the title and the description, with the location the coordinates
  ///     and the albums, whose names may be those of places. The source's name goes with either.
  package init(_ asset: AssetRecord, source: BytePath, _ policy: MetadataPolicy) {
    var writer = XMPWriter()
    if policy != .appearanceOnly {
      if let date = asset.captureDate {
        writer.property("exif:DateTimeOriginal", date)
        writer.property("photoshop:DateCreated", date)
        writer.property("xmp:CreateDate", date)
      }
      if !policy.contains(.withoutLocation) {
        if let location = asset.location { writer.location(location) }
        let album = asset.albumTitle ?? readableName(asset.path.parent.lastComponent)
        writer.albums(([album] + asset.albumsOfCopies).filter { !$0.isEmpty })
      }
      if !policy.contains(.withoutCaptions) {
        writer.alternatives("dc:title", policy.allowed(asset.title))
        writer.alternatives("dc:description", policy.allowed(asset.caption))
      }
      writer.keywords(policy.allowed(asset.keywords), people: policy.allowed(people: asset.people))
      if policy == .keep {
        let original = source == asset.path ? asset.originalName : nil
        writer.property(
          "xmpMM:PreservedFileName", original ?? readableName(source.lastComponent))
      }
      if let rating = asset.rating { writer.property("xmp:Rating", String(rating)) }
      if asset.isFavorite {
        writer.property("fstop:favorite", "1")
        writer.property("digiKam:PickLabel", "3")
      }
    }
    bytes = writer.finish()
  }
}

extension MetadataPolicy {
  /// A title or a description, unless the location is removed and the text contains coordinates.
  fileprivate func allowed(_ text: String?) -> String? {
    guard let text, contains(.withoutLocation) else { return text }
    return LocationDetection.recordsPlace(Array(text.utf8), key: "title") ? nil : text
  }

  /// The keywords, without `geo:lat=…` and the like if the location is removed.
  fileprivate func allowed(_ keywords: [String]) -> [String] {
    guard contains(.withoutLocation) else { return keywords }
    return keywords.filter { !LocationDetection.isMachineTag($0.utf8) }
  }
}

extension MetadataPolicy {
  /// The people, without names that contain coordinates if the location is removed.
  fileprivate func allowed(people: [String]) -> [String] {
    allowed(people).filter { allowed($0) != nil }
  }
}

extension XMPWriter {
  /// Keywords and people. digiKam and Immich read `dc:subject` only if there is no `digiKam:TagsList`, so that this one
  /// has both.
  fileprivate mutating func keywords(_ keywords: [String], people: [String]) {
    bag("dc:subject", keywords)
    guard !people.isEmpty else { return }
    bag("Iptc4xmpExt:PersonInImage", people)
    sequence("digiKam:TagsList", keywords + people.map { "People/" + $0 })
  }

  /// The coordinates in degrees and decimal minutes, the altitude as a fraction (XMP specification part 2 §1.2.7.4).
  fileprivate mutating func location(_ location: Location) {
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
  fileprivate mutating func albums(_ names: [String]) {
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
