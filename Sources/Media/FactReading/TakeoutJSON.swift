import FoundationEssentials
import MediaModel

/// The parts that matter here of the JSON file that Google Takeout writes for each picture.
private struct TakeoutRecord: Decodable {
  struct Time: Decodable {
    /// Seconds since 1970 UTC, in quotes.
    var timestamp: String
  }

  struct Place: Decodable {
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?

    var location: Location? {
      guard let latitude, let longitude else { return nil }
      return Location(latitude: latitude, longitude: longitude, altitude: altitude)
    }
  }

  /// The file's name, not a title of the picture.
  var title: String?
  var description: String?
  var photoTakenTime: Time
  var geoData: Place?
  var geoDataExif: Place?
}

extension SidecarFacts {
  /// Reads a Takeout file; nil for any other JSON. Its capture time is known to be UTC, so the offset is 0.
  init?(takeoutJSON bytes: [UInt8]) {
    guard let record = try? JSONDecoder().decode(TakeoutRecord.self, from: Data(bytes)),
      let seconds = Int64(record.photoTakenTime.timestamp), seconds != 0,
      let time = CaptureTime(
        wallSeconds: seconds, offsetMinutes: 0, source: "takeout:photoTakenTime")
    else { return nil }
    self.init(kind: .takeoutJSON)
    describedName = record.title.flatMap { $0.isEmpty ? nil : $0 }
    captureTime = time
    location = record.geoData?.location ?? record.geoDataExif?.location
    caption = record.description.flatMap { $0.isEmpty ? nil : $0 }
  }
}
