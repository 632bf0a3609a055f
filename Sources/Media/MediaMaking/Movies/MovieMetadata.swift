import ByteReading
import FFmpeg
import FactReading
import MediaEdits
import MediaFormats
import MediaModel
import MetadataRemoval
import MetadataTransfer

/// The metadata that a result gets from its source.
struct MovieMetadata {
  /// For the movie header: ISO 8601, UTC.
  var creationTime: String?
  var boxes = MovieMetadataBoxes()
  /// The moment of a Live Photo's still in the source.
  var stillImage: ISOStillImageTime?

  /// - Parameter name: the source's file name, which may contain the capture time.
  init(
    _ reading: MovieReading, _ source: any ByteSource, type: UniformType, name: [UInt8],
    _ policy: MetadataPolicy
  ) throws {
    guard policy != .appearanceOnly else { return }
    let facts = reading.facts(type: type, name: name)
    creationTime =
      (reading.boxes == nil ? nil : reading.movie.value("creation_time"))
      ?? facts?.captureTime.flatMap(Self.headerTime)
    if reading.boxes != nil {
      boxes = try MovieMetadataBoxes(source, policy)
      stillImage = try ISOStillImageTime.read(source)?.without(policy)
    } else if let facts {
      boxes = MovieMetadataBoxes(
        items: Self.items(facts, keepsLocation: !policy.contains(.withoutLocation))
          + Self.items(reading, facts),
        policy)
    }
  }

  /// Adds the capture time, make and model of the picture around a clip that does not contain them. A time without its
  /// zone says less than that in the clip's header.
  mutating func add(
    _ picture: MediaFacts, missingIn reading: MovieReading, type: UniformType,
    _ policy: MetadataPolicy
  ) {
    let own = reading.facts(type: type, name: [])
    let time = picture.captureTime.flatMap {
      $0.offsetMinutes != nil || creationTime == nil ? $0 : nil
    }
    let ownTime = reading.boxes?.value("com.apple.quicktime.creationdate")?.text
    let items: [(key: String, own: String?, value: String?)] = [
      ("creationdate", ownTime, time?.iso8601),
      ("make", own?.camera.make, picture.camera.make),
      ("model", own?.camera.model, picture.camera.model),
    ]
    for (name, own, value) in items {
      let key = "com.apple.quicktime." + name
      guard own == nil, let value, !policy.removes(text: Array(value.utf8), key: key) else {
        continue
      }
      boxes.set(key, value)
    }
    creationTime = creationTime ?? time.flatMap(Self.headerTime)
  }

  /// A capture time in UTC; nil if the offset is unknown.
  static func headerTime(_ time: CaptureTime) -> String? {
    guard let offset = time.offsetMinutes else { return nil }
    return CivilTime(secondsSince1970: time.wallSeconds - Int64(offset) * 60).iso8601 + "Z"
  }

  /// The metadata of another kind of container, under QuickTime's keys.
  private static func items(
    _ facts: MediaFacts, keepsLocation: Bool
  ) -> [(key: String, value: String)] {
    // These times have no offset, and the result's header stores the same.
    let headers = ["matroska:DateUTC", "asf:CreationDate", "container:creation_time"]
    let time = facts.captureTime.flatMap { headers.contains($0.source) ? nil : $0 }
    var items: [(key: String, value: String?)] = [
      ("creationdate", time.map(\.iso8601)),
      ("make", facts.camera.make), ("model", facts.camera.model),
      ("software", facts.camera.software), ("title", facts.title),
      ("description", facts.caption),
      ("content.identifier", facts.contentIdentifier),
    ]
    if keepsLocation { items.append(("location.ISO6709", facts.location?.iso6709)) }
    return items.compactMap { key, value in
      value.map { (key: "com.apple.quicktime." + key, value: $0) }
    }
  }

  /// QuickTime's keys for descriptive tags, by FFmpeg's names in lower case and by those of Matroska's and
  /// Windows Media's tags that FFmpeg does not translate.
  private static let descriptiveKeys = [
    "artist": "artist", "author": "author", "album": "album", "genre": "genre",
    "comment": "comment", "copyright": "copyright", "composer": "composer",
    "performer": "performer", "director": "director", "producer": "producer",
    "publisher": "publisher", "synopsis": "information", "summary": "information",
    "keywords": "keywords", "ikey": "keywords", "wm/category": "keywords",
  ]

  /// The same for tags that the catalog does not contain.
  private static func items(
    _ reading: MovieReading, _ facts: MediaFacts
  ) -> [(key: String, value: String)] {
    var items: [(key: String, value: String)] = []
    for entry in reading.movie.metadata {
      guard let key = descriptiveKeys[entry.key.lowercased()],
        let value = entry.value.trimmingBlanks,
        !items.contains(where: { $0.key == key })
      else { continue }
      items.append((key, value))
    }
    let stars = reading.movie.value("rating").flatMap { Double($0) }
    if let stars, (0...5).contains(stars) { items.append(("rating.user", String(Int(stars)))) }
    // A year alone is not a capture time.
    if facts.captureTime == nil, let year = reading.movie.value("date")?.prefix(4), Int(year) != nil
    {
      items.append(("year", String(year)))
    }
    return items.map { ("com.apple.quicktime." + $0.key, $0.value) }
  }
}

extension ISOStillImageTime {
  /// The moment without the values that a policy removes; nil if nothing else is left.
  fileprivate func without(_ policy: MetadataPolicy) -> ISOStillImageTime? {
    var kept = self
    kept.items.removeAll { policy.removes(text: $0.value, key: $0.key) }
    return kept.items.first?.key == Self.momentKey ? kept : nil
  }

  /// The moment in a part of the movie that starts later.
  func from(_ start: Double) -> ISOStillImageTime {
    var moved = self
    moved.seconds -= start
    return moved
  }
}
