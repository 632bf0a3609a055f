/// How far the tags of a capture time determine its time zone.
package enum ZoneKnowledge: Sendable, Hashable {
  /// A camera or phone has recorded the offset with the time.
  case recorded
  /// An offset that may be that of a camera's menu, which its owner has never set, or of an editor's computer, or that is
  /// inferred from a time in the name.
  case unreliable
  /// Only the instant is known: the time is UTC, wherever it was taken.
  case utcOnly
  /// Only the time on the clock of the place is known.
  case wallOnly

  /// The sources that record UTC for every place. A tag after `+` has the zone.
  private static let utcSources: Set = [
    "quicktime:mvhd", "container:creation_time", "asf:CreationDate", "matroska:DateUTC",
    "sef:Image_UTC_Data", "takeout:photoTakenTime", "ente:creationTime", "name:PXL", "name:iOS",
    "name:RPReplay",
  ]
  private static let editors = ["xmp:", "iptc:", "png:", "exif:DateTime+"]
  private static let unreliableTags = [
    "+Nikon:TimeZone", "+Canon:TimeZone", "+name", "+" + unrecorded,
  ]

  /// The tag of a zone that a file has from a catalog, where no device had recorded it.
  package static let unrecorded = "unrecorded"

  /// - Parameters:
  ///   - offset: minutes east of UTC.
  ///   - source: as in ``CaptureTime/source``; the offset is not inferred.
  package init(offset: Int?, source: String) {
    if offset == nil {
      self = .wallOnly
    } else if Self.utcSources.contains(source) {
      self = .utcOnly
    } else if Self.editors.contains(where: source.hasPrefix)
      || Self.unreliableTags.contains(where: source.hasSuffix)
    {
      self = .unreliable
    } else {
      self = .recorded
    }
  }

  /// What a zone that no file records is inferred from. The ``CaptureTime/source`` ends with `+` and its name.
  package enum Basis: String, Sendable, CaseIterable {
    /// A picture or video that was taken a little earlier or later.
    case neighbor
    /// The place, at which this zone is in use.
    case place
  }

  /// The source of a time with an inferred zone.
  package static func inferred(_ source: String, from basis: Basis) -> String {
    source + "+" + basis.rawValue
  }

  /// A stored time without an inferred zone.
  ///
  /// - Parameters:
  ///   - wall: milliseconds on the wall clock.
  ///   - offset: minutes east of UTC.
  /// - Returns: the time as the file or a sidecar has it; nil if its zone is not inferred.
  package static func own(
    wall: Int64, offset: Int?, source: String
  ) -> (wall: Int64, offset: Int?, source: String)? {
    guard let basis = Basis.allCases.first(where: { source.hasSuffix("+" + $0.rawValue) }),
      let offset
    else { return nil }
    let own = String(source.dropLast(basis.rawValue.count + 1))
    return utcSources.contains(own)
      ? (wall - Int64(offset) * 60_000, 0, own) : (wall, nil, own)
  }

  /// Whether a time without a zone can get one: the tags must be of one kind, so that ``own(wall:offset:source:)``
  /// restores the time.
  package static func mayInfer(offset: Int?, source: String) -> Bool {
    utcSources.contains(source) ? offset == 0 : offset == nil
  }
}

extension CaptureTime {
  /// The time as its file or a sidecar has it, if its zone is inferred from the place; else the same. Such a zone would say
  /// roughly where it was.
  package var withoutZoneOfPlace: CaptureTime? {
    guard source.hasSuffix("+" + ZoneKnowledge.Basis.place.rawValue),
      let own = ZoneKnowledge.own(wall: wallSeconds * 1000, offset: offsetMinutes, source: source)
    else { return self }
    return CaptureTime(
      wallSeconds: own.wall / 1000, fraction: fraction, offsetMinutes: own.offset,
      source: own.source)
  }

  /// Whether a camera or phone has recorded the time with its zone.
  package var hasRecordedZone: Bool {
    let own = ZoneKnowledge.own(wall: wallMilliseconds, offset: offsetMinutes, source: source)
    return own == nil && ZoneKnowledge(offset: offsetMinutes, source: source) == .recorded
  }
}
