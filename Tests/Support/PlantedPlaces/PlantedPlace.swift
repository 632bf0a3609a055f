// PlantedPlaces: a place that tests insert into files, its spellings in media formats, and a search for them in
// any bytes.

/// A place on earth with every spelling by which a byte search can find it.
package struct PlantedPlace: Sendable, Hashable {
  /// Degrees, north positive, with six decimals.
  package let latitude: Double
  /// Degrees, east positive, with six decimals.
  package let longitude: Double

  /// The place that the privacy tests plant: 47° 7' 24.4416" N, 8° 39' 15.5556" E.
  package static let planted = PlantedPlace(latitude: 47.123456, longitude: 8.654321)

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  // MARK: Texts

  /// `47.123456, 8.654321`
  package var decimals: String { "\(decimal(latitude, 6)), \(decimal(longitude, 6))" }
  /// `47°7'24.44"N 8°39'15.56"E`
  package var degreesMinutesSeconds: String {
    "\(sexagesimal(latitude, "°", "'", 2))\"\(latitude < 0 ? "S" : "N") "
      + "\(sexagesimal(longitude, "°", "'", 2))\"\(longitude < 0 ? "W" : "E")"
  }
  /// ISO 6709 in the form of movies: `+47.1235+008.6543/`
  package var iso6709: String { "\(signed(latitude, 2))\(signed(longitude, 3))/" }
  /// `lat=47.123456 lon=8.654321`
  package var assignments: String {
    "lat=\(decimal(latitude, 6)) lon=\(decimal(longitude, 6))"
  }
  /// Machine tags of photo sites: `geo:lat=47.123456` and `geo:lon=8.654321`.
  package var machineTags: [String] {
    ["geo:lat=\(decimal(latitude, 6))", "geo:lon=\(decimal(longitude, 6))"]
  }
  /// A URI of RFC 5870: `geo:47.123456,8.654321`.
  package var uri: String { "geo:\(decimal(latitude, 6)),\(decimal(longitude, 6))" }
  /// XMP's form (CIPA DC-010): `47,7.407360N` and `8,39.259260E`.
  package var xmpCoordinates: (latitude: String, longitude: String) {
    (
      minutes(latitude) + (latitude < 0 ? "S" : "N"),
      minutes(longitude) + (longitude < 0 ? "W" : "E")
    )
  }

  /// One text of each kind.
  package var texts: [String] {
    [decimals, degreesMinutesSeconds, iso6709, assignments, uri] + machineTags
      + [xmpCoordinates.latitude + " " + xmpCoordinates.longitude]
  }

  // MARK: Numbers

  /// The order of the bytes of a number.
  package enum Order: Sendable, CaseIterable {
    case big, little

    fileprivate func bytes(_ value: UInt64, _ width: Int) -> [UInt8] {
      let big = (0..<width).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
      return self == .big ? big : big.reversed()
    }
  }

  /// Degrees, minutes and seconds as EXIF's six numbers of 32 bits (Exif 2.32 §4.6.6), latitude first.
  package func rationals(_ order: Order) -> (latitude: [UInt8], longitude: [UInt8]) {
    func encoded(_ value: Double) -> [UInt8] {
      let parts = Parts(value)
      return [parts.degrees, 1, parts.minutes, 1, parts.tenThousandths, 10_000]
        .flatMap { order.bytes(UInt64($0), 4) }
    }
    return (encoded(latitude), encoded(longitude))
  }

  /// Latitude, then longitude, each as a number of 64 bits (IEEE 754).
  package func doubles(_ order: Order) -> [UInt8] {
    [latitude, longitude].flatMap { order.bytes($0.bitPattern, 8) }
  }

  /// Latitude, then longitude, each as a number of 32 bits (IEEE 754).
  package func floats(_ order: Order) -> [UInt8] {
    [latitude, longitude].flatMap { order.bytes(UInt64(Float($0).bitPattern), 4) }
  }

  /// Latitude, then longitude in ten-millionths of a degree, as drones and receivers store them.
  package func scaled(_ order: Order) -> [UInt8] {
    [latitude, longitude].flatMap {
      order.bytes(UInt64(UInt32(bitPattern: Int32(($0 * 1e7).rounded()))), 4)
    }
  }

  /// Longitude, then latitude as big-endian numbers with 16 bits for the fraction, as in the box
  /// `loci` of movies (3GPP TS 26.244 §8.10).
  package var fixedPoint: [UInt8] {
    [longitude, latitude].flatMap {
      Order.big.bytes(UInt64(UInt32(bitPattern: Int32(($0 * 65536).rounded()))), 4)
    }
  }

  /// All spellings that can be planted, each with a name.
  package var plantable: [PlaceSpelling] {
    texts.map { PlaceSpelling(name: $0, bytes: Array($0.utf8)) }
      + [PlaceSpelling(name: "fixed point", bytes: fixedPoint)]
      + Order.allCases.flatMap { order in
        [
          PlaceSpelling(
            name: "rationals, \(order)-endian",
            bytes: rationals(order).latitude + rationals(order).longitude),
          PlaceSpelling(name: "doubles, \(order)-endian", bytes: doubles(order)),
          PlaceSpelling(name: "floats, \(order)-endian", bytes: floats(order)),
          PlaceSpelling(name: "ten-millionths, \(order)-endian", bytes: scaled(order)),
        ]
      }
  }

  /// The spellings to search for, each cut to the shortest part that is still recognizable.
  package var needles: PlaceNeedles { PlaceNeedles(recognisableParts) }

  /// The shortest part of each spelling that other data does not contain by chance.
  ///
  /// A coordinate with at most two decimals has no parts in seconds and no doubles, because other data often
  /// contains such numbers.
  package var recognisableParts: [PlaceSpelling] {
    var found: [PlaceSpelling] = []
    for (name, value, width) in [("latitude", latitude, 2), ("longitude", longitude, 3)] {
      let size = value.magnitude
      let isRound = size * 100 == (size * 100).rounded()
      // Four decimals, both cut and rounded.
      var texts: Set<String> = [
        String(decimal(size, 6).dropLast(2)), decimal(size, 4), signed(value, width),
        String(minutes(value).dropLast(1)), String(minutes(value).dropLast(2)),
      ]
      if !isRound {
        texts.formUnion(
          ["'", "' "].map {
            sexagesimal(value, "", $0, 2).dropping(Parts(value).degrees)
          })
      }
      for text in texts.sorted() where text.utf8.count >= 6 {
        found.append(PlaceSpelling(name: "\(name) \(text)", bytes: Array(text.utf8)))
        let wide: [UInt8] = text.utf8.flatMap { [$0, 0] }
        found.append(
          PlaceSpelling(name: "\(name) \(text) in UTF-16", bytes: Array(wide.dropLast())))
      }
      for order in Order.allCases {
        // Seconds in the form of this type, and in exiftool's: the shortest fraction.
        for (over, under) in Parts(value).fractions {
          found.append(
            PlaceSpelling(
              name: "\(name)'s seconds, \(order)-endian",
              bytes: order.bytes(UInt64(over), 4) + order.bytes(UInt64(under), 4)))
        }
        for number in isRound ? [] : [size, -size] {
          found.append(
            PlaceSpelling(
              name: "\(name), \(order)-endian double", bytes: order.bytes(number.bitPattern, 8)))
        }
      }
    }
    for order in Order.allCases {
      found.append(PlaceSpelling(name: "\(order)-endian floats", bytes: floats(order)))
      found.append(PlaceSpelling(name: "\(order)-endian ten-millionths", bytes: scaled(order)))
    }
    found.append(PlaceSpelling(name: "fixed point", bytes: fixedPoint))
    return found
  }

  /// Numerators and denominators of EXIF's rationals in both byte orders.
  ///
  /// - Parameter fractions: numerators and denominators of 32 bits each, in the order of the file.
  package static func spellings(
    ofRationals fractions: [(over: UInt32, under: UInt32)], named name: String
  ) -> [PlaceSpelling] {
    Order.allCases.map { order in
      PlaceSpelling(
        name: "\(name), \(order)-endian",
        bytes: fractions.flatMap {
          order.bytes(UInt64($0.over), 4) + order.bytes(UInt64($0.under), 4)
        })
    }
  }

  /// A coordinate in degrees, minutes and ten-thousandths of a second.
  private struct Parts {
    var degrees: Int
    var minutes: Int
    var tenThousandths: Int

    init(_ value: Double) {
      let all = Int((value.magnitude * 36_000_000).rounded())
      degrees = all / 36_000_000
      minutes = all / 600_000 % 60
      tenThousandths = all % 600_000
    }

    /// The seconds as fractions; empty if other data often contains them.
    var fractions: [(Int, Int)] {
      guard tenThousandths % 100 != 0 else { return [] }
      var (larger, smaller) = (tenThousandths, 10_000)
      while smaller != 0 { (larger, smaller) = (smaller, larger % smaller) }
      return [(tenThousandths, 10_000), (tenThousandths / larger, 10_000 / larger)]
    }
  }

  private func sexagesimal(
    _ value: Double, _ degree: String, _ minute: String, _ decimals: Int
  ) -> String {
    let parts = Parts(value)
    return "\(parts.degrees)\(degree)\(parts.minutes)\(minute)"
      + decimal(Double(parts.tenThousandths) / 10_000, decimals)
  }

  private func minutes(_ value: Double) -> String {
    let parts = Parts(value)
    return "\(parts.degrees),"
      + decimal(Double(parts.minutes) + Double(parts.tenThousandths) / 600_000, 6)
  }

  private func signed(_ value: Double, _ width: Int) -> String {
    let text = decimal(value.magnitude, 4)
    let padding = String(repeating: "0", count: max(0, width + 5 - text.utf8.count))
    return (value < 0 ? "-" : "+") + padding + text
  }
}

/// A number with a fixed count of decimals.
private func decimal(_ value: Double, _ places: Int) -> String {
  let unit = (0..<places).reduce(1) { product, _ in product * 10 }
  let all = Int((value.magnitude * Double(unit)).rounded())
  let fraction = String(all % unit)
  return (value < 0 ? "-" : "") + "\(all / unit)."
    + String(repeating: "0", count: places - fraction.utf8.count) + fraction
}

extension String {
  /// The text without a number at its beginning.
  fileprivate func dropping(_ number: Int) -> String {
    String(dropFirst(String(number).count))
  }
}
