import MediaModel
import Recognition
import Testing

/// Which zone a time without one gets from its place and its neighbours.
struct ZoneInferenceTests {
  private static let hour: Int64 = 3_600_000
  /// 2024-06-01T10:00:00 on a wall clock.
  private static let ten: Int64 = 1_717_236_000_000
  private static let exif = "exif:DateTimeOriginal+OffsetTimeOriginal"

  /// A picture with a known zone.
  ///
  /// - Parameter wall: milliseconds after ``ten``.
  private static func picture(
    _ name: String, _ wall: Int64, offset: Int, source: String = exif, model: String? = "Phone"
  ) -> ZoneCandidate {
    ZoneCandidate(
      id: 100 + Int64(name.utf8.reduce(0) { $0 + Int($1) }), name: name, wall: ten + wall,
      offset: offset, source: source, model: model, location: nil)
  }

  /// A clip with a time in UTC, milliseconds after 10:00 UTC.
  private static func clip(_ utc: Int64, location: Location? = nil) -> ZoneCandidate {
    ZoneCandidate(
      id: 1, name: "clip.mp4", wall: ten + utc, offset: 0, source: "quicktime:mvhd", model: nil,
      location: location)
  }

  /// A picture with a time on the wall clock.
  private static func local(
    _ wall: Int64, model: String? = nil, source: String = "exif:DateTimeOriginal",
    location: Location? = nil
  ) -> ZoneCandidate {
    ZoneCandidate(
      id: 1, name: "screen.png", wall: wall, offset: nil, source: source, model: model,
      location: location)
  }

  /// A place in the Southern Ocean, where no zone is known.
  private static func sea(_ longitude: Double) -> Location? {
    Location(latitude: -60, longitude: longitude)
  }
  /// Denver: UTC−6 in June.
  private static let denver = Location(latitude: 39.74, longitude: -104.99)

  private func zone(_ candidates: ZoneCandidate...) -> InferredZone? {
    // The order of the candidates does not matter.
    let zone = ZoneInference.zones(of: candidates)[1]
    #expect(ZoneInference.zones(of: candidates.reversed())[1] == zone)
    return zone
  }

