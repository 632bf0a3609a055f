import ByteReading
import MediaFormats
import MediaModel

/// Decides whether names and texts in metadata record where a picture was taken.
///
/// There are many schemas, and they grow. Names are therefore judged by the words in them, not looked up in a list:
/// it is worse to keep a field that records a place than to drop one that does not.
package enum LocationDetection {
  /// Words in names of fields. Case matters: `Opacity` and `Velocity` do not contain `City`.
  private static let nameParts = [
    "GPS", "Gps", "Latitude", "Longitude", "Longtitude", "Altitude", "Location", "City", "Country",
    "Sublocation", "WorldRegion", "ProvinceState", "Geotag", "GeoTag", "Geohash", "AboveGround",
    "CiAdr",
  ].map { Array($0.utf8) }
  private static let lowercaseParts = nameParts.map { $0.map(lowercase) }
  /// Names that are too short or too common to be recognized by a part of them.
  private static let properties: [XMLName] = [
    XMLName(namespace: XMPNamespace.photoshop, local: "State"),
    XMLName(namespace: XMPNamespace.dublinCore, local: "coverage"),
  ]

  /// Names with such parts that have another meaning: the tolerance of the film speed, and where in the picture the subject
  /// is.
  private static let otherNames: Set<String> = [
    "ISOSpeedLatitudeyyy", "ISOSpeedLatitudezzz", "SubjectLocation",
  ]

  /// The cell of a mobile network, as Sony Ericsson's phones record it.
  private static let cell = "http://developer.sonyericsson.com/cell/1.0/"

  /// Words of which names are made, as `Lat` in `LRFTargetLat`; `Flat` and `LateralChromaticAberration` do not have it.
  private static let nameWords = [
    "lat", "lon", "lng", "latlon", "latlng", "latlong", "lonlat", "geo", "coord", "coords",
    "coordinate", "coordinates", "place", "places", "address",
  ].map { Array($0.utf8) }
  /// Words that name a place only at the end of a name: `AbsAlt`, but not `AltTextAccessibility`.
  private static let lastWords = ["alt", "long"].map { Array($0.utf8) }
  /// Words that also name places in the picture, titles of people and positions of a device. The values decide.
  private static let doubtfulWords = ["position", "positions"].map { Array($0.utf8) }
  /// Schemas of the syntax, and of settings by which Camera Raw develops a picture.
  private static let otherSchemas = Schemas([
    XMPNamespace.rdf, XMPNamespace.xml, XMPNamespace.xmpMeta, XMPNamespace.cameraRaw,
  ])

  static func namesPlace(_ property: XMLName) -> Bool {
    hasNamePart(property.local)
      || properties.contains(property)
      || hasNameWord(property) || property.namespace == cell
      // Geotate, GeoRSS, the W3C's `geo`.
      || namesGeo(property.namespace)
  }

  /// Whether a namespace contains `geo`. All properties of a packet can have the same long namespace, which is read without
  /// a copy.
  private static func namesGeo(_ namespace: String) -> Bool {
    var (first, second): (UInt8, UInt8) = (0, 0)
    for byte in namespace.utf8 {
      let third = lowercase(byte)
      if third == 0x6F, second == 0x65, first == 0x67 { return true }
      (first, second) = (second, third)
    }
    return false
  }

  private static func hasNameWord(_ property: XMLName) -> Bool {
    guard !otherSchemas.contains(property.namespace) else { return false }
    let words = words(in: property.local)
    return words.contains(where: nameWords.contains) || words.last.map(lastWords.contains) ?? false
  }

  /// Schemas of numbers about the camera and the exposure, such as the focal lengths of a lens.
  private static let numberSchemas = Schemas([
    XMPNamespace.exif, XMPNamespace.exifEX, XMPNamespace.tiff, XMPNamespace.auxiliary,
  ])

  /// Names of RDF that contain the value of a property.
  private static let textAttributes: Set<String> = ["resource", "value"]

  /// Whether the value of a property that names no place can have coordinates. Captions consist of elements, one for each
  /// language; of other properties only single values are texts.
  ///
  /// - Parameters:
  ///   - value: without references to characters; evaluated only for a single value.
  ///   - isSingle: whether the value contains no elements.
  private static func mayHaveCoordinates(
    _ property: XMLName, _ value: @autoclosure () -> ArraySlice<UInt8>, isSingle: Bool
  ) -> Bool {
    if property.namespace == XMPNamespace.rdf, textAttributes.contains(property.local) {
      return true
    }
    guard !otherSchemas.contains(property.namespace) else { return false }
    return CaptionDetection.isCaption(property)
      || words(in: property.local).contains(where: doubtfulWords.contains)
      || !numberSchemas.contains(property.namespace) && isSingle && !isList(value())
  }

  /// Whether a value consists of numbers that are not a position: of more than a latitude, a longitude and an altitude, such
  /// as the parameters of a lens; or of numbers below 1, such as the chromaticity of white.
  private static func isList(_ value: ArraySlice<UInt8>) -> Bool {
    let numbers = value.split(whereSeparator: { " ,;|\t\r\n".utf8.contains($0) })
    guard numbers.allSatisfy({ $0.allSatisfy("+-.0123456789eE:".utf8.contains) }) else {
      return false
    }
    return numbers.count > 3
      || numbers.allSatisfy { number in
        let digits = number.drop { $0 == 0x2B || $0 == 0x2D }
        return digits.first == 0x30 && digits.dropFirst().first == UInt8(ascii: ".")
      }
  }

  /// The words of a name in lower case: `LRFTargetLat` and `lrf_target_lat` have three.
  private static func words(in name: String) -> [[UInt8]] {
    let bytes = Array(name.utf8)
    func isUpper(_ byte: UInt8?) -> Bool { byte.map { (0x41...0x5A).contains($0) } ?? false }
    func isLower(_ byte: UInt8?) -> Bool { byte.map { (0x61...0x7A).contains($0) } ?? false }
    var words: [[UInt8]] = [[]]
    for (index, byte) in bytes.enumerated() {
      let (previous, next) = (bytes.u8(at: index - 1), bytes.u8(at: index + 1))
      let isLetter = isUpper(byte) || isLower(byte) || byte >= 0x80
      if !isLetter || isUpper(byte) && (!isUpper(previous) || isLower(next)) { words.append([]) }
      if isLetter { words[words.count - 1].append(lowercase(byte)) }
    }
    return words.filter { !$0.isEmpty }
  }

  /// Whether a name contains one of the parts as written, or begins with one in lowercase: `cityName` names a
  /// city, `velocity` does not.
  private static func hasNamePart(_ name: String) -> Bool {
    guard !otherNames.contains(name) else { return false }
    let bytes = Array(name.utf8)
    let lowered = bytes.map(lowercase)
    return nameParts.contains { bytes.firstIndex(of: $0) != nil }
      || lowercaseParts.contains { lowered.first == $0.first && lowered.hasBytes($0) }
  }

  /// Whether an XMP property names a place, or its value records one.
  ///
  /// - Parameter budget: the bytes of values that may still be searched. A value is searched as a whole and again for each
  ///   element inside of it; beyond the budget it counts as a place.
  static func recordsPlace(
    _ property: XMLName, _ value: ArraySlice<UInt8>, budget: inout Int
  ) -> Bool {
    if namesPlace(property) { return true }
    let isSingle = !value.contains(UInt8(ascii: "<"))
    // A tag is in front of all elements.
    if isMachineTag(withoutEntities(value.prefix { $0 != UInt8(ascii: "<") })) { return true }
    let isComment = property == userComment
    guard
      isComment || mayHaveCoordinates(property, withoutEntities(value), isSingle: isSingle)
    else { return false }
    budget -= value.count
    guard budget >= 0 else { return true }
    // Programs write apostrophes and quotation marks, which are minutes and seconds of arc, as references.
    let text = Array(withoutEntities(value))
    return isComment ? recordsPlace(text) : WrittenCoordinates.occur(in: text)
  }

  /// Camera apps write here the text that they print into the picture, which may name a place.
  private static let userComment = XMLName(namespace: XMPNamespace.exif, local: "UserComment")

  /// Whether a key of QuickTime metadata, or a Matroska tag, names a place or the direction of the camera.
  static func namesPlace(key: String) -> Bool {
    let key = Array(key.lowercased().utf8)
    return keyParts.contains { key.firstIndex(of: $0) != nil } || keys.contains(key)
  }

  private static let keyParts = [
    "location", "gps", "latitude", "longitude", "altitude", "geo", "direction.facing",
    "direction.motion", "xyz", "loci", "country", "city", "place", "coord", "position", "address",
  ].map { Array($0.utf8) }
  private static let keys = ["lat", "lon", "lng", "long"].map { Array($0.utf8) }

  /// Whether a key of QuickTime or iTunes metadata names a title or keywords. These stay unless they contain coordinates.
  static func isTitle(key: String) -> Bool {
    ["©nam", "©key", "title", "displayname", "keywords"]
      .contains { key == $0 || key.hasSuffix("." + $0) }
  }

  /// Whether the keyword of a PNG's text chunk names a place, as ImageMagick's `exif:GPSLatitude` does.
  static func namesPlace(keyword: String) -> Bool {
    let name = keyword.split(separator: ":").last ?? ""
    return !otherNames.contains(String(name)) && (hasNamePart(keyword) || namesPlace(key: keyword))
  }

  /// Whether a text in any format and encoding mentions a position, as the subtitles of drones and dashcams do.
  package static func recordsPlace(_ text: [UInt8]) -> Bool {
    TextReadings.contain(text) { hasWord($0) || WrittenCoordinates.occur(inPlain: $0) }
  }

  /// Whether a text contains a word that is evidence of a position.
  private static func hasWord(_ text: [UInt8]) -> Bool {
    text.indices.contains { position in
      switch text[position] {
      // All words begin with `g` or `l`.
      case 0x47, 0x67, 0x4C, 0x6C:
        words.contains { text.hasLowercase($0, at: position) }
          || firstWords.contains { text.hasLowercase($0, at: position) }
            && WrittenCoordinates.isWordStart(text, position)
      default: false
      }
    }
  }

  /// Whether data that may be a text, or may contain texts, records a place. Of data that is not a text as a whole, words
  /// are no evidence.
  static func recordsPlace(inData data: [UInt8]) -> Bool {
    isText(data) ? recordsPlace(data) : TextsInData.haveCoordinates(data)
  }

  /// Whether bytes are UTF-8 without control characters, but for zeros at the end.
  static func isText(_ bytes: [UInt8]) -> Bool {
    let text = bytes.prefix((bytes.lastIndex { $0 != 0 } ?? -1) + 1)
    return text.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
      && String(validating: text, as: UTF8.self) != nil
  }

  /// Whether a value of QuickTime or iTunes metadata records a place. A title may name a place, but may not contain
  /// coordinates.
  package static func recordsPlace(_ text: [UInt8], key: String) -> Bool {
    isTitle(key: key) ? WrittenCoordinates.occur(in: text) : recordsPlace(text)
  }

  private static let words = ["gps", "longitude", "geolocation"].map { Array($0.utf8) }
  /// Beginnings of words; `platitude`, `allocation` and `salon:` have them inside.
  private static let firstWords = [
    "latitude", "location", "lat:", "lon:", "lat=", "lon=",
  ].map { Array($0.utf8) }

  /// Whether a keyword is a machine tag with a position, which programs add to the keywords that people write:
  /// `geo:lat=47.37`, `geo:lon=8.54`, or a URI, `geo:47.37,8.54` (RFC 5870).
  package static func isMachineTag(_ keyword: some Collection<UInt8>) -> Bool {
    let start = keyword.drop { $0 <= 0x20 }.prefix(8).map(lowercase)
    guard start.hasText("geo:"), let next = start.u8(at: 4) else { return false }
    return start.hasText("lat", at: 4) || start.hasText("lon", at: 4) || start.hasText("alt", at: 4)
      || (0x30...0x39).contains(next) || next == 0x2B || next == 0x2D
  }

  private static func isPlace(_ keyword: [UInt8]) -> Bool {
    isMachineTag(keyword) || WrittenCoordinates.occur(inPlain: keyword)
  }

  /// Replaces machine tags and coordinates with spaces in a list of keywords between semicolons, in ASCII or UTF-16.
  static func withoutPlaces(inKeywords list: [UInt8]) -> [UInt8] {
    var result = list
    let positions = list.indices.filter { list[$0] != 0 }
    for keyword in positions.split(whereSeparator: { list[$0] == UInt8(ascii: ";") })
    where isPlace(keyword.map { list[$0] }) {
      for position in keyword { result[position] = 0x20 }
    }
    return result
  }
}
