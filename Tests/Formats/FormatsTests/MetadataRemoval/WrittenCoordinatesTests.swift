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
    "+4722.26", "20 deg C", "a flat 12.50",
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