  @Test func aClipHasTheZoneOfThePictureBeforeIt() {
    let before = Self.picture("a.jpg", 2 * Self.hour - 18_000, offset: 120)
    #expect(
      zone(Self.clip(0), before)
        == InferredZone(offset: 120, basis: .neighbor, evidence: "18 s after a.jpg"))
    #expect(ZoneInference.zones(of: [Self.clip(0), before]).count == 1)
    #expect(
      zone(Self.clip(0), Self.picture("a.jpg", 2 * Self.hour, offset: 120))?.evidence
        == "same time as a.jpg")
  }

  @Test func neighborsOnBothSidesMustAgree() {
    let before = Self.picture("a.jpg", 1 * Self.hour, offset: 120)
    let (same, other) = (
      Self.picture("b.jpg", 2 * Self.hour + 600_000, offset: 120),
      Self.picture("b.jpg", 3 * Self.hour + 600_000, offset: 180)
    )
    #expect(
      zone(Self.clip(0), before, same)
        == InferredZone(offset: 120, basis: .neighbor, evidence: "10 min before b.jpg"))
    #expect(zone(Self.clip(0), before, other) == nil)
    // Two pictures of one moment with different zones.
    #expect(
      zone(
        Self.clip(0), Self.picture("a.jpg", Self.hour, offset: 120),
        Self.picture("b.jpg", 0, offset: 60)) == nil)
    // A farther one does not matter.
    #expect(
      zone(Self.clip(0), before, Self.picture("c.jpg", -2 * Self.hour, offset: 60))?.offset == 120)
  }

  /// A date that was set for many files at once: each is compared with the moment, not with each of its files.
  @Test(.timeLimit(.minutes(1))) func manyFilesOfOneMomentAreOneNeighbor() {
    var files = (0..<100_000).map { Self.picture("a\($0).jpg", 2 * Self.hour, offset: 120) }
    files += (1...100_000).map { id in
      ZoneCandidate(
        id: Int64(1_000_000 + id), name: "clip\(id).mp4", wall: Self.ten + 60_000, offset: 0,
        source: "quicktime:mvhd", model: nil, location: nil)
    }
    let zones = ZoneInference.zones(of: files)
    #expect(zones.count == 100_000)
    #expect(
      zones.values.allSatisfy {
        $0 == InferredZone(offset: 120, basis: .neighbor, evidence: "60 s after a0.jpg")
      })
  }

  @Test func neighborsAreAtMostTwelveHoursAway() {
    #expect(
      zone(Self.clip(0), Self.picture("a.jpg", 14 * Self.hour, offset: 120))
        == InferredZone(offset: 120, basis: .neighbor, evidence: "12 h before a.jpg"))
    #expect(zone(Self.clip(0), Self.picture("a.jpg", 14 * Self.hour + 1, offset: 120)) == nil)
    // The wall clocks of the farthest zones.
    let far = Self.picture("a.jpg", 26 * Self.hour, offset: 14 * 60)
    #expect(zone(Self.clip(0), far)?.offset == 14 * 60)
    #expect(26 * Self.hour <= ZoneInference.widestReach)
  }

  @Test(arguments: [
    "exif:DateTimeOriginal+Nikon:TimeZone", "exif:DateTimeOriginal+Canon:TimeZone",
    "xmp:DateCreated", "iptc:DateCreated", "png:CreationTime", "exif:DateTime+OffsetTime",
    "quicktime:mvhd+name",
  ])
  func zonesOfMenusEditorsAndNamesDoNotCount(source: String) {
    let before = Self.picture("a.jpg", 2 * Self.hour, offset: 120, source: source)
    #expect(zone(Self.clip(0), before) == nil)
  }

  @Test func onlyTimesWithoutAZoneGetOne() {
    let before = Self.picture("a.jpg", 2 * Self.hour, offset: 120)
    // UTC in EXIF is a zone.
    let known = ZoneCandidate(
      id: 1, name: "b.jpg", wall: Self.ten, offset: 0, source: Self.exif, model: nil,
      location: nil)
    #expect(zone(known, before) == nil)
    // Other clips in UTC know as little.
    let clip = ZoneCandidate(
      id: 2, name: "b.mp4", wall: Self.ten, offset: 0, source: "quicktime:mvhd", model: nil,
      location: nil)
    #expect(zone(Self.clip(0), clip) == nil)
    // At 100° east it is not two hours after UTC.
    #expect(zone(Self.clip(0, location: Self.sea(100)), before) == nil)
    #expect(zone(Self.clip(0, location: Self.sea(13)), before)?.offset == 120)
  }

  @Test func aLocalTimeIsComparedOnTheWallClock() {
    let before = Self.picture("a.jpg", -60_000, offset: 120)
    #expect(
      zone(Self.local(Self.ten), before)
        == InferredZone(offset: 120, basis: .neighbor, evidence: "60 s after a.jpg"))
    #expect(zone(Self.local(Self.ten, model: "Phone"), before)?.offset == 120)
    // The clock of another camera may be set to another place.
    #expect(zone(Self.local(Self.ten, model: "Camera"), before) == nil)
    // A date without a time.
    #expect(zone(Self.local(Self.ten - 10 * Self.hour, source: "name:WhatsApp"), before) == nil)
  }

  @Test func aKnownPlaceDecides() {
    let atPlace = InferredZone(offset: -360, basis: .place, evidence: "at this place")
    // Someone else's picture, which was taken elsewhere.
    let elsewhere = Self.picture("a.jpg", 2 * Self.hour, offset: -300)
    #expect(zone(Self.clip(0, location: Self.denver)) == atPlace)
    #expect(zone(Self.clip(0, location: Self.denver), elsewhere) == atPlace)
    #expect(zone(Self.local(Self.ten, location: Self.denver)) == atPlace)
    let same = Self.picture("a.jpg", -60_000, offset: -360)
    #expect(zone(Self.local(Self.ten, model: "Phone", location: Self.denver), same) == atPlace)
    // The camera's clock may not have been set to the place.
    let other = Self.picture("a.jpg", -60_000, offset: -300)
    #expect(zone(Self.local(Self.ten, model: "Phone", location: Self.denver), other) == nil)
    #expect(zone(Self.local(Self.ten, model: "Camera", location: Self.denver), other) == atPlace)
    #expect(zone(Self.local(Self.ten - 10 * Self.hour, location: Self.denver)) == nil)
  }

  /// What inference stores, and the time without it.
  @Test(arguments: ZoneKnowledge.Basis.allCases)
  func anInferredZoneCanBeTakenBack(_ basis: ZoneKnowledge.Basis) throws {
    let source = ZoneKnowledge.inferred("quicktime:mvhd", from: basis)
    #expect(source == "quicktime:mvhd+\(basis)")
    let utc = try #require(ZoneKnowledge.own(wall: Self.ten, offset: 120, source: source))
    #expect(utc == (Self.ten - 2 * Self.hour, 0, "quicktime:mvhd"))
    let local = try #require(
      ZoneKnowledge.own(
        wall: Self.ten, offset: 120, source: ZoneKnowledge.inferred("name:Screenshot", from: basis))
    )
    #expect(local == (Self.ten, nil, "name:Screenshot"))
    #expect(ZoneKnowledge.own(wall: Self.ten, offset: 120, source: Self.exif) == nil)
  }
}
