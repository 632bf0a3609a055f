import Foundation
import MediaModel
import Recognition
import Testing

/// Offsets of places, compared with the time zone database.
struct PlaceZonesTests {
  private struct Place {
    var zone: TimeZone
    var location: Location
  }

  /// The principal place of each zone, which `zone.tab` of the time zone database lists with its coordinates.
  private static func places() throws -> [Place] {
    let table = try String(contentsOfFile: "/usr/share/zoneinfo/zone.tab", encoding: .utf8)
    return table.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
      let fields = line.split(separator: "\t")
      guard fields.count > 2, let zone = TimeZone(identifier: String(fields[2])),
        let location = location(fields[1])
      else { return nil }
      return Place(zone: zone, location: location)
    }
  }

  /// Coordinates of ISO 6709: degrees and minutes, or degrees, minutes and seconds.
  private static func location(_ text: Substring) -> Location? {
    guard let sign = text.dropFirst().firstIndex(where: { "+-".contains($0) }) else { return nil }
    func degrees(_ text: Substring, _ digits: Int) -> Double? {
      let number = text.dropFirst()
      let parts = [
        number.prefix(digits), number.dropFirst(digits).prefix(2), number.dropFirst(digits + 2),
      ]
      let value = zip(parts, [1.0, 60, 3600]).reduce(0) { $0 + (Double($1.0) ?? 0) / $1.1 }
      return text.hasPrefix("-") ? -value : value
    }
    guard let latitude = degrees(text[..<sign], 2), let longitude = degrees(text[sign...], 3)
    else { return nil }
    return Location(latitude: latitude, longitude: longitude)
  }

  @Test(arguments: [
    "2001-01-15T12:00:00Z", "2012-07-01T00:00:00Z", "2019-03-20T06:00:00Z", "2024-12-01T18:00:00Z",
  ])
  func `the principal places of all zones have the offset of their zone`(_ moment: String) throws {
    let date = try Date(moment, strategy: .iso8601)
    let milliseconds = Int64(date.timeIntervalSince1970) * 1000
    let places = try Self.places()
    #expect(places.count > 400)
    var covered = 0
    for place in places {
      let offset = place.zone.secondsFromGMT(for: date) / 60
      let found = PlaceZones.known.offset(at: place.location, utc: milliseconds)
      #expect(found == nil || found == offset, "\(place.zone.identifier)")
      let wall = milliseconds + Int64(offset) * 60_000
      #expect(PlaceZones.known.offset(at: place.location, wall: wall) == found)
      if found != nil { covered += 1 }
    }
    // A few are beside a boundary.
    #expect(Double(covered) > 0.9 * Double(places.count), "\(covered) of \(places.count)")
  }

  @Test func `a time that clocks had twice or never has no offset`() throws {
    let berlin = try #require(Location(latitude: 52.52, longitude: 13.4))
    func offset(_ wall: String) throws -> Int? {
      let date = try Date(wall, strategy: .iso8601)
      return PlaceZones.known.offset(at: berlin, wall: Int64(date.timeIntervalSince1970) * 1000)
    }
    // On 31 March 2024 at 2:00 the clocks went to 3:00, on 27 October at 3:00 to 2:00.
    #expect(try offset("2024-03-31T01:59:00Z") == 60)
    #expect(try offset("2024-03-31T02:30:00Z") == nil)
    #expect(try offset("2024-03-31T03:00:00Z") == 120)
    #expect(try offset("2024-10-27T01:59:00Z") == 120)
    #expect(try offset("2024-10-27T02:30:00Z") == nil)
    #expect(try offset("2024-10-27T03:00:00Z") == 60)
    // Neither years that the data does not cover.
    #expect(try offset("1999-12-31T12:00:00Z") == nil)
    #expect(try offset("2038-01-01T12:00:00Z") == nil)
  }

  @Test(arguments: [(-40.0, -20.0), (40, -40), (-55, -120), (90, -180), (30, 180), (-33, -180)])
  func `the open sea has none`(_ place: (Double, Double)) throws {
    let location = try #require(Location(latitude: place.0, longitude: place.1))
    #expect(PlaceZones.known.offset(at: location, utc: 1_717_236_000_000) == nil)
  }
}
