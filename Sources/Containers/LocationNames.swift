/// Which names of metadata tell where a picture was taken.
///
/// Schemas are many and grow, so names are judged by what they say rather than looked up in a list: a
/// field that is dropped although it told no place is a smaller loss than one that is kept and did.
package enum LocationNames {
  /// Letters count as written: `Opacity` and `Velocity` are no cities.
  private static let tellingParts = [
    "GPS", "Gps", "Latitude", "Longitude", "Longtitude", "Altitude", "Location", "City", "Country",
    "ProvinceState", "Geotag", "GeoTag", "Geohash", "AboveGround", "CiAdr",
  ]
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
    let small = name.lowercased()
    return tellingParts.contains { name.contains($0) || small.hasPrefix($0.lowercased()) }
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
  static func isTitle(key: String) -> Bool {
    ["©nam", "©key", "title", "displayname", "keywords"]
      .contains { key == $0 || key.hasSuffix("." + $0) }
  }

  /// Whether a PNG's text chunk of this keyword does, as ImageMagick writes `exif:GPSLatitude`.
  static func contains(keyword: String) -> Bool {
    isTelling(keyword) || contains(key: keyword)
  }

  /// Whether a text of any form speaks of a position, as the subtitles of drones and dashcams do.
  static func isTold(in text: [UInt8]) -> Bool {
    let lowered = text.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return ["gps", "latitude", "longitude", "location", "lat:", "lon:", "lat=", "lon="]
      .contains { lowered.firstIndex(of: $0) != nil } || SpokenPosition.isTold(in: text)
  }

  /// Whether a subtitle, or another text along with a movie, tells a place.
  package static func tellsPlace(_ text: [UInt8]) -> Bool { isTold(in: text) }
}
