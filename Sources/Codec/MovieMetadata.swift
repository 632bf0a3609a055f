import AudioVideo
import Containers
import MediaModel

/// What of a movie's metadata the result gets.
struct MovieMetadata {
  /// For the header, ISO 8601, UTC.
  var creationTime: String?

  init(_ reading: MovieReading, type: UniformType, name: [UInt8], _ policy: MetadataPolicy) {
    guard policy != .appearanceOnly else { return }
    let time = reading.facts(type: type, name: name)?.captureTime
    creationTime = reading.movie.value("creation_time") ?? time.flatMap(Self.headerTime)
  }

  /// A capture time as UTC.
  private static func headerTime(_ time: CaptureTime) -> String? {
    guard let offset = time.offsetMinutes else { return nil }
    return CivilTime(secondsSince1970: time.wallSeconds - Int64(offset) * 60).iso8601 + "Z"
  }
}
