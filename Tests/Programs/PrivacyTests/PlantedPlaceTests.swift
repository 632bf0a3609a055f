import MediaTools
import PlantedPlaces
import Testing

/// The search must find every spelling of the place. Otherwise the tests that do not find one prove nothing.
struct PlantedPlaceTests {
  @Test func `every spelling is found`() {
    let place = PlantedPlace.planted
    for spelling in place.plantable {
      let bytes = [UInt8](repeating: 0x5A, count: 7) + spelling.bytes + [0x5A]
      #expect(!place.needles.traces(in: bytes).isEmpty, "\(spelling)")
    }
    #expect(place.needles.traces(in: (0..<9999).map { UInt8(truncatingIfNeeded: $0 * 7) }) == [])
  }

  @Test func `spellings follow the specifications`() {
    let place = PlantedPlace.planted
    #expect(place.decimals == "47.123456, 8.654321")
    #expect(place.degreesMinutesSeconds == "47°7'24.44\"N 8°39'15.56\"E")
    #expect(place.iso6709 == "+47.1235+008.6543/")
    #expect(place.xmpCoordinates == ("47,7.407360N", "8,39.259260E"))
    #expect(
      place.rationals(.little).latitude
        == [47, 0, 0, 0, 1, 0, 0, 0, 7, 0, 0, 0, 1, 0, 0, 0, 0xC0, 0xBA, 3, 0, 0x10, 0x27, 0, 0])
    #expect(PlantedPlace(latitude: -0.5, longitude: -120.25).iso6709 == "-00.5000-120.2500/")
  }

  /// exiftool chooses its own fractions, and reads those of this type.
  @Test(.enabled(if: Tool.areInstalled(.exiftool, .ffmpeg)), arguments: ["MM", "II"])
  func `a place written by exiftool is found`(order: String) async throws {
    let folder = try ScratchFolder()
    try await folder.makePicture("a.jpg")
    let place = PlantedPlace.planted
    #expect(place.needles.traces(in: try folder.bytes("a.jpg")) == [])
    for tags in [
      ["-EXIF:GPSLatitude=47.123456"], ["-EXIF:GPSLongitude=8.654321"],
      ["-XMP:GPSLatitude=47.123456"],
    ] {
      try await Tool.exiftool.run(
        ["-q", "-n", "-overwrite_original", "-all=", "-ExifByteOrder=" + order] + tags
          + [folder.path("a.jpg")])
      #expect(place.needles.traces(in: try folder.bytes("a.jpg")) != [], "\(tags)")
    }
  }
}
