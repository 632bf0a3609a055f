import ByteReading
import MediaFormats
import MediaModel

/// Which names of metadata tell where a picture was taken.
///
/// Schemas are many and grow, so names are judged by what they say rather than looked up in a list: a
/// field that is dropped although it told no place is a smaller loss than one that is kept and did.
package enum LocationNames {
  /// Letters count as written: `Opacity` and `Velocity` are no cities.
  private static let tellingParts = [
    "GPS", "Gps", "Latitude", "Longitude", "Longtitude", "Altitude", "Location", "City", "Country",
    "ProvinceState", "Geotag", "GeoTag", "Geohash", "AboveGround", "CiAdr",
  ].map { Array($0.utf8) }
  private static let smallParts = tellingParts.map { $0.map(small) }
  /// Names that are too short or too common to be told by a part of them.
  private static let tellingProperties: [XMLName] = [
    XMLName(namespace: XMPNamespace.photoshop, local: "State"),
    XMLName(namespace: XMPNamespace.dublinCore, local: "coverage"),
  ]

  static func contains(_ property: XMLName) -> Bool {
    isTelling(property.local)
      || tellingProperties.contains(property)
      // Geotate, GeoRSS, the W3C's `geo`.
      || property.namespace.lowercased().firstRange(of: "geo") != nil
  }

  /// Whether a name has one of the parts, as written or, at its beginning, in small letters: `cityName`
  /// names a city, `velocity` none.
  private static func isTelling(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    let lowered = bytes.map(small)
    return tellingParts.contains { bytes.firstIndex(of: $0) != nil }
      || smallParts.contains { lowered.hasBytes($0) }
  }

  /// Whether a key of QuickTime metadata, or a Matroska tag, tells a place, or where the camera looked.
  static func contains(key: String) -> Bool {
    let key = key.lowercased()
    return [
      "location", "gps", "latitude", "longitude", "altitude", "geo", "direction.facing",
      "direction.motion", "xyz", "loci", "country", "city", "place", "coord", "position", "address",
    ].contains { key.contains($0) } || ["lat", "lon", "lng", "long"].contains(key)
  }

  /// Whether a key of QuickTime or iTunes metadata names a title or keywords, which stay whatever they say.
  package static func isTitle(key: String) -> Bool {
    ["©nam", "©key", "title", "displayname", "keywords"]
      .contains { key == $0 || key.hasSuffix("." + $0) }
  }

  /// Whether a PNG's text chunk of this keyword does, as ImageMagick writes `exif:GPSLatitude`.
  static func contains(keyword: String) -> Bool {
    isTelling(keyword) || contains(key: keyword)
  }

  /// Whether a text of any form speaks of a position, as the subtitles of drones and dashcams do.
  package static func isTold(in text: [UInt8]) -> Bool {
    let lowered = text.map(small)
    return words.contains { lowered.firstIndex(of: $0) != nil } || SpokenPosition.isTold(in: text)
  }

  private static let words = [
    "gps", "latitude", "longitude", "location", "lat:", "lon:", "lat=", "lon=",
  ].map { Array($0.utf8) }

  /// An ASCII letter in lower case.
  private static func small(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Whether a keyword is a machine tag of a position, as programs add them to those that people write:
  /// `geo:lat=47.37`, `geo:lon=8.54`, or a URI, `geo:47.37,8.54` (RFC 5870).
  static func isMachineTag(_ keyword: some Collection<UInt8>) -> Bool {
    let start = keyword.drop { $0 <= 0x20 }.prefix(8).map(small)
    guard start.hasText("geo:"), let next = start.u8(at: 4) else { return false }
    return start.hasText("lat", at: 4) || start.hasText("lon", at: 4) || start.hasText("alt", at: 4)
      || (0x30...0x39).contains(next) || next == 0x2B || next == 0x2D
  }

  /// A list of keywords between semicolons, in ASCII or UTF-16, with blanks where its machine tags are.
  static func withoutMachineTags(_ list: [UInt8]) -> [UInt8] {
    var result = list
    let positions = list.indices.filter { list[$0] != 0 }
    for keyword in positions.split(whereSeparator: { list[$0] == UInt8(ascii: ";") })
    where isMachineTag(keyword.map { list[$0] }) {
      for position in keyword { result[position] = 0x20 }
    }
    return result
  }

  /// Whether a subtitle, or another text along with a movie, tells a place.
  package static func tellsPlace(_ text: [UInt8]) -> Bool { isTold(in: text) }
}
