package import MediaModel

/// A picture or video of a folder, as far as inferring time zones compares it.
package struct ZoneCandidate: Sendable, Hashable {
  package let id: Int64
  package let name: String
  /// Milliseconds on the wall clock, minutes east of UTC, and the source, without an inferred zone.
  package let wall: Int64
  package let offset: Int?
  package let source: String
  /// The camera's model.
  package let model: String?
  package let location: Location?

  package init(
    id: Int64, name: String, wall: Int64, offset: Int?, source: String, model: String?,
    location: Location?
  ) {
    (self.id, self.name, self.wall, self.offset) = (id, name, wall, offset)
    (self.source, self.model, self.location) = (source, model, location)
  }

  fileprivate var knowledge: ZoneKnowledge { ZoneKnowledge(offset: offset, source: source) }
}

/// A time zone that no file records.
package struct InferredZone: Sendable, Hashable {
  /// Minutes east of UTC.
  package let offset: Int
  package let basis: ZoneKnowledge.Basis
  /// Which neighbour has it, such as `18 s after IMG_0001.JPG`, or that it is in use at the place.
  package let evidence: String

  package init(offset: Int, basis: ZoneKnowledge.Basis, evidence: String) {
    (self.offset, self.basis, self.evidence) = (offset, basis, evidence)
  }
}

/// Infers the time zones of times in a folder from their places and from their neighbours in time.
///
/// - A time whose place is known has the zone of the place (``PlaceZones``). A clock may not have been set to it: if the
///   nearest recorded times of the same camera have another zone, there is none.
/// - Else a time that is known in UTC only has the zone of its nearest neighbours, whatever device took them: the earlier and
///   the later one, at most 12 hours apart, must not have different zones.
/// - A local time without a zone has that of its nearest neighbours on the wall clock, by the same rule. If its file
///   names a camera, only pictures and videos of this camera count, because clocks of others may be set to another place.
/// - Only zones that a camera or phone recorded with the time count: no inferred ones, none of a camera's menu and none
///   that an editor has written. So the result does not depend on the order in which files are found.
/// - A zone that is impossible at the longitude does not count. A local time of exactly midnight may be a date without
///   a time, and stays as it is.
package struct ZoneInference {
  /// The largest distance of a neighbour, in milliseconds.
  package static let reach: Int64 = 12 * 3_600_000
  /// The largest difference between the stored wall times of a time and of a neighbour that matters to it: both may
  /// be on clocks of UTC−12 to UTC+14.
  package static let widestReach: Int64 = reach + 26 * 3_600_000

  /// The neighbours of one moment.
  private struct Witness {
    let time: Int64
    /// Nil if they have different zones.
    var offset: Int?
    /// The first of their names.
    let name: String
  }

  /// By UTC, and by the wall clock of all and of each camera.
  private var byUTC: [Witness] = []
  private var byWall: [Witness] = []
  private var byWallOfModel: [String: [Witness]] = [:]

  /// The zones of the candidates that lack one.
  package static func zones(of candidates: [ZoneCandidate]) -> [Int64: InferredZone] {
    let seekers = candidates.filter {
      ZoneKnowledge.mayInfer(offset: $0.offset, source: $0.source)
    }
    guard !seekers.isEmpty else { return [:] }
    let inference = ZoneInference(candidates)
    var zones: [Int64: InferredZone] = [:]
    for seeker in seekers { zones[seeker.id] = inference.zone(of: seeker) }
    return zones
  }

  private init(_ candidates: [ZoneCandidate]) {
    for candidate in candidates where candidate.knowledge == .recorded {
      guard let offset = candidate.offset, KnownUTCOffset.contains(offset) else { continue }
      let local = Witness(time: candidate.wall, offset: offset, name: candidate.name)
      byUTC.append(
        Witness(
          time: candidate.wall - Int64(offset) * 60_000, offset: offset, name: candidate.name))
      byWall.append(local)
      if let model = candidate.model { byWallOfModel[model, default: []].append(local) }
    }
    byUTC = Self.moments(of: byUTC)
    byWall = Self.moments(of: byWall)
    byWallOfModel = byWallOfModel.mapValues(Self.moments)
  }

  /// One witness for each moment, in their order.
  private static func moments(of witnesses: [Witness]) -> [Witness] {
    var moments: [Witness] = []
    for witness in witnesses.sorted(by: isEarlier) {
      guard let last = moments.last, last.time == witness.time else {
        moments.append(witness)
        continue
      }
      if last.offset != witness.offset { moments[moments.count - 1].offset = nil }
    }
    return moments
  }

  private func zone(of seeker: ZoneCandidate) -> InferredZone? {
    if seeker.offset == 0 { return atPlace(of: seeker) ?? nearby(seeker, among: byUTC) }
    if seeker.wall % 86_400_000 == 0 { return nil }
    guard let model = seeker.model else {
      return atPlace(of: seeker) ?? nearby(seeker, among: byWall)
    }
    let neighbor = nearby(seeker, among: byWallOfModel[model] ?? [])
    guard let place = atPlace(of: seeker) else { return neighbor }
    return neighbor == nil || neighbor?.offset == place.offset ? place : nil
  }

  private func atPlace(of seeker: ZoneCandidate) -> InferredZone? {
    guard let place = seeker.location else { return nil }
    let zones = PlaceZones.known
    let offset =
      seeker.offset == 0
      ? zones.offset(at: place, utc: seeker.wall) : zones.offset(at: place, wall: seeker.wall)
    return offset.map { InferredZone(offset: $0, basis: .place, evidence: "at this place") }
  }

  private func nearby(_ seeker: ZoneCandidate, among witnesses: [Witness]) -> InferredZone? {
    let found = Self.nearest(to: seeker.wall, among: witnesses)
    guard let nearest = found.first, let offset = nearest.offset,
      found.allSatisfy({ $0.offset == offset }),
      KnownUTCOffset.isPlausible(offset, at: seeker.location?.longitude)
    else { return nil }
    return InferredZone(
      offset: offset, basis: .neighbor,
      evidence: Self.evidence(seeker.wall - nearest.time, nearest.name))
  }

  /// The witnesses of the last moment up to a time and of the first one after it, the nearest first.
  private static func nearest(to time: Int64, among witnesses: [Witness]) -> [Witness] {
    var (low, high) = (0, witnesses.count)
    while low < high {
      let middle = (low + high) / 2
      if witnesses[middle].time <= time { low = middle + 1 } else { high = middle }
    }
    let found = [low - 1, low].filter(witnesses.indices.contains).map { witnesses[$0] }
    func distance(_ witness: Witness) -> Int64 { abs(witness.time - time) }
    return found.filter { distance($0) <= reach }.sorted { left, right in
      let (first, second) = (distance(left), distance(right))
      return first != second ? first < second : isEarlier(left, right)
    }
  }

  private static func isEarlier(_ left: Witness, _ right: Witness) -> Bool {
    left.time != right.time ? left.time < right.time : left.name < right.name
  }

  /// - Parameter distance: milliseconds after the neighbour.
  private static func evidence(_ distance: Int64, _ name: String) -> String {
    let seconds = abs(distance) / 1000
    guard seconds > 0 else { return "same time as " + name }
    let text =
      switch seconds {
      case ..<120: "\(seconds) s"
      case ..<7200: "\(seconds / 60) min"
      default: "\(seconds / 3600) h"
      }
    return "\(text) \(distance < 0 ? "before" : "after") \(name)"
  }
}
