import Testing

@testable import ByteReading
@testable import MediaFormats
@testable import MetadataRemoval
@testable import MetadataTransfer

/// Coordinates as people and devices write them, and other numbers.
struct WrittenCoordinatesTests {
  @Test(arguments: [
    "at 47.37, 8.54", "47.3711N 8.5422E", "N47.3733 E8.5444", "HOME(8.5422,47.3711)",
    "+47.3711+008.5422/", "-33.8688 151.2093", "47°22'16\"N", "47° 22.5' N", "47.3711° 8.5422°",
    "(8.5444, 47.3733, 15)", "47,123456; 8,654321", "47º22'16\"N", "47˚22′16″", "47° 22´",
    "N 47.3733\nE 8.5444", "47.37330\r\n8.54440", "47.3711 deg N, 8.5422 deg E",
    // Receivers, ISO 6709 with minutes and with seconds, exiftool, GPX, JSON, Mapillary.
    "$GPRMC,123519,A,4722.2678,N,00832.5374,E,022.4", "4722.26,S", "+4722.26+00832.53/",
    "-472216+0083232/", "47 deg 22' 16.07\" N", "<lat>47.37</lat>", #"{\"lon\":8.54}"#,
    #"{"MAPLatitude":47.37}"#,
    // Fixed spaces, a minus of typography, decimal minutes with a comma.
    "47°\u{A0}22′\u{202F}16″", "47.6062, \u{2212}122.3321", "47°22,266'N",
    // Degrees, minutes and seconds without signs; APRS.
    "47 22 16.07 N, 8 32 31 E", "47:22:16N 8:32:31E", "N47:22:16", "N 47 22 16.1", "47-22-16N",
    "!4722.27N/00832.54E#",
    // Addresses of maps.
    "https://www.google.com/maps/search/?api=1&query=47.3711%2C8.5422",
    "https://www.google.com/maps/place/X/data=!3m1!8m2!3d47.3711!4d8.5422",
    "https://www.openstreetmap.org/?mlat=47.3711&mlon=8", "Lat. 47.3711", "centerLat=47.3711",
    // Names of files.
    "47.3711_8.5422", "47.3711 - 8.5422", "47.3711–8.5422",
    // Plus code, UTM, MGRS.
    "8FVC9G8F+5W", "https://plus.codes/8FVC9G8F%2B5WV", "32T 465005 5247079",
    "32T 465005mE, 5247079mN", "at 32T MT 65005 47079",
  ])
  func `coordinates are found in a text`(text: String) {
    #expect(WrittenCoordinates.occur(in: Array(text.utf8)))
  }

  @Test(arguments: [
    "", "It is 12.30 now, see you at 1.45 pm", "version 1.10.20 1.11.21", "10.20.30.40", "3.5, 7.2",
    "99.99 100.25", "200.55, 10.44", "turn by 90° to the left", "00:00:01.000 --> 00:00:02.000",
    "f/2.8 1/60", "- 5", "+", "1999.55 2000.55", "47.37", "20° C, 5 km", "12,345 67,890",
    "12,50 13,75", "12.50\n13.75", "1080.25,N", "4722.2678", "+4144 1234567",
    "turned by 20 deg 5 times",
    "+4722.26", "20 deg C", "a flat 12.50", "salon: 12.50", "the queue was long. 12.50 pm",
    "12.50 - 13.75", "12:30:45", "at 12:30:45 New York", "2024-05-06 Sunday", "12-05-06 New",
    "turn by 90° 5. Then", "100 % 50 %", "23456789+22", "A8FVC9G8F+5W", "SN 5JNK123456",
    "10T 123456", "32T MT 65005 470", "2B AB 123 45678",
  ])
  func `other numbers are not taken for coordinates`(text: String) {
    #expect(!WrittenCoordinates.occur(in: Array(text.utf8)))
  }

  /// With a mark of the byte order, without, and after two bytes with a length, as in subtitles of movies.
  @Test(arguments: [[], [0xFE, 0xFF], [0, 60], [1]] as [[UInt8]])
  func `coordinates are found in UTF-16`(start: [UInt8]) {
    for text in ["47°22′16″N 8°32′", "47.3711, 8.5422", "lat: 47", "緯度４７ 47.3711 8.5422"] {
      for isBig in [true, false] {
        let bytes = text.utf16.flatMap { encoded($0, width: 2, isBig ? .big : .little) }
        #expect(LocationDetection.recordsPlace(start + bytes), "\(text)")
      }
    }
    let harmless = "At 20° by 12:30".utf16.flatMap { encoded($0, width: 2) }
    #expect(!LocationDetection.recordsPlace(start + harmless))
  }

  @Test(arguments: [
    ("GPS", true), ("Geolocation", true), ("Location: here", true), ("GEO_LAT: 1", true),
    ("homeLat:1", true), ("MAPLatitude", true), ("salon: 5", false), ("chocolat: 5", false),
    ("a platitude", false), ("allocation of relocations", false), ("ALLOCATION", false),
  ])
  func `words for places are whole words`(text: String, isFound: Bool) {
    #expect(LocationDetection.recordsPlace(Array(text.utf8)) == isFound)
  }

  /// RFC 4648 §10.
  @Test func `base64 decodes to the published examples`() {
    let vectors = [
      "": "", "Zg==": "f", "Zm8=": "fo", "Zm9v": "foo", "Zm9vYg==": "foob", "Zm9vYmE=": "fooba",
      "Zm9vYmFy": "foobar", "Zm9v\nYm&#xA;Fy": "foobar",
    ]
    for (text, value) in vectors {
      #expect(decodedBase64(Array(text.utf8)[...]) == Array(value.utf8))
    }
  }
}
