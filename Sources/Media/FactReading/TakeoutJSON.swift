import FoundationEssentials
import MediaModel

/// The parts that matter here of the JSON file that Google Takeout or Ente writes for each picture.
///
/// Ente's desktop program writes Takeout's form with `creationTime` and `caption`; its command-line program writes
/// `creationTime` in ISO 8601, `description` and `location`.
private struct PictureRecord: Decodable {
  /// Seconds since 1970 UTC, in quotes, as a number or as a date in ISO 8601.
  struct Time: Decodable {
    var seconds: Int64?

    private enum CodingKeys: CodingKey { case timestamp }

    init(from decoder: any Decoder) throws {
      if let date = try? decoder.singleValueContainer().decode(String.self) {
        seconds = Self.seconds(ofDate: date)
        return
      }
      let container = try decoder.container(keyedBy: CodingKeys.self)
      let text = try? container.decode(String.self, forKey: .timestamp)
      seconds =
        text.flatMap { Int64($0) } ?? (try? container.decode(Int64.self, forKey: .timestamp))
    }

    /// Go writes fractions of a second, which this form cannot have.
    private static func seconds(ofDate text: String) -> Int64? {
      var text = text
      if let point = text.firstIndex(of: ".") {
        text.removeSubrange(
          point..<(text[point...].dropFirst().firstIndex { !$0.isNumber } ?? text.endIndex))
      }
      let date = try? Date(text, strategy: .iso8601)
      return date.flatMap { Int64(exactly: $0.timeIntervalSince1970.rounded(.down)) }
    }
  }

  struct Place: Decodable {
    var latitude: Double?
    var longitude: Double?
    var altitude: Double?

    /// Google writes 0 for what is not known.
    var location: Location? {
      guard let latitude, let longitude else { return nil }
      return Location(
        latitude: latitude, longitude: longitude, altitude: altitude == 0 ? nil : altitude)
    }
  }

  private struct Person: Decodable {
    var name: String?
  }

  /// Of Ente's command-line program.
  private struct Info: Decodable {
    var fileNames: [String]?
  }

  private enum CodingKeys: CodingKey {
    case title, description, caption, photoTakenTime, creationTime, modificationTime, geoData,
      geoDataExif, location, people, favorited, info
  }

  /// The file's name, not a title of the picture.
  let title: String?
  let description: String?
  let time: (seconds: Int64, source: String)?
  let location: Location?
  let people: [String]
  let isFavorite: Bool

  /// A part of another form than expected counts as missing, because Google documents none of them.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func part<Part: Decodable>(_ key: CodingKeys, _: Part.Type) -> Part? {
      try? container.decode(Part.self, forKey: key)
    }
    func text(_ key: CodingKeys) -> String? {
      part(key, String.self).flatMap { $0.isEmpty ? nil : $0 }
    }
    title = part(.info, Info.self)?.fileNames?.first ?? text(.title)
    description = text(.description) ?? text(.caption)
    location =
      part(.geoData, Place.self)?.location ?? part(.geoDataExif, Place.self)?.location
      ?? part(.location, Place.self)?.location
    people = (part(.people, [Person].self) ?? []).compactMap(\.name).filter { !$0.isEmpty }
    isFavorite = part(.favorited, Bool.self) ?? false
    // Takeout's creationTime is that of the upload.
    let isEntes = !container.contains(.photoTakenTime) && container.contains(.modificationTime)
    let seconds = part(isEntes ? .creationTime : .photoTakenTime, Time.self)?.seconds
    time = seconds.map { ($0, isEntes ? "ente:creationTime" : "takeout:photoTakenTime") }
  }
}

extension SidecarFacts {
  /// Reads a file of Takeout or Ente; nil for any other JSON. Its capture time is known to be UTC, so the offset is 0.
  init?(takeoutJSON bytes: [UInt8]) {
    guard let record = try? JSONDecoder().decode(PictureRecord.self, from: Data(bytes)),
      let (seconds, source) = record.time
    else { return nil }
    self.init(kind: .takeoutJSON)
    describedName = record.title
    // Zero means that Google does not know it.
    captureTime =
      seconds == 0 ? nil : CaptureTime(wallSeconds: seconds, offsetMinutes: 0, source: source)
    location = record.location
    caption = record.description
    people = record.people
    isFavorite = record.isFavorite
  }
}

/// The parts that matter here of the JSON file that Google Takeout writes for each album. Its name is in the language
/// of the account: `metadata.json`, `Metadaten.json`, `métadonnées.json` …
private struct AlbumRecord: Decodable {
  /// Takeouts before 2020 have it in `albumData`.
  struct Album: Decodable {
    struct Time: Decodable {
      var timestamp: String
    }

    var title: String
    /// Only Google writes it in this form.
    var date: Time
  }

  private enum CodingKeys: CodingKey { case albumData }

  let title: String

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let inner = try container.decodeIfPresent(Album.self, forKey: .albumData)
    title = try (inner ?? Album(from: decoder)).title
  }
}

extension SidecarFacts {
  /// Reads a Takeout's file about an album; nil for any other JSON and for an album without a title.
  init?(albumJSON bytes: [UInt8]) {
    guard let record = try? JSONDecoder().decode(AlbumRecord.self, from: Data(bytes)),
      !record.title.isEmpty
    else { return nil }
    self.init(kind: .albumJSON)
    title = record.title
  }
}
